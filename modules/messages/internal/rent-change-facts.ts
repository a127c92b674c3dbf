import type { Services } from '../../../platform/operations/services.ts'
import { leaseOf } from './facts.ts'

export async function changeOf(services: Services, changeId: string) {
  const change = await services.db.read
    .selectFrom('rent_changes')
    .selectAll()
    .where('change_id', '=', changeId)
    .executeTakeFirst()
  const of =
    change && (await leaseOf(services, { locationCode: change.location_code, leaseNumber: change.lease_number }))
  return of ? { change, ...of } : null
}

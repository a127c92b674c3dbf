import type { Services } from '../../../platform/operations/services.ts'
import { brandOf } from '../../facilities/settings.ts'
import { personById } from '../../staff/people.ts'

export async function ownerAddress(services: Services, staffId: string): Promise<string | null> {
  if (staffId === '') return (await brandOf(services)).email || null
  const person = await personById(services.db.read, staffId)
  return person === null || person.state === 'ended' ? null : person.email
}

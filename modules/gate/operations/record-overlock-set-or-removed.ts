import * as v from 'valibot'
import { lockAlreadyRecorded, notOverlockedNow } from '../../../domain/texts/office-refusals.ts'
import { integer, lines, locationCode } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError, refusalError } from '../../../platform/operations/outcome.ts'
import { lockLeaseRow } from '../../leases/lock-lease-row.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { loadOverridesInForce } from '../gate-overrides.ts'

/** Records that a staff member set a lock on a unit's door, or took it off. */
export const RecordLock = officeOperation({
  name: 'RecordLock',
  permission: 'lock.set',
  input: v.object({
    location_code: locationCode(),
    lease_number: integer(),
    state: v.picklist(['on', 'off'], 'must be on or off'),
    note: v.optional(lines(500), ''),
  }),
  example: { location_code: 'ATL01', lease_number: 10001, state: 'on', note: '' },
  async work(act, { location_code, lease_number, state, note }) {
    const { tx, services, staff } = act
    const key = { location_code, lease_number }
    const lease = await lockLeaseRow(tx, key)
    if (!lease) throw new RefusalError(recordNotFound)
    const { tenant_id, unit_number } = lease
    const now = services.clock.now()
    const previous = await tx
      .selectFrom('locks_seen')
      .select('state')
      .where((eb) => eb.and(key))
      .executeTakeFirst()
    if ((previous?.state ?? 'off') === state) throw refusalError(409, 'seen', lockAlreadyRecorded(unit_number, state))
    if (state === 'on') {
      const overrides = await loadOverridesInForce(tx, { location_code, tenant_id }, now)
      const isLifted = overrides.some(
        (override) => override.kind === 'lifted' && override.lease_number === lease_number,
      )
      // The tenant paid, the lease ended, or the office lifted the overlock, while the staff member was on the way.
      if (lease.overlocked !== 1 || lease.status === 'Closed' || isLifted)
        throw refusalError(409, 'not_overlocked', notOverlockedNow(unit_number))
    }
    const sighting = { state, note, staff_id: staff.staffId, seen_at: now }
    await tx
      .insertInto('locks_seen')
      .values({ ...key, unit_number, ...sighting })
      .onConflict((conflict) => conflict.columns(['location_code', 'lease_number']).doUpdateSet(sighting))
      .execute()
    await act.audit({ kind: 'lock.seen', details: { unit: unit_number, state, note }, tenantId: tenant_id })
    return { unit_number, state }
  },
})

import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { lockAlreadyRecorded, notOverlockedNow } from '../../../domain/texts/office-refusals.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { type Callers, staffOf } from '../../../platform/operations/callers.ts'
import { integer, lines, locationCode } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { mayAtFacility } from '../../../platform/operations/staff-scope.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { lockLease } from '../../leases/lock-lease.ts'
import { overridesInForce } from '../gate-overrides.ts'

export const RecordLock = internalOperation({
  name: 'RecordLock',
  access: { staff: mayAtFacility('lock.set') },
  input: v.object({
    location_code: locationCode(),
    lease_number: integer(),
    state: v.picklist(['on', 'off'], 'must be on or off'),
    note: v.optional(lines(500), ''),
  }),
  example: { input: { location_code: 'ATL01', lease_number: 10001, state: 'on', note: '' } },
  run: (services, input, callers) => services.db.transaction((tx) => record(tx, services, input, callers)),
})

async function record(
  tx: Kysely<Tables>,
  services: Services,
  input: { location_code: string; lease_number: number; state: 'on' | 'off'; note: string },
  callers: Callers,
) {
  const { state, note } = input
  const key = { location_code: input.location_code, lease_number: input.lease_number }
  const lease = await lockLease(tx, key)
  if (!lease) return recordNotFound
  const now = services.clock.now()
  const previous = await tx
    .selectFrom('locks_seen')
    .select('state')
    .where((eb) => eb.and(key))
    .executeTakeFirst()
  if ((previous?.state ?? 'off') === state) return refuse(409, 'seen', lockAlreadyRecorded(lease.unit_number, state))
  if (state === 'on') {
    const overrides = await overridesInForce(tx, { ...key, tenant_id: lease.tenant_id }, now)
    const isLifted = overrides.some(
      (override) => override.kind === 'lifted' && override.lease_number === lease.lease_number,
    )
    // The tenant paid, or the office lifted the overlock, while the staff member was on the way.
    if (lease.overlocked !== 1 || lease.status === 'Closed' || isLifted)
      return refuse(409, 'not_overlocked', notOverlockedNow(lease.unit_number))
  }
  const actor = staffActor(callers)
  const sighting = { state, note, staff_id: staffOf(callers).staffId, seen_at: now }
  await tx
    .insertInto('locks_seen')
    .values({ ...key, unit_number: lease.unit_number, ...sighting })
    .onConflict((conflict) => conflict.columns(['location_code', 'lease_number']).doUpdateSet(sighting))
    .execute()
  await writeAuditEvent(tx, services, actor, {
    kind: 'lock.seen',
    details: { unit: lease.unit_number, state, note },
    locationCode: key.location_code,
    tenantId: lease.tenant_id,
    leaseNumber: lease.lease_number,
    permission: 'lock.set',
  })
  return succeed({ unit_number: lease.unit_number, state })
}

import type { Kysely } from 'kysely'
import type { Tables } from '../../platform/schema/tables.ts'

/** Lets a lease's gate code open in the standard hours or at all hours. In the caller's transaction. */
export async function setGateHours(
  tx: Kysely<Tables>,
  lease: { location_code: string; tenant_id: number; gate_code: string },
  hours: 'standard' | '24-hour',
): Promise<void> {
  await tx
    .updateTable('gate_codes')
    .set({ time_zone_name: hours })
    .where('location_code', '=', lease.location_code)
    .where('tenant_id', '=', lease.tenant_id)
    .where('gate_code', '=', lease.gate_code)
    .where('active', '=', 1)
    .execute()
}

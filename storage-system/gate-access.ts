/**
 * What the gate of a facility is told: which codes it takes and when. A code is a tenant's, for all their leases; while one of
 * them is overlocked the gate refuses it, though it stays theirs and opens again with the payment.
 */
import type { Kysely } from 'kysely'
import type { GateCodesTable, Tables } from '../database/tables.ts'

export interface GateAccess {
  gateCode: string
  tenantId: number
  /** 'standard': in the facility's gate hours. */
  hours: GateCodesTable['time_zone_name']
  /** Whether the gate opens to it at all now. */
  opens: boolean
}

/** The live codes of a facility, in their order; an auction winner's code belongs to no lease and is not overlocked. */
export async function gateAccessOf(db: Kysely<Tables>, locationCode: string): Promise<GateAccess[]> {
  const rows = await db
    .selectFrom('gate_codes')
    .select(['gate_code', 'tenant_id', 'time_zone_name'])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('leases')
            .whereRef('leases.location_code', '=', 'gate_codes.location_code')
            .whereRef('leases.tenant_id', '=', 'gate_codes.tenant_id')
            .whereRef('leases.gate_code', '=', 'gate_codes.gate_code')
            .where('leases.status', '!=', 'Closed')
            .where('overlocked', '=', 1)
            .select('lease_number'),
        )
        .as('refused'),
    )
    .where('location_code', '=', locationCode)
    .where('active', '=', 1)
    .orderBy('gate_code')
    .execute()
  return rows.map((row) => ({
    gateCode: row.gate_code,
    tenantId: row.tenant_id,
    hours: row.time_zone_name,
    opens: !row.refused,
  }))
}

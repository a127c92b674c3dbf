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
  /** Numbers of the units that it was given for, in their order; none once they are all moved out of. */
  units: string[]
  /** Those of them that are overlocked: why the gate does not open. */
  overlocked: string[]
}

/** '9' before '10'. */
const byNumber = new Intl.Collator('en-US', { numeric: true })

/** The live codes of a facility, in their order. Two queries, however many there are. */
export async function gateAccessOf(db: Kysely<Tables>, locationCode: string): Promise<GateAccess[]> {
  const [codes, leases] = await Promise.all([
    db
      .selectFrom('gate_codes')
      .select(['gate_code', 'tenant_id', 'time_zone_name'])
      .where('location_code', '=', locationCode)
      .where('active', '=', 1)
      .orderBy('gate_code')
      .execute(),
    db
      .selectFrom('leases')
      .select(['tenant_id', 'gate_code', 'unit_number', 'overlocked'])
      .where('location_code', '=', locationCode)
      .where('status', '!=', 'Closed')
      .where('gate_code', '!=', '')
      .execute(),
  ])
  const key = (of: { tenant_id: number; gate_code: string }) => `${of.tenant_id} ${of.gate_code}`
  const byCode = Map.groupBy(leases, key)
  return codes.map((row) => {
    const given = (byCode.get(key(row)) ?? []).sort((a, b) => byNumber.compare(a.unit_number, b.unit_number))
    const overlocked = given.filter((lease) => lease.overlocked === 1).map((lease) => lease.unit_number)
    return {
      gateCode: row.gate_code,
      tenantId: row.tenant_id,
      hours: row.time_zone_name,
      opens: overlocked.length === 0,
      units: given.map((lease) => lease.unit_number),
      overlocked,
    }
  })
}

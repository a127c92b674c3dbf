import type { Kysely } from 'kysely'
import type { Cents } from '../../../domain/money.ts'
import { facilityCodesForSqlIn } from '../../../platform/database/facility-codes-for-sql-in.ts'
import type { StaffCaller } from '../../../platform/operations/callers.ts'
import { facilitiesFor } from '../../../platform/operations/facilities-of-staff.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { loadTenantLeases } from '../../leases/lease.ts'
import { allowedFacilities } from './drawer-access.ts'
import type { LeaseToReceiveFor } from './receive-payment-form.ts'

/** A rented unit found by its number, with the tenant and the balance due in cents. */
export interface UnitToPay {
  locationCode: string
  unitNumber: string
  leaseNumber: number
  tenantId: number
  tenant: string
  balance: Cents
}

const MAX_UNITS = 20

/** Parses a typed unit, with or without its facility: 'ATL01 318' or '318'; null for other text. */
function parseTypedUnit(text: string): { code: string | null; unit: string } | null {
  const [, code = null, unit] = /^(?:([A-Za-z0-9-]{2,16})\s+)?(\S{1,16})$/.exec(text.trim()) ?? []
  return unit === undefined ? null : { code: code?.toUpperCase() ?? null, unit: unit.toUpperCase() }
}

/**
 * Finds up to 20 rented units by number at facilities where the staff member receives payments, with their balances.
 * @param text typed unit number, optionally after a facility code
 * @param chosen facilities to search where `text` names none
 */
export async function findUnitsToPay(
  db: Kysely<Tables>,
  caller: StaffCaller,
  { text, chosen }: { text: string; chosen: readonly string[] | 'all' },
): Promise<UnitToPay[]> {
  const parsed = parseTypedUnit(text)
  if (!parsed) return []
  const permitted = facilitiesFor(caller, 'payment.receive')
  const places = allowedFacilities(permitted, parsed.code === null ? chosen : [parsed.code])
  const rows = await db
    .selectFrom('units')
    .innerJoin('leases', (join) =>
      join.onRef('leases.location_code', '=', 'units.location_code').onRef('leases.unit_id', '=', 'units.unit_id'),
    )
    .innerJoin('tenants', (join) =>
      join
        .onRef('tenants.location_code', '=', 'leases.location_code')
        .onRef('tenants.tenant_id', '=', 'leases.tenant_id'),
    )
    .select([
      'leases.location_code',
      'leases.unit_number',
      'lease_number',
      'leases.tenant_id',
      'first',
      'last',
      'balance',
    ])
    .where('units.unit_number', '=', parsed.unit)
    .where('leases.status', '!=', 'Closed')
    .$if(places !== 'all', (query) => query.where('units.location_code', 'in', facilityCodesForSqlIn(places)))
    .orderBy('leases.location_code')
    .limit(MAX_UNITS)
    .execute()
  return rows.map((row) => ({
    locationCode: row.location_code,
    unitNumber: row.unit_number,
    leaseNumber: row.lease_number,
    tenantId: row.tenant_id,
    tenant: `${row.first} ${row.last}`,
    balance: row.balance,
  }))
}

/** Returns the lease of a found unit; an empty list where the lease is not the tenant's any more. */
export async function loadLeasesOfUnit(db: Kysely<Tables>, unit: UnitToPay): Promise<LeaseToReceiveFor[]> {
  const leases = await loadTenantLeases(db, unit)
  return leases
    .filter((lease) => lease.lease_number === unit.leaseNumber)
    .map(({ location_code, tenant_id, lease_number, unit_number, balance, status }) => ({
      location_code,
      tenant_id,
      lease_number,
      unit_number,
      balance,
      status,
    }))
}

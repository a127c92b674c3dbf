import type { Kysely } from 'kysely'
import type { Cents } from '../../../domain/money.ts'
import { facilityCodesForSqlIn } from '../../../platform/database/facility-codes-for-sql-in.ts'
import type { StaffCaller } from '../../../platform/operations/callers.ts'
import { facilitiesFor } from '../../../platform/operations/facilities-of-staff.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { unitNumberSpellings } from '../../facilities/rules/unit-number-spellings.ts'
import { loadTenantLeases } from '../../leases/lease.ts'
import { allowedFacilities } from './drawers-visible-to-staff.ts'
import type { LeaseToReceiveFor } from './receive-payment-form.ts'

/** A rented unit found by its number, with the tenant's name and the lease's balance in cents. */
export interface UnitToPay {
  locationCode: string
  unitNumber: string
  leaseNumber: number
  tenantId: number
  tenant: string
  balance: Cents
}

const MAX_UNITS = 20

/**
 * Returns what a typed text may name: a unit, such as '318' or 'Bay 4', and if its first word may be a facility's code, as
 * in 'ATL01 318', the unit at that facility.
 */
function possibleUnits(text: string): { code: string | null; unit: string }[] {
  const [, code, unit] = /^([A-Za-z0-9-]{2,16})\s+(\S.*)$/.exec(text.trim()) ?? []
  const whole = { code: null, unit: text }
  return code === undefined || unit === undefined ? [whole] : [whole, { code: code.toUpperCase(), unit }]
}

/**
 * Finds up to 20 rented units by number at facilities where the staff member receives payments, with their balances.
 * @param text typed unit number, optionally after a facility code
 * @param chosen facilities to search for a unit whose number is the whole text
 */
export async function findUnitsToPay(
  db: Kysely<Tables>,
  caller: StaffCaller,
  { text, chosen }: { text: string; chosen: readonly string[] | 'all' },
): Promise<UnitToPay[]> {
  const permitted = facilitiesFor(caller, 'payment.receive')
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
    .where((eb) =>
      eb.or(
        possibleUnits(text).map(({ code, unit }) => {
          const places = allowedFacilities(permitted, code === null ? chosen : [code])
          const isUnit = eb('units.unit_number', 'in', unitNumberSpellings(unit))
          return places === 'all'
            ? isUnit
            : eb.and([isUnit, eb('units.location_code', 'in', facilityCodesForSqlIn(places))])
        }),
      ),
    )
    .where('leases.status', '!=', 'Closed')
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

/**
 * Reads rent changes, and leases with the facts that `rules/eligible-leases.ts` needs, such as whether the tenant has an
 * e-mail address, the scheduled move-out and earlier changes.
 */

import type { Kysely, Selectable } from 'kysely'
import type { Cents } from '../../../domain/money.ts'
import { isOneOf } from '../../../domain/typed-keys.ts'
import { engineOf } from '../../../platform/database/engine-differences.ts'
import type { LeasesTable, RentChangesTable, Tables } from '../../../platform/schema/tables.ts'
import type { LeaseForRentChange } from '../rules/eligible-leases.ts'

export type RentChange = Selectable<RentChangesTable>

/** States of a rent change that is neither applied nor ended. */
export const openRentChangeStates = ['proposed', 'approved', 'coming'] as const

const columns = [
  'location_code',
  'lease_number',
  'tenant_id',
  'unit_number',
  'unit_type_id',
  'status',
  'rent',
  'move_in_date',
  'paid_through',
  'scheduled_move_out',
  'auction_prepped',
] as const

type Columns = Pick<Selectable<LeasesTable>, (typeof columns)[number]>

/** A lease with the facts that the rules for rent changes need. */
export type RentLease = Columns & LeaseForRentChange

/**
 * Loads leases of a facility, and locks them in the order of their numbers, as billing does.
 * @param which lease numbers, and units whose open leases are meant; null for all open leases, without locks
 */
export async function loadLeasesForRentChange(
  tx: Kysely<Tables>,
  locationCode: string,
  which: { numbers: readonly number[]; units: readonly string[] } | null,
): Promise<RentLease[]> {
  const leases = await tx
    .selectFrom('leases')
    .select(columns)
    .where('location_code', '=', locationCode)
    .$if(which === null, (query) => query.where('status', '!=', 'Closed'))
    .$if(which !== null, (query) =>
      query.where((eb) =>
        // SQL accepts no empty list; -1 and '' match no lease.
        eb.or([
          eb('lease_number', 'in', which?.numbers.length ? which.numbers : [-1]),
          eb.and([eb('unit_number', 'in', which?.units.length ? which.units : ['']), eb('status', '!=', 'Closed')]),
        ]),
      ),
    )
    .orderBy('lease_number')
    .$if(engineOf(tx) === 'postgres' && which !== null, (query) => query.forNoKeyUpdate())
    .execute()
  if (leases.length === 0) return []
  const [changes, tenantsWithAddress] = await Promise.all([
    loadChangesByLease(tx, locationCode, which === null ? null : leases.map(({ lease_number }) => lease_number)),
    loadTenantsWithAddress(tx, locationCode, which === null ? null : leases.map(({ tenant_id }) => tenant_id)),
  ])
  return leases.map((lease) => {
    const leaseChanges = changes.get(lease.lease_number) ?? []
    const applied = leaseChanges.flatMap(({ applied_from }) => applied_from ?? []).sort()
    return {
      ...lease,
      hasAddress: tenantsWithAddress.has(lease.tenant_id),
      underWay: leaseChanges.some(({ state }) => isOneOf(openRentChangeStates, state)),
      lastChange: applied.at(-1) ?? null,
    }
  })
}

async function loadChangesByLease(tx: Kysely<Tables>, locationCode: string, numbers: readonly number[] | null) {
  const rows = await tx
    .selectFrom('rent_changes')
    .select(['lease_number', 'state', 'applied_from'])
    .where('location_code', '=', locationCode)
    .where('state', 'in', [...openRentChangeStates, 'applied'])
    .$if(numbers !== null, (query) => query.where('lease_number', 'in', numbers ?? []))
    .execute()
  return Map.groupBy(rows, (row) => row.lease_number)
}

async function loadTenantsWithAddress(tx: Kysely<Tables>, locationCode: string, tenantIds: readonly number[] | null) {
  const rows = await tx
    .selectFrom('tenants')
    .select('tenant_id')
    .where('location_code', '=', locationCode)
    .where('email', '!=', '')
    .$if(tenantIds !== null, (query) => query.where('tenant_id', 'in', tenantIds ?? []))
    .execute()
  return new Set(rows.map((row) => row.tenant_id))
}

/** A new rent for a lease, in cents. */
export interface NewRent {
  locationCode: string
  lease: RentLease
  newRent: Cents
}

export const loadRentChange = (db: Kysely<Tables>, changeId: string): Promise<RentChange | undefined> =>
  db.selectFrom('rent_changes').selectAll().where('change_id', '=', changeId).executeTakeFirst()

/** Returns the rents of a rent change, in cents, and its wanted first day, as the rent rules take them. */
export const rentsOf = ({ old_rent, new_rent, wanted_from }: RentChange) => ({
  oldRent: old_rent,
  newRent: new_rent,
  wantedFrom: wanted_from,
})

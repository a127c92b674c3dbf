/** Reads rent changes as rows of the office's pages. */

import type { Kysely } from 'kysely'
import type { Cents } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import { isOneOf } from '../../../domain/typed-keys.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { loadFacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'
import { selectLeasesWithTenants } from '../../leases/select-leases-with-tenants.ts'
import { loadChargedThroughDays } from '../../ledger/lease-ledger-totals.ts'
import { openRentChangeStates, type RentChange, rentsOf } from '../internal/rent-change-facts.ts'
import { daysSince, earliestRentDay, firstPeriodFrom } from '../rules/rent-change.ts'

/** A rent change as a row of the office's pages. */
export interface RentRow {
  changeId: string
  locationCode: string
  tenantId: number
  leaseNumber: number
  unitNumber: string
  tenant: string
  before: Cents
  after: Cents
  /** Street rate of the unit type, in cents; null when the type no longer exists. */
  streetRate: Cents | null
  /**
   * Days from the last applied change, or from move-in, to today. For an applied change: from the applied change before
   * it, or from move-in, to its own first day.
   */
  daysSince: number
  state: RentChange['state']
  /** Day on which the notice was sent; today for an open increase without a sent notice; null for others. */
  noticeOn: IsoDate | null
  noticeSent: boolean
  /** First day of the first period at the new rent, as of now; null when the change never applies. */
  from: IsoDate | null
}

/** Returns rent changes as rows of the office's pages, with tenants, street rates and first days. */
export async function loadRentRows(services: Services, changes: readonly RentChange[]): Promise<RentRow[]> {
  const { read } = services.db
  const rows: RentRow[] = []
  for (const [locationCode, facilityChanges] of Map.groupBy(changes, (change) => change.location_code)) {
    const numbers = facilityChanges.map((change) => change.lease_number)
    const leases = await selectLeasesWithTenants(read)
      .select([
        'lease_number',
        'unit_number',
        'unit_type_id',
        'move_in_date',
        'paid_through',
        'first',
        'last',
        'company',
      ])
      .where('leases.location_code', '=', locationCode)
      .where('lease_number', 'in', numbers)
      .execute()
    const [facts, chargedThrough, changeDays] = await Promise.all([
      loadFacilityFacts(services, [locationCode]),
      loadChargedThroughDays(read, locationCode, leases),
      loadRentChangeDays(read, locationCode, numbers),
    ])
    const byNumber = new Map(leases.map((lease) => [lease.lease_number, lease]))
    for (const change of facilityChanges) {
      const lease = byNumber.get(change.lease_number)
      const facility = facts.get(locationCode)
      if (!lease || !facility) continue
      const { applied_from: appliedFrom } = change
      const days = changeDays.get(change.lease_number) ?? []
      const since = days.findLast((day) => appliedFrom === null || day < appliedFrom) ?? lease.move_in_date
      rows.push({
        changeId: change.change_id,
        locationCode,
        tenantId: change.tenant_id,
        leaseNumber: change.lease_number,
        unitNumber: lease.unit_number,
        tenant: lease.company || `${lease.first} ${lease.last}`,
        before: change.old_rent,
        after: change.new_rent,
        state: change.state,
        streetRate: facility.unitTypes.find((type) => type.unit_type_id === lease.unit_type_id)?.rent ?? null,
        daysSince: daysSince(since, appliedFrom ?? facility.today),
        ...datesOf(change, facility.today, chargedThrough.get(change.lease_number) ?? lease.paid_through),
      })
    }
  }
  return rows
}

/** Returns the first days of applied changes by lease number, oldest first. `numbers` is null for all leases. */
export async function loadRentChangeDays(
  db: Kysely<Tables>,
  locationCode: string,
  numbers: readonly number[] | null,
): Promise<Map<number, IsoDate[]>> {
  const rows = await db
    .selectFrom('rent_changes')
    .select(['lease_number', 'applied_from'])
    .where('location_code', '=', locationCode)
    .$if(numbers !== null, (query) => query.where('lease_number', 'in', numbers ?? []))
    .where('state', '=', 'applied')
    .orderBy('applied_from')
    .execute()
  const byLease = Map.groupBy(rows, (row) => row.lease_number)
  return new Map([...byLease].map(([number, applied]) => [number, applied.flatMap((row) => row.applied_from ?? [])]))
}

/** Returns the days of a rent change's notice and first period. */
function datesOf(
  change: RentChange,
  today: IsoDate,
  chargedThrough: IsoDate,
): Pick<RentRow, 'noticeOn' | 'noticeSent' | 'from'> {
  const noticeSent = change.notice_on !== null
  const noticeOn = change.notice_on ?? (change.new_rent > change.old_rent ? today : null)
  if (change.state === 'applied') return { noticeOn: change.notice_on, noticeSent, from: change.applied_from }
  if (!isOneOf(openRentChangeStates, change.state)) return { noticeOn: change.notice_on, noticeSent, from: null }
  const earliest = change.not_before ?? earliestRentDay(rentsOf(change), today)
  return { noticeOn, noticeSent, from: firstPeriodFrom(chargedThrough, earliest) }
}

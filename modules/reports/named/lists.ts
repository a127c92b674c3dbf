/** Reports that list units or leases of a facility: the same rows for its page and for the file of many. */
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { todayIn } from '../../../domain/dates.ts'
import type { Cents } from '../../../domain/money.ts'
import { daysBetween, type IsoDate } from '../../../domain/plain-date.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { dayNow, type Place } from '../figures.ts'
import type { Roll, RollLease, RollUnit, UnitUse } from '../rent-roll.ts'
import { ageLabels } from '../rules/aging.ts'
import type { ReportColumn, ReportRow } from '../rules/report-view.ts'
import { keptRoll } from '../snapshots.ts'

export interface Listed {
  row: ReportRow
  /** Where the row leads. */
  link: string | null
}

export interface ListReport {
  columns: readonly ReportColumn[]
  /** Of a facility, as the last of the days ended, or of all of them; null where that is not kept. */
  rows(services: Services, place: Place, of: { from: IsoDate; to: IsoDate }): Promise<Listed[] | null>
}

/** As the day ended; of the facility's own day as it is now; null where nothing is kept of it. */
export async function rollOn(services: Services, place: Place, day: IsoDate): Promise<Roll | null> {
  if (day >= todayIn(place.timeZone, services.clock.now())) return (await dayNow(services, place))?.roll ?? null
  const kept = await keptRoll(services.db.read, place.code, day)
  return kept?.day === day ? kept.roll : null
}

const TENANTS_A_STATEMENT = 200

/** Names as they are now: they are not kept with a day. */
export async function namesOf(
  db: Kysely<Tables>,
  locationCode: string,
  tenants: readonly number[],
): Promise<Map<number, string>> {
  const names = new Map<number, string>()
  for (let from = 0; from < tenants.length; from += TENANTS_A_STATEMENT) {
    // SQLite answers within the same tick: a file of all facilities would keep requests waiting to its end.
    await yieldToOthers()
    const some = tenants.slice(from, from + TENANTS_A_STATEMENT)
    // As many values each time, so that the statement is one that is prepared already.
    const asked = from === 0 ? some : [...some, ...Array(TENANTS_A_STATEMENT - some.length).fill(some[0])]
    const rows = await db
      .selectFrom('tenants')
      .select(['tenant_id', 'first', 'last', 'company'])
      .where('location_code', '=', locationCode)
      .where('tenant_id', 'in', asked)
      .execute()
    for (const { tenant_id, first, last, company } of rows)
      names.set(tenant_id, `${last}, ${first}${company ? ` (${company})` : ''}`)
  }
  return names
}

const useNames: Record<UnitUse, string> = { rented: 'Rented', held: 'Held', off: 'Out of service', free: 'Free' }

export const leaseLink = (code: string, lease: Pick<RollLease, 'tenantId' | 'leaseNumber'>): string =>
  `/office/tenants/${code}/${lease.tenantId}/leases/${lease.leaseNumber}`

const tenantsOf = (units: readonly RollUnit[]) => units.flatMap(({ lease }) => (lease ? [lease.tenantId] : []))

// Each row is one literal: spreads made half of what a file of all facilities costs.
const rentedRow = ({ unitNumber, street }: RollUnit, lease: RollLease, names: ReadonlyMap<number, string>) => ({
  unit: unitNumber,
  use: lease.status,
  street,
  tenant: names.get(lease.tenantId) ?? '',
  movedIn: lease.movedIn,
  rent: lease.rent,
  plan: lease.premium,
  fees: lease.fees,
  paidThrough: lease.paidThrough,
  balance: lease.balance,
  autopay: lease.autopay ? 'yes' : '',
  lease: String(lease.leaseNumber),
})

const vacantRow = ({ unitNumber, use, street }: RollUnit) => ({
  unit: unitNumber,
  use: useNames[use],
  street,
  tenant: '',
  movedIn: null,
  rent: null,
  plan: null,
  fees: null,
  paidThrough: null,
  balance: null,
  autopay: '',
  lease: '',
})

const unitColumns: ReportColumn[] = [{ key: 'unit', label: 'Unit', as: 'text' }]

export const rentRoll: ListReport = {
  columns: [
    ...unitColumns,
    { key: 'tenant', label: 'Tenant', as: 'text' },
    { key: 'use', label: 'State', as: 'text', wide: true },
    { key: 'movedIn', label: 'Moved in', as: 'day', wide: true },
    { key: 'rent', label: 'Rent', as: 'cents' },
    { key: 'street', label: 'Street', as: 'cents', wide: true },
    { key: 'plan', label: 'Insurance', as: 'cents', wide: true },
    { key: 'fees', label: 'Fees', as: 'cents', wide: true },
    { key: 'paidThrough', label: 'Paid through', as: 'day', wide: true },
    { key: 'balance', label: 'Balance', as: 'cents' },
    { key: 'autopay', label: 'Autopay', as: 'text', wide: true },
    { key: 'lease', label: 'Lease', as: 'text', wide: true },
  ],
  async rows(services, place, { to: day }) {
    const roll = await rollOn(services, place, day)
    if (!roll) return null
    const names = await namesOf(services.db.read, place.code, tenantsOf(roll.units))
    return roll.units.map((unit) =>
      unit.lease
        ? { row: rentedRow(unit, unit.lease, names), link: leaseLink(place.code, unit.lease) }
        : { row: vacantRow(unit), link: null },
    )
  },
}

export const rateVariance: ListReport = {
  columns: [
    ...unitColumns,
    { key: 'tenant', label: 'Tenant', as: 'text' },
    { key: 'rent', label: 'Rent', as: 'cents' },
    { key: 'street', label: 'Street', as: 'cents', wide: true },
    { key: 'variance', label: 'Above street', as: 'cents' },
    { key: 'share', label: 'Of street', as: 'share', wide: true },
    { key: 'days', label: 'Days at this rent', as: 'count', wide: true },
  ],
  async rows(services, place, { to: day }) {
    const roll = await rollOn(services, place, day)
    if (!roll) return null
    const names = await namesOf(services.db.read, place.code, tenantsOf(roll.units))
    const since = await rentsSince(services.db.read, place.code, day)
    return roll.units
      .flatMap(({ unitNumber, street, lease }) => (lease ? [{ unitNumber, street, lease }] : []))
      .sort((a, b) => b.lease.rent - b.street - (a.lease.rent - a.street))
      .map(({ unitNumber, street, lease }) => ({
        row: {
          unit: unitNumber,
          tenant: names.get(lease.tenantId) ?? '',
          rent: lease.rent,
          street,
          variance: lease.rent - street,
          share: street === 0 ? null : lease.rent / street,
          days: Math.max(daysBetween(since.get(lease.leaseNumber) ?? lease.movedIn, day), 0),
        },
        link: leaseLink(place.code, lease),
      }))
  },
}

/** Since when each lease has its rent, where it ever changed. */
async function rentsSince(db: Kysely<Tables>, locationCode: string, day: IsoDate): Promise<Map<number, IsoDate>> {
  const rows = await db
    .selectFrom('rent_changes')
    .select((eb) => ['lease_number', eb.fn.max<IsoDate>('applied_from').as('since')])
    .where('location_code', '=', locationCode)
    .where('state', '=', 'applied')
    .where('applied_from', '<=', day)
    .groupBy('lease_number')
    .execute()
  return new Map(rows.map(({ lease_number, since }) => [lease_number, since]))
}

interface Owing {
  unitNumber: string
  lease: Pick<RollLease, 'tenantId' | 'leaseNumber' | 'balance' | 'ages'> & Partial<RollLease>
  closed: IsoDate | null
}

/** Open leases first, then closed ones; none that is even. */
const withBalance = (roll: Roll): Owing[] => [
  ...roll.units.flatMap(({ unitNumber, lease }) =>
    lease && lease.balance !== 0 ? [{ unitNumber, lease, closed: null }] : [],
  ),
  ...roll.closed.map(({ unitNumber, closedOn, ...lease }) => ({ unitNumber, lease, closed: closedOn ?? '' })),
]

export const aging: ListReport = {
  columns: [
    ...unitColumns,
    { key: 'tenant', label: 'Tenant', as: 'text' },
    { key: 'state', label: 'Lease', as: 'text', wide: true },
    ...ageLabels.map(
      (label, at): ReportColumn => ({ key: `age${at}`, label, as: 'cents', ...(at > 0 && { wide: true }) }),
    ),
    { key: 'credit', label: 'Credit', as: 'cents', wide: true },
    { key: 'balance', label: 'Balance', as: 'cents' },
  ],
  async rows(services, place, { to: day }) {
    const roll = await rollOn(services, place, day)
    if (!roll) return null
    const owing = withBalance(roll)
    const names = await namesOf(
      services.db.read,
      place.code,
      owing.map(({ lease }) => lease.tenantId),
    )
    return owing.map(({ unitNumber, lease, closed }) => ({
      row: {
        unit: unitNumber,
        tenant: names.get(lease.tenantId) ?? '',
        state: closed === null ? 'Open' : 'Closed',
        ...Object.fromEntries(lease.ages.map((cents, at) => [`age${at}`, cents])),
        credit: Math.max(-lease.balance, 0),
        balance: lease.balance,
      },
      link: leaseLink(place.code, lease),
    }))
  },
}

export const pastDue: ListReport = {
  columns: [
    ...unitColumns,
    { key: 'tenant', label: 'Tenant', as: 'text' },
    { key: 'days', label: 'Days', as: 'count' },
    { key: 'balance', label: 'Owed', as: 'cents' },
    { key: 'paidThrough', label: 'Paid through', as: 'day', wide: true },
    { key: 'lastPaid', label: 'Last paid', as: 'day', wide: true },
    { key: 'status', label: 'Status', as: 'text', wide: true },
    { key: 'lock', label: 'Gate', as: 'text', wide: true },
    { key: 'lien', label: 'Lien case since', as: 'day', wide: true },
  ],
  async rows(services, place, { to: day }) {
    const roll = await rollOn(services, place, day)
    if (!roll) return null
    const late = roll.units
      .flatMap(({ unitNumber, lease }) => (lease && lease.balance > 0 ? [{ unitNumber, lease }] : []))
      .map((one) => ({ ...one, days: Math.max(daysBetween(one.lease.paidThrough, day), 0) }))
      .sort((a, b) => b.days - a.days || b.lease.balance - a.lease.balance)
    const leases = late.map(({ lease }) => lease)
    const cases = await lienCases(services.db.read, place.code, day)
    const [names, paid] = [
      await namesOf(
        services.db.read,
        place.code,
        leases.map(({ tenantId }) => tenantId),
      ),
      await lastPayments(
        services.db.read,
        place.code,
        leases.map(({ leaseNumber }) => leaseNumber),
        day,
      ),
    ]
    return late.map(({ unitNumber, lease, days }) => ({
      row: {
        unit: unitNumber,
        tenant: names.get(lease.tenantId) ?? '',
        days,
        balance: lease.balance,
        paidThrough: lease.paidThrough,
        lastPaid: paid.get(lease.leaseNumber) ?? null,
        status: lease.status,
        lock: lease.overlocked ? 'Refuses' : 'Opens',
        lien: cases.get(lease.leaseNumber) ?? null,
      },
      link: leaseLink(place.code, lease),
    }))
  },
}

/** Cases that were open on a day, by lease: since when. */
async function lienCases(db: Kysely<Tables>, locationCode: string, day: IsoDate): Promise<Map<number, IsoDate>> {
  const rows = await db
    .selectFrom('lien_cases')
    .select(['lease_number', 'opened_on'])
    .where('location_code', '=', locationCode)
    .where('opened_on', '<=', day)
    .where((eb) => eb.or([eb('ended_on', 'is', null), eb('ended_on', '>', day)]))
    .execute()
  return new Map(rows.map(({ lease_number, opened_on }) => [lease_number, opened_on]))
}

async function lastPayments(
  db: Kysely<Tables>,
  locationCode: string,
  leases: readonly number[],
  day: IsoDate,
): Promise<Map<number, IsoDate>> {
  if (leases.length === 0) return new Map()
  const rows = await db
    .selectFrom('ledger_entries')
    .select((eb) => ['lease_number', eb.fn.max<IsoDate>('posted_on').as('paid')])
    .where('location_code', '=', locationCode)
    .where('lease_number', 'in', leases)
    .where('kind', '=', 'payment')
    .where('posted_on', '<=', day)
    .groupBy('lease_number')
    .execute()
  return new Map(rows.map(({ lease_number, paid }) => [lease_number, paid]))
}

export const sumOfColumn = (rows: readonly Listed[], key: string): Cents =>
  rows.reduce((sum, { row }) => sum + Number(row[key] ?? 0), 0)

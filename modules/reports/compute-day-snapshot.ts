/** Computes the snapshot of a facility's day: figures of its end and of its ledger entries, and the rent roll. */
import type { Kysely, Selectable } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import { addDays, type IsoDate } from '../../domain/plain-date.ts'
import { endOfDay, type Instant, startOfDay } from '../../domain/time-zone-dates.ts'
import type { DailyFiguresTable, LeasesTable, LocationsTable, Tables } from '../../platform/schema/tables.ts'
import type { ClosedBalance, Roll, RollLease, RollUnit } from './compress-rent-roll.ts'
import { loadReceivedByMethod, loadRefunded, surplusesOf } from './internal/money-received-and-refunded-in-day.ts'
import {
  type Charges,
  type DayEntry,
  loadCharges,
  loadEntriesOfDays,
  loadLatePostings,
  loadUnearned,
  rentCollected,
  sumPostedAfter,
  withoutReversedPeriods,
} from './internal/read-day-ledger-entries.ts'
import { type Ages, ageBalance } from './rules/aging.ts'
import { creditSums, sumsByKind, taxSums } from './rules/ledger-sums-by-kind-and-tax.ts'

export type Figures = Omit<Selectable<DailyFiguresTable>, 'location_code' | 'day' | 'kept' | 'taken_at'>

export type Facility = Pick<
  Selectable<LocationsTable>,
  'location_code' | 'time_zone' | 'rent_tax_rate' | 'insurance_tax_rate' | 'fee_tax_rate'
>

/** Facts that determine a day's snapshot of a facility: the day, the previous snapshot and the current time. */
export interface SnapshotRequest {
  day: IsoDate
  /** Previous snapshot, saved or missed; null for the first. Flows, such as payments, are counted after its day. */
  before: { day: IsoDate; takenAt: Instant; balances: Cents } | null
  now: Instant
}

/** Snapshot of a facility's day. */
export interface DaySnapshot {
  figures: Figures
  roll: Roll
}

/**
 * Computes the snapshot of a facility's day.
 * @param tx transaction of the caller; in PostgreSQL a repeatable-read one, so that all sums describe one state of the
 *   database
 */
export async function computeDaySnapshot(
  tx: Kysely<Tables>,
  facility: Facility,
  request: SnapshotRequest,
): Promise<DaySnapshot> {
  const code = facility.location_code
  const { day, now } = request
  const after = request.before?.day ?? addDays(day, -1)
  const leases = await loadLeases(tx, facility, { day, after })
  const totalBalance = leases.reduce((sum, { balance }) => sum + balance, 0)
  const entries = await loadEntriesSince(tx, code, { day, after, before: request.before, balances: totalBalance })
  const owing = leases.filter(({ balance }) => balance > 0).map(({ lease_number }) => lease_number)
  const posted = entries.map(({ lease_number }) => lease_number)
  const charges = await loadCharges(tx, code, [...new Set([...owing, ...posted])], day)
  const balances = new Map(leases.map(({ lease_number, balance }) => [lease_number, balance]))
  const roll = await loadRoll(tx, facility, { day, now, leases, charges })
  const window = { from: startOfDay(facility.time_zone, addDays(after, 1)), to: endOfDay(facility.time_zone, day) }
  return {
    roll,
    figures: {
      ...unitSums(roll),
      ...leaseSums(leases, roll),
      ...(await loadReceivedByMethod(tx, entries)),
      money_refunded: (await loadRefunded(tx, code, window)) + surplusesOf(entries),
      unearned: await loadUnearned(tx, code, day),
      ...sumsByKind(entries),
      ...creditSums(entries),
      ...taxSums(entries),
      rent_rate: facility.rent_tax_rate,
      insurance_rate: facility.insurance_tax_rate,
      fee_rate: facility.fee_tax_rate,
      rent_collected: rentCollected(charges, entries, (lease) => balances.get(lease) ?? 0),
      ...moves(leases, { after, day }),
    },
  }
}

/**
 * Loads the entries posted since the previous snapshot. Catch-up billing or an import may have posted to earlier days;
 * those entries are loaded only if the balances do not add up without them.
 */
async function loadEntriesSince(
  tx: Kysely<Tables>,
  code: string,
  span: { day: IsoDate; after: IsoDate; before: SnapshotRequest['before']; balances: Cents },
): Promise<DayEntry[]> {
  const posted = await loadEntriesOfDays(tx, code, { after: span.after, through: span.day })
  if (!span.before) return posted
  const unexplained = span.balances - span.before.balances - posted.reduce((sum, { cents }) => sum + cents, 0)
  if (unexplained === 0) return posted
  return [...(await loadLatePostings(tx, code, { through: span.after, since: span.before.takenAt })), ...posted]
}

type DayLease = Pick<Selectable<LeasesTable>, (typeof leaseColumns)[number]> & {
  /** True when the lease was open at the end of the day. */
  open: boolean
  /** Sum of the recurring fees, in cents. */
  fees: Cents
}

const leaseColumns = [
  'lease_number',
  'tenant_id',
  'unit_id',
  'unit_number',
  'status',
  'move_in_date',
  'closed_on',
  'scheduled_move_out',
  'paid_through',
  'rent',
  'insurance_status',
  'insurance_premium',
  'autopay',
  'autopay_refusals',
  'auction_prepped',
  'overlocked',
  'balance',
] as const

/**
 * Loads the leases created by the end of `days.day` that may count then: open ones, and closed ones that have a balance,
 * ended after `days.after` or have entries posted after `days.day`.
 */
async function loadLeases(
  tx: Kysely<Tables>,
  { location_code, time_zone }: Facility,
  days: { day: IsoDate; after: IsoDate },
): Promise<DayLease[]> {
  const postedAfter = await sumPostedAfter(tx, location_code, days.day)
  const rows = await tx
    .selectFrom('leases')
    .select(leaseColumns)
    .where('location_code', '=', location_code)
    .where('created_at', '<', endOfDay(time_zone, days.day))
    .where((eb) =>
      eb.or([
        eb('status', '!=', 'Closed'),
        eb('balance', '!=', 0),
        eb('closed_on', '>', days.after),
        ...(postedAfter.size > 0 ? [eb('lease_number', 'in', [...postedAfter.keys()])] : []),
      ]),
    )
    .orderBy('lease_number')
    .execute()
  const fees = await tx
    .selectFrom('lease_fees')
    .select((eb) => ['lease_number', eb.fn.sum<number>('amount').as('cents')])
    .where('location_code', '=', location_code)
    .groupBy('lease_number')
    .execute()
  const feesOf = new Map(fees.map((row) => [row.lease_number, Number(row.cents)]))
  return rows.map((row) => {
    const balance = row.balance - (postedAfter.get(row.lease_number) ?? 0)
    return {
      ...row,
      balance,
      // Only a lease that owes is overlocked. If it owed nothing at the end of the day, the overlock came later, such as
      // after a returned payment.
      overlocked: balance > 0 ? row.overlocked : 0,
      open: row.status !== 'Closed' || (row.closed_on !== null && row.closed_on > days.day),
      fees: feesOf.get(row.lease_number) ?? 0,
    }
  })
}

/** Insurance of a lease on the rent roll, by its stored `insurance_status`. */
const insuranceByStatus = ['', 'plan', 'own', 'vehicle'] as const

async function loadRoll(
  tx: Kysely<Tables>,
  { location_code }: Facility,
  state: { day: IsoDate; now: Instant; leases: readonly DayLease[]; charges: Charges },
): Promise<Roll> {
  const units = await tx
    .selectFrom('units')
    .innerJoin('unit_types', (join) =>
      join
        .onRef('unit_types.location_code', '=', 'units.location_code')
        .onRef('unit_types.unit_type_id', '=', 'units.unit_type_id'),
    )
    .select(['unit_id', 'unit_number', 'units.unit_type_id', 'status', 'held_until', 'units.retired_on'])
    .select(['unit_types.length', 'breadth', 'rent'])
    .where('units.location_code', '=', location_code)
    .orderBy('unit_id')
    .execute()
  const ages = (lease: DayLease): Ages =>
    ageBalance(withoutReversedPeriods(state.charges.get(lease.lease_number) ?? []), lease.balance, state.day).ages
  const openLeaseByUnit = new Map(state.leases.filter((lease) => lease.open).map((lease) => [lease.unit_id, lease]))
  const rolled = units.flatMap((unit): RollUnit[] => {
    const lease = openLeaseByUnit.get(unit.unit_id)
    if (!lease && unit.retired_on !== null && unit.retired_on <= state.day) return []
    const isHeld = unit.status === 'held' && unit.held_until !== null && unit.held_until > state.now
    return [
      {
        unitId: unit.unit_id,
        unitNumber: unit.unit_number,
        unitTypeId: unit.unit_type_id,
        use: lease ? 'rented' : unit.status === 'off' ? 'off' : isHeld ? 'held' : 'free',
        area: unit.length * unit.breadth,
        street: unit.rent,
        lease: lease ? rollLease(lease, ages(lease)) : null,
      },
    ]
  })
  const closed = state.leases
    .filter((lease) => !lease.open && lease.balance !== 0)
    .map(
      (lease): ClosedBalance => ({
        leaseNumber: lease.lease_number,
        tenantId: lease.tenant_id,
        unitNumber: lease.unit_number,
        closedOn: lease.closed_on,
        balance: lease.balance,
        ages: ages(lease),
      }),
    )
  return { units: rolled, closed }
}

const rollLease = (lease: DayLease, ages: Ages): RollLease => ({
  leaseNumber: lease.lease_number,
  tenantId: lease.tenant_id,
  movedIn: lease.move_in_date,
  rent: lease.rent,
  premium: lease.insurance_status === 1 ? lease.insurance_premium : 0,
  fees: lease.fees,
  paidThrough: lease.paid_through,
  balance: lease.balance,
  ages,
  autopay: lease.autopay === 1,
  insurance: insuranceByStatus[lease.insurance_status],
  status: lease.status,
  overlocked: lease.overlocked === 1,
})

/** Returns the area of units, in hundredths of a square foot, so that sums are exact. */
const areaOf = (units: readonly RollUnit[]) => units.reduce((sum, { area }) => sum + Math.round(area * 100), 0)

function unitSums({ units }: Roll) {
  const unitsOfUse = (use: RollUnit['use']) => units.filter((unit) => unit.use === use)
  const rented = unitsOfUse('rented')
  const held = unitsOfUse('held')
  const off = unitsOfUse('off')
  return {
    units: units.length,
    units_rented: rented.length,
    units_held: held.length,
    units_off: off.length,
    area: areaOf(units),
    area_rented: areaOf(rented),
    area_held: areaOf(held),
    area_off: areaOf(off),
    rent: units.reduce((sum, { lease }) => sum + (lease?.rent ?? 0), 0),
    street: units.reduce((sum, { street }) => sum + street, 0),
  }
}

function leaseSums(leases: readonly DayLease[], roll: Roll) {
  const openLeases = leases.filter((lease) => lease.open)
  const count = (matches: (lease: DayLease) => boolean) => openLeases.filter(matches).length
  const rented = roll.units.flatMap(({ lease }) => lease ?? [])
  const owedOfAge = (ageGroup: number) => rented.reduce((sum, { ages }) => sum + (ages[ageGroup] ?? 0), 0)
  const sum = (balances: readonly Cents[]) => balances.reduce((all, balance) => all + balance, 0)
  const closed = roll.closed.map(({ balance }) => balance)
  return {
    leases: openLeases.length,
    leases_autopay: count(({ autopay }) => autopay === 1),
    leases_refused: count(({ autopay_refusals }) => autopay_refusals > 0),
    leases_insured: count(({ insurance_status }) => insurance_status === 1),
    leases_own_policy: count(({ insurance_status }) => insurance_status === 2),
    leases_owing: count(({ balance }) => balance > 0),
    leases_overlocked: count(({ overlocked }) => overlocked === 1),
    leases_auction: count(({ auction_prepped }) => auction_prepped === 1),
    owed_30: owedOfAge(0),
    owed_60: owedOfAge(1),
    owed_90: owedOfAge(2),
    owed_91: owedOfAge(3),
    credits: sum(rented.map(({ balance }) => Math.max(-balance, 0))),
    closed_owed: sum(closed.map((balance) => Math.max(balance, 0))),
    closed_credits: sum(closed.map((balance) => Math.max(-balance, 0))),
    balances: sum(leases.map(({ balance }) => balance)),
  }
}

/**
 * Counts the move-ins and move-outs after one day, through another. A lease is closed in the night after its last day,
 * so a lease that is still open counts by its scheduled move-out.
 */
function moves(leases: readonly DayLease[], days: { after: IsoDate; day: IsoDate }) {
  const isWithinDays = (day: IsoDate | null) => day !== null && day > days.after && day <= days.day
  return {
    move_ins: leases.filter(({ move_in_date }) => isWithinDays(move_in_date)).length,
    move_outs: leases.filter(({ open, closed_on, scheduled_move_out }) =>
      isWithinDays(open ? scheduled_move_out : closed_on),
    ).length,
  }
}

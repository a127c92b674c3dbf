import { type Kysely, type NotNull, type SqlBool, sql } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import { optionalCondition } from '../../platform/database/optional-condition.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import type { LeaseKey } from '../leases/lease.ts'
import { requireToday } from '../leases/lock-lease.ts'
import { addEntries, type LedgerLine } from '../ledger/entries.ts'
import { agreedPriceKey, loadLedgerTotals } from '../ledger/ledger-totals.ts'
import { revertAppliedRent } from '../rent-changes/apply-rent-changes.ts'
import { transferOutOf } from '../transfers/transfer-rows.ts'
import { updateStanding } from './update-standing.ts'

/** Number of reversals of each period's charge on a lease, by the period's first day. */
export type ReversedPeriods = ReadonlyMap<IsoDate, number>

/**
 * Returns the rent periods whose payment was reversed, for leases in a range of lease numbers. A lease without one is
 * missing; hardly any lease has one.
 */
export async function reversedPeriods(
  db: Kysely<Tables>,
  of: { locationCode: string; from: number; to: number },
): Promise<Map<number, ReversedPeriods>> {
  const rows = await db
    .selectFrom('ledger_entries')
    .select((eb) => ['lease_number', 'period_start', eb.fn.countAll().as('times')])
    .where('location_code', '=', of.locationCode)
    .where('lease_number', '>=', of.from)
    .where('lease_number', '<=', of.to)
    .where(sql<SqlBool>`kind = 'rent' and cents < 0`)
    .where('period_start', 'is not', null)
    .groupBy(['lease_number', 'period_start'])
    .$narrowType<{ period_start: NotNull }>()
    .execute()
  return new Map(
    [...Map.groupBy(rows, (row) => row.lease_number)].map(([number, periods]) => [
      number,
      new Map(periods.map((period) => [period.period_start, Number(period.times)])),
    ]),
  )
}

/**
 * Reverses charges of prepaid periods that have not begun, newest first, while a balance is owed. That may reverse
 * periods of another order, whose money then pays older ones. Nothing is reversed after a finished transfer: those days
 * stay owed.
 * @param of `from`: first day that the order paid ahead
 * @returns the reversing lines
 */
export async function reverseUnbegunPeriods(
  tx: Kysely<Tables>,
  services: Services,
  lease: LeaseKey,
  of: { orderId: string; today: IsoDate; from: IsoDate },
): Promise<LedgerLine[]> {
  if ((await transferOutOf(tx, lease))?.state === 'done') return []
  const rows = await tx
    .selectFrom('ledger_entries')
    .select((eb) => ['kind', 'description', 'period_start', 'period_end', eb.fn.sum<number>('cents').as('cents')])
    .where((eb) => eb.and({ location_code: lease.location_code, lease_number: lease.lease_number }))
    .where('period_start', '>', of.today)
    .groupBy(['kind', 'description', 'period_start', 'period_end'])
    .orderBy('period_start', 'desc')
    .orderBy('kind')
    .orderBy('description')
    .$narrowType<{ period_start: NotNull }>()
    .execute()
  let { balance: owed } = await loadLedgerTotals(tx, lease)
  const takenBack: LedgerLine[] = []
  for (const [start, lines] of Map.groupBy(rows, (row) => row.period_start)) {
    const charge = lines.reduce((sum, line) => sum + Number(line.cents), 0)
    if (owed <= 0 || !lines.some((line) => line.kind === 'rent' && Number(line.cents) > 0)) continue
    const period = { start, end: lines[0]?.period_end as IsoDate }
    const back = lines
      .filter((line) => Number(line.cents) !== 0)
      .map(({ kind, description, cents }, at) => ({
        kind,
        description,
        cents: -Number(cents),
        period,
        orderId: of.orderId,
        once: `order:${of.orderId}:back:${start}:${at}`,
      }))
    await addEntries(tx, services, lease, of.today, back)
    takenBack.push(...back)
    owed -= charge
    await revertAppliedRent(tx, lease, start)
    if (start === of.from) await takeBackAgreed(tx, services, lease, of)
  }
  return takenBack
}

/**
 * Reverses the credit that lowered a payment order to its agreed price on this lease. Called when the first period that
 * the order paid ahead, the last to be reversed, is reversed.
 */
async function takeBackAgreed(
  tx: Kysely<Tables>,
  services: Services,
  lease: LeaseKey,
  { orderId, today }: { orderId: string; today: IsoDate },
): Promise<void> {
  const credit = await tx
    .selectFrom('ledger_entries')
    .select(['cents', 'description', 'once'])
    .where('order_id', '=', orderId)
    .where('once', '=', agreedPriceKey(orderId))
    // One order may have such a credit on each of several leases.
    .where('lease_number', '=', lease.lease_number)
    .executeTakeFirst()
  if (!credit) return
  const { cents, description, once } = credit
  await addEntries(tx, services, lease, today, [
    { kind: 'credit', cents: -cents, description, once: `${once}:back`, orderId },
  ])
}

/**
 * Reverses, at most once, a posted payment that the bank has returned, and updates the lease's standing.
 * @param of `ahead`: first day of the prepaid periods, if the order paid ahead; `refunded`: cents that were refunded
 * before; `leaseNumber`: the lease, for an order that pays for several
 * @returns the lease and the reversed amount, in cents; null when the order was never posted
 */
export async function reversePayment(
  tx: Kysely<Tables>,
  services: Services,
  of: {
    orderId: string
    code: string
    description: string
    ahead?: IsoDate | null
    refunded?: Cents
    leaseNumber?: number
  },
): Promise<{ locationCode: string; leaseNumber: number; cents: Cents } | null> {
  const paid = await tx
    .selectFrom('ledger_entries')
    .select(['location_code', 'lease_number', 'cents'])
    .where('order_id', '=', of.orderId)
    .where('kind', '=', 'payment')
    .$call(optionalCondition(of.leaseNumber, (query, leaseNumber) => query.where('lease_number', '=', leaseNumber)))
    .executeTakeFirst()
  if (!paid) return null
  const today = await requireToday(tx, services, paid.location_code)
  const cents = -paid.cents - (of.refunded ?? 0)
  const added =
    cents === 0
      ? 0
      : await addEntries(tx, services, paid, today, [
          {
            kind: 'reversal',
            cents,
            description: `${of.description} (${of.code})`,
            once: `order:${of.orderId}:reversal`,
            orderId: of.orderId,
          },
        ])
  if (of.ahead && added > 0)
    await reverseUnbegunPeriods(tx, services, paid, { orderId: of.orderId, today, from: of.ahead })
  await updateStanding(tx, services, paid)
  return { locationCode: paid.location_code, leaseNumber: paid.lease_number, cents }
}

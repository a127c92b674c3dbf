import { type Kysely, type NotNull, type SqlBool, sql } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import { requireValue } from '../../domain/require-value.ts'
import { optionalCondition } from '../../platform/database/optional-condition.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import type { LeaseKey } from '../leases/lease.ts'
import { requireToday } from '../leases/lock-lease-row.ts'
import { addEntries, type LedgerLine } from '../ledger/build-and-insert-entries.ts'
import { agreedPriceKey, loadLedgerTotals } from '../ledger/lease-ledger-totals.ts'
import { revertAppliedRent } from '../rent-changes/apply-rent-changes-when-charged.ts'
import { loadTransferOutOf } from '../transfers/transfer-rows.ts'
import { updateStanding } from './update-standing.ts'

/** Number of reversals of each period's charge on a lease, by the period's first day. */
export type ReversedPeriods = ReadonlyMap<IsoDate, number>

/**
 * Counts how often the charge of each period was reversed, by lease number, for a range of lease numbers. Leases
 * without a reversal are missing.
 */
export async function loadReversedPeriods(
  db: Kysely<Tables>,
  range: { locationCode: string; from: number; to: number },
): Promise<Map<number, ReversedPeriods>> {
  const rows = await db
    .selectFrom('ledger_entries')
    .select((eb) => ['lease_number', 'period_start', eb.fn.countAll().as('times')])
    .where('location_code', '=', range.locationCode)
    .where('lease_number', '>=', range.from)
    .where('lease_number', '<=', range.to)
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
 * periods of another order, whose money then pays older ones. Nothing is reversed after a finished transfer: the
 * charges stay owed.
 * @param order.from first day that the order paid ahead
 * @returns the reversing lines
 */
export async function reverseUnbegunPeriods(
  tx: Kysely<Tables>,
  services: Services,
  lease: LeaseKey,
  order: { orderId: string; today: IsoDate; from: IsoDate },
): Promise<LedgerLine[]> {
  if ((await loadTransferOutOf(tx, lease))?.state === 'done') return []
  const rows = await tx
    .selectFrom('ledger_entries')
    .select((eb) => ['kind', 'description', 'period_start', 'period_end', eb.fn.sum<number>('cents').as('cents')])
    .where((eb) => eb.and({ location_code: lease.location_code, lease_number: lease.lease_number }))
    .where('period_start', '>', order.today)
    .groupBy(['kind', 'description', 'period_start', 'period_end'])
    .orderBy('period_start', 'desc')
    .orderBy('kind')
    .orderBy('description')
    .$narrowType<{ period_start: NotNull }>()
    .execute()
  let { balance: owed } = await loadLedgerTotals(tx, lease)
  const reversedLines: LedgerLine[] = []
  for (const [start, lines] of Map.groupBy(rows, (row) => row.period_start)) {
    const charge = lines.reduce((sum, line) => sum + Number(line.cents), 0)
    if (owed <= 0 || !lines.some((line) => line.kind === 'rent' && Number(line.cents) > 0)) continue
    const period = { start, end: requireValue(lines[0]?.period_end, 'end of the period') }
    const reversal = lines
      .filter((line) => Number(line.cents) !== 0)
      .map(({ kind, description, cents }, at) => ({
        kind,
        description,
        cents: -Number(cents),
        period,
        orderId: order.orderId,
        once: `order:${order.orderId}:back:${start}:${at}`,
      }))
    await addEntries(tx, services, lease, order.today, reversal)
    reversedLines.push(...reversal)
    owed -= charge
    await revertAppliedRent(tx, lease, start)
    if (start === order.from) await reverseAgreedCredit(tx, services, lease, order)
  }
  return reversedLines
}

/**
 * Reverses the credit that lowered a payment order to its agreed price on this lease. Called when the first period that
 * the order paid ahead is reversed; the order's other periods have been reversed before it.
 */
async function reverseAgreedCredit(
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
 * @param payment.ahead first day of the prepaid periods, if the order paid ahead
 * @param payment.refunded cents that were refunded before
 * @param payment.leaseNumber number of the lease, for an order that pays for several leases
 * @returns the lease and the reversed amount in cents, also for a payment reversed before; null when the order was never
 *   posted
 */
export async function reversePayment(
  tx: Kysely<Tables>,
  services: Services,
  payment: {
    orderId: string
    code: string
    description: string
    ahead?: IsoDate | null
    refunded?: Cents
    leaseNumber?: number
  },
): Promise<{ locationCode: string; leaseNumber: number; cents: Cents } | null> {
  const paymentEntry = await tx
    .selectFrom('ledger_entries')
    .select(['location_code', 'lease_number', 'cents'])
    .where('order_id', '=', payment.orderId)
    .where('kind', '=', 'payment')
    .$call(
      optionalCondition(payment.leaseNumber, (query, leaseNumber) => query.where('lease_number', '=', leaseNumber)),
    )
    .executeTakeFirst()
  if (!paymentEntry) return null
  const today = await requireToday(tx, services, paymentEntry.location_code)
  const cents = -paymentEntry.cents - (payment.refunded ?? 0)
  const added =
    cents === 0
      ? 0
      : await addEntries(tx, services, paymentEntry, today, [
          {
            kind: 'reversal',
            cents,
            description: `${payment.description} (${payment.code})`,
            once: `order:${payment.orderId}:reversal`,
            orderId: payment.orderId,
          },
        ])
  if (payment.ahead && added > 0)
    await reverseUnbegunPeriods(tx, services, paymentEntry, { orderId: payment.orderId, today, from: payment.ahead })
  await updateStanding(tx, services, paymentEntry)
  return { locationCode: paymentEntry.location_code, leaseNumber: paymentEntry.lease_number, cents }
}

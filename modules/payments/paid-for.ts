import type { Selectable } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import { isCounterReceipt } from '../../domain/office/counter.ts'
import { formatUs, type IsoDate } from '../../domain/plain-date.ts'
import { waived } from '../../domain/texts/office-ledger.ts'
import { togetherFor } from '../../domain/texts/several-units.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { LedgerEntriesTable } from '../../platform/schema/tables.ts'
import type { LeasePlan } from './payers/lease.ts'
import type { Payment } from './payment.ts'
import { planOf } from './sealed-details.ts'
import { partsOf } from './shares.ts'

type Entry = Pick<
  Selectable<LedgerEntriesTable>,
  | 'kind'
  | 'cents'
  | 'description'
  | 'period_start'
  | 'period_end'
  | 'order_id'
  | 'posted_on'
  | 'created_at'
  | 'entry_id'
>

/** Dues of more entries than these are not told apart any more. */
const MOST_ENTRIES = 120

/** The ledger since the balance was last nothing, the oldest first; empty after a payment of a part. */
export async function coveredDues(
  services: Pick<Services, 'db'>,
  payment: Pick<Payment, 'location_code' | 'lease_number' | 'order_id'>,
): Promise<Entry[]> {
  if (payment.lease_number === null) return []
  const ofLease = services.db.read
    .selectFrom('ledger_entries')
    .select(['kind', 'cents', 'description', 'period_start', 'period_end', 'order_id'])
    .select(['posted_on', 'created_at', 'entry_id'])
    .where('location_code', '=', payment.location_code)
    .where('lease_number', '=', payment.lease_number)
  const made = await ofLease.where('order_id', '=', payment.order_id).where('kind', '=', 'payment').executeTakeFirst()
  if (!made) return []
  const entries: Entry[] = await ofLease
    .where('posted_on', '<=', made.posted_on)
    .orderBy('posted_on', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('entry_id', 'desc')
    .limit(MOST_ENTRIES)
    .execute()
  const own = (entry: Entry) => entry.order_id === payment.order_id
  const at = entries.findIndex((entry) => own(entry) && entry.kind === 'payment')
  const paid = entries[at]
  if (!paid) return []
  // The card fee came with the payment and has its own line.
  const fees = entries.filter((entry) => own(entry) && !['payment', 'refund'].includes(entry.kind) && entry.cents > 0)
  let open = -paid.cents - fees.reduce((sum, { cents }) => sum + cents, 0)
  const covered: Entry[] = []
  for (const entry of entries.slice(at + 1)) {
    if (open === 0) break
    if (own(entry)) continue
    covered.unshift(entry)
    open -= entry.cents
  }
  return open === 0 ? covered : []
}

const span = (from: IsoDate, to: IsoDate): string => `${formatUs(from)} to ${formatUs(to)}`

const inOrder = ['rent', 'insurance', 'fee', 'discount', 'tax', 'credit', 'reversal', 'refund', 'payment']
const place = ({ kind }: Entry) => inOrder.indexOf(kind)

/** A line for each charge, its period named; taxes and what was paid before in one line each. */
export function linesOfDues(covered: readonly Entry[]): { label: string; cents: Cents }[] {
  const lines = new Map<string, Cents>()
  for (const { kind, description, period_start, period_end, cents } of covered.toSorted(
    (a, b) => place(a) - place(b),
  )) {
    const label =
      kind === 'tax'
        ? 'Tax'
        : kind === 'payment'
          ? 'Paid before'
          : period_start && period_end
            ? `${description}, ${span(period_start, period_end)}`
            : description
    lines.set(label, (lines.get(label) ?? 0) + cents)
  }
  return [...lines].filter(([, cents]) => cents !== 0).map(([label, cents]) => ({ label, cents }))
}

function duesInWords(covered: readonly Entry[]): string {
  const rents = covered.filter(({ kind, period_start }) => (kind === 'rent' || kind === 'insurance') && period_start)
  const from = rents.map((one) => one.period_start as IsoDate).sort()[0]
  const to = rents
    .map((one) => one.period_end as IsoDate)
    .sort()
    .at(-1)
  const kinds = [
    rents.some((one) => one.kind === 'rent') && 'Rent',
    rents.some((one) => one.kind === 'insurance') && 'insurance',
  ].filter((one) => typeof one === 'string')
  const waivers = new Set(
    covered.filter(({ kind, cents }) => kind === 'fee' && cents < 0).map((one) => one.description),
  )
  const fees = covered.filter(
    ({ kind, period_start, description }) => kind === 'fee' && !period_start && !waivers.has(waived(description)),
  )
  const words = [
    from && to ? `${kinds.join(' and ')} ${span(from, to)}` : '',
    ...new Set(fees.map((one) => one.description)),
  ].filter(Boolean)
  return words.length > 0 ? words.join(', ') : 'Dues'
}

/** What these orders were for, by order id; those that are none of ours are left out. */
export async function paidFor(services: Services, orderIds: readonly string[]): Promise<Map<string, string>> {
  if (orderIds.length === 0) return new Map()
  const payments = await services.db.read
    .selectFrom('payments')
    .selectAll()
    .where('order_id', 'in', [...orderIds])
    .execute()
  const words = payments.map(async (payment) => [payment.order_id, await inWords(services, payment)] as const)
  return new Map([...(await Promise.all(words)), ...(await paidByHandFor(services, orderIds.filter(isCounterReceipt)))])
}

/** The same of money by hand: what it covered of each lease. Of a part, or of credit, its own description says enough. */
async function paidByHandFor(services: Services, receiptIds: readonly string[]): Promise<[string, string][]> {
  if (receiptIds.length === 0) return []
  const paid = await services.db.read
    .selectFrom('ledger_entries')
    .select(['order_id', 'location_code', 'lease_number'])
    .where('order_id', 'in', [...receiptIds])
    .where('kind', '=', 'payment')
    .execute()
  const of = receiptIds.map(async (receiptId): Promise<[string, string][]> => {
    const shares = paid.filter((one) => one.order_id === receiptId)
    const covered = await Promise.all(shares.map((one) => coveredDues(services, { ...one, order_id: receiptId })))
    return covered.some((entries) => entries.length > 0) ? [[receiptId, duesInWords(covered.flat())]] : []
  })
  return (await Promise.all(of)).flat()
}

async function inWords(services: Services, payment: Payment): Promise<string> {
  switch (payment.payer) {
    case 'move_in':
      return 'Move-in'
    case 'auction':
      return 'Auction proceeds'
    case 'settlement':
      return 'Settlement of past dues'
    case 'units':
      return togetherFor(partsOf(services, payment).map((part) => part.unitNumber))
    default: {
      const { pays, periods, price } = planOf<LeasePlan>(services, payment)
      if (pays === 'autopay') return 'Autopay turned on'
      if (pays === 'prepay' && price.period && payment.payer !== 'autopay')
        return `${periods === 1 ? '1 period' : `${periods} periods`} ahead, ${span(price.period.from, price.period.to)}`
      if (price.period) return `Rent ${span(price.period.from, price.period.to)}`
      return duesInWords(await coveredDues(services, payment))
    }
  }
}

import type { Selectable } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import { isCounterReceipt } from '../../domain/office/counter-receipts.ts'
import { formatUs, type IsoDate } from '../../domain/plain-date.ts'
import { waived } from '../../domain/texts/office-ledger.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { LedgerEntriesTable } from '../../platform/schema/tables.ts'
import type { LeasePlan } from './payers/lease-payer.ts'
import type { Payment } from './payment.ts'
import { loadAgreedParts } from './payment-shares.ts'
import { decryptPlan } from './stored-payment-details.ts'
import { severalUnitsDescription, unitNamed } from './texts/several-units.ts'

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

/** Maximum number of ledger entries considered; older dues are not itemized. */
const MOST_ENTRIES = 120

/** Returns the ledger entries that a payment covered, oldest first; empty after a partial payment. */
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

/** Returns a line for each charge and period; taxes and earlier payments in one line each. */
function linesOfDues(covered: readonly Entry[]): { label: string; cents: Cents }[] {
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

/** Returns the lines of dues that an order paid on a lease; null where they are unknown or do not add up to `cents`. */
export async function loadDuesLines(
  services: Services,
  order: Parameters<typeof coveredDues>[1],
  cents: Cents,
): Promise<{ label: string; cents: Cents }[] | null> {
  const told = linesOfDues(await coveredDues(services, order))
  return told.length > 0 && told.reduce((sum, line) => sum + line.cents, 0) === cents ? told : null
}

/** Prefixes each line with its unit, for a payment of several units. */
export const prefixWithUnit = (unitNumber: string, lines: readonly { label: string; cents: Cents }[]) =>
  lines.map(({ label, cents }) => ({ label: `${unitNamed(unitNumber)}: ${label}`, cents }))

function duesInWords(covered: readonly Entry[]): string {
  const rents = covered.filter(({ kind, period_start }) => (kind === 'rent' || kind === 'insurance') && period_start)
  const from = rents.flatMap((one) => one.period_start ?? []).sort()[0]
  const to = rents
    .flatMap((one) => one.period_end ?? [])
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

/** Identifies an order's entry on one lease. */
interface Moved {
  orderId: string
  leaseNumber: number
}

const keyOf = ({ orderId, leaseNumber }: Moved): string => `${orderId}/${leaseNumber}`

/** Returns a function that says what each payment was for, on that lease; '' for an order that is not ours. */
export async function loadPaymentPurposes(services: Services, moved: readonly Moved[]): Promise<(of: Moved) => string> {
  const ours = moved.filter(({ orderId }) => orderId !== '')
  if (ours.length === 0) return () => ''
  const orderIds = [...new Set(ours.map(({ orderId }) => orderId))]
  const payments = await services.db.read.selectFrom('payments').selectAll().where('order_id', 'in', orderIds).execute()
  const words = ours.map(async (one): Promise<[string, string]> => {
    const payment = payments.find(({ order_id }) => order_id === one.orderId)
    if (payment) return [keyOf(one), await inWords(services, payment, one.leaseNumber)]
    return [keyOf(one), isCounterReceipt(one.orderId) ? await paidByHandFor(services, one) : '']
  })
  const known = new Map(await Promise.all(words))
  return (of) => known.get(keyOf(of)) ?? ''
}

/** Returns what a payment at the desk was for; '' for a partial payment or credit, whose description is enough. */
async function paidByHandFor(services: Services, { orderId, leaseNumber }: Moved): Promise<string> {
  const paid = await services.db.read
    .selectFrom('ledger_entries')
    .select(['location_code', 'lease_number'])
    .where('order_id', '=', orderId)
    .where('lease_number', '=', leaseNumber)
    .where('kind', '=', 'payment')
    .executeTakeFirst()
  const covered = paid ? await coveredDues(services, { ...paid, order_id: orderId }) : []
  return covered.length > 0 ? duesInWords(covered) : ''
}

const autopayTurnedOn = 'Autopay turned on'

const aheadInWords = (periods: number, { from, to }: { from: IsoDate; to: IsoDate }): string =>
  `${periods === 1 ? '1 period' : `${periods} periods`} ahead, ${span(from, to)}`

/** Returns what an order paid on one of its units, and which other units it paid. */
async function ofSeveralInWords(services: Services, payment: Payment, leaseNumber: number): Promise<string> {
  const { pays, periods } = decryptPlan<LeasePlan>(services, payment)
  const parts = loadAgreedParts(services, payment)
  const together = severalUnitsDescription(parts.map((part) => part.unitNumber))
  if (pays === 'autopay') return `${autopayTurnedOn}. ${together}`
  const ahead = parts.find((part) => part.leaseNumber === leaseNumber)?.ahead
  if (ahead) return `${aheadInWords(periods, ahead.period)}. ${together}`
  const covered = await coveredDues(services, { ...payment, lease_number: leaseNumber })
  return covered.length > 0 ? `${duesInWords(covered)}. ${together}` : together
}

async function inWords(services: Services, payment: Payment, leaseNumber: number): Promise<string> {
  switch (payment.payer) {
    case 'move_in':
      return 'Move-in'
    case 'auction':
      return 'Auction proceeds'
    case 'settlement':
      return 'Settlement of past dues'
    case 'units':
      return ofSeveralInWords(services, payment, leaseNumber)
    default: {
      const { pays, periods, price } = decryptPlan<LeasePlan>(services, payment)
      if (pays === 'autopay') return autopayTurnedOn
      if (pays === 'prepay' && price.period && payment.payer !== 'autopay') return aheadInWords(periods, price.period)
      if (price.period) return `Rent ${span(price.period.from, price.period.to)}`
      return duesInWords(await coveredDues(services, payment))
    }
  }
}

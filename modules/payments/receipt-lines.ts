import type { ExpressionBuilder, Selectable } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import { formatUs, type IsoDate } from '../../domain/plain-date.ts'
import { isOneOf } from '../../domain/typed-keys.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { LedgerEntriesTable, Tables } from '../../platform/schema/tables.ts'
import { chargeKinds, chargesByPeriod, type Entry } from '../ledger/rules/ledger.ts'
import type { ChargedPeriod } from '../ledger/rules/paid-through.ts'
import type { Payment } from './payment.ts'
import { unitNamed } from './texts/several-units.ts'

export type CoveredEntry = Pick<
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

/** Number of ledger entries read for a receipt, the newest before the payment; dues before them are not itemized. */
const MAX_ENTRIES = 120

/**
 * Returns the ledger entries that a payment's dues were made of, oldest first. As in the whole ledger, money pays the
 * oldest charges first (`unpaid-charges-oldest-first.ts`). Empty if the payment covered a charge only in part, exceeded the dues, or
 * has no lease or no ledger entry.
 */
export async function loadCoveredDues(
  services: Pick<Services, 'db'>,
  payment: Pick<Payment, 'location_code' | 'lease_number' | 'order_id'>,
): Promise<CoveredEntry[]> {
  if (payment.lease_number === null) return []
  const leaseEntries = services.db.read
    .selectFrom('ledger_entries')
    .where('location_code', '=', payment.location_code)
    .where('lease_number', '=', payment.lease_number)
  const columns = ['kind', 'cents', 'description', 'period_start', 'period_end', 'order_id'] as const
  const rows = leaseEntries.select(columns).select(['posted_on', 'created_at', 'entry_id'])
  const ownEntries = await rows.where('order_id', '=', payment.order_id).execute()
  const paid = ownEntries.find(({ kind }) => kind === 'payment')
  if (!paid) return []
  const isEarlier = (eb: ExpressionBuilder<Tables, 'ledger_entries'>) =>
    eb.and([
      eb.or([eb('order_id', 'is', null), eb('order_id', '!=', payment.order_id)]),
      eb(
        eb.refTuple('posted_on', 'created_at', 'entry_id'),
        '<',
        eb.tuple(paid.posted_on, paid.created_at, paid.entry_id),
      ),
    ])
  const [entries, sum] = await Promise.all([
    rows
      .where(isEarlier)
      .orderBy('posted_on', 'desc')
      .orderBy('created_at', 'desc')
      .orderBy('entry_id', 'desc')
      .limit(MAX_ENTRIES)
      .execute(),
    leaseEntries
      .where(isEarlier)
      .select((eb) => eb.fn.sum<number | null>('cents').as('cents'))
      .executeTakeFirstOrThrow(),
  ])
  // Charges that were posted with the payment, such as the card fee, have lines of their own.
  const ownCharges = ownEntries.filter((entry) => isCharge(entry) && entry.created_at <= paid.created_at)
  const duesPaid = -paid.cents - ownCharges.reduce((cents, entry) => cents + Math.max(entry.cents, 0), 0)
  return coveredEntries(entries, duesPaid, Number(sum.cents ?? 0) - duesPaid)
}

/**
 * Returns the entries that `duesPaid` cents covered, oldest first.
 * @param entries ledger entries before the payment, newest first
 * @param balanceAfter balance that the payment left, in cents
 */
function coveredEntries(entries: readonly CoveredEntry[], duesPaid: Cents, balanceAfter: Cents): CoveredEntry[] {
  if (balanceAfter < 0) return []
  const charges = chargesByPeriod(entries.map(toLedgerEntry)).reverse()
  const unpaid = takeUntil(charges, balanceAfter)
  if (unpaid.cents !== balanceAfter) return []
  const covered = takeUntil(charges.slice(unpaid.taken.length), duesPaid)
  const coveredCharges = entries.filter((entry) => isOfCharges(entry, covered.taken))
  const credits = takeExactly(
    entries.filter((entry) => !isDue(entry)),
    duesPaid - covered.cents,
  )
  if (credits) return [...coveredCharges, ...credits].reverse()
  const notUnpaid = entries.filter((entry) => !isOfCharges(entry, unpaid.taken))
  return takeExactly(notUnpaid, duesPaid)?.reverse() ?? []
}

/** Returns the fewest first charges that add up to `cents` or more, with their sum. */
function takeUntil(charges: readonly ChargedPeriod[], cents: Cents): { taken: ChargedPeriod[]; cents: Cents } {
  let sum = 0
  const taken: ChargedPeriod[] = []
  for (const charge of charges) {
    if (sum >= cents) break
    taken.push(charge)
    sum += charge.cents
  }
  return { taken, cents: sum }
}

/** Returns the fewest first entries that add up to exactly `cents`; null where none do. */
function takeExactly(entries: readonly CoveredEntry[], cents: Cents): CoveredEntry[] | null {
  let sum = 0
  for (const [index, entry] of entries.entries()) {
    if (sum === cents) return entries.slice(0, index)
    sum += entry.cents
  }
  return sum === cents ? [...entries] : null
}

const isCharge = ({ kind }: CoveredEntry): boolean => isOneOf(chargeKinds, kind)

/** Returns whether a tenant owes an entry: a charge, or a 'credit' above 0, such as a balance moved from another lease. */
const isDue = (entry: CoveredEntry): boolean => isCharge(entry) || (entry.kind === 'credit' && entry.cents > 0)

const toLedgerEntry = (entry: CoveredEntry): Entry => ({
  kind: entry.kind === 'credit' && isDue(entry) ? 'fee' : entry.kind,
  cents: entry.cents,
  periodStart: entry.period_start,
  periodEnd: entry.period_end,
  postedOn: entry.posted_on,
})

/** Returns whether an entry belongs to one of the charges, as `chargesByPeriod` groups them. */
const isOfCharges = (entry: CoveredEntry, charges: readonly ChargedPeriod[]): boolean =>
  isDue(entry) &&
  charges.some(({ start, end }) => start === (entry.period_start ?? entry.posted_on) && end === entry.period_end)

/** Returns a period in words: '11/20/2026 to 12/19/2026'. */
export const formatPeriod = (from: IsoDate, to: IsoDate): string => `${formatUs(from)} to ${formatUs(to)}`

const kindOrder = ['rent', 'insurance', 'fee', 'discount', 'tax', 'credit', 'reversal', 'refund', 'payment']
const rankOf = ({ kind }: CoveredEntry) => kindOrder.indexOf(kind)

/**
 * Groups the ledger entries that a payment covered into receipt lines: one for each description and period, one
 * for all taxes, and one for all earlier payments. Lines of 0 are left out.
 */
function linesOfDues(covered: readonly CoveredEntry[]): { label: string; cents: Cents }[] {
  const lines = new Map<string, Cents>()
  for (const { kind, description, period_start, period_end, cents } of covered.toSorted(
    (a, b) => rankOf(a) - rankOf(b),
  )) {
    const label =
      kind === 'tax'
        ? 'Tax'
        : kind === 'payment'
          ? 'Paid before'
          : period_start && period_end
            ? `${description}, ${formatPeriod(period_start, period_end)}`
            : description
    lines.set(label, (lines.get(label) ?? 0) + cents)
  }
  return [...lines].filter(([, cents]) => cents !== 0).map(([label, cents]) => ({ label, cents }))
}

/** Returns the lines of dues that an order paid on a lease; null where they are unknown or do not add up to `cents`. */
export async function loadDuesLines(
  services: Services,
  order: Parameters<typeof loadCoveredDues>[1],
  cents: Cents,
): Promise<{ label: string; cents: Cents }[] | null> {
  const duesLines = linesOfDues(await loadCoveredDues(services, order))
  return duesLines.length > 0 && duesLines.reduce((sum, line) => sum + line.cents, 0) === cents ? duesLines : null
}

/** Prefixes each line with its unit, for a payment of several units. */
export const prefixWithUnit = (unitNumber: string, lines: readonly { label: string; cents: Cents }[]) =>
  lines.map(({ label, cents }) => ({ label: `${unitNamed(unitNumber)}: ${label}`, cents }))

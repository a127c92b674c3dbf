import type { Selectable } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import { formatUs, type IsoDate } from '../../domain/plain-date.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { LedgerEntriesTable } from '../../platform/schema/tables.ts'
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

/** Number of ledger entries read for a receipt, the newest up to the payment's day; dues before them are not itemized. */
const MAX_ENTRIES = 120

/**
 * Returns the newest ledger entries before a payment that add up to the dues it paid, oldest first. Empty if none add
 * up to them, as when the payment covered an entry only in part, or if the payment has no lease or no ledger entry.
 */
export async function loadCoveredDues(
  services: Pick<Services, 'db'>,
  payment: Pick<Payment, 'location_code' | 'lease_number' | 'order_id'>,
): Promise<CoveredEntry[]> {
  if (payment.lease_number === null) return []
  const leaseEntries = services.db.read
    .selectFrom('ledger_entries')
    .select(['kind', 'cents', 'description', 'period_start', 'period_end', 'order_id'])
    .select(['posted_on', 'created_at', 'entry_id'])
    .where('location_code', '=', payment.location_code)
    .where('lease_number', '=', payment.lease_number)
  const paymentEntry = await leaseEntries
    .where('order_id', '=', payment.order_id)
    .where('kind', '=', 'payment')
    .executeTakeFirst()
  if (!paymentEntry) return []
  const entries: CoveredEntry[] = await leaseEntries
    .where('posted_on', '<=', paymentEntry.posted_on)
    .orderBy('posted_on', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('entry_id', 'desc')
    .limit(MAX_ENTRIES)
    .execute()
  const isOwn = (entry: CoveredEntry) => entry.order_id === payment.order_id
  const paymentIndex = entries.findIndex((entry) => isOwn(entry) && entry.kind === 'payment')
  const paid = entries[paymentIndex]
  if (!paid) return []
  // Charges that were posted with the payment, such as the card fee, have lines of their own.
  const ownCharges = entries.filter(
    (entry) => isOwn(entry) && !['payment', 'refund', 'reversal'].includes(entry.kind) && entry.cents > 0,
  )
  let remaining = -paid.cents - ownCharges.reduce((sum, { cents }) => sum + cents, 0)
  const covered: CoveredEntry[] = []
  for (const entry of entries.slice(paymentIndex + 1)) {
    if (remaining === 0) break
    if (isOwn(entry)) continue
    covered.unshift(entry)
    remaining -= entry.cents
  }
  return remaining === 0 ? covered : []
}

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

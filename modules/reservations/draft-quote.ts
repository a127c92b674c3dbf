import { rowId } from '../../platform/database/generate-row-id.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { PriceChange } from '../pricing/rules/changed-price-of-quote-type.ts'
import type { Charges } from '../pricing/rules/charges.ts'
import { QUOTE_MS } from '../pricing/rules/quote-duration.ts'
import { chargesOf, insertQuote } from '../pricing/stored-quotes.ts'
import { type DraftPricing, type DraftQuote, loadDraftPricing, type PricedDraft, priceDraft } from './draft-price.ts'
import type { StoredQuote } from './rules/stored-draft-quote-type.ts'

/**
 * Loads and prices a rental in progress: the reservation's agreed rent and discount, or those for new renters, the
 * insurance, 24-hour access if chosen, and the card fee when paying by card without autopay. First Month Free requires
 * autopay. Until the renter chooses, the cheapest insurance, autopay and payment by card are assumed.
 * @param loadedPricing facts and reservation, if the caller has loaded them already
 * @returns null where the facility or the unit type no longer exists
 */
export async function quoteDraft(
  services: Services,
  draft: PricedDraft,
  loadedPricing?: DraftPricing,
): Promise<DraftQuote | null> {
  const pricing = loadedPricing ?? (await loadDraftPricing(services, draft))
  return pricing && priceDraft(pricing.facts, draft, pricing.reservation)
}

/**
 * Stores the current price as a quote to which the renter may consent for 30 minutes.
 * @param loadedPricing facts that the caller has loaded already
 * @returns null where the facility or the unit type no longer exists
 */
export async function storeQuote(
  services: Services,
  draft: PricedDraft,
  loadedPricing?: DraftPricing,
): Promise<StoredQuote | null> {
  const quote = await quoteDraft(services, draft, loadedPricing)
  return quote && insertDraftQuote(services, draft, quote)
}

/** Stores a price that `quoteDraft` has returned, as a quote of its draft. */
export async function insertDraftQuote(
  services: Services,
  draft: PricedDraft,
  quote: Pick<DraftQuote, 'charges'>,
): Promise<StoredQuote> {
  const now = services.clock.now()
  const stored = {
    quoteId: rowId(services),
    charges: quote.charges,
    total: quote.charges.dueToday,
    expiresAt: now + QUOTE_MS,
  }
  await insertQuote(services.db.write, {
    quote_id: stored.quoteId,
    location_code: draft.locationCode,
    draft_id: draft.draftId,
    charges: JSON.stringify(stored.charges),
    total: stored.total,
    created_at: now,
    expires_at: stored.expiresAt,
  })
  return stored
}

export type Consent =
  | { ok: true; quote: StoredQuote }
  /** Refused without a new price. `unknown`: the draft has no such quote. `gone`: the draft has no price any more. */
  | { ok: false; why: 'unknown' | 'gone' }
  | { ok: false; why: 'expired' | 'changed'; changes: PriceChange[]; now: StoredQuote }

/**
 * Checks the renter's consent to a quote. Consent holds if the quote belongs to the draft, has not expired, and equals
 * the current price in each line and in the first day of the period. Where the quote has expired or the price has
 * changed, stores a new quote, which is returned with the changes (none where the quote has only expired).
 * @param loadedPricing facts from which the caller computes the charge, if loaded already
 */
export async function consentToQuote(
  services: Services,
  draft: PricedDraft,
  quoteId: string,
  loadedPricing?: DraftPricing,
): Promise<Consent> {
  const row = await services.db.read
    .selectFrom('quotes')
    .selectAll()
    .where('quote_id', '=', quoteId)
    .where('draft_id', '=', draft.draftId)
    .executeTakeFirst()
  if (!row) return { ok: false, why: 'unknown' }
  const current = await quoteDraft(services, draft, loadedPricing)
  if (!current) return { ok: false, why: 'gone' }
  const storedCharges = chargesOf(row.charges)
  const changes = priceChanges(storedCharges, current.charges)
  const isExpired = row.expires_at <= services.clock.now()
  if (changes.length === 0 && !isExpired) {
    return { ok: true, quote: { quoteId, charges: storedCharges, total: row.total, expiresAt: row.expires_at } }
  }
  const newQuote = await storeQuote(services, draft, loadedPricing)
  if (!newQuote) return { ok: false, why: 'gone' }
  return { ok: false, why: changes.length > 0 ? 'changed' : 'expired', changes, now: newQuote }
}

/** Returns the differences between two prices by line, or else in the first day of the period; empty where equal. */
export function priceChanges(before: Charges, now: Charges): PriceChange[] {
  const linesByKey = (charges: Charges) =>
    new Map(
      [...charges.lines, ...charges.thenLines.map((line) => ({ ...line, label: `${line.label}, every 30 days` }))].map(
        (line) => [`${line.label}/${line.feeId ?? ''}`, line],
      ),
    )
  const linesBefore = linesByKey(before)
  const linesNow = linesByKey(now)
  const changes: PriceChange[] = []
  for (const key of new Set([...linesBefore.keys(), ...linesNow.keys()])) {
    const lineBefore = linesBefore.get(key)
    const lineNow = linesNow.get(key)
    if (lineBefore?.cents !== lineNow?.cents) {
      changes.push({
        label: (lineBefore ?? lineNow)?.label ?? '',
        before: lineBefore?.cents ?? null,
        now: lineNow?.cents ?? null,
      })
    }
  }
  if (changes.length === 0 && before.periodStart !== now.periodStart) {
    changes.push({ label: `Your first 30 days begin on ${now.periodStart}`, before: null, now: null })
  }
  return changes
}

// ── A price that was shown, and consent to it (UX 3) ──────────────────────────────────────────────────────────────────

/** How long a price that was shown may be consented to. */
export const QUOTE_MS = 30 * 60 * 1000

/** A line that differs between the price that was shown and the price now; null: there was or is no such line. */
export interface PriceChange {
  label: string
  before: number | null
  now: number | null
}

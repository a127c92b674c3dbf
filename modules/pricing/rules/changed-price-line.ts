/**
 * Price line that differs between the displayed and the current price; `before` or `now` is null when the line is
 * missing in that price.
 */
export interface PriceChange {
  label: string
  before: number | null
  now: number | null
}

/**
 * Change between the displayed and the current price: a line's amounts in cents, null when the line is missing in that
 * price. Both are null for another change, such as of the paid period, which `label` describes.
 */
export interface PriceChange {
  label: string
  before: number | null
  now: number | null
}

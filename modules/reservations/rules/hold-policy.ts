/** Limits on how long a rental in progress holds a unit, and on units held without proof of identity. */

/** Duration of the hold of a rental in progress after its last step, in milliseconds. */
export const RENT_NOW_HOLD_MS = 24 * 60 * 60 * 1000

/**
 * Duration of that hold, in milliseconds, for a renter who has proven neither e-mail nor phone and has not begun to
 * pay. It is short, since names can be invented.
 */
export const UNPROVEN_HOLD_MS = 20 * 60 * 1000

/**
 * Maximum units that one network may hold at once, at all facilities, without proof. A family or an office stays below
 * it.
 */
export const UNPROVEN_OF_NETWORK = 40

/**
 * Returns how many units of a type may be held at once without proof of identity, in total and from one network: three
 * quarters and one quarter of the stock. One unit stays free, unless it is the only one; a network may always hold up
 * to three.
 * @param stock units of the type that are free or held without proof
 */
export function mostUnproven(stock: number): { all: number; network: number } {
  const all = Math.max(1, Math.min(stock - 1, Math.floor(stock * 0.75)))
  return { all, network: Math.min(all, Math.max(3, Math.floor(stock / 4))) }
}

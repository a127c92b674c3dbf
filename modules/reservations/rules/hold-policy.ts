/** How long a rent-now holds a unit, and how many units may be held without a proof of identity. */

/** A rental in progress keeps its unit this long after its last step. */
export const RENT_NOW_HOLD_MS = 24 * 60 * 60 * 1000

/** The same of a renter who has proven neither e-mail nor phone and has not begun to pay: a name can be invented. */
export const UNPROVEN_HOLD_MS = 20 * 60 * 1000

/** Units that one network may hold at once at all facilities without a proof: a family or an office stays below. */
export const UNPROVEN_OF_NETWORK = 40

/**
 * Returns how many units of a type may be held at once without a proof, in all and from one network: three quarters and one quarter of
 * those that are free or so held. The last one stays, unless there is only one; three may always come from one network.
 */
export function mostUnproven(stock: number): { all: number; network: number } {
  const all = Math.max(1, Math.min(stock - 1, Math.floor(stock * 0.75)))
  return { all, network: Math.min(all, Math.max(3, Math.floor(stock / 4))) }
}

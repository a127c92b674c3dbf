/**
 * Maximum number of units that one network may hold at once without proof of identity, at all facilities together. It
 * is meant to exceed what a family or a company needs.
 */
export const MAX_UNPROVEN_PER_NETWORK = 40

/**
 * Returns how many units of a type may be held at once without proof of identity, in total and from one network: three
 * quarters and one quarter of the stock. At least one unit stays free, unless it is the only one; one network may hold
 * three units even of a small stock, as far as the total allows.
 * @param stock units of the type that are free or held without proof
 */
export function maxUnprovenHolds(stock: number): { all: number; network: number } {
  const all = Math.max(1, Math.min(stock - 1, Math.floor(stock * 0.75)))
  return { all, network: Math.min(all, Math.max(3, Math.floor(stock / 4))) }
}

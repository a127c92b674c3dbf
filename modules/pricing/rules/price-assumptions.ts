import type { Cents } from '../../../domain/money.ts'

/**
 * Returns the insurance scheme assumed before the renter has chosen: the cheapest, the first of equals; null when none
 * is offered.
 */
export function cheapestScheme<Scheme extends { premium: Cents }>(schemes: readonly Scheme[]): Scheme | null {
  return schemes.reduce<Scheme | null>(
    (best, scheme) => (best === null || scheme.premium < best.premium ? scheme : best),
    null,
  )
}

/**
 * Returns the assumptions shown beside a price before any choice.
 * @param scheme name; null when no insurance is offered
 */
export function priceAssumptions(scheme: string | null): string[] {
  return [scheme ? `with ${scheme} insurance` : 'without insurance', 'autopay on', 'no 24-hour access']
}

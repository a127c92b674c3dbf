import type { Clock } from '../clock-and-random.ts'
import { type CardProvider, CardProviderUnavailable } from './card-provider.ts'

/** When calls of the card provider had results, epoch milliseconds. */
export interface ProviderHealth {
  /** Time of the last call with a result, such as a declined payment; null if there was none. */
  answeredAt: number | null
  /**
   * How its last call since then failed; null if none did. 'refused': the provider did not carry it out; 'silent':
   * `CardProviderUnavailable` for any other reason. `since`: time of the first of these calls.
   */
  failing: { how: 'silent' | 'refused'; since: number } | null
}

/** Wraps a card provider and records when its calls have results. */
export function withHealth(provider: CardProvider, clock: Clock): CardProvider & { health(): ProviderHealth } {
  let health: ProviderHealth = { answeredAt: null, failing: null }
  const recordFailure = (how: 'silent' | 'refused') => {
    health = { ...health, failing: { how, since: health.failing?.since ?? clock.now() } }
  }
  const recordHealth =
    <Request, Result>(call: (request: Request) => Promise<Result>) =>
    async (request: Request): Promise<Result> => {
      try {
        const result = await call(request)
        health = { answeredAt: clock.now(), failing: null }
        return result
      } catch (error) {
        if (error instanceof CardProviderUnavailable) recordFailure(error.reason === 'refused' ? 'refused' : 'silent')
        throw error
      }
    }
  return {
    pageOrigin: provider.pageOrigin,
    createHostedPage: recordHealth((request) => provider.createHostedPage(request)),
    queryPayment: recordHealth((orderId) => provider.queryPayment(orderId)),
    saleByAlias: recordHealth((request) => provider.saleByAlias(request)),
    refund: recordHealth((request) => provider.refund(request)),
    listCharges: recordHealth((request) => provider.listCharges(request)),
    health: () => health,
  }
}

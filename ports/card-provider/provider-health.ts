import type { Clock } from '../clock-and-random.ts'
import { type CardProvider, CardProviderUnavailable } from './card-provider.ts'

/**
 * Times (epoch milliseconds) of the last call with a result and of the first call without one since, also if the
 * provider refused it; null if there was none.
 */
export interface ProviderHealth {
  answeredAt: number | null
  silentSince: number | null
}

/** Wraps a card provider and records when its calls have results. */
export function withHealth(provider: CardProvider, clock: Clock): CardProvider & { health(): ProviderHealth } {
  let health: ProviderHealth = { answeredAt: null, silentSince: null }
  const recordHealth =
    <Request, Result>(call: (request: Request) => Promise<Result>) =>
    async (request: Request): Promise<Result> => {
      try {
        const result = await call(request)
        health = { answeredAt: clock.now(), silentSince: null }
        return result
      } catch (error) {
        if (error instanceof CardProviderUnavailable)
          health = { ...health, silentSince: health.silentSince ?? clock.now() }
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

import type { Clock } from '../clock.ts'
import { type CardProvider, CardProviderUnavailable } from './card-provider.ts'

/** When the provider last answered this process, and since when it does not; null where neither has happened. */
export interface ProviderHealth {
  answeredAt: number | null
  silentSince: number | null
}

/** A card provider that remembers whether it answers. */
export function watchedProvider(provider: CardProvider, clock: Clock): CardProvider & { health(): ProviderHealth } {
  let health: ProviderHealth = { answeredAt: null, silentSince: null }
  const watched =
    <Asked, Answer>(ask: (asked: Asked) => Promise<Answer>) =>
    async (asked: Asked): Promise<Answer> => {
      try {
        const answer = await ask(asked)
        health = { answeredAt: clock.now(), silentSince: null }
        return answer
      } catch (error) {
        if (error instanceof CardProviderUnavailable)
          health = { ...health, silentSince: health.silentSince ?? clock.now() }
        throw error
      }
    }
  return {
    pageOrigin: provider.pageOrigin,
    createHostedPage: watched((asked) => provider.createHostedPage(asked)),
    queryPayment: watched((orderId) => provider.queryPayment(orderId)),
    saleByAlias: watched((asked) => provider.saleByAlias(asked)),
    refund: watched((asked) => provider.refund(asked)),
    listCharges: watched((asked) => provider.listCharges(asked)),
    health: () => health,
  }
}

import type { CardProvider } from './card-provider.ts'

/**
 * A card provider that is asked at most so often a second by this process. A person at a screen never waits: what is
 * asked for them delays the charges of autopay, refunds and lists.
 * @param now milliseconds that no setting of the clock moves. @param pause milliseconds
 */
export function pacedProvider(
  provider: CardProvider,
  { perSecond, now, pause }: { perSecond: number; now: () => number; pause: (ms: number) => Promise<unknown> },
): CardProvider {
  let free = Number.NEGATIVE_INFINITY
  const place = () => {
    const at = Math.max(now(), free)
    free = at + 1000 / perSecond
    return at
  }
  const waiting =
    <Asked, Answer>(ask: (asked: Asked) => Promise<Answer>) =>
    async (asked: Asked): Promise<Answer> => {
      const wait = place() - now()
      if (wait > 0) await pause(wait)
      return ask(asked)
    }
  return {
    pageOrigin: provider.pageOrigin,
    createHostedPage(asked) {
      place()
      return provider.createHostedPage(asked)
    },
    queryPayment(orderId) {
      place()
      return provider.queryPayment(orderId)
    },
    saleByAlias: waiting((asked) => provider.saleByAlias(asked)),
    refund: waiting((asked) => provider.refund(asked)),
    listCharges: waiting((asked) => provider.listCharges(asked)),
  }
}

import type { CardProvider } from './card-provider.ts'

/**
 * Wraps a card provider and limits this process's calls. Card pages and queries, for which a person may wait, are never
 * delayed, but each takes a slot and so delays autopay charges, refunds and lists.
 * @param perSecond calls of the adapter per second; one call may send several requests
 * @param now monotonic clock, in milliseconds
 * @param pause waits for a number of milliseconds
 */
export function limitProviderCalls(
  provider: CardProvider,
  { perSecond, now, pause }: { perSecond: number; now: () => number; pause: (ms: number) => Promise<unknown> },
): CardProvider {
  let nextSlotAt = Number.NEGATIVE_INFINITY
  const takeSlot = () => {
    const slotAt = Math.max(now(), nextSlotAt)
    nextSlotAt = slotAt + 1000 / perSecond
    return slotAt
  }
  const withDelay =
    <Request, Result>(call: (request: Request) => Promise<Result>) =>
    async (request: Request): Promise<Result> => {
      const wait = takeSlot() - now()
      if (wait > 0) await pause(wait)
      return call(request)
    }
  return {
    pageOrigin: provider.pageOrigin,
    createHostedPage(request) {
      takeSlot()
      return provider.createHostedPage(request)
    },
    queryPayment(orderId) {
      takeSlot()
      return provider.queryPayment(orderId)
    },
    saleByAlias: withDelay((request) => provider.saleByAlias(request)),
    refund: withDelay((request) => provider.refund(request)),
    listCharges: withDelay((request) => provider.listCharges(request)),
  }
}

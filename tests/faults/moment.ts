/** A moment in flight: after this many requests of all visitors together, or when they end, where they send fewer. */
export function momentAfter(requests: number): { sent(): void; struck: Promise<void>; strike(): void } {
  let left = requests
  const { promise: struck, resolve: strike } = Promise.withResolvers<void>()
  const sent = () => {
    left -= 1
    if (left === 0) strike()
  }
  return { sent, struck, strike }
}

/**
 * Creates a counter of the requests of all visitors together, for tests that interrupt a process. Its promise `struck`
 * resolves after the given number of requests, or when `strike` is called.
 */
export function momentAfter(requests: number): { sent(): void; struck: Promise<void>; strike(): void } {
  let remaining = requests
  const { promise: struck, resolve: strike } = Promise.withResolvers<void>()
  const sent = () => {
    remaining -= 1
    if (remaining === 0) strike()
  }
  return { sent, struck, strike }
}

/**
 * Creates a counter of requests for tests that interrupt a process. All visitors call `sent` for each request. `struck`
 * resolves after the given number of requests, or when `strike` is called.
 */
export function createRequestCountdown(requests: number): { sent(): void; struck: Promise<void>; strike(): void } {
  let remaining = requests
  const { promise: struck, resolve: strike } = Promise.withResolvers<void>()
  const sent = () => {
    remaining -= 1
    if (remaining === 0) strike()
  }
  return { sent, struck, strike }
}

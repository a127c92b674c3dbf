/**
 * Wraps a port so that some of its calls throw while `isBlocked` returns true, such as payments while the database is a
 * restored copy.
 * @param calls names of the calls to block
 * @param refusal creates the error that a blocked call throws
 */
export function withBlockedCalls<Port extends object>(
  port: Port,
  {
    calls,
    isBlocked,
    refusal,
  }: { calls: readonly (keyof Port)[]; isBlocked: () => Promise<boolean>; refusal: () => Error },
): Port {
  return new Proxy(port, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function' || !calls.some((call) => call === name)) return value
      return async (...args: unknown[]) => {
        if (await isBlocked()) throw refusal()
        return value.apply(target, args)
      }
    },
  })
}

/**
 * Wraps a port and blocks some of its calls while `isBlocked` returns true.
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

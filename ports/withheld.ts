/** A port of which some calls are refused while `held` says so. @param refusal what such a call throws */
export function withheld<Port extends object>(
  port: Port,
  { calls, held, refusal }: { calls: readonly (keyof Port)[]; held: () => Promise<boolean>; refusal: () => Error },
): Port {
  return new Proxy(port, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function' || !calls.includes(name as keyof Port)) return value
      return async (...asked: unknown[]) => {
        if (await held()) throw refusal()
        return value.apply(target, asked)
      }
    },
  })
}

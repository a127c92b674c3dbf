import { inSpan } from './tracing.ts'

/** One call of a partner: how it ended, and how long it took. */
export interface PartnerCall {
  party: 'card' | 'bank' | 'mail' | 'sms'
  call: string
  /** 'refused': it said no for good. */
  outcome: 'ok' | 'refused' | 'unavailable'
  ms: number
  order?: string
}

const orderOf = (call: string, asked: unknown) => {
  const order = call.startsWith('query') ? asked : (asked as { orderId?: unknown } | null | undefined)?.orderId
  return typeof order === 'string' ? { order } : {}
}

/** A port whose calls are seen. @param called once each has ended */
export function observed<Port extends object>(
  party: PartnerCall['party'],
  port: Port,
  called: (call: PartnerCall) => void,
): Port {
  const seen = async (call: string, asked: unknown, answer: Promise<unknown>) => {
    const started = performance.now()
    const tell = (outcome: PartnerCall['outcome']) =>
      called({ party, call, outcome, ms: Math.round(performance.now() - started), ...orderOf(call, asked) })
    try {
      const answered = await answer
      tell('ok')
      return answered
    } catch (error) {
      tell((error as { permanent?: unknown }).permanent === true ? 'refused' : 'unavailable')
      throw error
    }
  }
  return new Proxy(port, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...asked: unknown[]) =>
        inSpan(`${party} ${String(name)}`, { kind: 'client' }, () => {
          const answer: unknown = value.apply(target, asked)
          return answer instanceof Promise ? seen(String(name), asked[0], answer) : answer
        })
    },
  })
}

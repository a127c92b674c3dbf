import { isRecord } from '../domain/typed-keys.ts'
import { inSpan } from './tracing.ts'

/** A call to a partner that has ended, with its outcome and duration. */
export interface PartnerCall {
  party: 'card' | 'bank' | 'mail' | 'sms'
  call: string
  /** 'refused': the thrown error has `permanent: true`; 'unavailable': any other error. */
  outcome: 'ok' | 'refused' | 'unavailable'
  ms: number
  order?: string
}

const orderOf = (call: string, argument: unknown) => {
  const order = call.startsWith('query') ? argument : isRecord(argument) && argument.orderId
  return typeof order === 'string' ? { order } : {}
}

/**
 * Wraps a port: traces its calls and reports the asynchronous ones.
 * @param onCall receives each asynchronous call when it has ended
 */
export function instrumented<Port extends object>(
  party: PartnerCall['party'],
  port: Port,
  onCall: (call: PartnerCall) => void,
): Port {
  const report = async (call: string, argument: unknown, started: number, result: Promise<unknown>) => {
    const reportEnd = (outcome: PartnerCall['outcome']) =>
      onCall({ party, call, outcome, ms: Math.round(performance.now() - started), ...orderOf(call, argument) })
    try {
      const value = await result
      reportEnd('ok')
      return value
    } catch (error) {
      reportEnd(isRecord(error) && error.permanent === true ? 'refused' : 'unavailable')
      throw error
    }
  }
  return new Proxy(port, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) =>
        inSpan(`${party} ${String(name)}`, { kind: 'client' }, () => {
          const started = performance.now()
          const result: unknown = value.apply(target, args)
          return result instanceof Promise ? report(String(name), args[0], started, result) : result
        })
    },
  })
}

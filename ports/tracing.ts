/**
 * Spans of OpenTelemetry, where the operator has registered a tracer before the start (`--import`). Without one its API is not
 * even loaded. No span holds an address, a name, a query or a token.
 */
import type { Attributes, Span, Tracer } from '@opentelemetry/api'

type Api = typeof import('@opentelemetry/api')

/** Where each copy of the API finds the tracer that another has registered. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1')
const FLUSH_MS = 3000

let on: { api: Api; tracer: Tracer } | null = null

/** @returns what is wrong with the tracer that is registered, or null. @param version of this release */
export async function openTracing(version: string): Promise<string | null> {
  const registered = (globalThis as { [REGISTERED]?: { version: string; trace?: unknown } })[REGISTERED]
  if (!registered?.trace) return null
  const api = await import('@opentelemetry/api')
  if (api.trace.getTracerProvider() !== registered.trace)
    return `A tracer is registered by @opentelemetry/api ${registered.version}, which is older than the one of this release: no traces. Install a newer one beside it, as docs/running/monitoring.md says`
  on = { api, tracer: api.trace.getTracer('latchkey', version) }
  return null
}

export const isTracing = (): boolean => on !== null

export interface SpanDetails {
  kind?: 'server' | 'client' | 'consumer'
  attributes?: Attributes
  /** Not a part of what happens to be under way. */
  root?: true
  /** W3C headers of the caller, whose part it is. */
  from?: Record<string, string>
}

/** Runs the work, in a span where there is a tracer. @param work gets the span, for what is known only later */
export function inSpan<T>(name: string, details: SpanDetails, work: (span: Span | undefined) => T): T {
  if (on === null) return work(undefined)
  const { api, tracer } = on
  const { kind = 'internal', attributes = {}, root, from } = details
  const kinds = { internal: 0, server: 1, client: 2, consumer: 4 } satisfies Record<
    string,
    Api['SpanKind'][keyof Api['SpanKind']] & number
  >
  const parent = root || from ? api.ROOT_CONTEXT : api.context.active()
  const within = from ? api.propagation.extract(parent, from) : parent
  return tracer.startActiveSpan(name, { kind: kinds[kind], attributes }, within, (span) => {
    const end = (error?: unknown) => {
      if (error !== undefined) failed(span, error)
      span.end()
    }
    try {
      const answer = work(span)
      if (!(answer instanceof Promise)) {
        end()
        return answer
      }
      answer.then(() => end(), end)
      return answer
    } catch (error) {
      end(error ?? 'unknown')
      throw error
    }
  })
}

/** A statement sent within a span. @returns what ends it; undefined outside of spans: what polls makes no traces */
export function statementSpan(name: () => string, engine: string): ((error?: unknown) => void) | undefined {
  if (on === null || !on.api.trace.getActiveSpan()) return undefined
  const span = on.tracer.startSpan(name(), { kind: 2, attributes: { 'db.system.name': engine } })
  return (error) => {
    if (error !== undefined) failed(span, error)
    span.end()
  }
}

/** Its kind alone: an error's message may hold what was sent. */
function failed(span: Span, error: unknown): void {
  const type = error instanceof Error ? error.name : 'error'
  span.setAttribute('error.type', type)
  span.setStatus({ code: 2 })
}

/** The span under way has failed, though nothing is thrown. */
export function spanFailed(error: unknown): void {
  const span = on?.api.trace.getActiveSpan()
  if (span) failed(span, error)
}

/** Headers by which a partner continues the trace. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {}
  on?.api.propagation.inject(on.api.context.active(), headers)
  return headers
}

/** Runs what is no part of the span under way, such as a timer that a request has set. */
export const outsideSpans = <T>(work: () => T): T => (on ? on.api.context.with(on.api.ROOT_CONTEXT, work) : work())

/** Sends what is left. */
export async function endTracing(): Promise<void> {
  const provider = on?.api.trace.getTracerProvider() as { getDelegate?(): { forceFlush?(): Promise<void> } } | undefined
  const flushed = provider?.getDelegate?.().forceFlush?.()
  if (!flushed) return
  const late = new Promise<void>((resolve) => setTimeout(resolve, FLUSH_MS).unref())
  await Promise.race([flushed.catch(() => {}), late])
}

/**
 * OpenTelemetry spans, if the operator registers a tracer before the start (`--import`); without one the API is not loaded.
 * No span holds an address, a name, a query or a token.
 */
import type { Attributes, Span, Tracer } from '@opentelemetry/api'

type Api = typeof import('@opentelemetry/api')

/** Global symbol under which every copy of the OpenTelemetry API finds the registered tracer. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1')
const FLUSH_MS = 3000

let active: { api: Api; tracer: Tracer } | null = null

/**
 * Starts tracing if a tracer is registered.
 * @param version this release's version
 * @returns the problem with the tracer, or null
 */
export async function openTracing(version: string): Promise<string | null> {
  const registered = (globalThis as { [REGISTERED]?: { version: string; trace?: unknown } })[REGISTERED]
  if (!registered?.trace) return null
  const api = await import('@opentelemetry/api')
  if (api.trace.getTracerProvider() !== registered.trace)
    return `A tracer is registered by @opentelemetry/api ${registered.version}, which is older than the one of this release: no traces. Install a newer one beside it, as docs/running/monitoring.md says`
  active = { api, tracer: api.trace.getTracer('latchkey', version) }
  return null
}

export const isTracing = (): boolean => active !== null

export interface SpanDetails {
  kind?: 'server' | 'client' | 'consumer'
  attributes?: Attributes
  /** True for the first span of a new trace, which does not continue the current one. */
  root?: true
  /** W3C trace headers of the caller, whose trace the span continues. */
  from?: Record<string, string>
}

/** Runs `work` in a span; without a tracer it only runs it. @param work receives the span, to add attributes */
export function inSpan<T>(name: string, details: SpanDetails, work: (span: Span | undefined) => T): T {
  if (active === null) return work(undefined)
  const { api, tracer } = active
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
      const result = work(span)
      if (!(result instanceof Promise)) {
        end()
        return result
      }
      result.then(() => end(), end)
      return result
    } catch (error) {
      end(error ?? 'unknown')
      throw error
    }
  })
}

/** Starts a span for an SQL statement. @returns a function that ends it; undefined outside of a span, so that polling makes no traces */
export function statementSpan(name: () => string, engine: string): ((error?: unknown) => void) | undefined {
  if (active === null || !active.api.trace.getActiveSpan()) return undefined
  const span = active.tracer.startSpan(name(), { kind: 2, attributes: { 'db.system.name': engine } })
  return (error) => {
    if (error !== undefined) failed(span, error)
    span.end()
  }
}

/** Marks a span as failed with the error's name only, since the message may contain what was sent. */
function failed(span: Span, error: unknown): void {
  const type = error instanceof Error ? error.name : 'error'
  span.setAttribute('error.type', type)
  span.setStatus({ code: 2 })
}

/** Marks the current span as failed, for an error that is not thrown. */
export function spanFailed(error: unknown): void {
  const span = active?.api.trace.getActiveSpan()
  if (span) failed(span, error)
}

/** Returns the headers with which a partner continues the trace. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {}
  active?.api.propagation.inject(active.api.context.active(), headers)
  return headers
}

/** Runs `work` outside of the current span, such as a timer that a request started. */
export const outsideSpans = <T>(work: () => T): T =>
  active ? active.api.context.with(active.api.ROOT_CONTEXT, work) : work()

/** Sends the remaining spans, for at most three seconds. */
export async function endTracing(): Promise<void> {
  const provider = active?.api.trace.getTracerProvider() as
    | { getDelegate?(): { forceFlush?(): Promise<void> } }
    | undefined
  const flushed = provider?.getDelegate?.().forceFlush?.()
  if (!flushed) return
  const late = new Promise<void>((resolve) => setTimeout(resolve, FLUSH_MS).unref())
  await Promise.race([flushed.catch(() => {}), late])
}

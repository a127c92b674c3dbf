/**
 * Records OpenTelemetry spans if the operator registers a tracer before the start (`--import`); otherwise the API is
 * not loaded. Spans contain no URLs, e-mail addresses, personal names, statement parameters or tokens.
 */
import type { Attributes, Span, Tracer } from '@opentelemetry/api'

type Api = typeof import('@opentelemetry/api')

/** Global symbol under which every copy of the OpenTelemetry API finds the registered tracer. */
const GLOBAL_API_KEY = Symbol.for('opentelemetry.js.api.1')
const FLUSH_TIMEOUT_MS = 3000

/** The API's span kinds, whose enum would load the API. */
const spanKinds = { internal: 0, server: 1, client: 2, consumer: 4 } satisfies Record<
  string,
  Api['SpanKind'][keyof Api['SpanKind']] & number
>
/** The API's `SpanStatusCode.ERROR`. */
export const STATUS_ERROR = 2

let active: { api: Api; tracer: Tracer } | null = null

/**
 * Starts tracing if a tracer is registered.
 * @param version version of this release
 * @returns a message for the operator if the registered tracer cannot be used; otherwise null
 */
export async function openTracing(version: string): Promise<string | null> {
  const registered = (globalThis as { [GLOBAL_API_KEY]?: { version: string; trace?: unknown } })[GLOBAL_API_KEY]
  if (!registered?.trace) return null
  const api = await import('@opentelemetry/api')
  if (api.trace.getTracerProvider() !== registered.trace)
    return `A tracer is registered by @opentelemetry/api ${registered.version}, which is older than this release's: traces are off. Install a newer version with the tracer, as docs/running/monitoring.md says`
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

/**
 * Runs `work` in a span, which ends with `work` or with the promise that `work` returns. Without a tracer, only runs
 * `work`.
 * @param work receives the span, to add attributes; undefined without a tracer
 */
export function inSpan<T>(name: string, details: SpanDetails, work: (span: Span | undefined) => T): T {
  if (active === null) return work(undefined)
  const { api, tracer } = active
  const { kind = 'internal', attributes = {}, root, from } = details
  const base = root || from ? api.ROOT_CONTEXT : api.context.active()
  const parentContext = from ? api.propagation.extract(base, from) : base
  return tracer.startActiveSpan(name, { kind: spanKinds[kind], attributes }, parentContext, (span) => {
    const end = (error?: unknown) => {
      if (error !== undefined) markFailed(span, error)
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

/**
 * Starts a span for an SQL statement.
 * @returns a function that ends the span; undefined without a tracer, and outside of another span, so that polling
 *   creates no traces
 */
export function statementSpan(name: () => string, engine: string): ((error?: unknown) => void) | undefined {
  if (active === null || !active.api.trace.getActiveSpan()) return undefined
  const span = active.tracer.startSpan(name(), { kind: spanKinds.client, attributes: { 'db.system.name': engine } })
  return (error) => {
    if (error !== undefined) markFailed(span, error)
    span.end()
  }
}

/** Marks a span as failed with the error's name only, since the message may contain personal data. */
function markFailed(span: Span, error: unknown): void {
  const type = error instanceof Error ? error.name : 'error'
  span.setAttribute('error.type', type)
  span.setStatus({ code: STATUS_ERROR })
}

/** Marks the current span as failed, for an error that is not thrown. */
export function markCurrentSpanFailed(error: unknown): void {
  const span = active?.api.trace.getActiveSpan()
  if (span) markFailed(span, error)
}

/** Returns the W3C trace headers for a request to another service; empty outside of a span. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {}
  active?.api.propagation.inject(active.api.context.active(), headers)
  return headers
}

/** Runs `work` outside of the current span, so that a timer set by a request does not extend that request's trace. */
export const outsideSpans = <T>(work: () => T): T =>
  active ? active.api.context.with(active.api.ROOT_CONTEXT, work) : work()

/** Sends the remaining spans and gives up after `FLUSH_TIMEOUT_MS`. Failures are ignored. */
export async function endTracing(): Promise<void> {
  const provider = active?.api.trace.getTracerProvider() as
    | { getDelegate?(): { forceFlush?(): Promise<void> } }
    | undefined
  const flushed = provider?.getDelegate?.().forceFlush?.()
  if (!flushed) return
  const timeout = new Promise<void>((resolve) => setTimeout(resolve, FLUSH_TIMEOUT_MS).unref())
  await Promise.race([flushed.catch(() => {}), timeout])
}

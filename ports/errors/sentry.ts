import type { Clock, Random } from '../clock-and-random.ts'
import type { ErrorReporter } from './errors.ts'
import { describeError, type ErrorDescription } from './log.ts'

const TIMEOUT_MS = 5000
/** Maximum number of concurrent requests to Sentry; further reports go only to `also`. */
const MAX_CONCURRENT = 10

/** Splits a DSN such as https://key@errors.example.com/1 into the envelope URL and the key. */
function endpointOf(dsn: string): { url: string; key: string } {
  const { protocol, host, pathname, username } = new URL(dsn)
  const [, path = '', project] = /^(.*)\/(\d+)$/.exec(pathname) ?? []
  return { url: `${protocol}//${host}${path}/api/${project}/envelope/`, key: username }
}

/** Converts stack lines `at fn (file:line:column)` to Sentry's frames, outermost caller first. */
function framesOf(stack: string | undefined): object[] {
  const frames = (stack ?? '').split('\n').flatMap((line) => {
    const match = /^\s+at (?:(.+?) \()?([^()]+):(\d+):(\d+)\)?$/.exec(line)
    if (!match) return []
    const [, fn, file = '', row, column] = match
    const inApp = !/node_modules|^node:/.test(file)
    return [{ function: fn ?? '?', filename: file, lineno: Number(row), colno: Number(column), in_app: inApp }]
  })
  return frames.slice(0, 50).reverse()
}

/** Lists an error, its causes and the errors of an aggregate as Sentry's exceptions, innermost first. */
function exceptionsOf(error: ErrorDescription): object[] {
  const exception = { type: error.name, value: error.message, stacktrace: { frames: framesOf(error.stack) } }
  const inner = [...(error.cause ? [error.cause] : []), ...(error.errors ?? [])]
  return [...inner.flatMap(exceptionsOf), exception]
}

export interface SentryParts {
  dsn: string
  clock: Clock
  random: Random
  /** 'demo' or 'production'. */
  environment: string
  /** Reporter that also receives every report; it needs no network. */
  also: ErrorReporter
  fetch?: typeof fetch
}

/**
 * Reports errors in Sentry's protocol, redacted as for the log. Never throws or waits; `settled` waits for sent
 * reports.
 */
export function sentryErrors(parts: SentryParts): ErrorReporter & { settled(): Promise<void> } {
  const { url, key } = endpointOf(parts.dsn)
  const send = parts.fetch ?? fetch
  const pending = new Set<Promise<void>>()
  let pausedUntil = Number.NEGATIVE_INFINITY

  async function post(body: string): Promise<void> {
    try {
      const response = await send(url, {
        method: 'POST',
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: {
          'Content-Type': 'application/x-sentry-envelope',
          'X-Sentry-Auth': `Sentry sentry_version=7, sentry_client=latchkey/1.0, sentry_key=${key}`,
        },
      })
      await response.arrayBuffer()
      if (response.status === 429) {
        const seconds = Number(response.headers.get('retry-after') ?? 60)
        pausedUntil = parts.clock.now() + (Number.isFinite(seconds) ? seconds : 60) * 1000
      }
    } catch {
      // `parts.also` already has the report.
    }
  }

  return {
    report(error, details = {}) {
      parts.also.report(error, details)
      try {
        const now = parts.clock.now()
        if (pending.size >= MAX_CONCURRENT || now < pausedUntil) return
        const { described, message, fields } = describeError(error, details)
        const eventId = parts.random.uuid().replaceAll('-', '')
        const event = {
          event_id: eventId,
          timestamp: now / 1000,
          platform: 'node',
          level: 'error',
          environment: parts.environment,
          logger: 'latchkey',
          ...(error instanceof Error ? { exception: { values: exceptionsOf(described) } } : { message }),
          extra: fields,
        }
        const sentAt = new Date(now).toISOString()
        const lines = [{ event_id: eventId, sent_at: sentAt }, { type: 'event' }, event]
        const posting = post(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`).finally(() =>
          pending.delete(posting),
        )
        pending.add(posting)
      } catch {
        // An error that cannot be described must not cause another failure.
      }
    },
    async settled() {
      await Promise.all(pending)
    },
  }
}

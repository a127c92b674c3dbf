import type { Clock, Random } from '../clock.ts'
import type { ErrorReporter } from './errors.ts'
import { type ToldError, tellError } from './log.ts'

const TIMEOUT_MS = 5000
/** Reports on their way at once; a flood of failures must not become a flood of requests. */
const MOST_AT_ONCE = 10

/** The parts of a DSN such as https://key@errors.example.com/1 */
function endpointOf(dsn: string): { url: string; key: string } {
  const { protocol, host, pathname, username } = new URL(dsn)
  const [, before = '', project] = /^(.*)\/(\d+)$/.exec(pathname) ?? []
  return { url: `${protocol}//${host}${before}/api/${project}/envelope/`, key: username }
}

/** `at fn (file:line:column)` to a frame; the caller's end comes first in Sentry's order. */
function framesOf(stack: string | undefined): object[] {
  const frames = (stack ?? '').split('\n').flatMap((line) => {
    const found = /^\s+at (?:(.+?) \()?([^()]+):(\d+):(\d+)\)?$/.exec(line)
    if (!found) return []
    const [, fn, file, row, column] = found
    const inApp = !/node_modules|^node:/.test(file as string)
    return [{ function: fn ?? '?', filename: file, lineno: Number(row), colno: Number(column), in_app: inApp }]
  })
  return frames.slice(0, 50).reverse()
}

/** An error and its causes, the deepest first as Sentry wants it. */
function exceptionsOf(told: ToldError): object[] {
  const own = { type: told.name, value: told.message, stacktrace: { frames: framesOf(told.stack) } }
  return [...(told.cause ? exceptionsOf(told.cause) : []), own]
}

export interface SentryParts {
  dsn: string
  clock: Clock
  random: Random
  /** 'demo' or 'production'. */
  environment: string
  /** Gets every report as well: it needs no network. */
  also: ErrorReporter
  fetch?: typeof fetch
}

/** Reports in Sentry's protocol, redacted as for the log. Never throws and never waits, but for `settled`. */
export function sentryErrors(parts: SentryParts): ErrorReporter & { settled(): Promise<void> } {
  const { url, key } = endpointOf(parts.dsn)
  const send = parts.fetch ?? fetch
  const underWay = new Set<Promise<void>>()
  let quietUntil = Number.NEGATIVE_INFINITY

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
        quietUntil = parts.clock.now() + (Number.isFinite(seconds) ? seconds : 60) * 1000
      }
    } catch {
      // The log has it already.
    }
  }

  return {
    report(error, details = {}) {
      parts.also.report(error, details)
      try {
        const now = parts.clock.now()
        if (underWay.size >= MOST_AT_ONCE || now < quietUntil) return
        const { told, message, fields } = tellError(error, details)
        const eventId = parts.random.uuid().replaceAll('-', '')
        const event = {
          event_id: eventId,
          timestamp: now / 1000,
          platform: 'node',
          level: 'error',
          environment: parts.environment,
          logger: 'latchkey',
          ...(error instanceof Error ? { exception: { values: exceptionsOf(told) } } : { message }),
          extra: fields,
        }
        const sentAt = new Date(now).toISOString()
        const lines = [{ event_id: eventId, sent_at: sentAt }, { type: 'event' }, event]
        const posting = post(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`).finally(() =>
          underWay.delete(posting),
        )
        underWay.add(posting)
      } catch {
        // As for the log: what cannot be described is not worth a failure of its own.
      }
    },
    async settled() {
      await Promise.all(underWay)
    },
  }
}

import type { ErrorReporter } from './errors.ts'
import { isSecretName, redact, redactPath } from './redact.ts'

export interface ErrorLog {
  error(fields: Record<string, unknown>, message: string): void
}

const LONGEST_TEXT = 8_000
const DEEPEST_CAUSE = 5

/** Reports to the structured log, without card numbers and secrets. Never throws. */
export function loggedErrors(log: ErrorLog): ErrorReporter {
  return {
    report(error, details = {}) {
      try {
        const { told, message, fields } = tellError(error, details)
        log.error({ error: told, ...fields }, message)
      } catch {
        // An error that cannot even be described, or a log that is gone: nothing is left to report to.
      }
    },
  }
}

/** A failure without card numbers and secrets, bounded in length. */
export function tellError(
  error: unknown,
  details: NonNullable<Parameters<ErrorReporter['report']>[1]>,
): { told: ToldError; message: string; fields: Record<string, unknown> } {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(details))
    fields[name === 'error' ? 'error_detail' : name] = safe(name, value)
  return { told: toldOf(error, 0), message: clean(messageOf(error)), fields }
}

const ADDRESS: ReadonlySet<string> = new Set(['path', 'page'])

function safe(name: string, value: unknown): unknown {
  if (isSecretName(name)) return '[redacted]'
  if (typeof value === 'string') return clean(ADDRESS.has(name) ? redactPath(value) : value)
  // A card number may come as a number too.
  if (typeof value === 'number' || typeof value === 'bigint') {
    const text = clean(String(value))
    return text === String(value) ? value : text
  }
  return value
}

function clean(text: string): string {
  if (text.length <= LONGEST_TEXT) return redact(text)
  // Digits at the cut are removed too: half a card number is not recognized.
  return `${redact(text.slice(0, LONGEST_TEXT).replace(/[\d .-]{1,40}$/, ''))}… (${text.length} characters)`
}

function messageOf(error: unknown): string {
  if (typeof error === 'string') return error
  return (error instanceof Error && attempt(() => String(error.message))) || 'Something failed'
}

export interface ToldError {
  name: string
  message: string
  stack?: string
  code?: unknown
  cause?: ToldError
  errors?: ToldError[]
}

function toldOf(error: unknown, depth: number): ToldError {
  if (!(error instanceof Error)) {
    return { name: typeof error, message: clean(attempt(() => String(error)) ?? 'cannot be shown') }
  }
  const told: ToldError = { name: attempt(() => String(error.name)) ?? 'Error', message: clean(messageOf(error)) }
  const stack = attempt(() => error.stack)
  if (typeof stack === 'string') told.stack = clean(stack)
  const code = attempt(() => (error as { code?: unknown }).code)
  if (typeof code === 'string' || typeof code === 'number') told.code = safe('code', code)
  if (depth < DEEPEST_CAUSE) {
    const cause = attempt(() => error.cause)
    if (cause !== undefined && cause !== null) told.cause = toldOf(cause, depth + 1)
    const errors = attempt(() => (error instanceof AggregateError ? error.errors.slice(0, 10) : undefined))
    if (errors) told.errors = errors.map((one: unknown) => toldOf(one, depth + 1))
  }
  return told
}

/** A getter of a foreign error may itself throw. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

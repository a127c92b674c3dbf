import type { ErrorReporter } from './errors.ts'
import { isSecretName, redact, redactPath } from './redact.ts'

export interface ErrorLog {
  error(fields: Record<string, unknown>, message: string): void
}

const MAX_TEXT_LENGTH = 8_000
const MAX_CAUSE_DEPTH = 5

/** Reports errors to the structured log, without card numbers and secrets. Never throws. */
export function loggedErrors(log: ErrorLog): ErrorReporter {
  return {
    report(error, details = {}) {
      try {
        const { described, message, fields } = describeError(error, details)
        log.error({ error: described, ...fields }, message)
      } catch {
        // The error cannot be described or the log cannot be written: there is nowhere left to report to.
      }
    },
  }
}

/** Describes an error and its details without card numbers and secrets, in bounded length. */
export function describeError(
  error: unknown,
  details: NonNullable<Parameters<ErrorReporter['report']>[1]>,
): { described: ErrorDescription; message: string; fields: Record<string, unknown> } {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(details))
    fields[name === 'error' ? 'error_detail' : name] = redactDetail(name, value)
  return { described: buildDescription(error, 0), message: redactText(messageOf(error)), fields }
}

const PATH_NAMES: ReadonlySet<string> = new Set(['path', 'page'])

function redactDetail(name: string, value: unknown): unknown {
  if (isSecretName(name)) return '[redacted]'
  if (typeof value === 'string') return redactText(PATH_NAMES.has(name) ? redactPath(value) : value)
  // A card number may also be of type number.
  if (typeof value === 'number' || typeof value === 'bigint') {
    const text = redactText(String(value))
    return text === String(value) ? value : text
  }
  return value
}

function redactText(text: string): string {
  if (text.length <= MAX_TEXT_LENGTH) return redact(text)
  // Digits at the cut are removed too: half a card number would not be recognized.
  return `${redact(text.slice(0, MAX_TEXT_LENGTH).replace(/[\d .-]{1,40}$/, ''))}… (${text.length} characters)`
}

function messageOf(error: unknown): string {
  if (typeof error === 'string') return error
  return (error instanceof Error && attempt(() => String(error.message))) || 'Something failed'
}

/** An error as it is logged: redacted, with its causes. */
export interface ErrorDescription {
  name: string
  message: string
  stack?: string
  code?: unknown
  cause?: ErrorDescription
  errors?: ErrorDescription[]
}

function buildDescription(error: unknown, depth: number): ErrorDescription {
  if (!(error instanceof Error)) {
    return { name: typeof error, message: redactText(attempt(() => String(error)) ?? 'cannot be shown') }
  }
  const description: ErrorDescription = {
    name: redactText(attempt(() => String(error.name)) ?? 'Error'),
    message: redactText(messageOf(error)),
  }
  const stack = attempt(() => error.stack)
  if (typeof stack === 'string') description.stack = redactText(stack)
  const code = attempt(() => ('code' in error ? error.code : undefined))
  if (typeof code === 'string' || typeof code === 'number') description.code = redactDetail('code', code)
  if (depth < MAX_CAUSE_DEPTH) {
    const cause = attempt(() => error.cause)
    if (cause !== undefined && cause !== null) description.cause = buildDescription(cause, depth + 1)
    const errors = attempt(() => (error instanceof AggregateError ? error.errors.slice(0, 10) : undefined))
    if (errors) description.errors = errors.map((inner: unknown) => buildDescription(inner, depth + 1))
  }
  return description
}

/** Returns the result of `read`, which reads a caught value; undefined if that throws. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

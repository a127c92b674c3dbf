import type * as v from 'valibot'
import type { SessionChanges } from './callers.ts'

export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 429 | 503

/** An operation's refusal: HTTP status, machine-readable code and a message for people. */
export interface Refusal {
  ok: false
  status: RefusalStatus
  code: string
  message: string
  fields?: Record<string, string>
  /** Seconds after which the caller may try again. */
  retryAfter?: number
}

/** The result of an operation. `replayed`: stored by an earlier call with the same idempotency key. */
export type Outcome<O> = ({ ok: true; value: O; grants?: SessionChanges; version?: AnswerVersion } | Refusal) & {
  replayed?: true
}

/** Version of a response; only operations that are `conditional` have it. */
export interface AnswerVersion {
  /** Entity tag without quotes. */
  etag: string
  /** True if the caller has this version, so that the response is 304 without a body. */
  isCurrent: boolean
}

/**
 * Creates a successful outcome.
 * @param grants changes of the caller's session cookie
 */
export const succeed = <O>(value: O, grants?: SessionChanges): Outcome<O> =>
  grants ? { ok: true, value, grants } : { ok: true, value }

/**
 * Creates a refusal.
 * @param code machine-readable code
 * @param message sentence for people
 */
export const refuse = (
  status: RefusalStatus,
  code: string,
  message: string,
  more: { fields?: Record<string, string>; retryAfter?: number } = {},
): Refusal => ({ ok: false, status, code, message, ...more })

/** Creates the refusal of a form with invalid fields. @param fields message by field name */
export const wrongFields = (fields: Record<string, string>): Refusal =>
  refuse(400, 'invalid_input', 'Please check the form.', { fields })

/** Thrown in an operation to roll its transaction back and return the refusal. */
export class RefusalError extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.code)
    this.refusal = refusal
  }
}

/** Creates an error with a refusal: `throw refusalError(409, 'lease_closed', leaseClosed)`. */
export const refusalError = (...args: Parameters<typeof refuse>): RefusalError => new RefusalError(refuse(...args))

/** Creates the error of a single invalid field, whose message is the refusal's message too. */
export const fieldError = (field: string, message: string): RefusalError =>
  refusalError(400, 'invalid_input', message, { fields: { [field]: message } })

/** Returns the operation's outcome, or the refusal that it throws. */
export async function catchRefusal<O>(run: () => Promise<Outcome<O>>): Promise<Outcome<O>> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof RefusalError) return error.refusal
    throw error
  }
}

/**
 * Returns the first message of each field; names of nested fields are joined with dots, '(body)' is the whole input.
 */
export function fieldMessages(issues: readonly v.BaseIssue<unknown>[]): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const issue of issues) {
    const name = issue.path?.map((step) => String(step.key)).join('.') || '(body)'
    // Replaces the schema's technical message about keys.
    const missing = issue.input === undefined && issue.message.startsWith('Invalid key')
    fields[name] ??= missing ? 'is missing' : issue.message
  }
  return fields
}

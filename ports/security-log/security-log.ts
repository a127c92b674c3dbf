/** The security events and their log levels. Operators' alerts depend on the names (docs/operations.md). */
const securityEvents = {
  'sign_in.succeeded': 'info',
  'sign_in.refused': 'warn',
  /** A sign-in by password or passkey was refused, since there were too many attempts. */
  'sign_in.locked': 'warn',
  /** The tenant logged out. */
  'sign_in.ended': 'info',
  'account.registered': 'info',
  'reset.requested': 'info',
  'reset.refused': 'warn',
  'reset.locked': 'warn',
  'reset.completed': 'info',
  'password.changed': 'info',
  /** The current password was required and wrong. */
  'password.refused': 'warn',
  'email.change_requested': 'info',
  'email.changed': 'info',
  'email.change_undone': 'warn',
  'passkey.added': 'info',
  'passkey.removed': 'info',
  'passkey.refused': 'warn',
  /** 403: the caller is authenticated but may not do this. */
  'access.denied': 'warn',
  /** A machine key that is unknown, revoked, replaced or expired. */
  'key.refused': 'warn',
  /** A limit of calls or guesses was reached, other than those of `sign_in.locked` and `reset.locked`. */
  'limit.reached': 'warn',
  /** The request named an unknown order, or one that is not the caller's own. */
  'order.foreign': 'warn',
  /** A request contradicts the payment it belongs to. */
  'order.contradicted': 'warn',
  'origin.foreign': 'warn',
  /** A posted reply to a text message lacks a valid signature, an id or a ten-digit number, or no provider is configured. */
  'texts.unsigned': 'warn',
  /** The Host header does not name this site. */
  'host.foreign': 'warn',
  'operator.command': 'info',
} as const

export type SecurityEvent = keyof typeof securityEvents

/** Details of a security event: ids, fixed words and an e-mail address or username, never a password, token or code. */
export interface SecurityDetails {
  account?: string | undefined
  staff?: string | undefined
  /** Id of a machine key; no secret. */
  key?: string | undefined
  /** Full address, or what a visitor typed as username; it is logged masked. */
  email?: string | undefined
  /** Method, such as 'password', 'passkey' or 'office password'. */
  how?: string | undefined
  why?: string | undefined
  operation?: string | undefined
  order?: string | undefined
  command?: string | undefined
  by?: string | undefined
  outcome?: string | undefined
}

/** Records security events. Never throws, never waits. Call it after the transaction has committed. */
export interface SecurityLog {
  record(event: SecurityEvent, details?: SecurityDetails): void
}

interface Lines {
  info(fields: Record<string, unknown>, message: string): void
  warn(fields: Record<string, unknown>, message: string): void
}

/** Masks an e-mail address: 'dana.reyes@mail.example' → 'd***@m***.example'. */
export function maskedEmail(email: string): string {
  const [name = '', host = ''] = email.split('@')
  const top = host.slice(host.lastIndexOf('.'))
  return `${name.slice(0, 1)}***@${host.slice(0, 1)}***${/^\.[a-z]{2,20}$/i.test(top) ? top : ''}`
}

/**
 * Writes each event as one log line with the field `event`.
 * @param address returns the client address of the current request
 */
export const loggedSecurity = (log: Lines, address: () => string | undefined = () => undefined): SecurityLog => ({
  record(event, { email, ...details } = {}) {
    const masked = email ? { email: maskedEmail(email) } : {}
    log[securityEvents[event]]({ event, address: address(), ...details, ...masked }, 'security')
  },
})

/** Alerts are set on these; docs/operations.md says what each means. */
export const securityEvents = {
  'sign_in.succeeded': 'info',
  'sign_in.refused': 'warn',
  /** Too many wrong passwords: further tries are refused for a while. */
  'sign_in.locked': 'warn',
  /** Logged out, or ended from another browser. */
  'sign_in.ended': 'info',
  'account.registered': 'info',
  'reset.requested': 'info',
  'reset.refused': 'warn',
  'reset.locked': 'warn',
  'reset.completed': 'info',
  'password.changed': 'info',
  /** The current password was asked for and not given. */
  'password.refused': 'warn',
  'email.change_requested': 'info',
  'email.changed': 'info',
  'email.change_undone': 'warn',
  'passkey.added': 'info',
  'passkey.removed': 'info',
  'passkey.refused': 'warn',
  /** 403: signed in, or by link, but not for this. */
  'access.denied': 'warn',
  /** 429 of an operation. */
  'limit.reached': 'warn',
  /** Another session's order, or an unknown one, was named. */
  'order.foreign': 'warn',
  /** A call contradicts its payment. */
  'order.contradicted': 'warn',
  'origin.foreign': 'warn',
  /** A reply to a text message that its provider has not signed. */
  'texts.unsigned': 'warn',
  /** A name in the Host header that is not this site's. */
  'host.foreign': 'warn',
  'operator.command': 'info',
} as const

export type SecurityEvent = keyof typeof securityEvents

/** Ids and our own words. Never a password, a token, a code, or what a person typed. */
export interface SecurityDetails {
  account?: string | undefined
  staff?: string | undefined
  /** 'ATL01:1001' */
  tenant?: string | undefined
  /** As it is known; written down masked. */
  email?: string | undefined
  /** 'password', 'passkey', 'guest', 'reset' … */
  how?: string | undefined
  why?: string | undefined
  operation?: string | undefined
  order?: string | undefined
  command?: string | undefined
  by?: string | undefined
  outcome?: string | undefined
}

/** Never throws, never waits. Call it once the transaction has committed. */
export interface SecurityLog {
  record(event: SecurityEvent, details?: SecurityDetails): void
}

interface Lines {
  info(fields: Record<string, unknown>, message: string): void
  warn(fields: Record<string, unknown>, message: string): void
}

/** 'dana.reyes@mail.example' → 'd***@m***.example': recognizable to its owner, too little to write to. */
export function maskedEmail(email: string): string {
  const [name = '', host = ''] = email.split('@')
  const top = host.slice(host.lastIndexOf('.'))
  return `${name.slice(0, 1)}***@${host.slice(0, 1)}***${/^\.[a-z]{2,20}$/i.test(top) ? top : ''}`
}

/** Each event becomes one line with the field `event`. @param address the client of the request */
export const loggedSecurity = (log: Lines, address: () => string | undefined = () => undefined): SecurityLog => ({
  record(event, { email, ...details } = {}) {
    const masked = email ? { email: maskedEmail(email) } : {}
    log[securityEvents[event]]({ event, address: address(), ...details, ...masked }, 'security')
  },
})

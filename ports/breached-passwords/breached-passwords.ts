/** Passwords that are known from data breaches. */
export interface BreachedPasswords {
  /** Whether the password is known. Never throws: a service that gives no answer lets it pass, and that is reported. */
  isKnown(password: string): Promise<boolean>
}

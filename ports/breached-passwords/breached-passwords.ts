/** Looks passwords up in lists of data breaches. */
export interface BreachedPasswords {
  /**
   * Returns whether the password is in a known data breach. Never throws: when the service fails, reports that and
   * returns false.
   */
  isKnown(password: string): Promise<boolean>
}

/**
 * Returns whether a unit number has only digits. Others (parking spaces, for example) get the prompt 'Enable Autopay?'.
 */
export function isNumericUnit(unitNumber: string): boolean {
  return /^\d+$/.test(unitNumber)
}

/** Returns whether a stored code is the combination of an overlock; '0000' is stored for a unit without one. */
export const isOverlockCombination = (code: string): boolean => code.trim() !== '' && code.trim() !== '0000'

/** Returns whether to show the overlock's combination: one is set and the lease is Current or Pre-Paid. */
export function mayShowOverlockCombination(lease: { comboCode: string; status: string }): boolean {
  return isOverlockCombination(lease.comboCode) && (lease.status === 'Current' || lease.status === 'Pre-Paid')
}

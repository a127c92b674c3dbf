/** Returns whether a stored code is a lock's combination; leases without one store '0000', auction winners ''. */
export const isOverlockCombination = (code: string): boolean => code.trim() !== '' && code.trim() !== '0000'

/** Returns whether to show the overlock's combination: it is stored, and the lease is Current or Pre-Paid. */
export function mayShowOverlockCombination(lease: { comboCode: string; status: string }): boolean {
  return isOverlockCombination(lease.comboCode) && (lease.status === 'Current' || lease.status === 'Pre-Paid')
}

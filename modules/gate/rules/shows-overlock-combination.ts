/**
 * Returns whether to show the overlock's combination: one is set (not blank, not 0000) and the lease is Current or
 * Pre-Paid.
 */
export function mayShowOverlockCombination(lease: { comboCode: string; status: string }): boolean {
  const code = lease.comboCode.trim()
  return code !== '' && code !== '0000' && (lease.status === 'Current' || lease.status === 'Pre-Paid')
}

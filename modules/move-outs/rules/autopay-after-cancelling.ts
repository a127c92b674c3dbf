/** Returns whether cancelling a scheduled move-out can restore autopay, which scheduling it has turned off. */
export const canRestoreAutopay = (moveOut: { state: string; autopay_before: string | null } | null): boolean =>
  moveOut?.state === 'scheduled' && moveOut.autopay_before !== null

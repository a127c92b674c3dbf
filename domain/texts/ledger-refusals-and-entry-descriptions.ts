/** Texts of ledger entries written by staff, and of refusals. */

/** Returns the message for a stale form, with what was added since, such as "Late fee of $20.00". */
export const changedMeanwhile = (additions: readonly string[], balance: string): string =>
  `${additions.length > 0 ? `Since you opened this, the ledger got: ${additions.join(', ')}.` : 'The ledger has changed since you opened this.'} The balance is ${balance} now. Look at it again.`
export const writtenAlready = 'This has been written already.'
export const chooseWhy = 'Choose why.'
export const noteNeeded = 'Say in the note what it was.'
export const notAFee = 'Only a fee that stands by itself can be waived. Credit the lease for what is part of a period.'
export const waivedAlready = 'This fee has been waived already.'
export const feeRetired = 'This fee is not on the facility’s list any more.'
export const leaseClosed = 'This lease is closed. Nothing more is charged to it.'
export const creditAbovePeriod = (most: string): string => `At most ${most} is left of this period.`
export const noSuchPeriod = 'This period was not charged, or has been credited in full.'
export const nothingToMove = 'Nothing is owed and nothing stands to the credit of this lease.'
export const amountAboveBalance = (most: string): string => `At most ${most} can be moved.`
export const sameLease = 'Choose another lease.'
export const cannotMoveToClosedLease = 'What is owed cannot be moved to a closed lease.'
export const leaseNotClosed = 'Only what a closed lease owes can be written off.'
export const paymentPending = 'A payment for this lease is on its way. Wait until it has arrived.'
export const amountNeeded = 'Enter an amount above $0.00, such as 25.00.'
export const amountTooLarge = 'Enter at most $100,000.00.'
export const fullCents = 'Enter dollars and cents, such as 25.00.'
export const chooseFee = 'Choose a fee.'
export const choosePeriod = 'Choose a period.'
export const waived = (description: string): string => `${description} waived`
/** Description of tax entries on fees, as `charges.ts` labels them. Transfers and reports recognize them by it. */
export const taxOnFees = 'Tax on fees'
export const taxOnCredit = 'Tax on the credit'
export const movedTo = (unit: string): string => `Moved to unit ${unit}`
export const movedFrom = (unit: string): string => `Moved from unit ${unit}`
export const writtenOff = 'Balance written off'

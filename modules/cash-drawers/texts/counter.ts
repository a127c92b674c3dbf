/** Sentences about payments at the counter and their drawers. */

import { type Cents, format } from '../../../domain/money.ts'
import { formatUs, type IsoDate } from '../../../domain/plain-date.ts'
import { shownReceipt } from '../../payments/rules/receipt-number.ts'

export const drawerClosed = 'This drawer has been counted. Open another one, or choose one that is open.'
export const drawerOpenAlready = 'You have an open drawer here already.'
export const notYourDrawer = 'Who opened this drawer counts it, or a manager.'
export const drawerChanged = 'A receipt was posted or voided since you counted. Count again.'
export const countedByYourself = 'You counted this drawer, so another staff member has to match it with the bank.'
export const matchedAlready = 'This deposit has been matched already.'
export const notCountedYet = 'This drawer has not been counted yet.'
export const whyDiffers = 'The count differs from the receipts. Count again, or choose why it differs.'
export const blindCountHint =
  'What the receipts come to is shown when you have counted. A count that differs is kept, and then explained.'
export const amountsAfterCount = 'An amount in an open drawer is shown once the drawer is counted.'
export const bankDayWrong = (first: string, last: string) => `The bank's day is from ${first} to ${last}.`
export const noteDiffers = 'Say in the note why the bank has another amount.'

export const noChecks = 'This tenant pays by card, cash or money order: a check has come back before.'
export const numberNeeded = 'Enter its number.'
export const nothingEntered = 'Enter an amount for at least one unit.'
export const amountTooLarge = (maximum: Cents): string => `At most ${format(maximum)} is received at once.`
export const drawerAmountTooLarge = (maximum: Cents): string => `A drawer holds at most ${format(maximum)}.`

export const paymentPendingForUnit = (unit: string): string =>
  `A card or bank payment for unit ${unit} was taken and is being posted. Wait a minute and look again, or it is paid twice.`
export const receiptAboveBalance = (unit: string, owed: Cents): string =>
  `The lease of unit ${unit} has ended: ${owed > 0 ? `at most ${format(owed)} is owed` : 'nothing is owed on it'}.`
export const fullBalanceRequired = (unit: string, owed: Cents): string =>
  `Unit ${unit} is being prepared for sale: only the full ${format(owed)} stops it. A part is not taken.`
export const checkAlreadyReceived = (
  payment: string,
  { receipt_id, received_on }: { receipt_id: string; received_on: IsoDate },
) => `${payment} over this amount was received on ${formatUs(received_on)} (receipt ${shownReceipt(receipt_id)}).`

export const voidedAlready = 'This receipt has been voided already.'
export const returnedAlready = 'This payment has been returned already.'
export const voidOnlySameDay = 'A receipt is voided on the day that it was made. Finance can refund it.'
export const voidOnlyHeld = 'Its drawer has been counted and deposited: it cannot be voided any more.'
export const returnOnlyDeposited = 'This payment is still in the drawer. Void its receipt instead.'
export const notACheck = 'Cash is not returned by a bank.'

/** Returns the ledger description of a voided receipt, which the tenant's history shows. */
export const voidedEntry = (payment: string): string => `${payment}: receipt voided`
export const returnedEntry = (payment: string): string => `${payment}: returned by the bank`

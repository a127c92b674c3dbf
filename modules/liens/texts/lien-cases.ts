/** Texts of past-due calls, of settlement offers and of lien cases. */
import { type Cents, format } from '../../../domain/money.ts'
import { formatUs, type IsoDate } from '../../../domain/plain-date.ts'

export const notPastDue = 'Nothing is owed on this lease.'
export const promiseDay = (last: string): string => `Give a day from today to ${last}: mm/dd/yyyy.`
export const promiseTooMuch = (owed: Cents): string => `${format(owed)} is owed: a promise is of no more.`

export const settlementAboveBalance = (owed: Cents): string =>
  `Less than the ${format(owed)} that is owed: else send the link to pay.`
export const paymentOnItsWay = 'A payment is on its way. Wait until it is posted.'

export const noRules = (state: string): string => `No lien rules are on file for ${state}.`
export const notSignedOff = (version: string): string =>
  `The operator has not signed off the lien rules ${version}: no case opens.`
export const signedAlready = 'These rules are signed off already.'
export const notSigned = 'These rules are not signed off.'
export const rulesChanged = 'These are other rules than the page showed. Look at them again.'
export const caseOpenAlready = 'A lien case is open for this lease.'
export const nothingOwedHere = 'Nothing is owed: there is no lien.'
export const leaseHasEnded = 'This lease has ended.'
export const tooEarly = (subject: string, earliest: IsoDate, because: string): string =>
  `${subject} not before ${formatUs(earliest)}: ${because}.`
export const blockedBy = (blocks: readonly string[]): string => `Blocked: ${blocks.join(', ')}.`
export const caseIsOver = 'This lien case is over.'
export const otherStepNext = (next: string): string => `The next step is: ${next}.`
export const stepWaits = 'A step waits for a second person. Decide it first.'
export const dayAhead = 'This day is still to come.'
export const chooseWay = 'Choose how.'
export const wayNotAllowed = 'These rules do not accept that way.'
export const proofNeeded = 'Attach the proof: a photo or a PDF.'
export const photoNeeded = 'Attach the photo of the door.'
export const trackingNeeded = 'Enter the tracking number, the address of the page, or the edition.'
export const copyNeeded = (to: string): string => `A copy goes to the ${to} on file. Tick it once it is sent.`
export const checkAll = 'Tick each line that you have looked at.'
export const serviceMember = 'On active duty: only a court may order a sale.'
export const noStepWaits = 'Nothing waits for a second person here.'
export const secondPerson = 'Another person must confirm what you recorded.'
export const checkedTooLong = 'This check was of another day. Look again.'
export const bidNeeded = 'Enter what the unit was sold for, such as 420.00, at most 100,000.00.'
export const soldAlready = 'This unit was sold at auction already.'
export const stoppedByPayment = 'Paid: nothing is owed any more.'
export const stoppedByEnd = 'The lease has ended.'
export const nothingLeftOfSurplus = 'Nothing is left of the surplus.'
export const surplusPaid = (to: string): string => `Surplus of the sale paid ${to}`

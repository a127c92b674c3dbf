/** Table of refusals: what each means for money and unit, and what to do next. Shown below the specified sentence. */
import * as account from '../../domain/texts/account.ts'
import * as site from '../../domain/texts/general-errors.ts'
import * as payment from '../../domain/texts/payment.ts'
import * as portal from '../../modules/leases/texts/portal.ts'
import { brochureNotAvailable } from '../../modules/move-in/texts/move-in.ts'
import type { NotCharged } from '../../modules/payments/texts/was-money-taken-by-payment-state.ts'
import {
  cannotCancelPaying,
  lastUnitsKept,
  lookupFailed,
  reservationNotFoundByName,
  saveReservationFailed,
  tooManyRentals,
  tooManyReservations,
  transferTypeTaken,
  transferUnitTaken,
  unitsGone,
} from '../../modules/reservations/texts/reserve.ts'

/**
 * Next step that the page offers after a refusal. 'call' is a link that calls the phone number in the refusal's sentence,
 * or else the page's; 'other way' is the page's own link to other payment methods.
 */
export type RefusalNextStep = 'call' | 'other way' | { label: string; href: string }

export interface RefusalAdviceTexts {
  means: string
  leadsTo: readonly RefusalNextStep[]
}

const logIn = { label: 'Log in', href: '/login' }
const payAsGuest = { label: 'Pay without logging in', href: '/guest/find-email' }
const register = { label: 'Register', href: '/register' }
const newPassword = { label: account.forgotPassword, href: '/forgot' }
const units = { label: portal.myUnits, href: '/my-units' }
const history = { label: portal.paymentHistory, href: '/recent-activity' }
const findReservation = { label: 'Find your reservation', href: '/find-reservation' }

/**
 * Sentence for refusals that may follow a payment. Only an order's state tells whether money was taken
 * (modules/payments/texts/was-money-taken-by-payment-state.ts).
 */
const ifPaid = 'If you have just paid, please do not pay again: we check every payment, and e-mail its receipt.'

const adviceOf = (means: string, ...leadsTo: RefusalNextStep[]): RefusalAdviceTexts => ({ means, leadsTo })

/**
 * Advice for a missing session. It speaks of a payment, since the page to which a renter returns from a card payment may
 * also find no session.
 */
const signedOut = adviceOf(
  `You are not signed in. Your unit and your reservation are as they were. ${ifPaid}`,
  logIn,
  findReservation,
  payAsGuest,
)
const noSession = adviceOf(`Your unit is as it was. ${ifPaid}`, logIn, 'call')
const startAgain = adviceOf(`${ifPaid} If you have not, begin the payment again from your unit.`, 'call')
const guestAgain = adviceOf(`${ifPaid} If you have not, enter your e-mail address again to go on.`, payAsGuest, logIn)
const linkAgain = adviceOf(`${ifPaid} If you have not, open the link of our e-mail again, or call us.`, 'call')
const byPhone = adviceOf('It can be paid by phone only.', 'call')
const keepsUnit = adviceOf('You keep the unit and your gate code, and rent goes on as before.', 'call')
const keepsLease = adviceOf('Your lease goes on as it is.', 'call')
const nothingYet = 'Nothing is reserved yet.'
const notSaved = adviceOf(`Please try again in a moment. ${ifPaid}`, 'call')

const bySentence = new Map<string, RefusalAdviceTexts>([
  [site.invalidSession, signedOut],
  [payment.authenticationRequired, adviceOf(ifPaid, 'call', payAsGuest)],
  [portal.sessionTenantMissing, noSession],
  [portal.sessionLocationMissing, noSession],
  [account.sessionAccountMissing, noSession],
  [payment.invalidPaymentSession, startAgain],
  [payment.invalidLeaseSession, startAgain],
  [payment.invalidTenantId, noSession],
  [payment.invalidGuestSession, guestAgain],
  [payment.guestSessionNotFound, guestAgain],
  [payment.guestProfileFailed, guestAgain],
  [payment.failedToInitializePayment, adviceOf(`The payment was not begun. ${ifPaid}`, 'other way', 'call')],
  [payment.paymentUnderWay, adviceOf('Please do not pay again: it counts as soon as it has arrived.', 'call')],
  [payment.paymentAlreadyProcessed, adviceOf('You were charged once, and are not charged again.', history)],
  [payment.paymentNotFound, linkAgain],
  [payment.settlementSessionNotFound, linkAgain],
  [payment.invalidSettlementData, linkAgain],
  [payment.accountInformationNotFound, linkAgain],
  [payment.invalidUrl, linkAgain],
  [payment.movingOut, adviceOf('Cancel the move-out to keep the unit.', 'call')],
  [account.emailNotFound, adviceOf('No account goes by this address. Try another one of yours.', register, 'call')],
  [account.tenantNotFoundByEmail, adviceOf('No unit goes by this address.', register, 'call')],
  [account.tenantNotFoundByUnit, adviceOf('Write the number as on your lease: some begin with a 0.', 'call')],
  [
    account.enterCorrectInformation,
    adviceOf('Nothing has changed. Write each as on your lease: some unit numbers begin with a 0.', 'call'),
  ],
  [
    account.loginFailed,
    adviceOf('Your unit and account are as they were. You can pay without logging in.', newPassword, payAsGuest),
  ],
  [account.accountNotFoundSignUp, adviceOf('No password was changed.', register, 'call')],
  [account.enterCorrectCode, adviceOf('Your password is as it was.', 'call')],
  [account.resetOver, adviceOf('Your password is as it was.', newPassword)],
  [account.resetEmailFailed, adviceOf('Your password is as it was.', newPassword, 'call')],
  [account.comingSoon, adviceOf('Your unit, your gate code and what you have paid stay as they are.', 'call')],
  [portal.noLeaseFound, adviceOf('Your units are as they were.', units, 'call')],
  [portal.invalidLeaseNumber, adviceOf('Your units are as they were.', units, 'call')],
  [portal.leasePdfFailed, adviceOf('Nothing was signed. You can read it on the page as well.', 'call')],
  [portal.mapNotAvailable, adviceOf('Your unit and gate code are as they were. We tell you the way.', 'call')],
  [portal.moveOutFailed, keepsUnit],
  [portal.moveOutCannotBeCancelled, adviceOf('Your move-out stands as it is.', 'call')],
  [portal.payBeforeMoveOut, adviceOf('You keep the unit until then.', 'call')],
  [site.internalServerError, notSaved],
  [site.locationDataFailed, notSaved],
  [site.failedOnOurSide, notSaved],
  [brochureNotAvailable, adviceOf('Your insurance is as it was.', 'call')],
  [lookupFailed, adviceOf('A reservation that is on file stays as it is.', 'call')],
  [reservationNotFoundByName, adviceOf('A reservation that is on file stays as it is.', 'call')],
  [saveReservationFailed, adviceOf(nothingYet, findReservation, 'call')],
  [cannotCancelPaying, adviceOf('Your reservation is as it was.', 'call')],
  [transferUnitTaken, keepsLease],
  [transferTypeTaken, keepsLease],
])

/**
 * Returns the advice for a refused payment; null for other sentences.
 * @param charged statement that the order took no money; with null the advice leaves open whether it did
 */
function paymentAdvice(sentence: string, charged: NotCharged | null): RefusalAdviceTexts | null {
  const { unableToProcessPayment: unable } = payment
  const withStatement = (rest: string) => (charged ? `${charged}, and ${rest}` : ifPaid)
  const unitUnchanged = withStatement('nothing about your unit has changed.')
  switch (sentence) {
    case payment.achFailed:
      return adviceOf(withStatement('what is due has not changed.'), 'other way', 'call')
    case `${unable}${payment.declinedByIssuer}`:
      return adviceOf(`Your bank refused the card and can say why. ${unitUnchanged}`, 'other way', 'call')
    case `${unable}${payment.cardExpired}`:
      return adviceOf(`${unitUnchanged} Pay with a card that is still valid.`, 'other way', 'call')
    default:
      return sentence === payment.paymentFailed || sentence.startsWith(unable)
        ? adviceOf(unitUnchanged, 'other way', 'call')
        : null
  }
}

const tooManyTriesPattern = /^Too many tries\. Please try again in .+\.$/
const tooManyTries = adviceOf('Nothing has changed. If it cannot wait, call us.', 'call', payAsGuest, findReservation)

/** Refusals whose sentence contains a phone number or a time, by pattern. */
const byPattern: readonly [RegExp, RefusalAdviceTexts][] = [
  [patternOf(payment.auctionPrepped), byPhone],
  [patternOf(payment.over70Days), byPhone],
  [patternOf(unitsGone), adviceOf(nothingYet, 'call')],
  [patternOf(tooManyReservations), adviceOf(nothingYet, 'call')],
  [patternOf(tooManyRentals), adviceOf(nothingYet, 'call')],
  [tooManyTriesPattern, tooManyTries],
  [patternOf(lastUnitsKept), adviceOf(nothingYet, logIn, 'call')],
  [patternOf(account.gateCodeNotFound), adviceOf('Your gate code is as it was, and was not sent.', logIn, 'call')],
]

function patternOf(sentence: (phone: string) => string): RegExp {
  const [before = '', after = ''] = sentence('#').split('#')
  const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escapePattern(before)}.*${escapePattern(after)}$`)
}

/**
 * Returns the advice for a refusal's sentence.
 * @param charged statement that the refused order took no money; null unless the order's state says so
 * @returns null for a sentence without advice, such as one about a field
 */
export function findRefusalAdvice(sentence: string, charged: NotCharged | null = null): RefusalAdviceTexts | null {
  return (
    paymentAdvice(sentence, charged) ??
    bySentence.get(sentence) ??
    byPattern.find(([pattern]) => pattern.test(sentence))?.[1] ??
    null
  )
}

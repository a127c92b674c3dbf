import { describe, expect, it } from 'vitest'
import * as account from '../../domain/texts/account.ts'
import * as site from '../../domain/texts/general-errors.ts'
import * as payment from '../../domain/texts/payment.ts'
import { tooManyTries } from '../../domain/texts/too-many-attempts.ts'
import * as portal from '../../modules/leases/texts/portal.ts'
import { failureText } from '../../modules/payments/rules/payment-failure-reason.ts'
import type { PaymentState } from '../../modules/payments/rules/payment-states.ts'
import { notCharged, type RecordedOrder } from '../../modules/payments/texts/was-money-taken-by-payment-state.ts'
import * as reserve from '../../modules/reservations/texts/reserve.ts'
import { findRefusalAdvice, type RefusalNextStep } from './refusal-advice-texts.ts'

const phone = '(404) 555-0114'

/** Refusals of the tenant pages, and those that a renter meets. */
const refusals = [
  site.invalidSession,
  site.internalServerError,
  site.locationDataFailed,
  payment.authenticationRequired,
  portal.sessionTenantMissing,
  portal.sessionLocationMissing,
  account.sessionAccountMissing,
  payment.invalidPaymentSession,
  payment.invalidLeaseSession,
  payment.invalidTenantId,
  payment.invalidGuestSession,
  payment.guestSessionNotFound,
  payment.guestProfileFailed,
  payment.achFailed,
  payment.paymentFailed,
  payment.failedToInitializePayment,
  payment.auctionPrepped(phone),
  payment.over70Days(phone),
  reserve.unitsGone(phone),
  reserve.tooManyRentals(phone),
  reserve.lastUnitsKept(phone),
  reserve.cannotCancelPaying,
  reserve.transferUnitTaken,
  reserve.transferTypeTaken,
  account.comingSoon,
  reserve.lookupFailed,
  reserve.reservationNotFoundByName,
  payment.invalidUrl,
  account.tenantNotFoundByUnit,
  account.tenantNotFoundByEmail,
  account.emailNotFound,
  account.loginFailed,
  account.enterCorrectInformation,
  account.accountNotFoundSignUp,
  account.resetEmailFailed,
  account.enterCorrectCode,
  account.gateCodeNotFound(phone),
  payment.paymentNotFound,
  payment.settlementSessionNotFound,
  payment.invalidSettlementData,
  payment.accountInformationNotFound,
  portal.mapNotAvailable,
  portal.moveOutFailed,
  ...[40, 720, 10_000].map(tooManyTries),
  portal.noLeaseFound,
  portal.invalidLeaseNumber,
  portal.leasePdfFailed,
  ...['Declined', 'Card expired', 'Do not honor', ''].map((responseDescription) =>
    failureText({ responseCode: '999', responseDescription }),
  ),
]

describe('a refusal', () => {
  it.each(refusals)('‘%s’ has an explanation and a next step', (sentence) => {
    const refusal = findRefusalAdvice(sentence)
    expect(refusal?.means).toMatch(/\.$/)
    expect(refusal?.leadsTo.length).toBeGreaterThan(0)
  })

  it('says “not charged” only if the order is declined, cancelled or expired, and offers another way to pay', () => {
    const sentence = `${payment.unableToProcessPayment}${payment.declinedByIssuer}`
    const means = (state: PaymentState) => findRefusalAdvice(sentence, notCharged({ state } as RecordedOrder))?.means
    expect(findRefusalAdvice(sentence)?.leadsTo).toEqual(['other way', 'call'])
    for (const state of ['declined', 'cancelled', 'expired'] as const)
      expect(means(state)).toContain('You were not charged')
    for (const state of ['presented', 'captured', 'posted', 'review'] as const)
      expect(means(state)).not.toContain('not charged')
    expect(findRefusalAdvice(sentence)?.means).not.toContain('not charged')
  })

  it('leads a renter without a session back to the reservation and advises not to pay again', () => {
    const refusal = findRefusalAdvice(site.invalidSession)
    expect(refusal?.leadsTo).toContainEqual(expect.objectContaining({ href: '/find-reservation' }))
    expect(refusal?.means).toContain('please do not pay again: we check every payment')
  })

  it('links to this site only, and a message that is no refusal gets no advice', () => {
    const paths = refusals
      .flatMap((sentence) => findRefusalAdvice(sentence)?.leadsTo ?? [])
      .filter((step): step is Exclude<RefusalNextStep, string> => typeof step === 'object')
    expect(paths.every(({ href }) => /^\/[a-z-]/.test(href))).toBe(true)
    for (const sentence of ['', 'Email required', portal.moveOutIsScheduled, `x ${site.invalidSession}`])
      expect(findRefusalAdvice(sentence)).toBeNull()
  })
})

/** One of each notice, for the preview page and the tests. */

import { refundReason } from '../../domain/payment.ts'
import { type Trouble, troubleOf } from '../leases/rules/unit-alerts.ts'
import { recordedOrders } from '../payments/payment.ts'
import { moveInCharges } from '../pricing/rules/charges.ts'
import type { Notice, NoticeBrand } from './letter.tsx'
import type { AppointmentFacts } from './letters/appointment.ts'
import * as letters from './letters/index.ts'
import type { NoticePlace } from './letters/shared.ts'

const brand: NoticeBrand = { name: 'Latchkey', phone: '8005550100', siteUrl: 'https://latchkey.example' }
const facility: NoticePlace = {
  name: 'Ponce City',
  address: '675 North Ave NE',
  city: 'Atlanta',
  state: 'GA',
  zip: '30308',
  phone: '4045550142',
  timeZone: 'America/New_York',
}
const maya = { brand, facility, name: 'Maya', unitNumber: '214' }
const charges = moveInCharges({
  rent: 13900,
  streetRent: 16900,
  discount: { id: 4, description: 'First Month Free', amount: 10000, type: 1 },
  insurance: { schemeId: 2, name: '$3,000 cover', premium: 1200 },
  moveInFees: [{ feeId: 1, description: 'Admin Fee', amount: 1800 }],
  periodFees: [],
  access24: null,
  cardFee: null,
  taxRates: { rent: 0, insurance: 400, fee: 890 },
  moveInDate: '2026-11-20',
})
const transfer = { ...maya, toUnit: '301', endsOn: '2026-11-27' }
const codes = { ...maya, units: [{ unitNumber: '214', gateCode: '482913' }] }
const late = troubleOf(
  {
    balance: 15148,
    paidThrough: '2026-12-19',
    locked: false,
    auctionPrepped: false,
    charging: false,
    activeMilitary: false,
    auctionAfterDays: 75,
    lateFee: 2000,
    saleFrom: null,
    soldUntil: null,
  },
  '2026-12-24',
) as Trouble
const lateCodes = {
  ...codes,
  units: codes.units.map((unit) => ({
    ...unit,
    trouble: { ...late, notOnline: '', payUrl: `${brand.siteUrl}/my-units` },
  })),
}
const account = `${brand.siteUrl}/complete-register`

const insuranceProof = {
  ...maya,
  unitNumbers: '214, 318',
  carrier: 'Old Harbor Mutual',
  policyNumber: 'HO-55120',
  expires: '2027-06-30',
}

const reservation = {
  ...maya,
  reservationCode: 'K7QX4M9T',
  orders: recordedOrders([]),
  size: '10 × 10, climate-controlled storage',
  moveInDate: '2026-11-20',
  // Midnight in Atlanta, at the end of November 20.
  holdUntil: Date.UTC(2026, 10, 21, 5),
  charges,
  resumeUrl: `${brand.siteUrl}/reservation/6f3c1c1e-8f0e-4f6d-9c55-0d0b6a0f4f11`,
  cancelUrl: `${brand.siteUrl}/reservation/6f3c1c1e-8f0e-4f6d-9c55-0d0b6a0f4f11/cancel`,
}

const appointment: AppointmentFacts = {
  brand,
  facility,
  name: 'Maya Okafor',
  startsAt: Date.parse('2026-11-23T15:00:00Z'),
  confirmed: false,
  confirmUrl: `${brand.siteUrl}/confirm_appointment?appointment_id=1001`,
  otherUrl: `${brand.siteUrl}/confirm_appointment?option=other`,
}

const sample = (name: string, title: string, notice: () => Notice) => ({ name, title, notice })

/** The names are stable, for addresses of the preview page. */
export const noticeSamples = [
  sample('rent-changes', 'Notice of another rent', () =>
    letters.rentChanges({
      ...maya,
      before: 13900,
      after: 14900,
      from: '2027-01-19',
      noticeOn: '2026-11-20',
      autopay: true,
    }),
  ),
  sample('rent-stays', 'Rent change cancelled', () => letters.rentIsUnchanged({ ...maya, rent: 13900 })),
  sample('transfer-signed', 'Change of unit signed', () => letters.transferSigned(transfer)),
  sample('transfer-completed', 'Change of unit completed', () =>
    letters.transferCompleted({ ...transfer, moved: 4633, owed: 0 }),
  ),
  sample('insurance-proof-received', 'Proof of insurance received', () =>
    letters.insuranceProofReceived(insuranceProof),
  ),
  sample('insurance-proof-for-office', 'Proof of insurance, to the office', () =>
    letters.insuranceProofForOffice({ ...insuranceProof, name: 'Maya Okafor' }),
  ),
  sample('insurance-proof-accepted', 'Proof of insurance accepted', () =>
    letters.insuranceProofAccepted({ ...insuranceProof, ending: [{ unitNumber: '214', until: '2026-12-19' }] }),
  ),
  sample('own-insurance-ending', 'Own insurance about to end', () =>
    letters.ownInsuranceEnds({ ...insuranceProof, ended: false, link: `${brand.siteUrl}/proof-of-insurance` }),
  ),
  sample('own-insurance-ended', 'Own insurance ended', () =>
    letters.ownInsuranceEnds({ ...insuranceProof, ended: true, link: `${brand.siteUrl}/proof-of-insurance` }),
  ),
  sample('own-insurance-ended-office', 'Own insurance ended, to the office', () =>
    letters.ownInsuranceEndedForOffice({ ...insuranceProof, name: 'Maya Okafor' }),
  ),
  sample('insurance-proof-refused', 'Proof of insurance not accepted', () =>
    letters.insuranceProofRefused({
      ...insuranceProof,
      because: 'The page with the name of the insured is missing.',
      link: `${brand.siteUrl}/proof-of-insurance`,
    }),
  ),
  sample('reservation-confirmed', 'Reservation confirmed', () =>
    letters.reservationConfirmed({
      ...reservation,
      rentNow: false,
    }),
  ),
  sample('rental-begun', 'Rental begun', () =>
    letters.reservationConfirmed({
      ...reservation,
      rentNow: true,
    }),
  ),
  sample('move-in-completed', 'Move-in completed', () =>
    letters.moveInCompleted({
      ...maya,
      name: 'Maya Okafor',
      companyName: 'Okafor Upholstery',
      unitCategory: '10 × 10 climate-controlled storage',
      leaseNumber: 10482,
      accessCode: '482913',
      gateHours: '5 AM to 9 PM every day',
      fullDayAccess: false,
      directions: 'Enter from North Ave, past the bakery. The gate is on the left; unit 214 is in row B.',
      specialInstruction: 'The elevator closes at 8:30 PM.',
      charges,
      paidThrough: '2026-12-19',
      autopay: true,
      account: { exists: false, url: account },
    }),
  ),
  sample('receipt', 'Receipt', () =>
    letters.receipt({
      ...maya,
      name: 'Maya Okafor',
      receiptNumber: '20261120-0007',
      paymentDate: '2026-11-20',
      lines: charges.lines,
      total: charges.dueToday,
      method: 'Visa ending 1111',
      paidThrough: '2026-12-19',
    }),
  ),
  sample('receipt-with-autopay', 'Receipt where autopay is on and there is no account', () =>
    letters.receipt({
      ...maya,
      name: 'Maya Okafor',
      receiptNumber: '20261220-0012',
      paymentDate: '2026-12-20',
      lines: [{ label: 'Current Balance Due', cents: 16210 }],
      total: 16210,
      method: 'Visa ending 1111',
      paidThrough: '2027-01-18',
      autopayOffUrl: `${brand.siteUrl}/autopay-off/s1`,
    }),
  ),
  sample('autopay-on', 'Autopay turned on', () =>
    letters.autopayOn({
      ...maya,
      method: 'Visa ending 1111',
      agreed: {
        text: 'I agree that what is due for unit 214 is charged automatically every 30 days, next $118.00 on 12/20/2026, until I turn autopay off in my account.',
        at: '12:00 PM on Friday, 11/20/2026',
      },
      unitUrl: `${brand.siteUrl}/unit-lease-details?lease=10042`,
    }),
  ),
  sample('hold-expired', 'Hold expired', () =>
    letters.holdExpired({
      ...maya,
      reservationCode: 'K7QX4M9T',
      orders: recordedOrders([]),
      againUrl: `${brand.siteUrl}/storage-units/ga/atlanta/675-north-ave-ne`,
    }),
  ),
  sample('unit-free', 'A unit is free', () =>
    letters.unitFree({
      brand: maya.brand,
      facility: maya.facility,
      size: '10 × 30 Climate Controlled',
      askedOn: '2026-11-12',
      unitsUrl: `${brand.siteUrl}/storage-units/ga/atlanta/675-north-ave-ne`,
    }),
  ),
  sample('reservation-cancelled', 'Reservation cancelled', () =>
    letters.reservationCancelled({
      ...maya,
      reservationCode: 'K7QX4M9T',
      orders: recordedOrders([]),
      againUrl: `${brand.siteUrl}/storage-units/ga/atlanta/675-north-ave-ne`,
    }),
  ),
  sample('payment-under-review', 'Payment under review', () =>
    letters.paymentUnderReview({ ...maya, orderNumber: 'LK-5T8W-2QN7', amount: 3308 }),
  ),
  sample('refund-made', 'Refund made', () =>
    letters.refundMade({
      ...maya,
      orderNumber: 'LK-5T8W-2QN7',
      amount: 3308,
      why: refundReason('unit_lost'),
      method: 'Visa ending 1111',
    }),
  ),
  sample('receipt-voided', 'Receipt voided', () =>
    letters.receiptVoided({ ...maya, receiptNumber: 'RC7F00A21B44', method: 'Check 1042', total: 15890 }),
  ),
  sample('check-returned', 'Check returned by the bank', () =>
    letters.checkReturned({
      ...maya,
      receiptNumber: 'RC7F00A21B44',
      method: 'Check 1042',
      total: 15890,
      reason: 'insufficient funds',
      fee: 3267,
      due: [{ unitNumber: '214', cents: 19157 }],
      noChecks: true,
      payUrl: `${brand.siteUrl}/my-units`,
    }),
  ),
  sample('refund-sent', 'Refund of a payment that counted', () =>
    letters.refundSent({
      ...maya,
      orderNumber: 'LK-5T8W-2QN7',
      amount: 15148,
      paid: { cents: 15148, on: '11/03/2026' },
      to: 'to Visa ending 1111',
      byHand: false,
      forgiven: false,
      balance: 15148,
      payUrl: `${brand.siteUrl}/my-units`,
    }),
  ),
  sample('fee-waived', 'Fee waived', () =>
    letters.ledgerChanged({
      ...maya,
      act: 'waive',
      entries: [
        { description: 'Late Fee waived', cents: -2000 },
        { description: 'Tax on fees waived', cents: -178 },
      ],
      balance: 15148,
      notOnline: '',
      payUrl: `${brand.siteUrl}/my-units`,
    }),
  ),
  sample('charges-taken-back', 'Charges taken back', () =>
    letters.ledgerChanged({
      ...maya,
      act: 'take back',
      entries: [
        { description: 'Rent', cents: -13900 },
        { description: 'Tax on rent', cents: -1248 },
      ],
      balance: 0,
      notOnline: '',
      payUrl: `${brand.siteUrl}/my-units`,
    }),
  ),
  sample('payment-returned', 'Payment returned by the bank', () =>
    letters.paymentFailed({
      ...maya,
      kind: 'returned',
      amount: 15148,
      balance: 15148,
      autopayOff: true,
      reason: 'There was not enough money in the account.',
      payUrl: `${brand.siteUrl}/my-units`,
    }),
  ),
  sample('autopay-refused', 'Autopay refused', () =>
    letters.paymentFailed({
      ...maya,
      kind: 'refused',
      amount: 15148,
      balance: 30296,
      autopayOff: false,
      nextTry: '2026-12-22',
      payUrl: `${brand.siteUrl}/my-units`,
    }),
  ),
  sample('payment-due', 'Payment due', () =>
    letters.paymentDue({
      ...maya,
      periodStart: '2026-12-20',
      periodEnd: '2027-01-18',
      balance: 15148,
      payUrl: `${brand.siteUrl}/my-units`,
    }),
  ),
  sample('past-due', 'Past due', () =>
    letters.pastDue({
      ...maya,
      paidThrough: '2026-12-19',
      balance: 15148,
      lockedFrom: '2026-12-30',
      trouble: late,
      payUrl: `${brand.siteUrl}/my-units`,
    }),
  ),
  sample('settlement-link', 'Offer to settle', () =>
    letters.settlementLink({
      ...maya,
      owed: 41000,
      settlesFor: 30000,
      payUrl: `${brand.siteUrl}/past-due-payment/6f1d2a80-4c1b-4e0e-9d57-2b7a13100002`,
    }),
  ),
  sample('terms-link', 'Updated terms', () =>
    letters.termsLink({ ...maya, termsUrl: `${brand.siteUrl}/complete-lease` }),
  ),
  sample('register-link', 'Register link', () =>
    letters.registerLink({ ...maya, registerUrl: `${account}?token=Zx3mVQ` }),
  ),
  sample('online-access', 'Online account made', () =>
    letters.onlineAccess({ ...maya, forgotUrl: `${brand.siteUrl}/forgot` }),
  ),
  sample('gate-code', 'Gate code', () => letters.gateCode(codes)),
  sample('gate-code-late', 'Gate code of a unit that is past due', () => letters.gateCode(lateCodes)),
  sample('gate-code-changed', 'Gate code changed', () => letters.gateCodeChanged(codes)),
  sample('unlock-account', 'Let back in after wrong passwords', () =>
    letters.unlockAccount({ brand, name: 'Maya', unlockUrl: `${brand.siteUrl}/login?unlock=…`, minutes: 30 }),
  ),
  sample('passkey-added', 'Passkey added', () =>
    letters.passkeyChanged({
      brand,
      name: 'Maya',
      passkey: 'Maya’s phone',
      change: 'added',
      forgotUrl: `${brand.siteUrl}/forgot`,
    }),
  ),
  sample('reset-code', 'Password code', () => letters.resetCode({ brand, code: '0417', minutes: 15 })),
  sample('tenant-updated', 'Account changed', () =>
    letters.tenantUpdated({
      brand,
      name: 'Maya',
      changed: 'email',
      newEmail: 'maya@okafor.example',
      undo: { url: `${brand.siteUrl}/account-undo?change=Zx3mVQ`, days: 7 },
    }),
  ),
  sample('change-undone', 'Account change undone', () => letters.changeUndone({ brand })),
  sample('confirm-email', 'New email address to confirm', () =>
    letters.confirmEmail({
      brand,
      name: 'Maya',
      newEmail: 'maya@okafor.example',
      hours: 24,
      confirmUrl: `${brand.siteUrl}/confirm-email?token=Zx3mVQ`,
    }),
  ),
  sample('appointment-proposed', 'Appointment to confirm', () => letters.appointmentProposed(appointment)),
  sample('appointment-reminder', 'Appointment tomorrow', () =>
    letters.appointmentReminder({ ...appointment, confirmed: true }),
  ),
  sample('move-out-scheduled', 'Move-out scheduled', () =>
    letters.moveOutScheduled({ ...maya, unitCategory: 'Climate Controlled', moveOutDate: '2027-01-09' }),
  ),
  sample('auction-payment-received', 'Auction payment received', () =>
    letters.auctionPaymentReceived({
      ...maya,
      name: 'Ruth Delgado',
      unitNumber: '118',
      amount: 41250,
      gateCode: '730164',
      comboCode: '2591',
      moveOutDate: '2026-11-23',
    }),
  ),
]

export const smsSamples: readonly { name: string; title: string; text: () => string }[] = [
  { name: 'gate-code-sms', title: 'Gate code', text: () => letters.gateCodeSms(codes) },
  {
    name: 'reservation-link-sms',
    title: 'Link of a reservation',
    text: () => letters.reservationLinkSms({ ...maya, url: `${brand.siteUrl}/reservation/5a1f1a68` }),
  },
]

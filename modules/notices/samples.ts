/** One of each notice, for the preview page and the tests. */
import { moveInCharges } from '../../domain/charges.ts'
import { refundReason } from '../../domain/payment.ts'
import type { Notice, NoticeBrand } from './letter.tsx'
import {
  changeUndone,
  confirmEmail,
  gateCode,
  gateCodeSms,
  onlineAccess,
  passkeyChanged,
  resetCode,
  tenantUpdated,
  unlockAccount,
} from './letters/account.ts'
import { type AppointmentFacts, appointmentProposed, appointmentReminder } from './letters/appointment.ts'
import {
  insuranceProofAccepted,
  insuranceProofForOffice,
  insuranceProofReceived,
  insuranceProofRefused,
  ownInsuranceEndedForOffice,
  ownInsuranceEnds,
} from './letters/insurance.ts'
import { moveInCompleted, registerLink } from './letters/move-in.ts'
import { moveOutScheduled } from './letters/move-out.ts'
import {
  auctionPaymentReceived,
  autopayOn,
  pastDue,
  paymentDue,
  paymentFailed,
  paymentUnderReview,
  receipt,
  refundMade,
} from './letters/payment.ts'
import { holdExpired, reservationCancelled, reservationConfirmed } from './letters/reservation.ts'
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
const codes = { ...maya, units: [{ unitNumber: '214', gateCode: '482913' }] }
const account = `${brand.siteUrl}/complete-register`

const insuranceProof = {
  ...maya,
  unitNumbers: '214, 318',
  carrier: 'Old Harbor Mutual',
  policyNumber: 'HO-55120',
  expires: '2027-06-30',
}

const appointment: AppointmentFacts = {
  ...{ brand, facility, name: 'Maya Okafor', startsAt: Date.parse('2026-11-23T15:00:00Z'), confirmed: false },
  confirmUrl: `${brand.siteUrl}/confirm_appointment?appointment_id=1001`,
  otherUrl: `${brand.siteUrl}/confirm_appointment?option=other`,
}

/** The names are stable, for addresses of the preview page. */
export const noticeSamples: readonly { name: string; title: string; notice: () => Notice }[] = [
  {
    name: 'insurance-proof-received',
    title: 'Proof of insurance received',
    notice: () => insuranceProofReceived(insuranceProof),
  },
  {
    name: 'insurance-proof-for-office',
    title: 'Proof of insurance, to the office',
    notice: () => insuranceProofForOffice({ ...insuranceProof, name: 'Maya Okafor' }),
  },
  {
    name: 'insurance-proof-accepted',
    title: 'Proof of insurance accepted',
    notice: () => insuranceProofAccepted({ ...insuranceProof, ending: [{ unitNumber: '214', until: '2026-12-19' }] }),
  },
  {
    name: 'own-insurance-ending',
    title: 'Own insurance about to end',
    notice: () => ownInsuranceEnds({ ...insuranceProof, ended: false, link: `${brand.siteUrl}/proof-of-insurance` }),
  },
  {
    name: 'own-insurance-ended',
    title: 'Own insurance ended',
    notice: () => ownInsuranceEnds({ ...insuranceProof, ended: true, link: `${brand.siteUrl}/proof-of-insurance` }),
  },
  {
    name: 'own-insurance-ended-office',
    title: 'Own insurance ended, to the office',
    notice: () => ownInsuranceEndedForOffice({ ...insuranceProof, name: 'Maya Okafor' }),
  },
  {
    name: 'insurance-proof-refused',
    title: 'Proof of insurance not accepted',
    notice: () =>
      insuranceProofRefused({
        ...insuranceProof,
        because: 'The page with the name of the insured is missing.',
        link: `${brand.siteUrl}/proof-of-insurance`,
      }),
  },
  {
    name: 'reservation-confirmed',
    title: 'Reservation confirmed',
    notice: () =>
      reservationConfirmed({
        ...maya,
        reservationCode: 'K7QX4M9T',
        size: '10 × 10, climate-controlled storage',
        moveInDate: '2026-11-20',
        // Midnight in Atlanta, at the end of November 20.
        holdUntil: Date.UTC(2026, 10, 21, 5),
        charges,
        rentNow: false,
        resumeUrl: `${brand.siteUrl}/reservation/6f3c1c1e-8f0e-4f6d-9c55-0d0b6a0f4f11`,
        cancelUrl: `${brand.siteUrl}/reservation/6f3c1c1e-8f0e-4f6d-9c55-0d0b6a0f4f11/cancel`,
      }),
  },
  {
    name: 'rental-begun',
    title: 'Rental begun',
    notice: () =>
      reservationConfirmed({
        ...maya,
        reservationCode: 'K7QX4M9T',
        size: '10 × 10, climate-controlled storage',
        moveInDate: '2026-11-20',
        // Midnight in Atlanta, at the end of November 20.
        holdUntil: Date.UTC(2026, 10, 21, 5),
        charges,
        rentNow: true,
        resumeUrl: `${brand.siteUrl}/reservation/6f3c1c1e-8f0e-4f6d-9c55-0d0b6a0f4f11`,
        cancelUrl: `${brand.siteUrl}/reservation/6f3c1c1e-8f0e-4f6d-9c55-0d0b6a0f4f11/cancel`,
      }),
  },
  {
    name: 'move-in-completed',
    title: 'Move-in completed',
    notice: () =>
      moveInCompleted({
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
  },
  {
    name: 'receipt',
    title: 'Receipt',
    notice: () =>
      receipt({
        ...maya,
        name: 'Maya Okafor',
        receiptNumber: '20261120-0007',
        paymentDate: '2026-11-20',
        lines: charges.lines,
        total: charges.dueToday,
        method: 'Visa ending 1111',
        paidThrough: '2026-12-19',
      }),
  },
  {
    name: 'receipt-with-autopay',
    title: 'Receipt where autopay is on and there is no account',
    notice: () =>
      receipt({
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
  },
  {
    name: 'autopay-on',
    title: 'Autopay turned on',
    notice: () =>
      autopayOn({
        ...maya,
        method: 'Visa ending 1111',
        agreed: {
          text: 'I agree that what is due for unit 214 is charged automatically every 30 days, next $118.00 on December 20, 2026, until I turn autopay off in my account.',
          at: '12:00 PM on November 20, 2026',
        },
        unitUrl: `${brand.siteUrl}/unit-lease-details?lease=10042`,
      }),
  },
  {
    name: 'hold-expired',
    title: 'Hold expired',
    notice: () =>
      holdExpired({
        ...maya,
        reservationCode: 'K7QX4M9T',
        againUrl: `${brand.siteUrl}/storage-units/ga/atlanta/675-north-ave-ne`,
      }),
  },
  {
    name: 'reservation-cancelled',
    title: 'Reservation cancelled',
    notice: () =>
      reservationCancelled({
        ...maya,
        reservationCode: 'K7QX4M9T',
        againUrl: `${brand.siteUrl}/storage-units/ga/atlanta/675-north-ave-ne`,
      }),
  },
  {
    name: 'payment-under-review',
    title: 'Payment under review',
    notice: () => paymentUnderReview({ ...maya, orderNumber: 'LK-5T8W-2QN7', amount: 3308 }),
  },
  {
    name: 'refund-made',
    title: 'Refund made',
    notice: () =>
      refundMade({
        ...maya,
        orderNumber: 'LK-5T8W-2QN7',
        amount: 3308,
        why: refundReason('unit_lost'),
        method: 'Visa ending 1111',
      }),
  },
  {
    name: 'payment-returned',
    title: 'Payment returned by the bank',
    notice: () =>
      paymentFailed({
        ...maya,
        kind: 'returned',
        amount: 15148,
        balance: 15148,
        autopayOff: true,
        reason: 'There was not enough money in the account.',
        payUrl: `${brand.siteUrl}/my-units`,
      }),
  },
  {
    name: 'autopay-refused',
    title: 'Autopay refused',
    notice: () =>
      paymentFailed({
        ...maya,
        kind: 'refused',
        amount: 15148,
        balance: 30296,
        autopayOff: false,
        nextTry: '2026-12-22',
        payUrl: `${brand.siteUrl}/my-units`,
      }),
  },
  {
    name: 'payment-due',
    title: 'Payment due',
    notice: () =>
      paymentDue({
        ...maya,
        periodStart: '2026-12-20',
        periodEnd: '2027-01-18',
        balance: 15148,
        payUrl: `${brand.siteUrl}/my-units`,
      }),
  },
  {
    name: 'past-due',
    title: 'Past due',
    notice: () =>
      pastDue({
        ...maya,
        paidThrough: '2026-12-19',
        balance: 15148,
        lockedFrom: '2026-12-30',
        payUrl: `${brand.siteUrl}/my-units`,
      }),
  },
  {
    name: 'register-link',
    title: 'Register link',
    notice: () => registerLink({ ...maya, registerUrl: `${account}?token=Zx3mVQ` }),
  },
  {
    name: 'online-access',
    title: 'Online account made',
    notice: () => onlineAccess({ ...maya, forgotUrl: `${brand.siteUrl}/forgot` }),
  },
  { name: 'gate-code', title: 'Gate code', notice: () => gateCode(codes) },
  {
    name: 'unlock-account',
    title: 'Let back in after wrong passwords',
    notice: () => unlockAccount({ brand, name: 'Maya', unlockUrl: `${brand.siteUrl}/login?unlock=…`, minutes: 30 }),
  },
  {
    name: 'passkey-added',
    title: 'Passkey added',
    notice: () =>
      passkeyChanged({
        ...{ brand, name: 'Maya', passkey: 'Maya’s phone', change: 'added' },
        forgotUrl: `${brand.siteUrl}/forgot`,
      }),
  },
  { name: 'reset-code', title: 'Password code', notice: () => resetCode({ brand, code: '0417', minutes: 15 }) },
  {
    name: 'tenant-updated',
    title: 'Account changed',
    notice: () =>
      tenantUpdated({
        ...{ brand, name: 'Maya', changed: 'email', newEmail: 'maya@okafor.example' },
        undo: { url: `${brand.siteUrl}/account-undo?change=Zx3mVQ`, days: 7 },
      }),
  },
  { name: 'change-undone', title: 'Account change undone', notice: () => changeUndone({ brand }) },
  {
    name: 'confirm-email',
    title: 'New email address to confirm',
    notice: () =>
      confirmEmail({
        ...{ brand, name: 'Maya', newEmail: 'maya@okafor.example', hours: 24 },
        confirmUrl: `${brand.siteUrl}/confirm-email?token=Zx3mVQ`,
      }),
  },
  { name: 'appointment-proposed', title: 'Appointment to confirm', notice: () => appointmentProposed(appointment) },
  {
    name: 'appointment-reminder',
    title: 'Appointment tomorrow',
    notice: () => appointmentReminder({ ...appointment, confirmed: true }),
  },
  {
    name: 'move-out-scheduled',
    title: 'Move-out scheduled',
    notice: () => moveOutScheduled({ ...maya, unitCategory: 'Climate Controlled', moveOutDate: '2027-01-09' }),
  },
  {
    name: 'auction-payment-received',
    title: 'Auction payment received',
    notice: () =>
      auctionPaymentReceived({
        ...maya,
        name: 'Ruth Delgado',
        unitNumber: '118',
        amount: 41250,
        gateCode: '730164',
        comboCode: '2591',
        moveOutDate: '2026-11-23',
      }),
  },
]

/** The text messages likewise. */
export const smsSamples: readonly { name: string; title: string; text: () => string }[] = [
  { name: 'gate-code-sms', title: 'Gate code', text: () => gateCodeSms(codes) },
]

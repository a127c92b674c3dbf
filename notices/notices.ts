/**
 * Every mail and text message, one function each: facts in, subject, plain text and HTML out. Content and recipient come
 * from the record, never from a caller. Cents, plain dates and instants are written out here and nowhere else.
 */
import { arriving, gateHoursWithout24, instructionFor, isParking, leaving } from '../domain/arrival.ts'
import { AUCTION, MOVE_OUT } from '../domain/business.ts'
import type { Charges } from '../domain/charges.ts'
import { formatInstantIn, type Instant, todayIn } from '../domain/dates.ts'
import { type Cents, format } from '../domain/money.ts'
import { formatPhone } from '../domain/phone.ts'
import { formatLong, type IsoDate } from '../domain/plain-date.ts'
import { createMyOnlineAccount } from '../domain/texts/account.ts'
import { movedIn } from '../domain/texts/move-in.ts'
import { gateCode as gateCodeText, myUnits, overlockCode, payNow } from '../domain/texts/portal.ts'
import { continueRental, moveInNow, reservationCancelled as reservationCancelledText } from '../domain/texts/reserve.ts'
import { type Block, type Notice, type NoticeBrand, oneLine, writeNotice } from './letter.tsx'

export type { Notice, NoticeBrand } from './letter.tsx'
export { passkeyChanged } from './passkey-notices.ts'

export interface NoticePlace {
  name: string
  address: string
  city: string
  state: string
  zip: string
  /** Ten digits, or '' for the brand's. */
  phone: string
  /** IANA name. */
  timeZone: string
}

interface ToRenter {
  brand: NoticeBrand
  facility: NoticePlace
  /** How the mail greets: first or full name. */
  name: string
  unitNumber: string
}

type PriceFacts = Pick<Charges, 'lines' | 'dueToday' | 'nextBilling' | 'thenPerPeriod'> &
  Partial<Pick<Charges, 'cardFeeEach'>>

function addressOf({ address, city, state, zip }: NoticePlace): string {
  return `${address}, ${city}, ${state} ${zip}`
}

/** 'Friday, November 20, 2026, 9:40 PM'; midnight is the end of the day before, as people speak of it. */
function moment(timeZone: string, instant: Instant): string {
  const time = formatInstantIn(timeZone, instant)
  return time === '12:00 AM'
    ? `the end of ${formatLong(todayIn(timeZone, instant - 1))}`
    : `${formatLong(todayIn(timeZone, instant))}, ${time}`
}

function price(label: string, charges: PriceFacts): Block {
  return {
    rows: charges.lines.map((line): [string, string] => [line.label, format(line.cents)]),
    sum: [label, format(charges.dueToday)],
    kind: 'price',
  }
}

function then(charges: PriceFacts): string {
  return `Then ${format(charges.thenPerPeriod)} a month, billed every 30 days from ${formatLong(charges.nextBilling)}.`
}

/** What falls due next, as it will stand in the books and on the unit's page: the card fee comes with the card payment. */
function nextPayment({ thenPerPeriod, cardFeeEach = 0, nextBilling }: PriceFacts): string {
  const due = `Your next payment of ${format(thenPerPeriod - cardFeeEach)} is due on ${formatLong(nextBilling)}, and every 30 days after that.`
  return cardFeeEach === 0
    ? due
    : `${due} Paid by card without autopay, ${format(cardFeeEach)} comes on top: the card processing fee, tax included.`
}

function filled(...pairs: [string, string][]): Block {
  return { rows: pairs.filter(([, value]) => value !== '') }
}

export interface ReservationFacts extends ToRenter {
  reservationCode: string
  /** '10 × 10, climate-controlled storage' */
  size: string
  moveInDate: IsoDate
  holdUntil: Instant
  /** The price at move-in as it stands now. */
  charges: PriceFacts
  /** A rental in progress, moving in today, and no reservation for another day. */
  rentNow: boolean
  /** The `/reservation/:uuid` link, whole. */
  resumeUrl: string
  cancelUrl: string
}

/** A reservation is confirmed: what is held, until when, what it will cost, and the way back to it (spec 1 §2). */
export function reservationConfirmed(facts: ReservationFacts): Notice {
  const { facility, unitNumber } = facts
  return writeNotice(facts.brand, {
    subject: `Unit ${unitNumber} at ${facility.name} is reserved for you`,
    heading: `Unit ${unitNumber} is yours to take`,
    preview: `Held until ${moment(facility.timeZone, facts.holdUntil)}. No card needed until you move in.`,
    phone: facility.phone,
    blocks: [
      `${facts.name}, ${facts.rentNow ? 'your unit is set aside while you finish your rental' : 'your reservation is confirmed'}. We hold the unit until ${moment(facility.timeZone, facts.holdUntil)}.`,
      { code: facts.reservationCode, label: 'Reservation code' },
      filled(
        ['Unit', `${unitNumber}, ${facts.size}`],
        ['Facility', facility.name],
        ['Address', addressOf(facility)],
        ['Move-in', formatLong(facts.moveInDate)],
      ),
      `${facts.rentNow ? 'This link leads back to where you stopped, on any device, with everything you have answered' : 'Move in online whenever you are ready'}: choose insurance, sign the lease and pay. You get your gate code right away.${facts.rentNow ? '' : ' You can stop and come back by this link, on any device.'}`,
      { button: facts.rentNow ? continueRental : moveInNow, href: facts.resumeUrl },
      facts.rentNow
        ? 'Nothing has been charged yet. At move-in it comes to:'
        : 'You pay nothing today. At move-in it comes to:',
      price('Due at move-in', facts.charges),
      `${then(facts.charges)} Insurance and autopay are as chosen so far and change the total.`,
      `Plans changed? Cancel the reservation, and the unit is free for others: ${facts.cancelUrl}`,
    ],
  })
}

export interface MoveInFacts extends ToRenter {
  companyName: string
  unitCategory: string
  leaseNumber: number
  accessCode: string
  gateHours: string
  fullDayAccess: boolean
  directions: string
  /** The location's special instruction after rental, or ''. */
  specialInstruction: string
  /** What was charged, as agreed: rent, discount, fees and tax. */
  charges: PriceFacts
  paidThrough: IsoDate
  autopay: boolean
  /** Link to create the online account, or to the units where the tenant has one. */
  account: { exists: boolean; url: string }
}

/** The move-in is complete (spec 1 §7, `movein_completion`); the sender attaches the signed lease. */
export function moveInCompleted(facts: MoveInFacts): Notice {
  const { facility, unitNumber, charges } = facts
  return writeNotice(facts.brand, {
    subject: `You're moved in: unit ${unitNumber} at ${facility.name}`,
    heading: movedIn,
    preview: `Your gate code, the way to unit ${unitNumber} and your signed lease.`,
    phone: facility.phone,
    blocks: [
      `${facts.name}, unit ${unitNumber} is yours from today. Your gate code is active now.`,
      { code: facts.accessCode, label: gateCodeText },
      filled(
        ['Unit', `${unitNumber}, ${facts.unitCategory}`],
        ['Company', facts.companyName],
        ['Lease number', String(facts.leaseNumber)],
        ['Facility', facility.name],
        ['Address', addressOf(facility)],
        ['Gate hours', facts.fullDayAccess ? '24 hours, every day' : gateHoursWithout24(facts.gateHours)],
        ['Paid through', formatLong(facts.paidThrough)],
      ),
      ...(facts.directions ? [facts.directions] : []),
      ...[instructionFor(facts.specialInstruction, isParking(facts.unitCategory))].filter(Boolean),
      'What happens next:',
      {
        list: [
          arriving(isParking(facts.unitCategory)),
          'Your signed lease is attached. Keep it with your papers.',
          facts.autopay
            ? `Autopay is on: we charge ${format(charges.thenPerPeriod)} every 30 days, first on ${formatLong(charges.nextBilling)}.`
            : nextPayment(charges),
          facts.account.exists
            ? 'Pay, see your gate code and schedule a move-out in your online account.'
            : 'Create your online account to pay, see your gate code and schedule a move-out.',
        ],
      },
      { button: facts.account.exists ? myUnits : createMyOnlineAccount, href: facts.account.url },
      'What you agreed to pay for the first 30 days:',
      price('Total', charges),
    ],
  })
}

export interface ReceiptFacts extends ToRenter {
  receiptNumber: string
  paymentDate: IsoDate
  /** What the payment was for. */
  lines: { label: string; cents: Cents }[]
  /** What was paid. */
  total: Cents
  /** 'Visa ending 1111', 'Bank account ending 6789', or ''. */
  method: string
  /** '' where no period is paid. */
  paidThrough: IsoDate | ''
  /** A bank payment: what was authorized, word for word, and when: '12:00 PM on November 20, 2026'. */
  authorized?: { text: string; at: string } | null
  /** Turns autopay off without an account; left out where it is off, or the reader has one. */
  autopayOffUrl?: string | null
}

/** A payment was received (spec 1 §7, `/api/notices/receipt`). None is sent for an amount of 0. */
export function receipt(facts: ReceiptFacts): Notice {
  return writeNotice(facts.brand, {
    subject: `Receipt ${facts.receiptNumber} for unit ${facts.unitNumber}`,
    heading: `Thank you. We received ${format(facts.total)}.`,
    preview: facts.paidThrough
      ? `Unit ${facts.unitNumber} is paid through ${formatLong(facts.paidThrough)}.`
      : `For unit ${facts.unitNumber} at ${facts.facility.name}.`,
    phone: facts.facility.phone,
    blocks: [
      filled(
        ['Receipt', facts.receiptNumber],
        ['Date', formatLong(facts.paymentDate)],
        ['Name', facts.name],
        ['Unit', `${facts.unitNumber}, ${facts.facility.name}`],
        ['Paid with', facts.method],
        ['Paid through', facts.paidThrough ? formatLong(facts.paidThrough) : ''],
      ),
      {
        rows: facts.lines.map((line): [string, string] => [line.label, format(line.cents)]),
        sum: ['Paid', format(facts.total)],
        kind: 'price',
      },
      ...(facts.authorized
        ? [`Your authorization, given at ${facts.authorized.at}, for your records: “${facts.authorized.text}”`]
        : []),
      ...(facts.autopayOffUrl
        ? [
            `Autopay is on for unit ${facts.unitNumber}: what comes due is charged by itself, every 30 days. You can turn it off at any time.`,
            { button: 'Turn autopay off', href: facts.autopayOffUrl },
          ]
        : []),
    ],
  })
}

export interface AutopayOnFacts extends ToRenter {
  /** 'Visa ending 1111', 'Checking ****6789'. */
  method: string
  /** What was agreed to, word for word, and when: '12:00 PM on November 20, 2026'. */
  agreed: { text: string; at: string }
  /** The unit's page, where autopay is turned off. */
  unitUrl: string
}

/** Autopay was turned on, or moved to another card or account, without a payment: what was agreed to, for one's records. */
export function autopayOn(facts: AutopayOnFacts): Notice {
  return writeNotice(facts.brand, {
    subject: `Autopay is on for unit ${facts.unitNumber}`,
    heading: 'Autopay is on',
    preview: `What comes due for unit ${facts.unitNumber} is charged by itself.`,
    phone: facts.facility.phone,
    blocks: [
      `${facts.name}, what comes due for unit ${facts.unitNumber} at ${facts.facility.name} is charged by itself from now on. Nothing was charged today.`,
      filled(['Charged', facts.method], ['Unit', `${facts.unitNumber}, ${facts.facility.name}`]),
      `What you agreed to at ${facts.agreed.at}, for your records: “${facts.agreed.text}”`,
      'Was this not you? Turn it off on the page of your unit, or call us.',
      { button: 'See your unit', href: facts.unitUrl },
    ],
  })
}

export interface HoldExpiredFacts extends ToRenter {
  reservationCode: string
  /** The facility's page, to choose again. */
  againUrl: string
}

/** The renter has cancelled. */
export function reservationCancelled(facts: HoldExpiredFacts): Notice {
  return writeNotice(facts.brand, {
    subject: reservationCancelledText,
    heading: reservationCancelledText,
    preview: `Unit ${facts.unitNumber} is free for others. You owe nothing.`,
    phone: facts.facility.phone,
    blocks: [
      `${facts.name}, your reservation of unit ${facts.unitNumber} at ${facts.facility.name} was cancelled as you asked. You were not charged and owe nothing.`,
      'You did not cancel it? Call us, or reserve again while units are free.',
      { button: 'See available units', href: facts.againUrl },
      filled(['Reservation code', facts.reservationCode]),
    ],
  })
}

/** A hold ran out and the unit is free for others. */
export function holdExpired(facts: HoldExpiredFacts): Notice {
  return writeNotice(facts.brand, {
    subject: `Your hold on unit ${facts.unitNumber} has ended`,
    heading: 'Your hold has ended',
    preview: 'You owe nothing. See what is free now.',
    phone: facts.facility.phone,
    blocks: [
      `${facts.name}, we could not hold unit ${facts.unitNumber} at ${facts.facility.name} any longer, and others may rent it now. You were not charged and owe nothing.`,
      'Still need the space? Units of the same size may be free.',
      { button: 'See available units', href: facts.againUrl },
      filled(['Reservation code', facts.reservationCode]),
    ],
  })
}

export interface PaymentNoticeFacts extends ToRenter {
  /** Our order number, as the page showed it. */
  orderNumber: string
  amount: Cents
}

/** A payment came in that a person must look at before it counts. */
export function paymentUnderReview(facts: PaymentNoticeFacts): Notice {
  return writeNotice(facts.brand, {
    subject: `We are checking your payment for unit ${facts.unitNumber}`,
    heading: 'We are checking your payment',
    preview: 'Please do not pay again. You will hear from us.',
    phone: facts.facility.phone,
    blocks: [
      `${facts.name}, your card provider confirmed a payment for unit ${facts.unitNumber} at ${facts.facility.name}, but something about it does not match what you agreed to. A person is looking at it.`,
      'Please do not pay again. Either the payment is counted as you agreed, or you get all of it back. We write to you in both cases.',
      filled(['Amount', format(facts.amount)], ['Order number', facts.orderNumber]),
    ],
  })
}

export interface RefundFacts extends PaymentNoticeFacts {
  /** A sentence of `refundReason`. */
  why: string
  /** 'Visa ending 1111', 'check 1042', or ''. */
  method: string
  /** By a person, since the provider could not. */
  byHand?: boolean
}

/** A payment was given back. */
export function refundMade(facts: RefundFacts): Notice {
  return writeNotice(facts.brand, {
    subject: `Your refund of ${format(facts.amount)} is on its way`,
    heading: `${format(facts.amount)} is on its way back to you`,
    preview: facts.why,
    phone: facts.facility.phone,
    blocks: [
      `${facts.name}, we gave back your whole payment for unit ${facts.unitNumber} at ${facts.facility.name}. ${facts.why}`,
      filled(
        ['Amount', format(facts.amount)],
        [facts.byHand ? 'By' : 'Back to', facts.method],
        ['Order number', facts.orderNumber],
      ),
      facts.byHand
        ? 'It could not go back to where it came from, so it comes to you this way.'
        : 'Banks take 3 to 10 days to show a refund. A charge that was never settled simply disappears.',
    ],
  })
}

export interface PaymentFailedFacts extends ToRenter {
  /** 'returned': the bank took it back days later. 'refused': an autopay charge was declined. */
  kind: 'returned' | 'refused'
  amount: Cents
  /** What is due now. */
  balance: Cents
  autopayOff: boolean
  /** The bank's or the card provider's reason in words, as a sentence. */
  reason?: string
  /** The day on which autopay is tried again, where it is. */
  nextTry?: IsoDate | null
  /** The specified sentence where the unit can no longer be paid for online, else ''. */
  notOnline?: string
  /** Returned: the first day of what it had paid ahead, where it had. */
  beginsOn?: IsoDate | null
  /** From this day on the gate does not take the code, or has not since; left out where that is not near. */
  locked?: { from: IsoDate; already: boolean } | null
  payUrl: string
}

const lockedText =
  'The gate does not take your code and the unit is locked until you have paid. Then it opens again at once.'

/** A payment did not hold: returned by the bank, or an autopay charge refused. */
export function paymentFailed(facts: PaymentFailedFacts): Notice {
  const returned = facts.kind === 'returned'
  return writeNotice(facts.brand, {
    subject: `Your payment for unit ${facts.unitNumber} ${returned ? 'was returned' : 'did not go through'}`,
    heading: returned ? 'Your bank returned a payment' : 'Your automatic payment did not go through',
    preview:
      facts.balance > 0
        ? `${format(facts.balance)} is due for unit ${facts.unitNumber}.`
        : `Nothing is due for unit ${facts.unitNumber}.`,
    phone: facts.facility.phone,
    blocks: [
      `${facts.name}, ${
        returned
          ? `your bank returned your payment of ${format(facts.amount)} for unit ${facts.unitNumber} at ${facts.facility.name}, so it no longer counts.`
          : `we could not charge ${format(facts.amount)} for unit ${facts.unitNumber} at ${facts.facility.name}.`
      }`,
      ...(facts.reason ? [`${facts.reason} If you did not expect this, ask your bank first.`] : []),
      ...(facts.autopayOff
        ? [`Autopay is off now.${facts.notOnline ? '' : ' You can turn it on again when you pay.'}`]
        : []),
      ...(facts.nextTry
        ? [`We try again on ${formatLong(facts.nextTry)}. To use another card or account, pay now and choose autopay.`]
        : []),
      ...(facts.balance > 0
        ? [
            ...(returned && !facts.notOnline ? ['Please pay by card, or from another account.'] : []),
            ...(facts.locked
              ? [
                  facts.locked.already
                    ? lockedText
                    : `From ${formatLong(facts.locked.from)} the gate does not take your code and the unit is locked until you have paid. Then it opens again at once.`,
                ]
              : []),
            filled(['Due now', format(facts.balance)]),
            // By the payment's return the unit may be too late to be paid for online: no button that leads to a refusal.
            facts.notOnline || { button: payNow, href: facts.payUrl },
          ]
        : [
            facts.beginsOn
              ? `It had paid ahead, so nothing is due before the next period begins on ${formatLong(facts.beginsOn)}.`
              : 'You have paid in another way since, so nothing is due.',
          ]),
    ],
  })
}

export interface PaymentDueFacts extends ToRenter {
  /** The period that has begun. */
  periodStart: IsoDate
  periodEnd: IsoDate
  /** All that is owed, in cents. */
  balance: Cents
  /** The gate does not take the code any more. */
  locked?: boolean
  payUrl: string
}

/** A period has begun and is not paid. */
export function paymentDue(facts: PaymentDueFacts): Notice {
  return writeNotice(facts.brand, {
    subject: `${format(facts.balance)} is due for unit ${facts.unitNumber}`,
    heading: `${format(facts.balance)} is due`,
    preview: `For unit ${facts.unitNumber} at ${facts.facility.name}.`,
    phone: facts.facility.phone,
    blocks: [
      `${facts.name}, a new period of 30 days has begun for unit ${facts.unitNumber} at ${facts.facility.name}.`,
      filled(
        ['Period', `${formatLong(facts.periodStart)} to ${formatLong(facts.periodEnd)}`],
        ['Due now', format(facts.balance)],
      ),
      ...(facts.locked ? [lockedText] : []),
      { button: payNow, href: facts.payUrl },
      'With autopay you need not think of it: choose it when you pay.',
    ],
  })
}

export interface PastDueFacts extends ToRenter {
  /** The last day that is paid for. */
  paidThrough: IsoDate
  balance: Cents
  /** From this day on the gate does not take the code. */
  lockedFrom: IsoDate
  payUrl: string
}

/** A period has not been paid for some days. */
export function pastDue(facts: PastDueFacts): Notice {
  return writeNotice(facts.brand, {
    subject: `Unit ${facts.unitNumber} is past due`,
    heading: `${format(facts.balance)} is past due`,
    preview: `Please pay before ${formatLong(facts.lockedFrom)} to keep your access.`,
    phone: facts.facility.phone,
    blocks: [
      `${facts.name}, unit ${facts.unitNumber} at ${facts.facility.name} is paid through ${formatLong(facts.paidThrough)}, and we have not had your payment since.`,
      `From ${formatLong(facts.lockedFrom)} the gate does not take your code and the unit is locked until you have paid. Then it opens again at once.`,
      filled(['Due now', format(facts.balance)]),
      { button: payNow, href: facts.payUrl },
      'Paid in the last few hours? Then there is nothing for you to do.',
    ],
  })
}

export interface RegisterFacts extends ToRenter {
  registerUrl: string
}

/** The way to an online account, sent to the address on file of a tenant who has none. */
export function registerLink(facts: RegisterFacts): Notice {
  return writeNotice(facts.brand, {
    subject: `Create your ${facts.brand.name} online account`,
    heading: 'Create your online account',
    preview: 'Pay, see your gate code and schedule a move-out online.',
    phone: facts.facility.phone,
    blocks: [
      `${facts.name}, you rent unit ${facts.unitNumber} at ${facts.facility.name} but have no online account yet. With one you can pay, see your gate code and schedule a move-out.`,
      { button: createMyOnlineAccount, href: facts.registerUrl },
      'The link is for you alone; please do not pass it on. If you did not expect this mail, you need not do anything.',
    ],
  })
}

export interface OnlineAccessFacts extends ToRenter {
  forgotUrl: string
}

/** An online account now reaches a unit: told to the address on file, in case it was somebody else who made it. */
export function onlineAccess(facts: OnlineAccessFacts): Notice {
  return writeNotice(facts.brand, {
    subject: `Your unit at ${facts.facility.name} can be reached online`,
    heading: 'Your online account is ready',
    preview: `Unit ${facts.unitNumber} at ${facts.facility.name}.`,
    phone: facts.facility.phone,
    blocks: [
      `${facts.name}, an online account for unit ${facts.unitNumber} at ${facts.facility.name} was made with the details of your lease. With it you can pay, see your gate code and schedule a move-out.`,
      { button: myUnits, href: `${facts.brand.siteUrl}/my-units` },
      'If it was not you, choose a new password: that logs everybody else out. Then please call us.',
      { button: 'Choose a new password', href: facts.forgotUrl },
    ],
  })
}

export interface GateCodeFacts {
  brand: NoticeBrand
  facility: NoticePlace
  name: string
  units: { unitNumber: string; gateCode: string }[]
  /** Numbers of the overlocked units, for which the gate refuses the codes that they go by. */
  locked?: string[]
}

const refusedText = (units: string[]): string =>
  `The gate does not take the code while ${units.length === 1 ? `unit ${units[0]} is` : `units ${units.join(', ')} are`} past due.`

/** The gate code, asked for at `/find-gate-code` (spec 2 §2). */
export function gateCode(facts: GateCodeFacts): Notice {
  return writeNotice(facts.brand, {
    subject: `Your gate code at ${facts.facility.name}`,
    heading: facts.units.length === 1 ? 'Your gate code' : 'Your gate codes',
    preview: `For ${facts.facility.name}, ${facts.facility.address}.`,
    phone: facts.facility.phone,
    blocks: [
      `${facts.name}, you or someone else asked for the gate code at ${facts.facility.name}, ${addressOf(facts.facility)}.`,
      ...facts.units.map((unit) => ({ code: unit.gateCode, label: `Unit ${unit.unitNumber}` })),
      ...(facts.locked?.length ? [refusedText(facts.locked)] : []),
      'If it was not you who asked, nobody else has seen this mail. Call us if you want another code.',
    ],
  })
}

/** The same as a text message. */
export function gateCodeSms(facts: GateCodeFacts): string {
  const codes = facts.units.map((unit) => `${unit.gateCode} (unit ${unit.unitNumber})`).join(', ')
  const phone = formatPhone(facts.facility.phone || facts.brand.phone)
  const text = `${facts.brand.name}: your gate code at ${facts.facility.name} is ${codes}.${facts.locked?.length ? ` ${refusedText(facts.locked)}` : ''}${phone ? ` Questions? ${phone}` : ''}`
  return oneLine(text)
}

export interface UnlockFacts {
  brand: NoticeBrand
  name: string
  unlockUrl: string
  minutes: number
}

/** Too many wrong passwords were tried for an account; its owner asked to be let in. */
export function unlockAccount(facts: UnlockFacts): Notice {
  return writeNotice(facts.brand, {
    subject: 'Let yourself back in',
    heading: 'Let yourself back in',
    preview: 'Too many wrong passwords were tried for your account.',
    phone: facts.brand.phone,
    blocks: [
      `${facts.name ? `${facts.name}, too` : 'Too'} many wrong passwords were tried for your account. This link lets you try again at once, in the browser you open it with. It is good for ${facts.minutes} minutes.`,
      { button: 'Try again', href: facts.unlockUrl },
      'If the tries were not yours, nobody got in. You need do nothing.',
    ],
  })
}

export interface ResetCodeFacts {
  brand: NoticeBrand
  /** Four digits. */
  code: string
  /** How long it is good for. */
  minutes: number
}

/** The code of a password reset (spec 2 §4). It is not in the subject, which locked screens show. */
export function resetCode(facts: ResetCodeFacts): Notice {
  return writeNotice(facts.brand, {
    subject: `Your ${facts.brand.name} password code`,
    heading: 'Your password code',
    preview: `Good for ${facts.minutes} minutes.`,
    blocks: [
      'Type this code on the page where you asked for it, in the same browser, to choose a new password.',
      { code: facts.code, label: `Good for ${facts.minutes} minutes` },
      'Nobody from our side will ever ask you for it. If you did not want a new password, you need not do anything.',
    ],
  })
}

export interface ConfirmEmailFacts {
  brand: NoticeBrand
  name: string
  newEmail: string
  confirmUrl: string
  /** How long the link is good for. */
  hours: number
}

/** To a new e-mail address: it counts once this link was opened (spec 2 §5, profile). */
export function confirmEmail(facts: ConfirmEmailFacts): Notice {
  return writeNotice(facts.brand, {
    subject: `Confirm your new email address for ${facts.brand.name}`,
    heading: 'Is this your address?',
    preview: `Confirm it within ${facts.hours} hours.`,
    blocks: [
      `${facts.name}, you entered ${facts.newEmail} as the new email address of your account. Until you confirm it, we write to the old one.`,
      { button: 'Confirm this address', href: facts.confirmUrl },
      `The link is good for ${facts.hours} hours and works for your account alone: you sign in before it counts. If you did not ask for this, you need not do anything.`,
    ],
  })
}

export interface TenantUpdateFacts {
  brand: NoticeBrand
  name: string
  /** The notice's `email_template_type`. */
  changed: 'email' | 'name' | 'password' | 'phone'
  /** For a change of e-mail: the new address. */
  newEmail?: string
  /** To the address from before a change of e-mail or password: the link that undoes it, good for so many days. */
  undo?: { url: string; days: number }
  /** Names of the passkeys that go on signing in after a change of password. */
  passkeys?: string[]
}

const changedWords = { email: 'e-mail address', name: 'name', password: 'password', phone: 'phone number' } as const

/** Something about the account changed (spec 2 §7, `tenant_update_notice`); goes to the address before the change as well. */
export function tenantUpdated(facts: TenantUpdateFacts): Notice {
  const what = changedWords[facts.changed]
  return writeNotice(facts.brand, {
    subject: `Your ${facts.brand.name} ${what} was changed`,
    heading: `Your ${what} was changed`,
    preview: 'If this was you, all is well.',
    blocks: [
      `${facts.name}, the ${what} of your account was changed${
        facts.changed === 'email' && facts.newEmail ? ` to ${facts.newEmail}` : ''
      }.`,
      ...(facts.passkeys?.length
        ? [`Passkeys still sign in without it: ${facts.passkeys.map((one) => `“${one}”`).join(', ')}.`]
        : []),
      ...(facts.undo
        ? [
            `If this was you, all is well. If not, undo it now: your account is as it was before, everybody is signed out, and you choose a new password. The link is good for ${facts.undo.days} days.`,
            { button: 'It was not me: undo it', href: facts.undo.url },
          ]
        : ['If this was you, all is well. If not, call us now.']),
    ],
  })
}

/** To the address that an account had until a change was undone by the address before it. */
export function changeUndone(facts: { brand: NoticeBrand }): Notice {
  return writeNotice(facts.brand, {
    subject: `A change of your ${facts.brand.name} account was undone`,
    heading: 'A change was undone',
    preview: 'This address is no longer that of the account.',
    phone: facts.brand.phone,
    blocks: [
      'The email address that the account had before has undone the change to this one. We no longer write here, and everybody is signed out.',
      'If the account is yours, call us.',
    ],
  })
}

export interface AppointmentFacts {
  brand: NoticeBrand
  facility: NoticePlace
  name: string
  startsAt: Instant
  /** It was confirmed already. */
  confirmed: boolean
  confirmUrl: string
  otherUrl: string
}

const appointmentRows = (facts: AppointmentFacts) =>
  filled(
    ['When', moment(facts.facility.timeZone, facts.startsAt)],
    ['Where', facts.facility.name],
    ['Address', addressOf(facts.facility)],
  )

/** An appointment with the property manager was proposed (spec 2 §2 /confirm_appointment). */
export function appointmentProposed(facts: AppointmentFacts): Notice {
  const when = moment(facts.facility.timeZone, facts.startsAt)
  return writeNotice(facts.brand, {
    subject: `Please confirm your appointment at ${facts.facility.name}`,
    heading: 'Please confirm your appointment',
    preview: `${when}, with our property manager.`,
    phone: facts.facility.phone,
    blocks: [
      `${facts.name}, our property manager would like to meet you.`,
      appointmentRows(facts),
      { button: 'Confirm the appointment', href: facts.confirmUrl },
      'Does the time not suit you? Ask for another one:',
      { button: 'Ask for another time', href: facts.otherUrl },
    ],
  })
}

/** The reminder, 24 hours before (spec 2 §9). */
export function appointmentReminder(facts: AppointmentFacts): Notice {
  const when = moment(facts.facility.timeZone, facts.startsAt)
  return writeNotice(facts.brand, {
    subject: `Reminder: your appointment at ${facts.facility.name}`,
    heading: 'Your appointment is tomorrow',
    preview: `${when}, with our property manager.`,
    phone: facts.facility.phone,
    blocks: [
      `${facts.name}, a reminder of your appointment with our property manager.`,
      appointmentRows(facts),
      ...(facts.confirmed
        ? ['You have confirmed it. Should you be late, we wait for 15 minutes.']
        : ['Please tell us that you will be there:', { button: 'Confirm the appointment', href: facts.confirmUrl }]),
      'Can you not come? Ask for another time:',
      { button: 'Ask for another time', href: facts.otherUrl },
    ],
  })
}

export interface MoveOutFacts extends ToRenter {
  unitCategory: string
  moveOutDate: IsoDate
}

/** A move-out is scheduled (spec 2 §4 and §7, `send-schedule-move-out-email`). */
export function moveOutScheduled(facts: MoveOutFacts): Notice {
  return writeNotice(facts.brand, {
    subject: `Your move-out from unit ${facts.unitNumber} is scheduled`,
    heading: 'Your move-out is scheduled',
    preview: `For ${formatLong(facts.moveOutDate)}.`,
    phone: facts.facility.phone,
    blocks: [
      `${facts.name}, your move-out from unit ${facts.unitNumber} at ${facts.facility.name} is scheduled for ${formatLong(facts.moveOutDate)}. Autopay is off.`,
      {
        list: [
          leaving(isParking(facts.unitCategory)),
          `A unit that is not empty and clean may be charged up to ${format(MOVE_OUT.cleaningFeeUpTo)} for cleaning; towing a vehicle left behind costs at least ${format(MOVE_OUT.towingFeeMinimum)}.`,
          `Our property manager verifies the move-out in ${MOVE_OUT.verifiedIn}.`,
        ],
      },
      'Changed your mind? Cancel the move-out in your online account under the unit.',
    ],
  })
}

export interface InsuranceProofFacts extends ToRenter {
  /** All of them: '214, 318'. */
  unitNumbers: string
  carrier: string
  policyNumber: string
  expires: IsoDate
}

/** Proof of one's own insurance has arrived (spec 2 §7, `/api/insurance/upload`). */
export function insuranceProofReceived(facts: InsuranceProofFacts): Notice {
  return writeNotice(facts.brand, {
    subject: `We have your proof of insurance for unit ${facts.unitNumbers}`,
    heading: 'Your proof of insurance has arrived',
    preview: `${facts.carrier}, until ${formatLong(facts.expires)}.`,
    phone: facts.facility.phone,
    blocks: [
      `${facts.name}, thank you. We keep it with your lease at ${facts.facility.name}.`,
      filled(
        ['Unit', facts.unitNumbers],
        ['Carrier', facts.carrier],
        ['Policy number', facts.policyNumber],
        ['Valid until', formatLong(facts.expires)],
      ),
      'Before it ends, send us the new one the same way.',
    ],
  })
}

export interface ProofDecidedFacts extends InsuranceProofFacts {
  /** Units whose premium ends, with the last day that is charged with it. */
  ending: { unitNumber: string; until: IsoDate }[]
}

/** A tenant's own policy stands from now on in the place of our insurance. */
export function insuranceProofAccepted(facts: ProofDecidedFacts): Notice {
  return writeNotice(facts.brand, {
    subject: `Your own insurance is accepted for unit ${facts.unitNumbers}`,
    heading: 'Your proof of insurance is accepted',
    preview: `${facts.carrier}, until ${formatLong(facts.expires)}.`,
    phone: facts.facility.phone,
    blocks: [
      `${facts.name}, your own policy now goes with your lease at ${facts.facility.name}.`,
      filled(
        ['Unit', facts.unitNumbers],
        ['Carrier', facts.carrier],
        ['Policy number', facts.policyNumber],
        ['Valid until', formatLong(facts.expires)],
      ),
      ...facts.ending.map(
        ({ unitNumber, until }) =>
          `Insurance for unit ${unitNumber} is charged through ${formatLong(until)}, and no more after that.`,
      ),
      'Before your policy ends, send us the new one the same way.',
    ],
  })
}

/** A proof that could not be accepted: everything stays as it was. */
export function insuranceProofRefused(facts: InsuranceProofFacts & { because: string; link: string }): Notice {
  return writeNotice(facts.brand, {
    subject: `Your proof of insurance for unit ${facts.unitNumbers} needs another look`,
    heading: 'We could not accept your proof of insurance',
    preview: facts.because,
    phone: facts.facility.phone,
    blocks: [
      `${facts.name}, we have looked at what you sent us for unit ${facts.unitNumbers} at ${facts.facility.name}: ${facts.because}`,
      'Until we have a proof that we can accept, your lease stays as it is.',
      { button: 'Send another', href: facts.link },
    ],
  })
}

/** A tenant's own policy is about to end, or has: nothing else is charged for it, so nothing else would tell. */
export function ownInsuranceEnds(facts: InsuranceProofFacts & { ended: boolean; link: string }): Notice {
  const day = formatLong(facts.expires)
  return writeNotice(facts.brand, {
    subject: facts.ended
      ? `Your insurance for unit ${facts.unitNumbers} has ended`
      : `Your insurance for unit ${facts.unitNumbers} ends on ${day}`,
    heading: facts.ended ? 'Your own insurance has ended' : 'Your own insurance ends soon',
    preview: `${facts.carrier}, until ${day}.`,
    phone: facts.facility.phone,
    blocks: [
      facts.ended
        ? `${facts.name}, the policy that goes with your lease at ${facts.facility.name} ended on ${day}. Without another, what you store with us is not insured.`
        : `${facts.name}, the policy that goes with your lease at ${facts.facility.name} ends on ${day}.`,
      filled(['Unit', facts.unitNumbers], ['Carrier', facts.carrier], ['Policy number', facts.policyNumber]),
      facts.ended
        ? 'If it goes on, or you have another one, send us the proof. We have added no insurance to your lease and charge none.'
        : 'Send us the next one before that day.',
      { button: 'Send proof of insurance', href: facts.link },
    ],
  })
}

/** Whose policy it is, for the office. @param until what its last day is called */
const policyOf = (facts: InsuranceProofFacts, until: string) =>
  filled(
    ['Tenant', facts.name],
    ['Unit', facts.unitNumbers],
    ['Carrier', facts.carrier],
    ['Policy number', facts.policyNumber],
    [until, formatLong(facts.expires)],
  )

/** The same for the facility's office, once it has ended. */
export function ownInsuranceEndedForOffice(facts: InsuranceProofFacts): Notice {
  return writeNotice(facts.brand, {
    subject: `A tenant’s own insurance has ended: unit ${facts.unitNumbers} at ${facts.facility.name}`,
    heading: 'A tenant’s own insurance has ended',
    preview: `${facts.name}, unit ${facts.unitNumbers}: ${facts.carrier}.`,
    phone: facts.facility.phone,
    blocks: [
      policyOf(facts, 'Ended'),
      'The tenant has been told and has sent no other proof. Nothing was added to the lease.',
    ],
  })
}

/** A proof has arrived: for the facility's office, which looks at the attached file. */
export function insuranceProofForOffice(facts: InsuranceProofFacts): Notice {
  return writeNotice(facts.brand, {
    subject: `Proof of insurance for unit ${facts.unitNumbers} at ${facts.facility.name}`,
    heading: 'A tenant has sent proof of insurance',
    preview: `${facts.name}, unit ${facts.unitNumbers}: ${facts.carrier}.`,
    phone: facts.facility.phone,
    blocks: [
      policyOf(facts, 'Valid until'),
      'The file is attached as the tenant sent it. It was not checked for harm: open it with care.',
    ],
  })
}

export interface AuctionPaymentFacts extends ToRenter {
  amount: Cents
  gateCode: string
  /** '' where the unit has no overlock. */
  comboCode: string
  moveOutDate: IsoDate
}

/** The winner of an auctioned unit has paid (spec 2 §4, `send_payment_email`). */
export function auctionPaymentReceived(facts: AuctionPaymentFacts): Notice {
  return writeNotice(facts.brand, {
    subject: `Payment received: unit ${facts.unitNumber} at ${facts.facility.name}`,
    heading: `We received ${format(facts.amount)}`,
    preview: `Your gate code, and ${AUCTION.cleanOutHours} hours to clean out the unit.`,
    phone: facts.facility.phone,
    blocks: [
      `${facts.name}, the contents of unit ${facts.unitNumber} are yours. You have ${AUCTION.cleanOutHours} hours to clean it out.`,
      { code: facts.gateCode, label: gateCodeText },
      ...(facts.comboCode ? [{ code: facts.comboCode, label: overlockCode }] : []),
      filled(
        ['Facility', facts.facility.name],
        ['Address', addressOf(facts.facility)],
        ['Access hours', `${AUCTION.accessFrom} to ${AUCTION.accessTo}, every day`],
        ['Empty by', formatLong(facts.moveOutDate)],
      ),
      `A cleaning fee of ${format(AUCTION.cleaningFee)} is charged for a unit that is not left empty and clean. There is no deposit.`,
    ],
  })
}

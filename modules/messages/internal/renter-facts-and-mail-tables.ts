import { format } from '../../../domain/money.ts'
import { formatUsDay } from '../../../domain/plain-date.ts'
import { formatInstantIn, type Instant, todayIn } from '../../../domain/time-zone-dates.ts'
import type { UnitAlert } from '../../leases/rules/overdue-or-sold-unit-alert.ts'
import type { Charges } from '../../pricing/rules/charges.ts'
import { cardFeeOnTop } from '../../pricing/texts/card-fee-on-top.ts'
import type { Block, Letter, MessageBrand } from '../mail-layout.tsx'

/** A facility as mails show it. */
export interface MessageFacility {
  name: string
  address: string
  city: string
  state: string
  zip: string
  /** Phone number to call about the facility, which may be the state's or the brand's (`loadSupportPhoneDigits`). */
  phone: string
  timeZone: string
}

/** Facts that every mail about a unit has. */
export interface RenterFacts {
  brand: MessageBrand
  facility: MessageFacility
  /** Tenant's or payer's name: the first name, or the whole name, as on a receipt. */
  name: string
  /** Unit number, or several: '214, 318', or '214 and 318' of a counter receipt. */
  unitNumber: string
}

/** Adds the facility's phone number to the content of a mail. */
export const letterFrom = ({ facility }: Pick<RenterFacts, 'facility'>, letter: Omit<Letter, 'phone'>): Letter => ({
  ...letter,
  phone: facility.phone,
})

export type PriceFacts = Pick<Charges, 'lines' | 'dueToday' | 'nextBilling' | 'thenPerPeriod'> &
  Partial<Pick<Charges, 'cardFeeEach'>>

export function formatAddress({ address, city, state, zip }: MessageFacility): string {
  return `${address}, ${city}, ${state} ${zip}`
}

/** Formats an instant: 'Friday, 11/20/2026, 9:40 PM'. Midnight is shown as the end of the day before. */
export function formatMoment(timeZone: string, instant: Instant): string {
  const time = formatInstantIn(timeZone, instant)
  return time === '12:00 AM'
    ? `the end of ${formatUsDay(todayIn(timeZone, instant - 1))}`
    : `${formatUsDay(todayIn(timeZone, instant))}, ${time}`
}

/** Returns a table of price lines for a mail, with the amount due today below them. @param label label of the sum */
export function priceBlock(label: string, charges: PriceFacts): Block {
  return {
    rows: charges.lines.map((line): [string, string] => [line.label, format(line.cents)]),
    sum: [label, format(charges.dueToday)],
    kind: 'price',
  }
}

/**
 * Returns the sentence about the next payment. Its amount excludes the card fee, as in the ledger and on the unit's
 * page, since the fee becomes due only with a card payment.
 */
export function nextPayment({ thenPerPeriod, cardFeeEach = 0, nextBilling }: PriceFacts): string {
  const due = `Your next payment of ${format(thenPerPeriod - cardFeeEach)} is due on ${formatUsDay(nextBilling)}, and every 30 days after that.`
  return cardFeeEach === 0 ? due : `${due} ${cardFeeOnTop(cardFeeEach)}`
}

/** Returns unit numbers with their noun: 'unit 214', 'units 214, 318', 'units 214 and 318'. */
export const formatUnits = (numbers: string): string => `${/, | and /.test(numbers) ? 'units' : 'unit'} ${numbers}`

/**
 * Returns the part of a mail that lists the lease's coming dunning steps, such as a late fee, with their days; empty
 * without any.
 */
export const dunningBlocks = (days: UnitAlert['days']): Block[] =>
  days.length > 0 ? [tableBlock(...days.map(({ on, text }): [string, string] => [formatUsDay(on), text]))] : []

/** Returns a table of labels and values; rows with an empty value are left out. */
export function tableBlock(...pairs: [string, string][]): Block {
  return { rows: pairs.filter(([, value]) => value !== '') }
}

/** Sentences of a change to another unit of the same facility. */
import { formatUs, type IsoDate } from '../../../domain/plain-date.ts'

export const changeSize = 'Change to another size'

export const daysNotUsed = (from: IsoDate, to: IsoDate): string =>
  from === to ? `Day not used, ${formatUs(from)}` : `Days not used, ${formatUs(from)} to ${formatUs(to)}`
export const taxOnDaysNotUsed = 'Tax on days not used'

/** Reasons why a transfer is blocked, worded for the tenant and for the office. */
export const transferBlocks = {
  closed: { tenant: 'This lease has ended.', office: 'The lease is closed.' },
  sold: { tenant: 'This unit was sold at auction.', office: 'The unit was sold at auction.' },
  auction: {
    tenant: 'This unit is being prepared for auction. Call us before you change it.',
    office: 'The unit is being prepared for auction. Nothing is moved until what is owed is paid.',
  },
  lien: {
    tenant: 'Something is due on this unit, and we have begun to collect it by law. Call us before you change it.',
    office: 'A lien case of this lease is not over. Nothing is moved until it is.',
  },
  offered: {
    tenant: 'You have asked for another unit already. Sign for it, or cancel it first.',
    office: 'A transfer of this lease waits for its signature. Cancel it first.',
  },
  moving: {
    tenant: 'You are moving out of this unit into another one already.',
    office: 'A transfer of this lease is under way already.',
  },
  leaving: {
    tenant: 'A move-out is scheduled for this unit. Cancel it first, then change to another size.',
    office: 'A move-out is scheduled. Cancel it first.',
  },
  unsigned: {
    tenant: 'New terms wait for your signature. Sign them first.',
    office: 'New terms of this lease wait for the tenant’s signature. They sign them first.',
  },
  money_on_its_way: {
    tenant: 'A payment for this unit is on its way. Try again once it has arrived.',
    office: 'A payment for this lease is on its way. Wait until it has arrived.',
  },
  owing: {
    tenant: 'Something is due on this unit. Pay it first, then change to another size.',
    office: 'Something is due on this lease. A manager may go on; the dues stay on the old lease.',
  },
  do_not_rent: {
    tenant: 'We cannot do this online. Please call us.',
    office: 'The tenant is marked “do not rent”.',
  },
} as const satisfies Record<string, { tenant: string; office: string }>

/** Sentence that follows the reason why a transfer is blocked. */
export const nothingChanged = 'Nothing has changed.'

/** Reason why a lease cannot be transferred now. */
export type TransferBlock = keyof typeof transferBlocks

export const changedSinceShown = 'The balance has changed since this was shown. Look at it again.'
export const priceChangedSinceShown = 'The price has changed since this was shown. Look at it again.'
export const sayWhy = 'Say why.'
export const transferNotCancellable = 'This transfer does not wait for a signature any more.'
export const transferIsPaid = 'The new unit is being paid for right now. Wait until it is done.'
export const overlapOutside = (maxDays: number): string => `Choose 0 to ${maxDays} days.`

/**
 * Formats a rent difference: '+$20.00', '−$35.00' or 'same rent'.
 * @param cents difference from the current rent
 */
export const formatRentDifference = (cents: number, dollars: (cents: number) => string): string =>
  cents === 0 ? 'same rent' : `${cents > 0 ? '+' : '−'}${dollars(Math.abs(cents))}`

/** Returns the sentence of a transfer's page that says when the new lease begins and the old one ends. */
export const transferDays = (starts: IsoDate, ends: IsoDate): string =>
  starts === ends
    ? `The new lease begins on ${formatUs(starts)}, and the old one ends that day.`
    : `The new lease begins on ${formatUs(starts)}. Both units are open until the old lease ends on ${formatUs(ends)}.`

export const transferAwaitsSignature = (from: string, to: string): string =>
  `Transfer ${from} to ${to} waits for its signature`

/** Text of the ledger entry in a preview, where the new unit's number is not known yet. */
export const movedToNew = 'Moved to the new unit'
export const movesToUnit = (unit: string): string => `Moves to unit ${unit}.`

/** Texts of rent changes: for the tenant's mails and account, and office refusals. */
import { type Cents, format } from '../../../domain/money.ts'
import { formatLong, formatUs, type IsoDate } from '../../../domain/plain-date.ts'
import { NOTICE_DAYS, RENT_BATCH_MAX, RENT_MAX } from '../rules/rent-change.ts'

/** Returns the written notice of a rent change that the lease promises. */
export const rentNotice = (change: {
  unitNumber: string
  facility: string
  before: Cents
  after: Cents
  from: IsoDate
}): string =>
  `This is your written notice under your rental agreement. The rent of unit ${change.unitNumber} at ${change.facility} changes from ${format(change.before)} to ${format(change.after)} for each period of 30 days, beginning with the period that starts on ${formatLong(change.from)}.`

export const rentNoticeKeeps =
  'Periods that you have paid ahead keep their price. Insurance and fees stay as they are; tax on rent follows the rent.'

export const rentNoticeChoice = (from: IsoDate): string =>
  `You may leave instead: schedule your move-out in your account, or call us, before ${formatLong(from)}.`

export const rentChangeCancelledText = (lease: { unitNumber: string; facility: string; rent: Cents }): string =>
  `The change of rent that we wrote you about is cancelled. The rent of unit ${lease.unitNumber} at ${lease.facility} stays ${format(lease.rent)} for each period of 30 days. There is nothing that you have to do.`

/** Returns the text about a coming rent that is shown beside the unit in the tenant's account. */
export const rentToCome = (rent: Cents, from: IsoDate): string => `${format(rent)} from ${formatUs(from)}`

export const noticeTooShort = (earliest: IsoDate): string =>
  `An increase needs ${NOTICE_DAYS} days' written notice: it can begin on ${formatLong(earliest)} at the earliest.`
export const aboveRentCap = (percent: number, most: Cents): string =>
  `This is more than ${percent} % at once: the rent may become ${format(most)} at most.`
export const sameRent = 'This is the rent already.'
export const rentUnderWay = 'A rent change of this lease is under way. Cancel it first.'
export const rentChargedAhead = (from: IsoDate): string =>
  `The last change has been charged ahead and begins on ${formatLong(from)}. Propose another from that day on.`
export const tenantMovingOut = 'This tenant is moving out.'
export const noNoticeAddress = 'There is no e-mail address on file that the notice could go to.'
export const leaseNamedTwice = 'This lease is named twice.'
export const noRentFits = 'No lease fits this rule.'
export const tooManyRents = `These are more than ${RENT_BATCH_MAX.toLocaleString('en-US')} leases. Choose fewer facilities.`
export const rentTooHigh = `The rent is ${format(RENT_MAX)} at most.`
export const rentAlreadyCharged = (from: IsoDate): string =>
  `The new rent has been charged from ${formatLong(from)}. Propose another change instead.`
export const cancelNeedsApprover = 'A change that has been approved is cancelled by a staff member who may approve one.'
export const someRentsRefused = (refused: number, total: number): string =>
  `${refused} of ${total} lines cannot be proposed. Nothing was proposed.`

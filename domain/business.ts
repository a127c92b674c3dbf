/** The operator's constants of spec 1 §9 and spec 2 §9 that no other rule owns. */
import type { Cents } from './money.ts'
import { addDays, type IsoDate } from './plain-date.ts'

/** Facility number of the operator's office, never rented (spec 2 §2: units at facility ID 1 are skipped). */
export const OFFICE_FACILITY_ID = 1
/** How long a sign-in holds, and the cookie that names it (spec 1 §9). */
export const AUTH_COOKIE_SECONDS = 86_400
export const PAYMENT_HISTORY_MAX = 12
export const PAYMENT_HISTORY_FROM: IsoDate = '1970-01-01'
export const DEFAULT_SECURITY_QUESTION_ID = 1
/** Advertised on the page about 24-hour access; what is charged is the location's own fee. */
export const ACCESS_FEE_ADVERTISED: Cents = 2000

/** A rental in progress keeps its unit this long after its last step. */
export const RENT_NOW_HOLD_MS = 24 * 60 * 60 * 1000

/** The same of a renter who has proven neither e-mail nor phone and has not begun to pay: a name can be invented. */
export const UNPROVEN_HOLD_MS = 20 * 60 * 1000

/** Units that one network may hold at once at all facilities without a proof: a family or an office stays below. */
export const UNPROVEN_OF_NETWORK = 40

/**
 * How many units of a type may be held at once without a proof, in all and from one network: three quarters and one quarter of those
 * that are free or so held. The last one stays, unless there is only one; three may always come from one network.
 */
export function mostUnproven(stock: number): { all: number; network: number } {
  const all = Math.max(1, Math.min(stock - 1, Math.floor(stock * 0.75)))
  return { all, network: Math.min(all, Math.max(3, Math.floor(stock / 4))) }
}

/** The e-mailed code of a password reset: from 0 to 9998, four digits with leading zeros, for 15 minutes and 5 tries. */
export const RESET_CODE_HIGHEST = 9998
export const RESET_CODE_MS = 15 * 60 * 1000
export const RESET_CODE_TRIES = 5
export const RESET_REDIRECT_MS = 2000

/** The reset code as mailed and typed. @param randomInteger a whole number from low to high, both included */
export function drawResetCode(randomInteger: (low: number, high: number) => number): string {
  return String(randomInteger(0, RESET_CODE_HIGHEST)).padStart(4, '0')
}

/** Signature canvas in pixels, on desktop and on mobile. */
export const SIGNATURE_CANVAS = { wide: { width: 600, height: 200 }, narrow: { width: 300, height: 100 } } as const

export const AUCTION = {
  cleanOutHours: 72,
  cleaningFee: 12_500 as Cents,
  accessFrom: '5:00 AM',
  accessTo: '9:00 PM',
  moveOutDays: 3,
  vacateReasonId: 1,
} as const

export const MOVE_OUT = {
  cleaningFeeUpTo: 50_000 as Cents,
  towingFeeMinimum: 20_000 as Cents,
  unpaidVehicleDays: 60,
  verifiedIn: '2-3 business days',
} as const

export function moveOutDate(today: IsoDate): IsoDate {
  return addDays(today, 1)
}

export function auctionMoveOutDate(today: IsoDate): IsoDate {
  return addDays(today, AUCTION.moveOutDays)
}

export const UPDATED_TERMS_EFFECTIVE: IsoDate = '2025-03-01'

/** {phone} of the specified sentences: the location's, else its state's, else the operator's; '' where none has one. */
export function supportPhone(phones: { location?: string; state?: string; operator?: string }): string {
  return phones.location?.trim() || phones.state?.trim() || phones.operator?.trim() || ''
}

import type { Cents } from '../../../domain/money.ts'
import { addDays, type IsoDate } from '../../../domain/plain-date.ts'

/** Fees and periods of a move-out, named by pages and lease (spec 2 §9). */
export const MOVE_OUT = {
  cleaningFeeUpTo: 50_000 as Cents,
  towingFeeMinimum: 20_000 as Cents,
  unpaidVehicleDays: 60,
  verifiedIn: '2-3 business days',
} as const

/** Returns the earliest move-out date for a move-out scheduled today: tomorrow. */
export function moveOutDate(today: IsoDate): IsoDate {
  return addDays(today, 1)
}

import { addDays, type IsoDate } from '../../../domain/plain-date.ts'

/** Returns the earliest move-out date for a move-out scheduled today: tomorrow. */
export function earliestMoveOutDate(today: IsoDate): IsoDate {
  return addDays(today, 1)
}

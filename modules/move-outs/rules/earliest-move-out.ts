import { addDays, type IsoDate } from '../../../domain/plain-date.ts'

/** Returns the earliest move-out date for a move-out scheduled today: tomorrow. */
export function moveOutDate(today: IsoDate): IsoDate {
  return addDays(today, 1)
}

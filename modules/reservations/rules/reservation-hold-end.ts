import type { IsoDate } from '../../../domain/plain-date.ts'
import { endOfDay } from '../../../domain/time-zone-dates.ts'

/**
 * Returns the end of a reservation's hold in epoch milliseconds: the end of the move-in day at the facility, but not
 * before `atLeast`.
 */
export const reservationHoldEnd = (timeZone: string, moveInDate: IsoDate, atLeast = 0): number =>
  Math.max(endOfDay(timeZone, moveInDate), atLeast)

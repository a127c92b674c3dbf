import { addDays, type IsoDate, isValid } from '../../../domain/plain-date.ts'

/** First and last day for which a unit can be reserved, both included. */
export interface ReservationWindow {
  earliest: IsoDate
  latest: IsoDate
}

/**
 * Returns the days for which a unit can be reserved, beginning today.
 * @param today date at the facility
 * @param days number of days, today included (`locations.reservation_window`); below 1 counts as 1
 */
export function reservationWindow(today: IsoDate, days: number): ReservationWindow {
  return { earliest: today, latest: addDays(today, Math.max(1, Math.trunc(days)) - 1) }
}

export function isWithin(window: ReservationWindow, date: IsoDate): boolean {
  return isValid(date) && date >= window.earliest && date <= window.latest
}

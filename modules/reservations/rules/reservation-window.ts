import { addDays, type IsoDate, isValid } from '../../../domain/plain-date.ts'

/** Days that a reservation may choose, both included. */
export interface ReservationWindow {
  earliest: IsoDate
  latest: IsoDate
}

/**
 * Returns the first and last day for which a unit can be reserved: today, and the end of the location's window.
 * @param today date at the facility
 * @param days the location's reservation_window
 */
export function reservationWindow(today: IsoDate, days: number): ReservationWindow {
  return { earliest: today, latest: addDays(today, Math.max(1, Math.trunc(days)) - 1) }
}

export function isWithin(window: ReservationWindow, date: IsoDate): boolean {
  return isValid(date) && date >= window.earliest && date <= window.latest
}

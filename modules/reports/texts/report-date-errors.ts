/** Errors and notes about the days of a report. */
import { formatUs, type IsoDate } from '../../../domain/plain-date.ts'

export const spanTooLong = (maxDays: number): string => `Choose at most ${maxDays} days.`
export const spanReversed = 'The last day is before the first.'
export const notADay = 'Enter a day as MM/DD/YYYY.'
export const noFacility = 'There is no facility to report on.'
export const dayNotBegun = (day: IsoDate): string => `${formatUs(day)} has not begun. Choose today or a day before.`

export const onlyDaysOver = (last: IsoDate, maxFacilities: number): string =>
  `This report ends with ${formatUs(last)}, the last day that is over everywhere. Today is not in it: choose at most ${maxFacilities} facilities to count today too.`

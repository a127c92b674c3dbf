/** Sentences of reports. */
export const spanTooLong = (most: number): string => `Choose at most ${most} days.`
export const spanTurned = 'The last day is before the first.'
export const notADay = 'Enter a day as MM/DD/YYYY.'
export const noFacility = 'There is no facility to report on.'

/** Longest span of a report, in days: a year and the month before it. */
export const LONGEST_SPAN = 400

/** Maximum number of facilities for which a page computes today. */
export const MOST_COUNTED_TODAY = 30

/** Longest span of a report, in days: a year and the month before it. */
export const MAX_SPAN_DAYS = 400

/** Maximum number of facilities for which a page computes today. */
export const MAX_FACILITIES_TODAY = 30

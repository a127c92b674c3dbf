/** Longest span of a report, in days: a year and about a month more. */
export const MAX_SPAN_DAYS = 400

/** Maximum number of facilities for which a report computes the unfinished current day. */
export const MAX_FACILITIES_TODAY = 30

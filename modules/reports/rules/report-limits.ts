/** The longest span: a year and its last month of the year before. */
export const LONGEST_SPAN = 400

/** Today is counted for as many facilities as a page can wait for. */
export const MOST_COUNTED_TODAY = 30

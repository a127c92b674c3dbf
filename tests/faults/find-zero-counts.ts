/**
 * Returns a violation for each of the named counts of a report that is 0, because a fault test in which nothing happens
 * proves nothing.
 */
export const findZeroCounts = <Report extends object>(report: Report, ...counts: (keyof Report & string)[]): string[] =>
  counts.filter((name) => report[name] === 0).map((name) => `nothing happened: ${name} is 0`)

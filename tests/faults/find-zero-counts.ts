/**
 * Checks that a fault test has done what it should: returns a violation for each of the named counts that is 0, because
 * a run in which nothing happens proves nothing.
 */
export const idle = <Report extends object>(report: Report, ...counts: (keyof Report & string)[]): string[] =>
  counts.filter((name) => report[name] === 0).map((name) => `nothing happened: ${name} is 0`)

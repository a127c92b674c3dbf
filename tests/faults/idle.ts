/** A run in which nothing happens breaks nothing. @returns a violation for each count that is still 0 */
export const idle = <Report extends object>(report: Report, ...counts: (keyof Report & string)[]): string[] =>
  counts.filter((name) => report[name] === 0).map((name) => `nothing happened: ${name} is 0`)

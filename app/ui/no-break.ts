import type { ReactNode } from 'react'

const beforeDay = /\b((?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*) (?=\d)/g

const aroundTimesSign = /(\d) × (?=\d)/g

const beforeUnit = /(\d) (?=(?:[AP]M|miles?|feet|sq ft|cubic feet|minutes?|hours?|days?|months?)\b)/g

const withinPhone = /(\(\d{3}\)) (?=\d{3}-)/g

/** Joins words other than '' with a dot that never starts a line: 'Small · Indoor'. */
export const joinWithDots = (words: readonly string[]): string => words.filter(Boolean).join('\u00a0· ')

/**
 * Replaces spaces inside dates, times, sizes, distances, durations and phone numbers by no-break spaces: '5 AM',
 * '5 × 10', '30 days'. Returns a node that is no string unchanged.
 */
export const withNoBreakSpaces = (text: ReactNode): ReactNode =>
  typeof text === 'string'
    ? [beforeDay, beforeUnit, withinPhone]
        .reduce((joined, gap) => joined.replace(gap, '$1\u00a0'), text)
        .replace(aroundTimesSign, '$1\u00a0×\u00a0')
    : text

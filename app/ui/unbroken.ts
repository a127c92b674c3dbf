import type { ReactNode } from 'react'

const beforeDay = /\b((?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*) (?=\d)/g

const aroundTimes = /(\d) × (?=\d)/g

const beforeUnit = /(\d) (?=(?:[AP]M|miles?|feet|sq ft|cubic feet|minutes?|hours?|days?|months?)\b)/g

const withinPhone = /(\(\d{3}\)) (?=\d{3}-)/g

/** 'Small · Indoor'; no line begins with the dot. */
export const dotted = (words: readonly string[]): string => words.filter(Boolean).join('\u00a0· ')

/** What is read as one stays in one line of a page: a month and its day, '5 AM', '5 × 10', '12 minutes', '30 days'. */
export const unbroken = (text: ReactNode): ReactNode =>
  typeof text === 'string'
    ? [beforeDay, beforeUnit, withinPhone]
        .reduce((joined, gap) => joined.replace(gap, '$1\u00a0'), text)
        .replace(aroundTimes, '$1\u00a0×\u00a0')
    : text

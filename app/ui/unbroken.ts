import type { ReactNode } from 'react'

const beforeDay = /\b((?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*) (?=\d)/g

const beforeHalf = /(\d) (?=[AP]M\b)/g

const aroundTimes = /(\d) × (?=\d)/g

/** 'Small · Indoor'; no line begins with the dot. */
export const dotted = (words: readonly string[]): string => words.filter(Boolean).join('\u00a0· ')

/** A month and its day stay in one line of a page, '5 AM' and '5 × 10': 'Nov' at the end of one and '23' in the next is read twice. */
export const unbroken = (text: ReactNode): ReactNode =>
  typeof text === 'string'
    ? text.replace(beforeDay, '$1\u00a0').replace(beforeHalf, '$1\u00a0').replace(aroundTimes, '$1\u00a0×\u00a0')
    : text

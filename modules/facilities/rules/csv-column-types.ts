/** Parses and writes the cells of the operator's CSV files. */

import { validate } from '../../../domain/forms/form-rules.ts'
import { fromWire, toWire } from '../../../domain/money.ts'
import { hasFields, isListOf, isTextList, parseJson } from '../../../domain/parse-json-and-check-shape.ts'
import { normalizePhone } from '../../../domain/phone.ts'
import { parseUs } from '../../../domain/plain-date.ts'
import { containsLink, isPlainText } from '../../../domain/plain-text-checks.ts'
import { isStateCode } from '../../../domain/states.ts'
import { isTimeZone } from '../../../domain/time-zone-dates.ts'
import { findEmail } from '../../accounts/rules/account-forms.ts'

/** Column of an operator's CSV file: how its cells are parsed and written. */
export interface Column {
  /** Required content of the cell, as a phrase for error messages: 'a whole number'. */
  shape: string
  /** Parses the text of a cell; undefined where it is invalid. For a blank cell, `blank` is used instead. */
  read(text: string): unknown
  /** Formats a value that `read` returned; `String(value)` by default. */
  write?(value: unknown): string
  /** Value of a blank or missing cell; without it the cell is required. */
  blank?: unknown
}

/** Makes a column optional: its cell may be blank, or the column missing from the file. */
export const optional = (column: Column, blank: unknown = ''): Column => ({ ...column, blank })

/** Column for texts of the operator's pages, which may contain web addresses. For texts in mails, use `text`. */
export const webText = (max = 200): Column => ({
  shape: `text of at most ${max} characters`,
  read: (cell) => (cell.length <= max && isPlainText(cell) ? cell : undefined),
})

/** Column for text that mails may contain, so without web addresses. */
export const text = (max = 200): Column => {
  const column = webText(max)
  return {
    ...column,
    shape: `${column.shape} without a web address`,
    read: (cell) => (containsLink(cell) ? undefined : column.read(cell)),
  }
}

const patternColumn = (shape: string, pattern: RegExp): Column => ({
  shape,
  read: (cell) => (pattern.test(cell) ? cell : undefined),
})

export const code = patternColumn('letters, digits, - and _, at most 40', /^[\w-]{1,40}$/)
export const zip = patternColumn('a ZIP code of five digits', /^\d{5}$/)
export const gateCode = patternColumn('4 to 10 digits', /^\d{4,10}$/)
/** Column of a CSV file whose cells are each one of the given words. */
export const oneOf = (...words: string[]): Column =>
  patternColumn(words.join(' or '), new RegExp(`^(${words.join('|')})$`))

const numeric = (kind: string, pattern: RegExp, minimum: number, maximum: number): Column => ({
  shape: `${kind} from ${minimum} to ${maximum}`,
  read(cell) {
    const value = pattern.test(cell) ? Number(cell) : Number.NaN
    return value >= minimum && value <= maximum ? value : undefined
  },
})

/** Column of a CSV file for whole numbers from `minimum` to `maximum`. */
export const whole = (minimum = 0, maximum = 1_000_000_000) =>
  numeric('a whole number', /^-?\d{1,10}$/, minimum, maximum)

/** Creates a CSV column for decimal numbers from `minimum` to `maximum`. */
export const decimal = (minimum: number, maximum: number) =>
  numeric('a number', /^-?\d{1,9}(\.\d{1,15})?$/, minimum, maximum)

/** Column for amounts: dollars in the file, cents in the value. '$' and ',' of a spreadsheet are accepted. */
export const money = ({ negative = false } = {}): Column => ({
  shape: `an amount such as 139.00${negative ? ' or -20.00' : ''}`,
  read(cell) {
    const bare = /^-?\$?\d{1,3}(,\d{3})+(\.\d{1,2})?$/.test(cell) ? cell.replaceAll(',', '') : cell
    return fromWire(bare.replace(/^(-?)\$/, '$1'), { negative }) ?? undefined
  },
  write: (cents: number) => toWire(cents),
})

/** Column for percentages: 8.90 in the file, 890 hundredths of a percent in the value. */
export const percent: Column = {
  shape: 'a percentage such as 8.90',
  read(cell) {
    const hundredths = fromWire(cell.replace(/\s*%$/, ''))
    return hundredths !== null && hundredths <= 100_00 ? hundredths : undefined
  },
  write: (hundredths: number) => toWire(hundredths),
}

export const date: Column = {
  shape: 'a date such as 11/20/2026 or 2026-11-20',
  read(cell) {
    const day = parseUs(cell)
    return day !== null && day >= '1900-01-01' ? day : undefined
  },
}

export const flag: Column = {
  shape: 'yes or no',
  read(cell) {
    if (/^(yes|true|1|y)$/i.test(cell)) return 1
    return /^(no|false|0|n)$/i.test(cell) ? 0 : undefined
  },
  write: (value) => (value === 1 ? 'yes' : 'no'),
}

export const state: Column = {
  shape: 'the two letters of a state',
  read: (cell) => (isStateCode(cell.toUpperCase()) ? cell.toUpperCase() : undefined),
}

export const phone: Column = {
  shape: 'a telephone number of ten digits',
  read(cell) {
    const bare = normalizePhone(cell)
    return /^\d{10}$/.test(bare) ? bare : undefined
  },
}

export const email: Column = {
  shape: 'an e-mail address',
  read: (cell) => (validate(findEmail, { email: cell }).ok ? cell : undefined),
}

export const timeZone: Column = {
  shape: 'a time zone such as America/New_York',
  // `isTimeZone` refuses an offset such as -08:00, which has no daylight saving time.
  read: (cell) => (isTimeZone(cell) ? cell : undefined),
}

/** Returns the entries of a cell, which `;` separates; `\;` stands for a semicolon within an entry. */
export const splitEntries = (cell: string): string[] =>
  (cell.match(/(?:\\;|[^;])+/g) ?? []).map((entry) => entry.replaceAll('\\;', ';').trim()).filter(Boolean)

/** Joins entries to a cell that `splitEntries` splits into the same entries. */
export const joinEntries = (entries: readonly string[]): string =>
  // A space keeps a backslash at an entry's end from the next semicolon.
  entries.map((entry) => entry.replaceAll(';', '\\;').replace(/\\$/, '\\ ')).join('; ')

const writeList = (value: string) => joinEntries(parseJson(value, isTextList))

export const list: Column = {
  shape: 'words with ; between them',
  read: (cell) => (isPlainText(cell) ? JSON.stringify(splitEntries(cell)) : undefined),
  write: writeList,
}

/**
 * CSV column for a list of fixed codes, separated by ';'. The stored list has each code once, in the order of
 * `allowed`.
 */
export const codesOf = (allowed: readonly string[]): Column => ({
  shape: `any of ${allowed.join(', ')}, with ; between them`,
  read(cell) {
    const codes = splitEntries(cell)
    return codes.every((code) => allowed.includes(code))
      ? JSON.stringify(allowed.filter((code) => codes.includes(code)))
      : undefined
  },
  write: writeList,
})

/** Returns whether a parsed value is a facility's office hours. */
export const isOfficeHours = isListOf(hasFields<{ days: string; hours: string }>('days', 'hours'))

export const hours: Column = {
  shape: 'days and hours such as Mon–Fri: 9 AM to 6 PM; Sat: 9 AM to 5 PM',
  read(cell) {
    const lines = splitEntries(cell).map((line) => /^([^:]+): (.+)$/.exec(line))
    if (!isPlainText(cell) || lines.includes(null)) return undefined
    return JSON.stringify(lines.map((line) => ({ days: line![1]!.trim(), hours: line![2]!.trim() })))
  },
  write: (value: string) => joinEntries(parseJson(value, isOfficeHours).map((line) => `${line.days}: ${line.hours}`)),
}

/** Column for a JSON object without web addresses. */
export const json: Column = {
  shape: 'a JSON object without a web address',
  read(cell) {
    try {
      const value: unknown = JSON.parse(cell)
      if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined
      const compact = JSON.stringify(value)
      return containsLink(compact) ? undefined : compact
    } catch {
      return undefined
    }
  },
}

/** A fee that recurs with a lease, as an imported file states it. */
export interface ChosenFee {
  feeId: number
  /** Agreed amount in cents; null for the facility's price. */
  amount: number | null
}

/** Column for fees that recur with a lease, at the facility's price or an agreed one: '2; 4 = 15.00'. */
export const chosenFees: Column = {
  shape: 'numbers of fees, an agreed amount after =, such as 2; 4 = 15.00',
  read(cell) {
    const fees: ChosenFee[] = []
    for (const part of cell.split(';')) {
      const match = /^(\d{1,9})(?:\s*=\s*(\S+))?$/.exec(part.trim())
      const amount = match?.[2] === undefined ? null : fromWire(match[2])
      if (!match || (match[2] !== undefined && amount === null)) return undefined
      const feeId = Number(match[1])
      if (fees.some((fee) => fee.feeId === feeId)) return undefined
      fees.push({ feeId, amount })
    }
    return fees
  },
  write: (fees: ChosenFee[]) =>
    fees.map(({ feeId, amount }) => (amount === null ? `${feeId}` : `${feeId} = ${toWire(amount)}`)).join('; '),
}

/** Validation rules of form fields, with normalization and messages (spec 1 §5, spec 2 §5). */
import * as v from 'valibot'
import { EMAIL_MAX, NAME_MAX } from '../field-lengths.ts'
import { normalizePhone } from '../phone.ts'
import { parseUs } from '../plain-date.ts'
import { containsLink, isPlainLine, isPlainText } from '../plain-text-checks.ts'
import { isStateCode } from '../states.ts'
import {
  chooseOne,
  emailIncorrect,
  invalidDate,
  lastFourDigits as lastFourDigitsText,
  notText,
  noWebAddress,
  phoneRequired,
  phoneTenDigits,
  plainTextOnly,
  required as requiredText,
  stateInvalid,
  tooLong,
  zipFiveDigits,
} from '../texts/field-errors.ts'
import { formUnreadable } from '../texts/general-errors.ts'

/**
 * Rule for one line of text, trimmed; '' when missing. `empty` is the message for an empty line, which is otherwise
 * accepted.
 */
export function line(label: string, max: number, empty?: string) {
  return v.pipe(
    v.nullish(v.string(notText(label)), ''),
    v.trim(),
    v.check((text) => empty === undefined || text !== '', empty),
    v.check(isPlainLine, plainTextOnly(label)),
    v.check((text) => !containsLink(text), noWebAddress(label)),
    v.maxLength(max, tooLong(label, max)),
  )
}

/** Rule for one required line of text. */
export function required(label: string, max = NAME_MAX) {
  return line(label, max, requiredText(label))
}

/**
 * Rule for text of several lines, trimmed; '' when missing. `empty` is the message for an empty text, which is
 * otherwise accepted.
 */
export function lines(label: string, max: number, empty?: string) {
  return v.pipe(
    v.nullish(v.string(notText(label)), ''),
    v.transform((text) => text.replace(/\r\n?/g, '\n').trim()),
    v.check((text) => empty === undefined || text !== '', empty),
    v.check(isPlainText, plainTextOnly(label)),
    v.check((text) => !containsLink(text), noWebAddress(label)),
    v.maxLength(max, tooLong(label, max)),
  )
}

/** Rule for a checkbox: true for the values that forms and API clients send for a ticked one. */
export const checkboxTicked = v.pipe(
  v.optional(v.unknown(), false),
  v.transform((value) => value === true || value === 'on' || value === 'true' || value === '1' || value === 1),
)

const emailShape =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]{1,64}(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]{1,64})*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,10}[a-z]{2,63}$/i

export function isEmail(text: string): boolean {
  // The part before the @ has at most 64 characters (RFC 5321).
  return text.length <= EMAIL_MAX && text.indexOf('@') <= 64 && emailShape.test(text)
}

/**
 * Rule for a required e-mail address.
 * @param incorrect message for an invalid address
 * @param empty message for a missing address
 */
export function email(incorrect: string, empty: string) {
  return v.pipe(
    v.nullish(v.string(incorrect), ''),
    v.trim(),
    v.minLength(1, empty),
    v.maxLength(EMAIL_MAX, incorrect),
    v.check(isEmail, incorrect),
  )
}

/**
 * Validation rule for a field with a fixed set of values.
 * @param otherwise error message
 */
export function oneOf<const Word extends string>(words: readonly Word[], otherwise: string) {
  return v.pipe(v.nullish(v.string(otherwise), ''), v.picklist(words, otherwise))
}

export const optionalEmail = v.pipe(
  v.nullish(v.string(emailIncorrect), ''),
  v.trim(),
  v.check((text) => text === '' || isEmail(text), emailIncorrect),
)

export const requiredPhone = v.pipe(
  v.nullish(v.string(phoneTenDigits), ''),
  v.transform(normalizePhone),
  v.minLength(1, phoneRequired),
  v.regex(/^\d{10}$/, phoneTenDigits),
)

export const optionalPhone = v.pipe(
  v.nullish(v.string(phoneTenDigits), ''),
  v.transform(normalizePhone),
  v.regex(/^(\d{10})?$/, phoneTenDigits),
)

/** Rule for a required state code, upper-cased. */
export const requiredState = v.pipe(
  v.nullish(v.string(stateInvalid), ''),
  v.trim(),
  v.toUpperCase(),
  v.check(isStateCode, stateInvalid),
)

export const optionalState = v.pipe(
  v.nullish(v.string(stateInvalid), ''),
  v.trim(),
  v.toUpperCase(),
  v.check((code) => code === '' || isStateCode(code), stateInvalid),
)

function bareZip(text: string): string {
  return text.normalize('NFKC').replace(/[\s()-]/g, '')
}

export const requiredZip = v.pipe(
  v.nullish(v.string(zipFiveDigits), ''),
  v.transform(bareZip),
  v.regex(/^\d{5}$/, zipFiveDigits),
)

export const optionalZip = v.pipe(
  v.nullish(v.string(zipFiveDigits), ''),
  v.transform(bareZip),
  v.regex(/^(\d{5})?$/, zipFiveDigits),
)

function toDate({ dataset, addIssue }: { dataset: { value: string }; addIssue: (issue: { message: string }) => void }) {
  const { value } = dataset
  if (value.trim() === '') return ''
  const date = parseUs(value)
  // A year before 1900 is a typing error; operations refuse such dates too (docs/decisions/wire-formats.md).
  if (date !== null && date >= '1900-01-01') return date
  addIssue({ message: invalidDate })
  return ''
}

/** Rule for an optional birth date, mm/dd/yyyy (spec 2 §5) or YYYY-MM-DD, normalized to YYYY-MM-DD; '' when empty. */
export const optionalBirthDate = v.pipe(
  v.nullish(v.string(invalidDate), ''),
  v.trim(),
  v.regex(/^(\d{2}\/\d{2}\/\d{4}|\d{4}-\d{2}-\d{2})?$/, invalidDate),
  v.rawTransform(toDate),
)

/** Rule for a required date, mm/dd/yyyy, m/d/yyyy or YYYY-MM-DD, normalized to YYYY-MM-DD. */
export function requiredDate(label: string) {
  return v.pipe(
    v.nullish(v.string(invalidDate), ''),
    v.trim(),
    v.minLength(1, requiredText(label)),
    v.rawTransform(toDate),
  )
}

export const lastFourDigits = v.pipe(
  v.nullish(v.string(lastFourDigitsText), ''),
  // Some keyboards type full-width digits.
  v.transform((text) => text.normalize('NFKC').trim()),
  v.regex(/^\d{4}$/, lastFourDigitsText),
)

export const locationCode = v.pipe(
  v.nullish(v.string(chooseOne('a facility')), ''),
  v.trim(),
  v.regex(/^[\w-]{1,40}$/, chooseOne('a facility')),
)

export type ValidationResult<Value> = { ok: true; value: Value } | { ok: false; fields: Record<string, string> }

/**
 * Validates a form.
 * @returns its values, or the first message of each field; under '' the message about the whole form
 */
export function validate<Schema extends v.GenericSchema>(
  schema: Schema,
  data: unknown,
): ValidationResult<v.InferOutput<Schema>> {
  const result = v.safeParse(schema, data)
  if (result.success) return { ok: true, value: result.output }
  const fields = new Map<string, string>()
  for (const issue of result.issues) {
    const name = v.getDotPath(issue) ?? ''
    if (!fields.has(name)) fields.set(name, name === '' ? formUnreadable : issue.message)
  }
  return { ok: false, fields: Object.fromEntries(fields) }
}

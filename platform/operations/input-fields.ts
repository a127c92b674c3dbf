/** Schemas of input fields, which accept JSON values and XML text alike. Amounts become cents, dates ISO. */

import * as v from 'valibot'
import { plainLine, plainText, unmodifiedText } from '../../domain/forms/plain-text-schemas.ts'
import { fromWire } from '../../domain/money.ts'
import { parseUs } from '../../domain/plain-date.ts'
import { containsLink, isPlainLine } from '../../domain/plain-text-checks.ts'
import { PREPAY_PERIODS_MAX } from '../../domain/prepaid-period-limits.ts'
import { notPlain } from '../../domain/texts/field-errors.ts'

export { plainLine, plainText, unmodifiedText }

const scalar = v.union([plainText, v.number(), v.boolean()], ({ input }) =>
  typeof input === 'string' ? notPlain : 'must be text or a number',
)

/**
 * Schema of a value that the operation reads itself, so that one wrong value in a list does not refuse the others.
 * @param describedBy schema by which it is read; the OpenAPI document describes it
 */
export const readByOperation = (describedBy: v.GenericSchema) => v.pipe(v.unknown(), v.metadata({ describedBy }))

const noLink = 'must not contain a web address'

/**
 * Schema of a line of text, trimmed, without a web address, since mails may contain the text.
 * @param max number of characters
 */
export const text = (max = 200) =>
  v.pipe(
    line(max),
    v.check((value) => !containsLink(value), noLink),
  )

/** Schema of an optional line that may hold a web address; must not be shown in mails. */
export const webAddress = (max = 300): v.GenericSchema<unknown, string> => v.optional(v.nullable(line(max), ''), '')

const line = (max: number) =>
  v.pipe(
    scalar,
    v.transform((value) => String(value).trim()),
    v.maxLength(max, `must have at most ${max} characters`),
    // A line break in a name could forge a mail header.
    v.check(isPlainLine, notPlain),
  )

/**
 * Schema of a required line of text without a web address.
 * @param max number of characters
 */
export const requiredText = (max = 200) => v.pipe(text(max), v.minLength(1, 'is required'))

/** Schema of an optional line of text without a web address; '' if omitted. */
export const optionalText = (max = 200): v.GenericSchema<unknown, string> => v.optional(v.nullable(text(max), ''), '')

/**
 * Schema of text of several lines, trimmed, without a web address.
 * @param max number of characters
 */
export const lines = (max = 2000) =>
  v.pipe(
    scalar,
    v.transform((value) => String(value).trim()),
    v.maxLength(max, `must have at most ${max} characters`),
    v.check((value) => !containsLink(value), noLink),
  )

/**
 * Schema of a whole number that is not negative, as number or digits.
 * @param message error message
 */
export const integer = (message = 'must be a whole number') =>
  v.pipe(
    scalar,
    v.transform((value) =>
      typeof value === 'boolean'
        ? Number.NaN
        : typeof value === 'string' && !/^\s*\d{1,16}\s*$/.test(value)
          ? Number.NaN
          : Number(value),
    ),
    v.check((value) => Number.isSafeInteger(value) && value >= 0, message),
  )

/** Schema of a number of periods to prepay, from `min` to the maximum. */
export const prepaidPeriods = (min: 0 | 1) => {
  const message = `must be from ${min} to ${PREPAY_PERIODS_MAX}`
  return v.pipe(integer(message), v.minValue(min, message), v.maxValue(PREPAY_PERIODS_MAX, message))
}

/** Schema of a boolean: '1', 1, true, 'True', 'yes' and the opposites; '' is false. */
export const flag = () =>
  v.pipe(
    scalar,
    v.transform((value) => String(value).trim().toLowerCase()),
    v.picklist(['1', '0', 'true', 'false', 'yes', 'no', ''], 'must be 1 or 0'),
    v.transform((value) => value === '1' || value === 'true' || value === 'yes'),
  )

/** Schema of an amount in dollars, not negative, with at most two decimals; parsed to cents. */
export const money = () =>
  v.pipe(
    scalar,
    v.transform((value) => (typeof value === 'boolean' ? null : fromWire(value))),
    v.number('must be an amount with at most 2 decimals'),
  )

/** Schema of a date from 1900 to 2199, mm/dd/yyyy or YYYY-MM-DD, parsed to YYYY-MM-DD. */
export const date = () =>
  v.pipe(
    scalar,
    v.transform((value) => parseUs(String(value).trim())),
    v.string('must be a date: mm/dd/yyyy'),
    v.check((value) => value >= '1900' && value < '2200', 'must be a date: mm/dd/yyyy'),
  )

/** Makes a field optional; null if it is omitted or ''. */
export const orNull = <Field extends v.GenericSchema>(field: Field) =>
  v.optional(
    v.union([
      v.pipe(
        v.literal(''),
        v.transform(() => null),
      ),
      field,
    ]),
    '',
  )

export const locationCode = () => v.pipe(requiredText(16), v.regex(/^[A-Za-z0-9-]+$/, 'must be a location code'))

export const uuid = () =>
  v.pipe(requiredText(36), v.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, 'must be a uuid'))

/**
 * Compares values that a caller repeats from our records: they are checked, never stored, and blank ones are ignored.
 */

import { fromWire } from '../../domain/money.ts'
import { emailKey, nameKey } from '../../domain/name-and-email-keys.ts'
import { normalizePhone } from '../../domain/phone.ts'
import { type IsoDate, parseUs } from '../../domain/plain-date.ts'
import { type Refusal, refuse } from './outcome.ts'

export type FieldComparison = (value: string) => boolean

const text = (...recordValues: (string | number | null | undefined)[]): FieldComparison => {
  const expected = recordValues.filter((value) => value !== null && value !== undefined).map(String)
  return (value) => expected.includes(value)
}

/** Creates field comparisons that ignore differences which `normalize` removes from both texts. */
const normalizedBy =
  (normalize: (text: string) => string) =>
  (...recordValues: string[]): FieldComparison =>
  (value) =>
    recordValues.some((recordText) => normalize(recordText) === normalize(value))

/** Functions that compare a caller's field with the stored record, by type of field. */
export const fieldComparisons = {
  text,
  /** @param cents null if there is no amount; then only zero matches */
  amount:
    (cents: number | null): FieldComparison =>
    (value) =>
      fromWire(value, { negative: true }) === (cents ?? 0),
  /** @param date '' if there is none; then nothing matches */
  day:
    (date: IsoDate | ''): FieldComparison =>
    (value) =>
      date !== '' && parseUs(value) === date,
  name: normalizedBy(nameKey),
  email: normalizedBy(emailKey),
  phone: normalizedBy(normalizePhone),
  file:
    (content: Uint8Array | null): FieldComparison =>
    (value) =>
      content !== null && Buffer.from(value, 'base64').equals(content),
}

/** Returns the names of fields whose stated values differ from our records. Blank values are ignored. */
export const findDifferingFields = (
  values: Record<string, unknown>,
  recordValues: Record<string, FieldComparison>,
): string[] =>
  Object.entries(recordValues).flatMap(([name, isSame]) => {
    const value = values[name]
    const text = value === undefined || value === null ? '' : String(value).trim()
    return text === '' || isSame(text) ? [] : [name]
  })

/** Refuses values that differ from those in our records. @returns 409 with the differing fields, or null */
export function refuseDifferingFields(
  values: Record<string, unknown>,
  recordValues: Record<string, FieldComparison>,
  why = 'This is not what was agreed to.',
): Refusal | null {
  const differing = findDifferingFields(values, recordValues)
  if (differing.length === 0) return null
  return refuse(409, 'differs', why, {
    fields: Object.fromEntries(differing.map((name) => [name, 'differs from what we have'])),
  })
}

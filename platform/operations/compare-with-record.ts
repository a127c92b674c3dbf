/** Compares values that a caller repeats from our records: they are checked, never stored, and blank ones are ignored. */
import { fromWire } from '../../domain/money.ts'
import { barePhone, emailKey, nameKey } from '../../domain/phone.ts'
import { type IsoDate, parseUs } from '../../domain/plain-date.ts'
import { type Refusal, refuse } from './outcome.ts'

export type Same = (value: string) => boolean

const text = (...ours: (string | number | null | undefined)[]): Same => {
  const expected = ours.filter((value) => value !== null && value !== undefined).map(String)
  return (value) => expected.includes(value)
}

/** Compares two texts after normalizing both. */
const by =
  (normal: (text: string) => string) =>
  (...ours: string[]): Same =>
  (value) =>
    ours.some((ourText) => normal(ourText) === normal(value))

/** Comparisons by type of field. */
export const same = {
  text,
  /** @param cents null if there is no amount; then only 0.00 matches */
  amount:
    (cents: number | null): Same =>
    (value) =>
      fromWire(value, { negative: true }) === (cents ?? 0),
  /** @param date '' if there is none; then nothing matches */
  day:
    (date: IsoDate | ''): Same =>
    (value) =>
      date !== '' && parseUs(value) === date,
  name: by(nameKey),
  email: by(emailKey),
  phone: by(barePhone),
  file:
    (content: Uint8Array | null): Same =>
    (value) =>
      content !== null && Buffer.from(value, 'base64').equals(content),
}

export const differing = (values: Record<string, unknown>, ours: Record<string, Same>): string[] =>
  Object.entries(ours).flatMap(([name, isSame]) => {
    const value = values[name]
    const text = value === undefined || value === null ? '' : String(value).trim()
    return text === '' || isSame(text) ? [] : [name]
  })

/** Refuses values that differ from ours. @returns 409 with the differing fields, or null */
export function refusedDiffering(
  values: Record<string, unknown>,
  ours: Record<string, Same>,
  why = 'This is not what was agreed to.',
): Refusal | null {
  const wrong = differing(values, ours)
  if (wrong.length === 0) return null
  return refuse(409, 'differs', why, {
    fields: Object.fromEntries(wrong.map((name) => [name, 'differs from what we have'])),
  })
}

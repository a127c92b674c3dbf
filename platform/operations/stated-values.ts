/** Values a caller repeats of our record are compared, never believed; blank ones say nothing. */
import { fromWire } from '../../domain/money.ts'
import { barePhone, emailKey, nameKey } from '../../domain/phone.ts'
import { type IsoDate, parseUs } from '../../domain/plain-date.ts'
import { type Refusal, refuse } from './outcome.ts'

export type Same = (said: string) => boolean

const text = (...ours: (string | number | null | undefined)[]): Same => {
  const known = ours.filter((one) => one !== null && one !== undefined).map(String)
  return (said) => known.includes(said)
}

/** Compares after bringing both sides to one form. */
const by =
  (normal: (text: string) => string) =>
  (...ours: string[]): Same =>
  (said) =>
    ours.some((one) => normal(one) === normal(said))

/** How the values of a field are compared. */
export const same = {
  text,
  /** @param cents null: there is no such amount, so that only 0.00 is right */
  amount:
    (cents: number | null): Same =>
    (said) =>
      fromWire(said, { negative: true }) === (cents ?? 0),
  /** @param date '' where there is none */
  day:
    (date: IsoDate | ''): Same =>
    (said) =>
      date !== '' && parseUs(said) === date,
  name: by(nameKey),
  email: by(emailKey),
  phone: by(barePhone),
  file:
    (content: Uint8Array | null): Same =>
    (said) =>
      content !== null && Buffer.from(said, 'base64').equals(content),
}

export const differing = (said: Record<string, unknown>, ours: Record<string, Same>): string[] =>
  Object.entries(ours).flatMap(([name, isSame]) => {
    const value = said[name]
    const given = value === undefined || value === null ? '' : String(value).trim()
    return given === '' || isSame(given) ? [] : [name]
  })

/** @returns 409 that names the fields which differ; null where none does */
export function refusedDiffering(
  said: Record<string, unknown>,
  ours: Record<string, Same>,
  why = 'This is not what was agreed to.',
): Refusal | null {
  const wrong = differing(said, ours)
  if (wrong.length === 0) return null
  return refuse(409, 'differs', why, {
    fields: Object.fromEntries(wrong.map((name) => [name, 'differs from what we have'])),
  })
}

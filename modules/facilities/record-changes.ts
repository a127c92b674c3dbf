/** A form of many fields of one record, saved field by field: a field that somebody else has changed since is named. */
import { createHash } from 'node:crypto'
import { type Refusal, refuse } from '../../platform/operations/outcome.ts'
import { formFieldsWrong, isNow, nothingChanged } from './texts/setup.ts'

export type Values = Record<string, string>

/** Stands for what a form showed of a field: long texts are not sent twice. */
export const markOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 16)

export const marksOf = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, text]) => [name, markOf(text)]))

export interface TypedField {
  name: string
  label: string
  /** As the form shows it now. */
  is: string
  read(typed: string): { value: unknown; written: string } | { wrong: string }
}

export interface RecordChanges {
  /** By field, the value to keep. */
  set: Record<string, unknown>
  /** By label, before and after, for the audit. */
  changes: Record<string, [string, string]>
}

const short = (text: string) => (text.length > 500 ? `${text.slice(0, 500)}…` : text)

/**
 * @param form `values` as typed, a field that is left out stays; `before` marks of what the form showed
 * @returns what changes; 400 by field, 409 by field where it is stale, 409 where nothing is different
 */
export function recordChanges(
  fields: readonly TypedField[],
  { values, before }: { values: Values; before: Values },
): RecordChanges | Refusal {
  const wrong: Values = {}
  const stale: Values = {}
  const set: Record<string, unknown> = {}
  const changes: Record<string, [string, string]> = {}
  for (const { name, label, is, read } of fields) {
    const typed = values[name]
    if (typed === undefined) continue
    const value = read(typed)
    if ('wrong' in value) wrong[name] = value.wrong
    else if (markOf(is) !== before[name]) stale[name] = isNow(is)
    else if (value.written !== is) {
      set[name] = value.value
      changes[label] = [short(is), short(value.written)]
    }
  }
  if (Object.keys(wrong).length > 0) return refuse(400, 'invalid_input', formFieldsWrong, { fields: wrong })
  if (Object.keys(stale).length > 0) return refuse(409, 'changed', formFieldsWrong, { fields: stale })
  return Object.keys(set).length === 0 ? refuse(409, 'same', nothingChanged) : { set, changes }
}

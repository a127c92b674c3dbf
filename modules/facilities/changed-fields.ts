/** Saves a form over one record field by field, and names the fields that another staff member has changed since. */
import { createHash } from 'node:crypto'
import { type Refusal, refuse } from '../../platform/operations/outcome.ts'
import { fieldChangedMeanwhile, formFieldsWrong, nothingChanged } from './texts/setup.ts'

export type Values = Record<string, string>

/** Returns a hash of a field's text, sent with the form in place of the text itself. */
export const hashText = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 16)

export const hashValues = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, text]) => [name, hashText(text)]))

/** A field of a form with its current value and how a typed value is parsed. */
export interface TypedField {
  name: string
  label: string
  /** Current value, as the form shows it. */
  current: string
  read(typed: string): { value: unknown; text: string } | { wrong: string }
}

/** Changes that a submitted form makes to a record. */
export interface RecordChanges {
  /** Values to save, by field. */
  set: Record<string, unknown>
  /** Texts before and after, by label, for the audit event. */
  changes: Record<string, [string, string]>
}

const short = (text: string) => (text.length > 500 ? `${text.slice(0, 500)}…` : text)

/**
 * Compares a submitted form with the record.
 * @param form `values` as typed, where an omitted field stays; `before` are hashes of the values shown
 * @returns the changes; a 400 with wrong fields, a 409 with stale fields, or a 409 where nothing differs
 */
export function recordChanges(
  fields: readonly TypedField[],
  { values, before }: { values: Values; before: Values },
): RecordChanges | Refusal {
  const wrong: Values = {}
  const stale: Values = {}
  const set: Record<string, unknown> = {}
  const changes: Record<string, [string, string]> = {}
  for (const { name, label, current, read } of fields) {
    const typed = values[name]
    if (typed === undefined) continue
    const value = read(typed)
    if ('wrong' in value) wrong[name] = value.wrong
    else if (hashText(current) !== before[name]) stale[name] = fieldChangedMeanwhile(current)
    else if (value.text !== current) {
      set[name] = value.value
      changes[label] = [short(current), short(value.text)]
    }
  }
  if (Object.keys(wrong).length > 0) return refuse(400, 'invalid_input', formFieldsWrong, { fields: wrong })
  if (Object.keys(stale).length > 0) return refuse(409, 'changed', formFieldsWrong, { fields: stale })
  return Object.keys(set).length === 0 ? refuse(409, 'same', nothingChanged) : { set, changes }
}

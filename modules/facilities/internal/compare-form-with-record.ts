/** Compares a form with its record field by field, and names the fields that another staff member has changed since. */

import { createHash } from 'node:crypto'
import { someFieldsInvalid } from '../../../domain/texts/some-fields-invalid.ts'
import { truncate } from '../../../domain/truncate.ts'
import { refusalError } from '../../../platform/operations/outcome.ts'
import { fieldChangedMeanwhile, nothingChanged } from '../texts/setup-and-appointment-errors.ts'

/** Texts of a form's fields, or their hashes, by field name. */
export type Values = Record<string, string>

/** Returns a hash of a text that a form shows. The form sends it back, so that a change made meanwhile is detected. */
export const hashText = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 16)

export const hashValues = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, text]) => [name, hashText(text)]))

/** A field of a form with its current value and how a typed value is parsed. */
export interface TypedField {
  name: string
  label: string
  /** Current value, as the form shows it. */
  current: string
  read(text: string): { value: unknown; text: string } | { wrong: string }
}

/** Changes that a submitted form makes to a record. */
export interface RecordChanges {
  /** Values to save, by field. */
  set: Record<string, unknown>
  /** Texts before and after, by label, for the audit event. */
  changes: Record<string, [string, string]>
}

/** Maximum length of a text before or after a change that the audit event stores. */
const MAX_AUDITED_LENGTH = 500

/**
 * Compares a submitted form with the record.
 * @param form `values` as typed, where an omitted field stays; `before` are hashes of the values shown
 * @throws RefusalError with 400 for wrong fields, 409 for stale fields, and 409 where nothing differs
 */
export function recordChanges(
  fields: readonly TypedField[],
  { values, before }: { values: Values; before: Values },
): RecordChanges {
  const invalid: Values = {}
  const stale: Values = {}
  const set: Record<string, unknown> = {}
  const changes: Record<string, [string, string]> = {}
  for (const { name, label, current, read } of fields) {
    const text = values[name]
    if (text === undefined) continue
    const value = read(text)
    if ('wrong' in value) invalid[name] = value.wrong
    else if (hashText(current) !== before[name]) stale[name] = fieldChangedMeanwhile(current)
    else if (value.text !== current) {
      set[name] = value.value
      changes[label] = [truncate(current, MAX_AUDITED_LENGTH), truncate(value.text, MAX_AUDITED_LENGTH)]
    }
  }
  if (Object.keys(invalid).length > 0) throw refusalError(400, 'invalid_input', someFieldsInvalid, { fields: invalid })
  if (Object.keys(stale).length > 0) throw refusalError(409, 'changed', someFieldsInvalid, { fields: stale })
  if (Object.keys(set).length === 0) throw refusalError(409, 'same', nothingChanged)
  return { set, changes }
}

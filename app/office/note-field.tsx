import { TextField } from '../ui/fields/text.tsx'
import type { FieldErrors, FormValues } from '../ui/form-checks.ts'

/** What else is worth keeping of an act. */
export const NoteField = ({ values, fields }: { values: FormValues; fields: FieldErrors }) => (
  <TextField
    name="note"
    label="Note"
    optional
    maxLength={500}
    autoComplete="off"
    defaultValue={values.note}
    error={fields.note}
  />
)

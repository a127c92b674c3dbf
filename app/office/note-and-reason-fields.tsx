import { TextField } from '../ui/fields/text.tsx'
import type { FieldErrors, FormValues } from '../ui/use-form-checks.ts'

/** Text field for an optional note of at most 500 characters. */
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

/** Text field for the reason of an office operation, or for a note on it. */
export function WhyField({
  name = 'reason',
  label = 'Why',
  max = 500,
  value,
  ...field
}: {
  name?: string
  id?: string
  label?: string
  max?: number
  optional?: boolean
  value?: string | undefined
  error?: string | undefined
}) {
  return <TextField {...field} name={name} label={label} maxLength={max} defaultValue={value} autoComplete="off" />
}

/** Returns the `fieldNames` of one of several forms on a page, which give its reason field an id and error key of its own. */
export const reasonOfForm = (form: string) => ({ reason: `reason-${form}` })

/** Text field for the reason of one of several forms on a page. Shows what this form sent, and its error. */
export function FormWhyField({
  form,
  sent,
  ...field
}: {
  /** Intent of the form. */
  form: string
  sent: { values: FormValues; fields?: FieldErrors } | null | undefined
  max?: number
}) {
  const { reason: id } = reasonOfForm(form)
  return (
    <WhyField
      {...field}
      id={id}
      value={sent?.values.intent === form ? sent.values.reason : undefined}
      error={sent?.fields?.[id]}
    />
  )
}

import type { ChangeEvent } from 'react'
import { Field, type FieldProps } from './field.tsx'

export function FileField({
  name,
  label,
  id = name,
  hint,
  error,
  optional,
  ...input
}: FieldProps & { accept?: string; multiple?: boolean; onChange?: (event: ChangeEvent<HTMLInputElement>) => void }) {
  return (
    <Field id={id} label={label} hint={hint} error={error} optional={optional}>
      {(wiring) => (
        <input {...input} {...wiring} type="file" name={name} required={!optional || undefined} className="input" />
      )}
    </Field>
  )
}

import { TextField } from '../../ui/fields/text.tsx'
import type { FieldErrors, FormValues } from '../../ui/use-form-checks.ts'

/**
 * Name and amount fields of a fee, insurance plan or discount.
 * @param unit label of the amount field, such as 'Dollars' or 'Percent'
 */
export const NameAndAmount = ({ unit, fields, values }: { unit: string; fields: FieldErrors; values: FormValues }) => (
  <>
    <TextField name="name" label="Name" maxLength={200} defaultValue={values.name} error={fields.name} />
    <TextField
      name="amount"
      label={unit}
      inputMode="decimal"
      width={5}
      defaultValue={values.amount}
      error={fields.amount}
    />
  </>
)

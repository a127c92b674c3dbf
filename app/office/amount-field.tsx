import { TextField, type TextFieldProps } from '../ui/fields/text.tsx'

/** Text field for an amount in dollars and cents. */
export function AmountField(props: TextFieldProps) {
  return <TextField inputMode="decimal" autoComplete="off" maxLength={14} width={10} className="num" {...props} />
}

import { TextField, type TextFieldProps } from '../ui/fields/text.tsx'

/** Dollars and cents, typed. */
export function AmountField(props: TextFieldProps) {
  return <TextField inputMode="decimal" autoComplete="off" maxLength={14} width={10} className="num" {...props} />
}

import { TextField, type TextFieldProps } from '../ui/fields/text.tsx'

/** Returns the name of a lease's amount field in a form that receives a payment. */
export const amountFieldName = (leaseNumber: number): string => `amount-${leaseNumber}`

/** Returns the names of the fields of a counter payment that change its preview. */
export const counterPreviewFields = (leaseNumbers: readonly number[]): string[] => [
  ...leaseNumbers.map(amountFieldName),
  'method',
]

/** Text field for an amount in dollars and cents. */
export function AmountField(props: TextFieldProps) {
  return <TextField inputMode="decimal" autoComplete="off" maxLength={14} width={10} className="num" {...props} />
}

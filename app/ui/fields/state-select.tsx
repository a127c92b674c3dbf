import { states } from '../../../domain/states.ts'
import { SelectField, type SelectFieldProps } from './choice.tsx'

export function StateSelect(props: Omit<SelectFieldProps, 'options'> & Partial<Pick<SelectFieldProps, 'options'>>) {
  return (
    <SelectField
      autoComplete="address-level1"
      width={20}
      options={states.map(([value, label]) => ({ value, label }))}
      {...props}
    />
  )
}

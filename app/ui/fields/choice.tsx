import type { ChangeEvent, ComponentProps, ReactNode } from 'react'
import { Icon } from '../icons.tsx'
import { describedBy, Field, type FieldProps, FieldSet, type FieldWidth, inputClass, Notes } from './field.tsx'

interface SelectOption {
  value: string
  label: string
}

export interface SelectFieldProps extends FieldProps {
  options: SelectOption[]
  /** Label of the empty first option; null for none. */
  empty?: string | null
  defaultValue?: string | undefined
  value?: string
  onChange?: (event: ChangeEvent<HTMLSelectElement>) => void
  autoComplete?: string
  width?: FieldWidth
  disabled?: boolean
}

export function SelectField({
  name,
  label,
  id = name,
  hint,
  error,
  optional,
  options,
  empty = 'Choose one',
  width,
  ...select
}: SelectFieldProps) {
  return (
    <Field id={id} label={label} hint={hint} error={error} optional={optional}>
      {(wiring) => (
        <select {...select} {...wiring} name={name} required={!optional || undefined} className={inputClass(width)}>
          {empty !== null && <option value="">{empty}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

export function CheckboxField({
  name,
  label,
  id = name,
  hint,
  error,
  value = '1',
  ...input
}: Omit<FieldProps, 'optional'> & {
  value?: string
  defaultChecked?: boolean
  checked?: boolean
  onChange?: (event: ChangeEvent<HTMLInputElement>) => void
}) {
  return (
    <div className={`field${error ? ' wrong' : ''}`}>
      <Notes id={id} hint={null} error={error} />
      <label className="choice" htmlFor={id}>
        <input
          {...input}
          type="checkbox"
          id={id}
          name={name}
          value={value}
          aria-describedby={describedBy(id, hint, error)}
          aria-invalid={error ? true : undefined}
        />
        <span>{label}</span>
      </label>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

export interface RadioOption<Value extends string = string> {
  value: Value
  label: ReactNode
  detail?: ReactNode
  side?: ReactNode
}

/** Returns the id of a control: the first has the field's name, later ones add their index. */
const idOf = (name: string, index: number): string => (index === 0 ? name : `${name}-${index}`)

type FieldSetProps = Omit<ComponentProps<typeof FieldSet>, 'children'>

/**
 * Radio buttons as cards.
 * @param row places short options (Yes / No) side by side
 */
export function RadioCards<Value extends string>({
  options,
  defaultValue,
  value,
  onChange,
  row,
  ...set
}: FieldSetProps & {
  options: RadioOption<Value>[]
  defaultValue?: string | undefined
  value?: string
  onChange?: (value: Value) => void
  row?: boolean
}) {
  return (
    <FieldSet {...set}>
      <div className={`grid gap-3 ${row ? 'max-w-136 grid-cols-[repeat(auto-fit,minmax(min(12rem,100%),1fr))]' : ''}`}>
        {options.map((option, index) => (
          <label className="choice option" key={option.value} htmlFor={idOf(set.name, index)}>
            <input
              type="radio"
              id={idOf(set.name, index)}
              name={set.name}
              value={option.value}
              {...(value === undefined
                ? { defaultChecked: defaultValue === option.value }
                : { checked: value === option.value })}
              onChange={onChange ? () => onChange(option.value) : undefined}
            />
            <span className="option-text">
              <strong>{option.label}</strong>
              {option.detail && <span className="soft small">{option.detail}</span>}
            </span>
            {option.side !== undefined && <span className="option-side num">{option.side}</span>}
          </label>
        ))}
      </div>
    </FieldSet>
  )
}

export function CheckboxGroup({
  options,
  defaultValues = [],
  ...set
}: FieldSetProps & { options: SelectOption[]; defaultValues?: string[] }) {
  return (
    <FieldSet {...set}>
      {options.map((option, index) => (
        <label className="choice" key={option.value} htmlFor={idOf(set.name, index)}>
          <input
            type="checkbox"
            id={idOf(set.name, index)}
            name={set.name}
            value={option.value}
            defaultChecked={defaultValues.includes(option.value)}
          />
          {option.label}
        </label>
      ))}
    </FieldSet>
  )
}

// From five to one, so that the stars below a chosen one are its later siblings, which CSS can fill.
const STARS = [5, 4, 3, 2, 1]

/** Rating of one to five stars, as optional radio buttons (spec 2, move-out feedback). */
export function RatingField({
  name,
  legend,
  defaultValue,
  onChange,
}: {
  name: string
  legend: ReactNode
  defaultValue?: number
  onChange?: (stars: number) => void
}) {
  return (
    <fieldset className="field">
      <legend className="legend">
        {legend}
        <span className="optional"> (optional)</span>
      </legend>
      <div className="stars">
        {STARS.map((stars) => (
          <label key={stars} htmlFor={idOf(name, stars - 1)}>
            <input
              type="radio"
              id={idOf(name, stars - 1)}
              name={name}
              value={stars}
              defaultChecked={stars === defaultValue}
              onChange={onChange ? () => onChange(stars) : undefined}
            />
            <Icon name="star" />
            <span className="sr">{stars === 1 ? '1 star' : `${stars} stars`}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

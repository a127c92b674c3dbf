import '../styles/journey.css'
import type { ChangeEvent, FormEvent, InputHTMLAttributes, ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import { states } from '../../domain/states.ts'
import { useHydrated } from './buttons.tsx'
import type { FieldErrors } from './form-checks.ts'
import { Icon } from './icons.tsx'

/** What every field takes. The control's id is its name unless `id` is given; the error summary links to it. */
export interface FieldProps {
  name: string
  label: ReactNode
  id?: string
  hint?: ReactNode
  error?: string | undefined
  /** Marks the label '(optional)'; fields are required otherwise. */
  optional?: boolean
}

function describedBy(id: string, hint: ReactNode, error: string | undefined): string | undefined {
  return [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ') || undefined
}

function Notes({ id, hint, error }: { id: string; hint: ReactNode; error: string | undefined }) {
  return (
    <>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="error" id={`${id}-error`}>
          <Icon name="alert" />
          <span>
            <span className="sr">Error: </span>
            {error}
          </span>
        </p>
      )}
    </>
  )
}

/** Label above, hint, error, then whatever control `children` is; wire it with `describedBy`. For controls not named below. */
export function Field({
  id,
  label,
  hint,
  error,
  optional,
  children,
}: Omit<FieldProps, 'name' | 'id'> & {
  id: string
  children: (wiring: {
    id: string
    'aria-describedby': string | undefined
    'aria-invalid': true | undefined
  }) => ReactNode
}) {
  return (
    <div className={`field${error ? ' wrong' : ''}`}>
      <label htmlFor={id}>
        {label}
        {optional && <span className="optional"> (optional)</span>}
      </label>
      <Notes id={id} hint={hint} error={error} />
      {children({ id, 'aria-describedby': describedBy(id, hint, error), 'aria-invalid': error ? true : undefined })}
    </div>
  )
}

export type FieldWidth = 2 | 5 | 10 | 20

export interface TextFieldProps
  extends FieldProps,
    Omit<InputHTMLAttributes<HTMLInputElement>, keyof FieldProps | 'width' | 'size'> {
  /** About as many characters as belong in it; full width when left out. */
  width?: FieldWidth
}

/** One line of text. Any input attribute passes through: `autoComplete`, `inputMode`, `maxLength`, `defaultValue`. */
export function TextField({
  name,
  label,
  id = name,
  hint,
  error,
  optional,
  width,
  className = '',
  ...input
}: TextFieldProps) {
  return (
    <Field id={id} label={label} hint={hint} error={error} optional={optional}>
      {(wiring) => (
        <input
          type="text"
          {...input}
          {...wiring}
          name={name}
          required={!optional || undefined}
          className={`input ${width ? `w-${width}` : ''} ${className}`}
        />
      )}
    </Field>
  )
}

/** E-mail address. */
export function EmailField(props: TextFieldProps) {
  return <TextField type="email" autoComplete="email" spellCheck={false} autoCapitalize="none" width={20} {...props} />
}

/** Ten digits; spaces, dashes and parentheses may be typed and are taken out by the rule that reads it. */
export function PhoneField(props: TextFieldProps) {
  return <TextField type="tel" inputMode="numeric" autoComplete="tel-national" maxLength={20} width={10} {...props} />
}

/** Five digits. */
export function ZipField(props: TextFieldProps) {
  return <TextField inputMode="numeric" autoComplete="postal-code" maxLength={10} width={5} {...props} />
}

/** One-time code: one field, `digits` long (4 unless given). */
export function CodeField({ digits = 4, ...props }: TextFieldProps & { digits?: number }) {
  return (
    <TextField
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={digits + 2}
      spellCheck={false}
      className="code"
      width={10}
      {...props}
    />
  )
}

/** 8 digits, or parts of them, as mm/dd/yyyy: numeric keypads have no slash. */
export function slashed(text: string): string {
  const digits = text.replace(/\D/g, '').slice(0, 8)
  return [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4)].filter(Boolean).join('/')
}

/** A date typed as mm/dd/yyyy; the slashes come by themselves. */
export function DateField({ onInput, hint = 'mm/dd/yyyy', ...props }: TextFieldProps) {
  const type = (event: FormEvent<HTMLInputElement>) => {
    const input = event.currentTarget
    const typed = event.nativeEvent as InputEvent
    const atEnd = input.selectionStart === input.value.length
    // Only while digits are added at the end: correcting in the middle must not move the caret. '1/2/2026' is left as it is.
    if (typed.inputType?.startsWith('insert') && atEnd && !/^\d\/|\/\d\//.test(input.value))
      input.value = slashed(input.value)
    onInput?.(typed as unknown as Parameters<NonNullable<typeof onInput>>[0])
  }
  return <TextField inputMode="numeric" maxLength={10} width={10} {...props} hint={hint} onInput={type} />
}

/** Password with a button that shows it (where scripts run). `autoComplete`: 'current-password' unless given. */
export function PasswordField({ name, label, id = name, hint, error, optional, ...input }: TextFieldProps) {
  const [shown, show] = useState(false)
  const hydrated = useHydrated()
  return (
    <Field id={id} label={label} hint={hint} error={error} optional={optional}>
      {(wiring) => (
        <div className="with-button">
          <input
            autoComplete="current-password"
            spellCheck={false}
            autoCapitalize="none"
            {...input}
            {...wiring}
            name={name}
            type={shown ? 'text' : 'password'}
            required={!optional || undefined}
            className="input"
          />
          {hydrated && (
            <button
              type="button"
              className="btn btn-quiet btn-short"
              aria-controls={id}
              aria-label={shown ? 'Hide password' : 'Show password'}
              onClick={() => show(!shown)}
            >
              {shown ? 'Hide' : 'Show'}
            </button>
          )}
        </div>
      )}
    </Field>
  )
}

export interface SelectOption {
  value: string
  label: string
}

export interface SelectFieldProps extends FieldProps {
  options: SelectOption[]
  /** The first, empty choice; null for none. */
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
        <select
          {...select}
          {...wiring}
          name={name}
          required={!optional || undefined}
          className={`input ${width ? `w-${width}` : ''}`}
        >
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

/** All US states; the value is the two-letter code. */
export function StateSelect(props: Omit<SelectFieldProps, 'options'> & { options?: SelectOption[] }) {
  return (
    <SelectField
      autoComplete="address-level1"
      width={20}
      options={states.map(([value, label]) => ({ value, label }))}
      {...props}
    />
  )
}

export interface TextAreaProps extends FieldProps {
  defaultValue?: string | undefined
  rows?: number
  maxLength?: number
}

export function TextArea({ name, label, id = name, hint, error, optional, ...area }: TextAreaProps) {
  return (
    <Field id={id} label={label} hint={hint} error={error} optional={optional}>
      {(wiring) => <textarea {...area} {...wiring} name={name} required={!optional || undefined} className="input" />}
    </Field>
  )
}

/** One box to tick. Sends `value` ('1' unless given) when ticked, nothing otherwise. */
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

export interface RadioOption {
  value: string
  label: ReactNode
  detail?: ReactNode
  /** At the right edge, such as a price. */
  side?: ReactNode
  disabled?: boolean
}

/**
 * One of several, each a card with a radio. The first radio's id is the field's name, so the error summary leads there.
 * `row` puts short ones (Yes / No) side by side. `legendHidden` where the h1 already asks the question.
 */
export function RadioCards({
  name,
  legend,
  legendHidden,
  options,
  defaultValue,
  value,
  onChange,
  hint,
  error,
  row,
}: {
  name: string
  legend: ReactNode
  legendHidden?: boolean
  options: RadioOption[]
  defaultValue?: string | undefined
  value?: string
  onChange?: (value: string) => void
  hint?: ReactNode
  error?: string | undefined
  row?: boolean
}) {
  return (
    <fieldset className={`field${error ? ' wrong' : ''} min-w-0`} aria-describedby={describedBy(name, hint, error)}>
      <legend className={legendHidden ? 'sr' : 'legend'}>{legend}</legend>
      <Notes id={name} hint={hint} error={error} />
      <div className={`choices${row ? ' choices-row' : ''}`}>
        {options.map((option, index) => {
          const id = index === 0 ? name : `${name}-${index}`
          return (
            <label className="choice option" key={option.value} htmlFor={id}>
              <input
                type="radio"
                id={id}
                name={name}
                value={option.value}
                disabled={option.disabled}
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
          )
        })}
      </div>
    </fieldset>
  )
}

/** Several of several, as boxes. Each ticked one is sent under `name`. The first box's id is the field's name. */
export function CheckboxGroup({
  name,
  legend,
  options,
  defaultValues = [],
  hint,
  error,
}: {
  name: string
  legend: ReactNode
  options: SelectOption[]
  defaultValues?: string[]
  hint?: ReactNode
  error?: string | undefined
}) {
  return (
    <fieldset className={`field${error ? ' wrong' : ''} min-w-0`} aria-describedby={describedBy(name, hint, error)}>
      <legend className="legend">{legend}</legend>
      <Notes id={name} hint={hint} error={error} />
      {options.map((option, index) => {
        const id = index === 0 ? name : `${name}-${index}`
        return (
          <label className="choice" key={option.value} htmlFor={id}>
            <input
              type="checkbox"
              id={id}
              name={name}
              value={option.value}
              defaultChecked={defaultValues.includes(option.value)}
            />
            {option.label}
          </label>
        )
      })}
    </fieldset>
  )
}

/** One to `max` stars as radios; none chosen is allowed (spec 2, move-out feedback). */
export function RatingField({
  name,
  legend,
  max = 5,
  defaultValue,
  onChange,
}: {
  name: string
  legend: ReactNode
  max?: number
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
        {Array.from({ length: max }, (_, index) => max - index).map((stars) => (
          <label key={stars} htmlFor={stars === 1 ? name : `${name}-${stars}`}>
            <input
              type="radio"
              id={stars === 1 ? name : `${name}-${stars}`}
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

/** A file from the device. `accept` as for the native input, such as 'application/pdf,image/*'. */
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

/** Fields side by side on a wide screen. `wide`: city, state and ZIP, three across. */
export function FieldPair({ children, wide }: { children: ReactNode; wide?: boolean }) {
  return <div className={`pair${wide ? ' pair-wide' : ''}`}>{children}</div>
}

/**
 * 'There is a problem', first in the content. Takes focus each time `turn` changes (a submit), without a `turn`
 * each time it says something else, and on a page that arrives with errors; each line leads to its field, in the same words. Nothing for no errors.
 * A key that is no field's name (such as `form`) stands as text: list those in `general`.
 */
export function ErrorSummary({
  errors,
  turn,
  general = ['form'],
  children,
}: {
  errors: FieldErrors
  turn?: number
  general?: string[]
  /** What to do next, below the list. */
  children?: ReactNode
}) {
  const box = useRef<HTMLDivElement>(null)
  const entries = Object.entries(errors)
  const any = entries.length > 0
  // Its words, not the object: a page may make that anew each time it is drawn, while somebody types.
  const said = turn ?? entries.join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn is a new submit, also with the same errors
  useEffect(() => {
    if (any) box.current?.focus()
  }, [said])
  if (!any) return null
  return (
    <div className="problem" role="alert" tabIndex={-1} ref={box} aria-labelledby="problem-title">
      <h2 id="problem-title">There is a problem</h2>
      <ul>
        {entries.map(([name, message]) => (
          <li key={name}>
            {general.includes(name) ? (
              message
            ) : (
              <a
                href={`#${name}`}
                onClick={(event) => {
                  const field = document.getElementById(name)
                  if (!field) return
                  event.preventDefault()
                  field.focus()
                  field.closest('.field')?.scrollIntoView({ block: 'center' })
                }}
              >
                {message}
              </a>
            )}
          </li>
        ))}
      </ul>
      {children}
    </div>
  )
}

import { type ChangeEvent, type InputHTMLAttributes, useState } from 'react'
import { useHydrated } from '../buttons.tsx'
import { Field, type FieldProps, type FieldWidth, inputClass } from './field.tsx'

export interface TextFieldProps
  extends FieldProps,
    Omit<InputHTMLAttributes<HTMLInputElement>, keyof FieldProps | 'width' | 'size'> {
  width?: FieldWidth
}

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
          className={`${inputClass(width)} ${className}`}
        />
      )}
    </Field>
  )
}

export function EmailField(props: TextFieldProps) {
  return <TextField type="email" autoComplete="email" spellCheck={false} autoCapitalize="none" width={20} {...props} />
}

/** Phone field for ten digits. Spaces, dashes and parentheses may be typed; validation removes them. */
export function PhoneField(props: TextFieldProps) {
  return <TextField type="tel" inputMode="numeric" autoComplete="tel-national" maxLength={20} width={10} {...props} />
}

export function ZipField(props: TextFieldProps) {
  return <TextField inputMode="numeric" autoComplete="postal-code" maxLength={10} width={5} {...props} />
}

export function CodeField(props: TextFieldProps) {
  return (
    <TextField
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={6}
      spellCheck={false}
      className="code"
      width={10}
      {...props}
    />
  )
}

/** Adds the slashes to a typed date, since numeric keypads have none: '11222026' becomes '11/22/2026'. */
export function addDateSlashes(text: string): string {
  const digits = text.replace(/\D/g, '').slice(0, 8)
  return [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4)].filter(Boolean).join('/')
}

export function DateField({ onInput, hint = 'mm/dd/yyyy', ...props }: TextFieldProps) {
  const onInputWithSlashes: NonNullable<TextFieldProps['onInput']> = (event) => {
    const input = event.currentTarget
    const atEnd = input.selectionStart === input.value.length
    // Slashes are added only to digits typed at the end, since a correction in the middle must not move the caret.
    // '1/2/2026' has its own slashes.
    if (event.nativeEvent.inputType?.startsWith('insert') && atEnd && !/^\d\/|\/\d\//.test(input.value))
      input.value = addDateSlashes(input.value)
    onInput?.(event)
  }
  return <TextField inputMode="numeric" maxLength={10} width={10} {...props} hint={hint} onInput={onInputWithSlashes} />
}

/**
 * Password field with a button that shows the password where scripts run.
 * `autoComplete` defaults to 'current-password'.
 */
export function PasswordField({ name, label, id = name, hint, error, optional, ...input }: TextFieldProps) {
  const [isShown, setIsShown] = useState(false)
  const hydrated = useHydrated()
  return (
    <Field id={id} label={label} hint={hint} error={error} optional={optional}>
      {(wiring) => (
        <div className="flex gap-2">
          <input
            autoComplete="current-password"
            spellCheck={false}
            autoCapitalize="none"
            {...input}
            {...wiring}
            name={name}
            type={isShown ? 'text' : 'password'}
            required={!optional || undefined}
            className="input"
          />
          {hydrated && (
            <button
              type="button"
              className="btn btn-quiet btn-short"
              aria-controls={id}
              aria-label={isShown ? 'Hide password' : 'Show password'}
              onClick={() => setIsShown(!isShown)}
            >
              {isShown ? 'Hide' : 'Show'}
            </button>
          )}
        </div>
      )}
    </Field>
  )
}

interface TextAreaProps extends FieldProps {
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

export function FileField({
  name,
  label,
  id = name,
  hint,
  error,
  optional,
  ...input
}: FieldProps & {
  accept?: string
  multiple?: boolean
  capture?: 'environment'
  onChange?: (event: ChangeEvent<HTMLInputElement>) => void
}) {
  return (
    <Field id={id} label={label} hint={hint} error={error} optional={optional}>
      {(wiring) => (
        <input {...input} {...wiring} type="file" name={name} required={!optional || undefined} className="input" />
      )}
    </Field>
  )
}

import '../../styles/form-pages.css'
import type { ReactNode } from 'react'
import { Icon } from '../icons.tsx'

/**
 * Props of every field. The control's id is its name unless `id` is given. The error summary links to the key of an
 * error, which must be that id.
 */
export interface FieldProps {
  name: string
  label: ReactNode
  id?: string
  hint?: ReactNode
  error?: string | undefined
  /** Adds '(optional)' to the label; other fields are required. */
  optional?: boolean
}

export function describedBy(id: string, hint: ReactNode, error: string | undefined): string | undefined {
  return [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ') || undefined
}

export function Notes({ id, hint, error }: { id: string; hint: ReactNode; error: string | undefined }) {
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

export type FieldWidth = 5 | 10 | 20

const widths = { 5: 'max-w-[8rem]', 10: 'max-w-[13rem]', 20: 'max-w-[21rem]' }

export const inputClass = (width?: FieldWidth): string => (width ? `input ${widths[width]}` : 'input')

/**
 * Fields side by side.
 * @param wide three across: city, state and ZIP
 */
export function FieldPair({ children, wide }: { children: ReactNode; wide?: boolean }) {
  return <div className={`pair ${wide ? 'sm:grid-cols-[5fr_4fr_3fr]' : ''}`}>{children}</div>
}

/** Group of controls under one question. The error summary links to `name`, which should be the first control's id. */
export function FieldSet({
  name,
  legend,
  legendHidden,
  hint,
  error,
  children,
}: {
  name: string
  legend: ReactNode
  legendHidden?: boolean | undefined
  hint?: ReactNode
  error?: string | undefined
  children: ReactNode
}) {
  return (
    <fieldset className={`field${error ? ' wrong' : ''} min-w-0`} aria-describedby={describedBy(name, hint, error)}>
      <legend className={legendHidden ? 'sr' : 'legend'}>{legend}</legend>
      <Notes id={name} hint={hint} error={error} />
      {children}
    </fieldset>
  )
}

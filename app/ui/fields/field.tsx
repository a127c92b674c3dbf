import '../../styles/journey.css'
import type { ReactNode } from 'react'
import { Icon } from '../icons.tsx'

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

/** Fields side by side on a wide screen. `wide`: city, state and ZIP, three across. */
export function FieldPair({ children, wide }: { children: ReactNode; wide?: boolean }) {
  return <div className={`pair${wide ? ' pair-wide' : ''}`}>{children}</div>
}

import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { useId, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { useSubmitting } from './use-submitting.ts'

type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'link' | 'danger'

const subscribeToNothing = () => () => {}
/** Returns true once scripts run; false on the server and in the first render, so that the markup matches. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  )
}

/** Returns a button's classes. A text label of up to 24 characters stays in one line, except on very narrow screens. */
function buttonClass(kind: ButtonKind, wide: boolean | undefined, label: ReactNode): string {
  const short = typeof label === 'string' && label.length <= 24 ? ' btn-short' : ''
  return `btn btn-${kind}${wide ? ' w-full' : ''}${short}`
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: ButtonKind
  wide?: boolean
  busy?: boolean
  busyLabel?: string
  /**
   * Sentence beside the button that says what is missing and disables the button; null while nothing is missing.
   * Without scripts the button stays enabled, and the server validates the form.
   */
  unavailable?: string | null | undefined
}

/** Button of type submit unless `type` is given. A busy button ignores clicks. */
export function Button({
  kind = 'primary',
  wide,
  busy,
  busyLabel,
  unavailable,
  children,
  disabled,
  ...rest
}: ButtonProps) {
  const hydrated = useHydrated()
  const noteId = useId()
  const button = (
    <button
      type="submit"
      {...rest}
      className={`${buttonClass(kind, wide, children)} ${rest.className ?? ''}`}
      disabled={disabled || (hydrated && !!unavailable)}
      aria-busy={busy || undefined}
      aria-describedby={unavailable ? noteId : rest['aria-describedby']}
      onClick={busy ? (event) => event.preventDefault() : rest.onClick}
    >
      {busy && busyLabel ? busyLabel : children}
    </button>
  )
  if (unavailable === undefined) return button
  return (
    <>
      {button}
      <span id={noteId} className="small soft" role="status">
        {unavailable}
      </span>
    </>
  )
}

interface LinkButtonProps {
  kind?: ButtonKind
  wide?: boolean
  children: ReactNode
  /** Address of a plain link, which loads its page in full; also for files and phone numbers. */
  href?: string
  /** Path of a page to which the router navigates, without loading it in full where scripts run. */
  to?: string
  className?: string
  /** Accessible name ('Rent now, 10×10'); must start with the visible label. */
  label?: string
  target?: string
  rel?: string
}

export function LinkButton({
  kind = 'primary',
  wide,
  href,
  to,
  children,
  className = '',
  label,
  ...rest
}: LinkButtonProps) {
  const props = { ...rest, className: `${buttonClass(kind, wide, children)} ${className}`, 'aria-label': label }
  return to === undefined ? (
    <a href={href} {...props}>
      {children}
    </a>
  ) : (
    <Link to={to} {...props}>
      {children}
    </Link>
  )
}

/** Button that prints the page. Hidden without scripts, where the browser's own command prints. */
export function PrintButton() {
  return useHydrated() ? (
    <Button type="button" kind="quiet" onClick={() => print()}>
      Print
    </Button>
  ) : null
}

/** Submit button of a form; busy while a form of this page is being submitted. */
export function SubmitButton(props: Omit<ButtonProps, 'busy'>) {
  return <Button {...props} busy={useSubmitting()} />
}

/** Submit button in a row of its own. */
export function SubmitRow(props: Omit<ButtonProps, 'busy'>) {
  return (
    <ButtonRow>
      <SubmitButton {...props} />
    </ButtonRow>
  )
}

export function ButtonRow({ children }: { children: ReactNode }) {
  return <div className="btn-row">{children}</div>
}

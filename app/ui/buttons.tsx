import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { useId, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { useBusy } from './busy.ts'

type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'link' | 'danger'

const never = () => () => {}
/** True once scripts run on the page; false on the server and in the first render, so markup agrees. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}

/** A short label never breaks; a sentence on a narrow screen may. */
function buttonClass(kind: ButtonKind, wide: boolean | undefined, label: ReactNode): string {
  const short = typeof label === 'string' && label.length <= 24 ? ' btn-short' : ''
  return `btn btn-${kind}${wide ? ' w-full' : ''}${short}`
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: ButtonKind
  wide?: boolean
  busy?: boolean
  busyLabel?: string
  /** What is missing before it can be pressed: said beneath it. Without scripts the server judges the form. */
  unavailable?: string | null | undefined
}

/** `type` is submit unless given. One `primary` to a page. */
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
  const note = useId()
  const button = (
    <button
      type="submit"
      {...rest}
      className={`${buttonClass(kind, wide, children)} ${rest.className ?? ''}`}
      disabled={disabled || (hydrated && !!unavailable)}
      aria-busy={busy || undefined}
      aria-describedby={unavailable ? note : rest['aria-describedby']}
      onClick={busy ? (event) => event.preventDefault() : rest.onClick}
    >
      {busy && busyLabel ? busyLabel : children}
    </button>
  )
  if (unavailable === undefined) return button
  return (
    <>
      {button}
      <span id={note} className="small soft" role="status">
        {unavailable}
      </span>
    </>
  )
}

interface LinkButtonProps {
  kind?: ButtonKind
  wide?: boolean
  children: ReactNode
  /** A page outside the journey, a file or a phone number: a plain link. */
  href?: string
  /** A page of the same journey: client-side navigation where scripts run. */
  to?: string
  className?: string
  /** The accessible name ('Rent now, 10×10'); must begin with the visible label. */
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

/** Not there without scripts: the browser's own command prints. */
export function PrintButton() {
  return useHydrated() ? (
    <Button type="button" kind="quiet" onClick={() => print()}>
      Print
    </Button>
  ) : null
}

/** The button of a form: busy while a form of this page is on its way. */
export function SubmitButton(props: Omit<ButtonProps, 'busy'>) {
  return <Button {...props} busy={useBusy()} />
}

/** Such a button alone in its row. */
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

import type { ReactNode } from 'react'
import { useEffect, useId, useRef, useState } from 'react'
import { useHydrated } from './buttons.tsx'
import { Icon } from './icons.tsx'
import { unbroken } from './unbroken.ts'

/**
 * The native `<dialog>`. Where scripts run it is modal (focus kept inside, Escape closes); without them it lies open
 * over the page and its close button still works. Specified alerts are shown with it.
 *
 * @param open shown or not; on the server too
 * @param onClose after any way of closing: the cross, Escape, a button in a `<form method="dialog">`
 * @param actions buttons or links at the foot; `<DialogClose>OK</DialogClose>` closes
 * @param blocking no cross and no Escape (session ended)
 */
export function Dialog({
  open,
  onClose,
  title,
  children,
  actions,
  wide,
  blocking,
}: {
  open: boolean
  onClose?: () => void
  title: ReactNode
  children?: ReactNode
  actions?: ReactNode
  wide?: boolean
  blocking?: boolean
}) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  // React must not touch the attribute later: taking it off a modal dialog would leave the page inert.
  const [first] = useState(open)
  const mounted = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of `open` opens or closes it
  useEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    const early = !mounted.current && open && !dialog.open
    mounted.current = true
    // It lay open in the page as it was sent, and was closed before the scripts ran.
    if (early && first && !blocking) {
      onClose?.()
      return
    }
    if (open && !dialog.matches(':modal')) {
      dialog.removeAttribute('open')
      dialog.showModal()
    }
    if (!open && dialog.open) dialog.close()
  }, [open])
  return (
    <dialog
      ref={ref}
      open={first}
      className={`dialog${wide ? ' dialog-wide' : ''}`}
      aria-labelledby={titleId}
      // A browser lets a second Escape close a dialog whatever its page says; a blocking one is there again at once.
      closedby={blocking ? 'none' : undefined}
      onClose={blocking ? (event) => event.currentTarget.showModal() : onClose}
      onCancel={blocking ? (event) => event.preventDefault() : undefined}
    >
      <div className="dialog-head">
        <h2 id={titleId}>{title}</h2>
        {!blocking && (
          <form method="dialog">
            <button type="submit" className="dialog-close" aria-label="Close">
              <Icon name="close" />
            </button>
          </form>
        )}
      </div>
      <div className="dialog-body prose">
        {children}
        {actions && <div className="btn-row">{actions}</div>}
      </div>
    </dialog>
  )
}

/**
 * A button that closes the dialog it stands in, with or without scripts.
 *
 * @param focused has the focus when the page comes with the dialog open, so that it is read out without scripts too
 */
export function DialogClose({
  children,
  kind = 'primary',
  focused,
}: {
  children: string
  kind?: 'primary' | 'secondary' | 'quiet'
  focused?: boolean
}) {
  // A dialog that scripts open takes the focus itself, and gives it back to where it was.
  const hydrated = useHydrated()
  return (
    <form method="dialog">
      {/* biome-ignore lint/a11y/noAutofocus: it stands in a dialog, which has to be answered first */}
      <button type="submit" className={`btn btn-${kind} btn-short`} autoFocus={focused && !hydrated}>
        {children}
      </button>
    </form>
  )
}

/** A short message that something was done. Always on the page, so that screen readers hear it when text arrives. */
export function Status({ message }: { message: string | null | undefined }) {
  return (
    <div className="status" role="status" aria-live="polite">
      {message}
    </div>
  )
}

/**
 * 'Held for you until 9:40 PM (23 minutes left)'. Minutes count down while the page is open, against the server's clock.
 *
 * @param until epoch ms
 * @param now epoch ms at the server when the page was made
 * @param untilText the instant in the facility's time zone
 * @param onEnd once, when the time is up
 */
export function Countdown({
  until,
  now,
  untilText,
  onEnd,
}: {
  until: number
  now: number
  untilText: string
  onEnd?: () => void
}) {
  const [gone, setGone] = useState(0)
  const ended = useRef(false)
  const tell = useRef(onEnd)
  tell.current = onEnd
  useEffect(() => {
    const start = performance.now()
    const timer = setInterval(() => setGone(performance.now() - start), 15_000)
    return () => clearInterval(timer)
  }, [])
  const left = Math.max(0, until - now - gone)
  useEffect(() => {
    if (left > 0 || ended.current) return
    ended.current = true
    tell.current?.()
  }, [left])
  return (
    <span role="timer">
      {left > 0 ? (
        <>
          Held for you until {unbroken(untilText)} <span className="num">({spell(left)} left)</span>
        </>
      ) : (
        <>The hold ended at {unbroken(untilText)}</>
      )}
    </span>
  )
}

/** '2 days', '3 hours', '1 minute': the largest whole unit; never less than a minute. */
export function spell(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000))
  const [count, unit] =
    minutes >= 2880 ? [minutes / 1440, 'day'] : minutes >= 120 ? [minutes / 60, 'hour'] : [minutes, 'minute']
  const whole = Math.floor(count)
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`
}

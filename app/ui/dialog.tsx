import type { ReactNode } from 'react'
import { useEffect, useId, useRef, useState } from 'react'
import { useHydrated } from './buttons.tsx'
import { Icon } from './icons.tsx'

/**
 * Dialog on the native `<dialog>`: modal where scripts run. Without scripts, an open dialog lies over the page and its
 * close button works.
 * @param onClose called however the dialog closes; ignored with `blocking`
 * @param blocking hides the close button and ignores Escape, for a session that soon ends or has ended
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
  // React must not change the attribute later: removing it from a modal dialog leaves the page inert.
  const [initiallyOpen] = useState(open)
  const mounted = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of `open` opens or closes it
  useEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    const closedEarly = !mounted.current && open && !dialog.open
    mounted.current = true
    // The dialog was served open and the user closed it before scripts ran.
    if (closedEarly && initiallyOpen && !blocking) {
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
      open={initiallyOpen}
      className={`dialog${wide ? ' w-[min(64rem,100%-2rem)]' : ''}`}
      aria-labelledby={titleId}
      closedby={blocking ? 'none' : undefined}
      // Browsers let a second Escape close any dialog, so a blocking one reopens at once.
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
 * Button that closes its dialog, with or without scripts.
 * @param focused takes focus while scripts do not run, so that a dialog in the served page is read out
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
  const hydrated = useHydrated()
  return (
    <form method="dialog">
      {/* biome-ignore lint/a11y/noAutofocus: it is in a dialog, which has to be answered first */}
      <button type="submit" className={`btn btn-${kind} btn-short`} autoFocus={focused && !hydrated}>
        {children}
      </button>
    </form>
  )
}

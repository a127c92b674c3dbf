import { PhoneLink } from './ui/phone-link.tsx'

export const maintenanceTitle = (brand: string) => `${brand} is closed for maintenance`

/**
 * Blocking maintenance notice (spec 2 §4). The page has no other content, so the keyboard reaches nothing behind it.
 * @param phone formatted number or ''
 * @param titled true to set the document's title too
 */
export function MaintenanceNotice({ brand, phone, titled }: { brand: string; phone: string; titled?: boolean }) {
  return (
    <dialog
      open
      role="alertdialog"
      aria-modal="true"
      className="dialog"
      aria-labelledby="maintenance-title"
      aria-describedby="maintenance-text"
    >
      {titled && <title>{maintenanceTitle(brand)}</title>}
      <div className="dialog-head">
        <h1 id="maintenance-title">{maintenanceTitle(brand)}</h1>
      </div>
      <div className="dialog-body prose">
        <div id="maintenance-text" className="grid gap-3">
          <p>
            We are working on the site and will be back soon. Gates and codes work as usual.{' '}
            {phone && (
              <>
                Need something now? Call <PhoneLink phone={phone} />.
              </>
            )}
          </p>
          <p>
            Were you just paying? Please do not pay again: what was approved counts, and its receipt comes by e-mail.
            What was declined was not charged.
          </p>
        </div>
        <div className="btn-row">
          {/* Focus makes screen readers read the notice. */}
          {/* biome-ignore lint/a11y/noAutofocus: it is in a dialog, which has to be answered first */}
          {/* biome-ignore lint/a11y/useValidAnchor: opens this address again by GET, even after a form was posted */}
          <a className="btn btn-primary btn-short" href="" autoFocus ref={(link) => link?.focus()}>
            Try again
          </a>
        </div>
      </div>
    </dialog>
  )
}

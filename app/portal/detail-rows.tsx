import '../styles/tenant-home.css'
import { Link } from 'react-router'
import { Icon, type IconName } from '../ui/icons.tsx'
import { withNoBreakSpaces } from '../ui/no-break.ts'

/** Row with an icon and text about a unit, and an optional link. Serializable, since loaders return it. */
export interface QuietRow {
  icon: IconName
  label: string
  text: string
  /** Address of the page or file that the row links to. */
  href?: string
  /** True if `href` is a file, which the router cannot show. */
  file?: boolean
}

/**
 * List of links and facts about a tenant's unit.
 * @param unitNumber added for screen readers where a page shows several units
 */
export function QuietRows({ rows, unitNumber }: { rows: QuietRow[]; unitNumber?: string | undefined }) {
  return (
    <ul className="quiet">
      {rows.map(({ icon, label, text, href, file = false }) => {
        const line = (
          <>
            <Icon name={icon} />
            <span>
              {label}
              {unitNumber && <span className="sr"> of unit {unitNumber}</span>}{' '}
              <span className="small soft block">{withNoBreakSpaces(text)}</span>
            </span>
            {href && <Icon name="next" />}
          </>
        )
        return (
          <li key={label + text}>
            {href === undefined ? (
              <p>{line}</p>
            ) : (
              <Link to={href} reloadDocument={file}>
                {line}
              </Link>
            )}
          </li>
        )
      })}
    </ul>
  )
}

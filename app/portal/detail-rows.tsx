import '../styles/tenant-home.css'
import { Link } from 'react-router'
import { Icon, type IconName } from '../ui/icons.tsx'
import { withNoBreakSpaces } from '../ui/no-break.ts'

/** A line of text about a unit, perhaps with a link. Serializable, for loaders. */
export interface QuietRow {
  icon: IconName
  label: string
  text: string
  /** Page or file behind the line. */
  href?: string
  /** True if `href` is a file, which the router cannot show. */
  file?: boolean
}

/**
 * List of links and facts about a tenant's unit. @param of unit number for screen readers, when a page shows several
 * units
 */
export function QuietRows({ rows, of }: { rows: QuietRow[]; of?: string | undefined }) {
  return (
    <ul className="quiet">
      {rows.map(({ icon, label, text, href, file = false }) => {
        const line = (
          <>
            <Icon name={icon} />
            <span>
              {label}
              {of && <span className="sr"> of unit {of}</span>}{' '}
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

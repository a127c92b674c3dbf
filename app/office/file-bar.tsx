import { Link } from 'react-router'
import type { ActLink } from './file-acts.ts'

/** The buttons of a file, each with its key. */
export function FileBar({ acts }: { acts: ActLink[] }) {
  if (acts.length === 0) return null
  return (
    <nav className="office-bar" aria-label="Acts">
      {acts.map(({ href, label, key }) => (
        <Link
          key={href}
          to={href}
          className="btn btn-secondary btn-short"
          data-key={key}
          aria-keyshortcuts={shortcut(key)}
        >
          {label} <kbd>{shortcut(key)}</kbd>
        </Link>
      ))}
    </nav>
  )
}

/** 'g' alone begins a key of the menu. */
const shortcut = (key: string): string => (key === 'g' ? 'g g' : key)

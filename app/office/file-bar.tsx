import { Link, useLocation } from 'react-router'
import type { ActLink } from './file-acts.ts'

/** The buttons of a file, each with its key. */
export function FileBar({ acts }: { acts: ActLink[] }) {
  const { pathname } = useLocation()
  if (acts.length === 0) return null
  return (
    <nav className="office-bar" aria-label="Acts">
      {acts.map(({ href, label, key }) => {
        const looks = {
          className: 'btn btn-secondary btn-short',
          'data-key': key,
          'aria-keyshortcuts': shortcut(key),
          children: (
            <>
              {label} <kbd>{shortcut(key)}</kbd>
            </>
          ),
        }
        // A field of this page: the browser itself moves the focus there.
        return href.startsWith(`${pathname}#`) ? (
          <a key={href} href={href.slice(pathname.length)} {...looks} />
        ) : (
          <Link key={href} to={href} {...looks} />
        )
      })}
    </nav>
  )
}

/** 'g' alone begins a key of the menu. */
const shortcut = (key: string): string => (key === 'g' ? 'g g' : key)

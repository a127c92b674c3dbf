import { Link, useLocation } from 'react-router'
import type { OperationLink } from './tenant-operation-links.ts'

/** Row of buttons on an office page, one for each operation, with its keyboard shortcut. */
export function OperationShortcutLinks({ acts }: { acts: OperationLink[] }) {
  const { pathname } = useLocation()
  if (acts.length === 0) return null
  return (
    <nav className="my-3 flex flex-wrap gap-[0.4rem] py-[0.6rem]" aria-label="Acts">
      {acts.map(({ href, label, key }) => {
        const linkProps = {
          className: 'btn btn-secondary btn-short border border-edge px-[0.85rem]',
          'data-key': key,
          'aria-keyshortcuts': shortcut(key),
          children: (
            <>
              {label}{' '}
              <kbd className="ml-[0.35rem] text-[0.78em] font-medium text-soft keyless:hidden">{shortcut(key)}</kbd>
            </>
          ),
        }
        // The link leads to a field of this page, and the browser moves the focus there only for a plain link.
        return href.startsWith(`${pathname}#`) ? (
          <a key={href} href={href.slice(pathname.length)} {...linkProps} />
        ) : (
          <Link key={href} to={href} {...linkProps} />
        )
      })}
    </nav>
  )
}

/** Returns the keys to press for a button: 'g g' for 'g', since 'g' alone starts the shortcut of a menu page. */
const shortcut = (key: string): string => (key === 'g' ? 'g g' : key)

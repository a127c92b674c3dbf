import '../styles/form-pages.css'
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'react-router'

/**
 * Opens a menu entry's page within the current page. The entry stays a link if the visitor asked for a new tab or
 * window, or the screen is too narrow for a frame.
 */
function openInPage(event: MouseEvent, open: (() => void) | undefined) {
  if (event.metaKey || event.ctrlKey || event.shiftKey || !matchMedia('(min-width: 40rem)').matches) return
  event.preventDefault()
  open?.()
}

export function SideMenu({
  label,
  links,
  children,
}: {
  label: string
  links: {
    label: string
    href: string
    current?: boolean
    /** True for a link outside the hydrated pages, such as a PDF or a public page. */
    document?: boolean
    /** Opens the `document` on this page instead, where scripts run. */
    onOpen?: (() => void) | undefined
  }[]
  children: ReactNode
}) {
  const list = useRef<HTMLUListElement>(null)
  const currentHref = links.find((link) => link.current)?.href
  // Scrolls the phone's row of links to the current one, also in browsers without scroll-initial-target.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is another entry
  useEffect(() => {
    const entry = list.current?.querySelector<HTMLElement>('[aria-current]')?.parentElement
    if (!list.current || !entry) return
    const spare = (list.current.clientWidth - entry.offsetWidth) / 2
    list.current.scrollLeft += entry.getBoundingClientRect().left - list.current.getBoundingClientRect().left - spare
  }, [currentHref])
  return (
    <div className="aside-menu">
      <nav aria-label={label}>
        <ul ref={list}>
          {links.map((link) => (
            <li key={link.href}>
              {link.document ? (
                <a href={link.href} onClick={link.onOpen && ((event) => openInPage(event, link.onOpen))}>
                  {link.label}
                </a>
              ) : (
                <Link to={link.href} aria-current={link.current ? 'page' : undefined}>
                  {link.label}
                </Link>
              )}
            </li>
          ))}
        </ul>
      </nav>
      <div>{children}</div>
    </div>
  )
}

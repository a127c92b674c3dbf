import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { Icon } from './icons.tsx'
import { Logo } from './logo.tsx'
import { withNoBreakSpaces } from './no-break.ts'
import { callHref } from './phone-link.tsx'

interface NavLink {
  label: string
  href: string
  current?: boolean
}

export const FONT_FILES = ['/fonts/figtree-basic.woff2', '/fonts/familjen-grotesk-basic.woff2']

function NavList({ links, phone }: { links: NavLink[]; phone?: string | undefined }) {
  return (
    <ul>
      {links.map((link) => (
        <li key={link.href}>
          <a href={link.href} aria-current={link.current ? 'page' : undefined}>
            {link.label}
          </a>
        </li>
      ))}
      {phone && (
        <li>
          <a href={callHref(phone)}>
            <Icon name="phone" />
            <span className="num">{phone}</span>
          </a>
        </li>
      )}
    </ul>
  )
}

interface HeaderFacts {
  brand: string
  logo?: string | undefined
  links: NavLink[]
  phone?: string
}

/**
 * Header of the site. On narrow screens the links and the phone number fold into a menu that needs no scripts; without
 * links the phone number is shown.
 */
export function Header({ brand, logo, links, phone }: HeaderFacts) {
  const folds = links.length > 0
  return (
    <header className="head">
      <div className="page">
        <Logo name={brand} picture={logo} />
        <nav className={folds ? 'nav hidden min-[68rem]:block' : 'nav'} aria-label="Main">
          <NavList links={links} phone={phone} />
        </nav>
        {folds && (
          <details className="nav nav-menu min-[68rem]:hidden">
            <summary>
              <Icon name="menu" />
              Menu
            </summary>
            <nav aria-label="Menu">
              <NavList links={links} phone={phone} />
            </nav>
          </details>
        )}
      </div>
    </header>
  )
}

interface FooterFacts {
  brand: string
  phone: string
  /** Opening hours, one line for each row of days. */
  hours: string[]
  columns: { title: string; links: NavLink[] }[]
  /** Notes, one paragraph each. */
  notes: string[]
}

export function Footer({ brand, phone, hours, columns, notes }: FooterFacts) {
  return (
    <footer className="foot">
      <div className="page">
        <div>
          <h2>{brand}</h2>
          <p>
            <a className="foot-phone" href={callHref(phone)}>
              {phone}
            </a>
          </p>
          {hours.length > 0 && (
            <ul className="mt-2 soft">
              {hours.map((row, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the operator may type two equal lines
                <li key={index}>{withNoBreakSpaces(row)}</li>
              ))}
            </ul>
          )}
        </div>
        {columns.map((column) => (
          <nav key={column.title} aria-label={column.title}>
            <h2>{column.title}</h2>
            <ul>
              {column.links.map((link) => (
                <li key={link.href}>
                  <a href={link.href}>{link.label}</a>
                </li>
              ))}
            </ul>
          </nav>
        ))}
        <div className="soft col-span-full">
          {notes.map((note) => (
            <p key={note}>{withNoBreakSpaces(note)}</p>
          ))}
        </div>
      </div>
    </footer>
  )
}

/** Short footer: the name of the facility or operator, its phone number and a few links, in one line if they fit. */
export function ShortFooter({ place, phone, links }: { place: string; phone: string; links: NavLink[] }) {
  return (
    <footer className="foot-short">
      <div className="page">
        <span>{place}</span>
        <a className="num" href={callHref(phone)}>
          {phone}
        </a>
        {links.map((link) => (
          <a key={link.href} href={link.href}>
            {link.label}
          </a>
        ))}
      </div>
    </footer>
  )
}

/**
 * Site-wide banner.
 * @param html sanitized where the record is read
 */
export function Banner({ html }: { html: string | null | undefined }) {
  if (!html) return null
  return (
    <section className="banner" aria-label="Notice">
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the record is sanitized where it is read */}
      <div className="page" dangerouslySetInnerHTML={{ __html: html }} />
    </section>
  )
}

let shownPath: string | undefined

/**
 * Focuses the h1 after a client-side navigation, unless the page shows an error summary or a field has the focus.
 * @returns ref of `main`
 */
export function useHeadingFocus() {
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  useEffect(() => {
    const changed = shownPath !== undefined && shownPath !== pathname
    shownPath = pathname
    const heading = main.current?.querySelector('h1')
    if (!changed || !heading || main.current?.querySelector('.problem, :is(input, select, textarea):focus')) return
    heading.tabIndex = -1
    heading.focus()
  }, [pathname])
  return main
}

/**
 * Main content of a page.
 * @param title document title
 * @param wrong true while a form shows a problem
 * @param narrow limits the width for reading
 */
export function PageFrame({
  title,
  brand = '',
  wrong,
  narrow,
  children,
}: {
  title?: string
  brand?: string
  wrong?: boolean | undefined
  narrow?: boolean
  children: ReactNode
}) {
  return (
    <main id="main" tabIndex={-1} ref={useHeadingFocus()}>
      {title && <title>{pageTitle(title, brand, wrong)}</title>}
      <div className="page">{narrow ? <div className="max-w-text">{children}</div> : children}</div>
    </main>
  )
}

export function Breadcrumbs({ links }: { links: { label: string; href: string }[] }) {
  return (
    <nav aria-label="Breadcrumb">
      <ol className="crumbs">
        {links.map((link) => (
          <li key={link.href}>
            <a href={link.href}>{link.label}</a>
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** Returns the document title: 'Customer Info · Latchkey', with 'Error: ' in front while the form shows a problem. */
export function pageTitle(title: string, brand: string, hasErrors = false): string {
  return `${hasErrors ? 'Error: ' : ''}${title} · ${brand}`
}

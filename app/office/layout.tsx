import '../styles/form-pages.css'
import '../styles/office.css'
import '../styles/office-lists.css'
import '../styles/office-unit-map-and-round.css'
import '../styles/office-filters-counts-and-previews.css'
import '../styles/office-tenant-and-lease-pages.css'
import '../styles/office-reports.css'
import '../styles/office-past-due-and-liens.css'
import { useEffect, useRef } from 'react'
import { Link, Outlet, useLocation } from 'react-router'
import { roleNames } from '../../domain/office/roles-and-permissions.ts'
import { ThrownError } from '../lazy-error-and-maintenance-pages.tsx'
import { Icon } from '../ui/icons.tsx'
import { Logo } from '../ui/logo.tsx'
import type { Route } from './+types/layout'
import { doneSentence } from './done-sentences.ts'
import { loadFacilitiesInView } from './facilities-in-view.ts'
import { FacilityPicker } from './facility-picker.tsx'
import { KeyboardShortcuts } from './keyboard-shortcuts.tsx'
import { MAX_OPTIONS } from './list-limits-and-page-slicing.ts'
import { listPermissions, openOfficePage } from './open-office-page.ts'
import { SearchBox } from './search-box.tsx'
import { waitWhileOffline } from './wait-while-offline.ts'

export const handle = { office: true }
export const meta = () => [{ name: 'robots', content: 'noindex' }]

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [waitWhileOffline]

export async function loader(args: Route.LoaderArgs) {
  const page = await openOfficePage(args)
  const { site, staff } = page
  const view = await loadFacilitiesInView(page)
  return {
    brand: site.brand.name,
    logo: site.theme.logo,
    name: staff.name,
    caution: site.caution ?? '',
    roles: [...new Set(staff.roles.map(({ role }) => role))],
    allowed: listPermissions(staff),
    picker: {
      chosen: view.chosen,
      count: view.options.length,
      options: view.options.length > MAX_OPTIONS ? [] : view.options.map(({ code, name }) => ({ code, name })),
    },
    done: doneSentence(page.url.searchParams),
    /** Query with the facilities in view, appended to the menu's links; '' for all. */
    query: view.query,
    search: page.url.pathname === '/office/find' ? (page.url.searchParams.get('q') ?? '').slice(0, 100) : '',
  }
}

/**
 * Menu entries, each with its permission. `or`: another permission that suffices; `with`: path of further pages for
 * which the entry is the current one.
 */
const menu = [
  { path: '/office', label: 'Today', key: 't', permission: 'file.read' },
  { path: '/office/past-due', label: 'Past due', key: 'p', permission: 'link.send', or: 'report.read' },
  { path: '/office/queue', label: 'Queue', key: 'q', permission: 'note.write' },
  { path: '/office/units', label: 'Units', key: 'u', permission: 'file.read' },
  { path: '/office/field', label: 'Field', key: 'w', permission: 'lock.set' },
  {
    path: '/office/receipts',
    label: 'Money',
    key: 'm',
    permission: 'payment.receive',
    or: 'report.read',
    with: '/office/day-close',
  },
  { path: '/office/rent-changes', label: 'Rent changes', key: 'r', permission: 'rent.propose' },
  { path: '/office/reports', label: 'Reports', key: 'o', permission: 'report.read', or: 'lock.set' },
  { path: '/office/setup', label: 'Setup', key: 's', permission: 'setup.save' },
  { path: '/office/staff', label: 'Staff', key: 'f', permission: 'staff.manage' },
  { path: '/office/audit', label: 'Audit', key: 'a', permission: 'audit.read' },
] as const

/** Layout of the office pages after sign-in: header with facility filter, and menu. */
export default function OfficeLayout({ loaderData }: Route.ComponentProps) {
  const { brand, logo, name, caution, roles, allowed, picker, query, search } = loaderData
  const items = menu.filter((item) => allowed.includes(item.permission) || ('or' in item && allowed.includes(item.or)))
  return (
    <div className="office">
      <a className="skip" href="#main">
        Skip to main content
      </a>
      <p className="office-offline" aria-live="polite">
        There is no connection. Leave this page open: it goes on once there is one.
      </p>
      <header className="office-head">
        <Logo name={brand} picture={logo || undefined} href="/office" />
        <SearchBox search={search} at={picker.chosen.join(',')} />
        <FacilityPicker {...picker} search={search} />
        <details className="relative ml-auto max-[48rem]:order-1">
          <summary className="flex items-center gap-[0.4rem]">
            <Icon name="user" />
            {name}
          </summary>
          <ul className="absolute right-0 z-40 min-w-[14rem] rounded-control border border-line bg-card px-4 py-3 shadow-[0_12px_24px_rgb(0_0_0/0.12)]">
            <li className="soft small">{roles.map((role) => roleNames[role]).join(', ')}</li>
            <li>
              <a className="block py-[0.6rem]" href="/office/me">
                Factors and sign-ins
              </a>
            </li>
            <li>
              <a className="block py-[0.6rem]" href="/office/sign-out">
                Sign out
              </a>
            </li>
          </ul>
        </details>
      </header>
      <Menu items={items} query={query} />
      {caution && (
        <p
          className="border-b border-door-edge bg-door px-[clamp(0.75rem,2vw,1.5rem)] py-2 wrap-anywhere text-on-door"
          role="status"
        >
          {caution}
        </p>
      )}
      <KeyboardShortcuts menu={items.map(({ path, label, key }) => ({ path: path + query, label, key }))} />
      <Outlet />
    </div>
  )
}

function Menu({ items, query }: { items: readonly (typeof menu)[number][]; query: string }) {
  const { pathname } = useLocation()
  const isAt = (path: string) => pathname === path || (path !== '/office' && pathname.startsWith(`${path}/`))
  const current = items.find((item) => isAt(item.path) || ('with' in item && isAt(item.with)))?.path
  const menuRef = useRef<HTMLElement>(null)
  // On a phone the menu is wider than the screen, so the current page's link is scrolled to the middle.
  // biome-ignore lint/correctness/useExhaustiveDependencies: which link is the current one follows from the path
  useEffect(() => {
    const nav = menuRef.current
    const link = nav?.querySelector<HTMLElement>('[aria-current]')
    if (nav && link) nav.scrollLeft = link.offsetLeft - (nav.clientWidth - link.offsetWidth) / 2
  }, [pathname])
  return (
    <nav
      className="office-menu relative overflow-x-auto border-b border-line bg-card print:hidden"
      aria-label="Office"
      ref={menuRef}
    >
      <ul className="flex gap-1 px-[clamp(0.5rem,2vw,1.25rem)]">
        {items.map(({ path, label, key }) => (
          <li key={path}>
            <Link
              to={path + query}
              className="flex min-h-10 items-center px-[0.6rem] whitespace-nowrap pointer-coarse:min-h-11"
              aria-current={current === path ? 'page' : undefined}
              aria-keyshortcuts={`g ${key}`}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Error page of the office, without the public site around it. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <div className="office">
      <header className="office-head">
        <Logo name="Office" href="/office" />
      </header>
      <ThrownError error={error} phone="" home="/office" homeLabel="Today" after=" · Office" />
    </div>
  )
}

import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { formatPhone } from '../domain/phone.ts'
import { makeAPayment } from '../domain/texts/payment.ts'
import type { BrandRecord } from '../modules/facilities/rules/brand.ts'
import { type SitePageName, sitePages } from '../modules/facilities/rules/operator-text-pages.ts'
import { myUnits } from '../modules/leases/texts/portal.ts'
import { cancelReservation, findExistingReservation } from '../modules/reservations/texts/reserve.ts'
import { Maintenance } from './lazy-error-and-maintenance-pages.tsx'
import { Banner, Footer, Header, ShortFooter } from './ui/page.tsx'
import { PhoneContext } from './ui/refusal-advice-react-contexts.ts'

interface ShellFacts {
  /** Brand data for the header and footer. */
  brand: Pick<BrandRecord, 'name' | 'phone' | 'hours'> & { footer: string; logo: string }
  banner: string
  maintenance: boolean
  demo: boolean
  mailbox: boolean
  pages: readonly SitePageName[]
  signedIn: boolean
  /** True while the visitor rents or pays: the header then has no menu. */
  quiet?: boolean
  /** True on pages without scripts that have the footer with all links; the footer of other pages is one line. */
  plain?: boolean
  /** Facility that the short footer names; the brand by default. */
  place?: string | undefined
  /** True while a reservation can be canceled, for which the short footer has a link. */
  cancels?: boolean
  /** Formatted phone number; the operator's by default. */
  phone?: string | undefined
  children: ReactNode
}

/** Header, menu and footer around a page outside the office. Links are plain, so that public pages need no scripts. */
export function Shell({
  brand,
  banner,
  maintenance,
  demo,
  mailbox,
  pages,
  signedIn,
  quiet = false,
  plain = false,
  place = brand.name,
  cancels = false,
  phone = formatPhone(brand.phone),
  children,
}: ShellFacts) {
  const { pathname } = useLocation()
  if (maintenance) return <Maintenance brand={brand.name} phone={phone} />
  /**
   * Returns a menu link's address and whether the link is current.
   * @param otherPrefixes path prefixes of other pages in its section
   */
  const menuLink = (href: string, otherPrefixes: string[] = []) => ({
    href,
    current: [href, ...otherPrefixes].some((begin) => pathname.startsWith(begin)),
  })
  return (
    <PhoneContext value={phone}>
      <a className="skip" href="#main">
        Skip to main content
      </a>
      <Banner html={banner} />
      <Header
        brand={brand.name}
        logo={brand.logo || undefined}
        phone={phone}
        links={
          quiet
            ? []
            : [
                { label: 'Find storage', ...menuLink('/storage-units', ['/search', '/choose/', '/tell-me/']) },
                { label: 'Size guide', ...menuLink('/size-guide') },
                { label: findExistingReservation, ...menuLink('/find-reservation') },
                ...(signedIn
                  ? [
                      { label: myUnits, ...menuLink('/my-units') },
                      { label: 'Log out', href: '/log-out' },
                    ]
                  : [{ label: 'Log in', ...menuLink('/login') }]),
              ]
        }
      />
      {children}
      {import.meta.env.SSR && plain ? (
        <FullFooter brand={brand} phone={phone} pages={pages} signedIn={signedIn} demo={demo} mailbox={mailbox} />
      ) : (
        <ShortFooter
          place={place}
          phone={phone}
          links={[
            ...pages
              .filter((name) => name === 'privacy' || name === 'terms')
              .map((name) => ({ label: name === 'terms' ? 'Terms' : sitePages[name], href: `/${name}` })),
            ...(cancels ? [{ label: cancelReservation, href: '/cancel-reservation' }] : []),
          ]}
        />
      )}
    </PhoneContext>
  )
}

function FullFooter({
  brand,
  phone,
  pages,
  signedIn,
  demo,
  mailbox,
}: Pick<ShellFacts, 'brand' | 'pages' | 'signedIn' | 'demo' | 'mailbox'> & { phone: string }) {
  return (
    <Footer
      brand={brand.name}
      phone={phone}
      // The hours are those of the operator's phone number, so they are omitted beside a facility's number.
      hours={phone === formatPhone(brand.phone) ? brand.hours.map(({ days, hours }) => `${days} ${hours}`) : []}
      columns={[
        {
          title: 'Storage',
          links: [
            { label: 'All facilities', href: '/storage-units' },
            { label: 'Search', href: '/search' },
            { label: 'Size guide', href: '/size-guide' },
            { label: findExistingReservation, href: '/find-reservation' },
          ],
        },
        {
          title: 'For tenants',
          links: [
            signedIn ? { label: myUnits, href: '/my-units' } : { label: 'Log in', href: '/login' },
            { label: makeAPayment, href: '/guest/find-email' },
            { label: 'Find my gate code', href: '/find-gate-code' },
          ],
        },
        { title: 'About us', links: pages.map((name) => ({ label: sitePages[name], href: `/${name}` })) },
        ...(demo
          ? [
              {
                title: 'This demo',
                links: [
                  ...(mailbox ? [{ label: 'Mailbox', href: '/dev/mailbox' }] : []),
                  { label: 'Design gallery', href: '/dev/gallery' },
                ],
              },
            ]
          : []),
      ]}
      notes={[
        ...(brand.footer ? [brand.footer] : []),
        'Prices are in US dollars and billed every 30 days. Place names from GeoNames, state outlines from the US Census Bureau.',
      ]}
    />
  )
}

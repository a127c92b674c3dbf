import type { MetaDescriptor } from 'react-router'
import { type Cents, toWire } from '../../domain/money.ts'
import type { Facility } from '../../modules/facilities/rules/facility.ts'
import type { UnitTypeQuote } from '../../modules/pricing/views/unit-type-quotes.ts'
import type { RequestContext } from '../request/context.ts'
import { pageTitle } from '../ui/page.tsx'

/**
 * Returns a page's meta tags. `path`: canonical path without filters; `title`: without the brand; `hidden`: keeps the
 * page out of search results.
 */
export function headOf(
  site: Pick<RequestContext, 'brand' | 'services' | 'theme'>,
  page: {
    path: string
    title: string
    description: string
    hidden?: boolean
    hasErrors?: boolean
    /** Path of the image for shared links, 1200 × 630; the brand's by default. */
    share?: string
    data?: Record<string, unknown>
  },
): MetaDescriptor[] {
  const { publicUrl } = site.services
  const title = pageTitle(page.title, site.brand.name, page.hasErrors)
  return [
    { title },
    { name: 'description', content: page.description },
    { tagName: 'link', rel: 'canonical', href: publicUrl + page.path },
    ...(page.hidden ? [{ name: 'robots', content: 'noindex, follow' }] : []),
    { property: 'og:type', content: 'website' },
    { property: 'og:site_name', content: site.brand.name },
    { property: 'og:title', content: page.title },
    { property: 'og:description', content: page.description },
    { property: 'og:url', content: publicUrl + page.path },
    { property: 'og:image', content: publicUrl + (page.share || site.theme.share || '/og.png') },
    { property: 'og:image:width', content: '1200' },
    { property: 'og:image:height', content: '630' },
    { name: 'twitter:card', content: 'summary_large_image' },
    ...(page.data ? [{ 'script:ld+json': { '@context': 'https://schema.org', ...page.data } }] : []),
  ]
}

const everyDay = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** Converts gate hours such as '5 AM to 9 PM every day' to schema.org's form; null for hours written in another way. */
export function openingHours(gateHours: string): Record<string, unknown> | null {
  const match = /^(\d{1,2})(?::(\d\d))? ([AP]M) to (\d{1,2})(?::(\d\d))? ([AP]M) every day$/i.exec(gateHours.trim())
  if (!match) return null
  const formatTime = (hour = '', minute = '00', half = '') =>
    `${String((Number(hour) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0)).padStart(2, '0')}:${minute}`
  return {
    '@type': 'OpeningHoursSpecification',
    dayOfWeek: everyDay,
    opens: formatTime(match[1], match[2], match[3]),
    closes: formatTime(match[4], match[5], match[6]),
  }
}

/**
 * Returns a facility as schema.org's SelfStorage. Prices are monthly totals with all charges, the same as on the page.
 */
export function facilityStructuredData(
  publicUrl: string,
  facility: Facility,
  unitTypes: UnitTypeQuote[],
  photos: readonly string[],
  share: string,
) {
  const prices = unitTypes.filter((type) => type.free > 0).map((type) => type.thenPerMonth)
  const dollars = (cents: Cents) => `$${toWire(cents)}`
  const hours = openingHours(facility.gateHours)
  return {
    '@type': 'SelfStorage',
    '@id': publicUrl + facility.path,
    name: facility.name,
    url: publicUrl + facility.path,
    image: photos.length > 0 ? photos.map((path) => publicUrl + path) : publicUrl + share,
    ...(facility.phone ? { telephone: `+1${facility.phone}` } : {}),
    address: {
      '@type': 'PostalAddress',
      streetAddress: facility.address,
      addressLocality: facility.city,
      addressRegion: facility.state,
      postalCode: facility.zip,
      addressCountry: 'US',
    },
    geo: { '@type': 'GeoCoordinates', latitude: facility.lat, longitude: facility.lng },
    ...(hours ? { openingHoursSpecification: hours } : {}),
    ...(prices.length > 0
      ? { priceRange: `${dollars(Math.min(...prices))} to ${dollars(Math.max(...prices))} every 30 days` }
      : {}),
    ...(facility.comingSoon
      ? {}
      : {
          makesOffer: unitTypes.map((type) => ({
            '@type': 'Offer',
            name: `${type.size} ft, ${type.categoryName}`,
            price: toWire(type.thenPerMonth),
            priceCurrency: 'USD',
            availability: `https://schema.org/${type.free > 0 ? 'InStock' : 'SoldOut'}`,
          })),
        }),
  }
}

export const breadcrumbs = (publicUrl: string, links: { label: string; href: string }[]) => ({
  '@type': 'BreadcrumbList',
  itemListElement: links.map(({ label, href }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name: label,
    item: publicUrl + href,
  })),
})

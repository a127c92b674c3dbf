import type { Instant } from '../../domain/time-zone-dates.ts'
import {
  loadStateDirectory,
  loadStatesWithFacilities,
} from '../../modules/facilities/views/find-facilities-by-place-or-name.ts'
import { loadFooterPages } from '../../modules/facilities/views/load-operator-text-pages.ts'
import type { Services } from '../../platform/operations/services.ts'
import { escapeMarkup } from '../ui/escape-markup.ts'

interface SitemapEntry {
  path: string
  /** Time of the last change; null or omitted if unknown, and the entry then has no `lastmod`. */
  changedAt?: Instant | null
}

const formatEntry = (publicUrl: string, { path, changedAt = null }: SitemapEntry) =>
  `<url><loc>${escapeMarkup(publicUrl + path)}</loc>${changedAt === null ? '' : `<lastmod>${new Date(changedAt).toISOString()}</lastmod>`}</url>`

export async function sitemap(services: Services): Promise<string> {
  const pages = await loadFooterPages(services)
  const entries: SitemapEntry[] = ['/', '/storage-units', '/size-guide', ...pages.map((name) => `/${name}`)].map(
    (path) => ({
      path,
    }),
  )
  for (const { shortName } of await loadStatesWithFacilities(services)) {
    const page = await loadStateDirectory(services, shortName)
    if (page) entries.push(page, ...page.cities, ...page.facilities)
  }
  const urls = entries.map((entry) => formatEntry(services.publicUrl, entry))
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`
}

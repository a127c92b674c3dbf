import { stateDirectory, statesWithFacilities } from '../../modules/facilities/directory.ts'
import { shownPages } from '../../modules/facilities/site-pages.ts'
import type { Services } from '../../platform/operations/services.ts'

const escaped = (text: string) => text.replace(/[<>&'"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

export async function sitemap(services: Services): Promise<string> {
  const pages = await shownPages(services)
  const paths = ['/', '/storage-units', '/size-guide', ...pages.map((name) => `/${name}`)]
  for (const { shortName } of await statesWithFacilities(services)) {
    const page = await stateDirectory(services, shortName)
    if (!page) continue
    paths.push(
      `/storage-units/${shortName.toLowerCase()}`,
      ...page.cities.map((city) => city.path),
      ...page.facilities.map((facility) => facility.path),
    )
  }
  const urls = paths.map((path) => `<url><loc>${escaped(services.publicUrl + path)}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`
}

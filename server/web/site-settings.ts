import { createHash } from 'node:crypto'
import { type BrandRecord, brandFrom, brandLogo, brandSheet } from '../../domain/brand.ts'
import type { SitePageName } from '../../domain/site-pages.ts'
import { brandOf, photoOriginsOf } from '../../modules/facilities/settings.ts'
import { siteNotices } from '../../modules/facilities/settings-operations.ts'
import { shownPages } from '../../modules/facilities/site-pages.ts'
import { currentContentVersion } from '../../platform/database/content-version.ts'
import type { Services } from '../../platform/operations/services.ts'

const MAX_AGE_MS = 1000

interface LookFile {
  path: string
  type: string
  body: Uint8Array<ArrayBuffer>
}

function file(body: Buffer, type: string, extension: string): LookFile {
  const name = createHash('sha256').update(body).digest('hex').slice(0, 12)
  return { path: `/look/${name}.${extension}`, type, body: new Uint8Array(body) }
}

function themeOf(brand: BrandRecord): { sheet: LookFile | null; logo: LookFile | null } {
  const sheet = brandSheet(brand)
  const logo = brandLogo(brand)
  return {
    sheet: sheet === '' ? null : file(Buffer.from(sheet), 'text/css; charset=utf-8', 'css'),
    logo: logo && file(Buffer.from(logo.base64, 'base64'), logo.type, logo.type.replace(/^image\/|\+xml$/g, '')),
  }
}

export class SiteSettings {
  readonly #services: Services
  #readAt = Number.NEGATIVE_INFINITY
  version = 0
  brand: BrandRecord | undefined
  theme = themeOf(brandFrom('{}'))
  notices: { banner: string; maintenance: boolean } | undefined
  photoOrigins: string[] = []
  pages: SitePageName[] = []

  constructor(services: Services) {
    this.#services = services
  }

  isFresh(now: number): boolean {
    return now - this.#readAt < MAX_AGE_MS && now >= this.#readAt
  }

  async refresh(): Promise<void> {
    const services = this.#services
    const now = services.clock.now()
    if (this.isFresh(now)) return
    const current = await currentContentVersion(services.db)
    if (current !== this.version || !this.brand) {
      const [brand, notices, photoOrigins, pages] = await Promise.all([
        brandOf(services),
        siteNotices(services),
        photoOriginsOf(services),
        shownPages(services),
      ])
      this.brand = brand
      this.notices = notices
      this.photoOrigins = photoOrigins
      this.pages = pages
      this.theme = themeOf(brand)
      this.version = current
    }
    this.#readAt = now
  }
}

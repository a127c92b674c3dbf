import { type BrandRecord, brandFrom } from '../../domain/brand.ts'
import { brandOf, photoOriginsOf } from '../../modules/facilities/settings.ts'
import { siteNotices } from '../../modules/facilities/settings-operations.ts'
import { currentContentVersion } from '../../platform/database/content-version.ts'
import type { Services } from '../../platform/operations/services.ts'
import { themeOf } from './theme.ts'

const MAX_AGE_MS = 1000

export class SiteSettings {
  readonly #services: Services
  #readAt = Number.NEGATIVE_INFINITY
  version = 0
  brand: BrandRecord | undefined
  theme = themeOf(brandFrom('{}'))
  notices: { banner: string; maintenance: boolean } | undefined
  photoOrigins: string[] = []

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
      const [brand, notices, photoOrigins] = await Promise.all([
        brandOf(services),
        siteNotices(services),
        photoOriginsOf(services),
      ])
      this.brand = brand
      this.notices = notices
      this.photoOrigins = photoOrigins
      this.theme = themeOf(brand)
      this.version = current
    }
    this.#readAt = now
  }
}

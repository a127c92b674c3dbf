import { createHash } from 'node:crypto'
import { MINUTE } from '../../domain/durations.ts'
import { loadSiteNotices } from '../../modules/facilities/load-site-wide-notices.ts'
import { loadBrand, loadPhotoOrigins } from '../../modules/facilities/operator-settings-and-brand.ts'
import { type BrandRecord, brandPicture, brandStyleSheet, parseBrand } from '../../modules/facilities/rules/brand.ts'
import type { SitePageName } from '../../modules/facilities/rules/operator-text-pages.ts'
import { loadFooterPages } from '../../modules/facilities/views/load-operator-text-pages.ts'
import { loadContentVersion } from '../../platform/database/content-version.ts'
import { DatabaseUnavailable } from '../../platform/database/open.ts'
import type { Services } from '../../platform/operations/services.ts'

const MAX_AGE_MS = 1000
/** Time in milliseconds for which a request waits for new settings if older ones are known. */
const MAX_WAIT_MS = 2000
/** Time in milliseconds for which public pages are served without the database. */
export const MAX_STALE_SETTINGS_MS = MINUTE

interface ThemeFile {
  path: string
  type: string
  body: Uint8Array<ArrayBuffer>
}

function themeFile(body: Buffer, type: string, extension: string): ThemeFile {
  const name = createHash('sha256').update(body).digest('hex').slice(0, 12)
  return { path: `/look/${name}.${extension}`, type, body: new Uint8Array(body) }
}

function pictureFile(picture: string): ThemeFile | null {
  const parsed = brandPicture(picture)
  return (
    parsed && themeFile(Buffer.from(parsed.base64, 'base64'), parsed.type, parsed.type.replace(/^image\/|\+xml$/g, ''))
  )
}

function themeOf(brand: BrandRecord): Record<'sheet' | 'logo' | 'icon' | 'share', ThemeFile | null> {
  const sheet = brandStyleSheet(brand)
  return {
    sheet: sheet === '' ? null : themeFile(Buffer.from(sheet), 'text/css; charset=utf-8', 'css'),
    logo: pictureFile(brand.logo),
    icon: pictureFile(brand.icon),
    share: pictureFile(brand.shareImage),
  }
}

/** The site's settings that every page needs, such as brand, notices and the pages of the footer, cached for a second. */
export class SiteSettings {
  readonly #services: Services
  #readAt = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | null = null
  #unavailableSince: number | null = null
  version = 0
  brand: BrandRecord | undefined
  theme = themeOf(parseBrand('{}'))
  notices: { banner: string; maintenance: boolean } | undefined
  photoOrigins: string[] = []
  pages: SitePageName[] = []

  constructor(services: Services) {
    this.#services = services
  }

  isFresh(now: number): boolean {
    return now - this.#readAt < MAX_AGE_MS && now >= this.#readAt
  }

  /** Returns whether the database has been unavailable for less than a minute. */
  isBrieflyUnavailable(now: number): boolean {
    return this.#unavailableSince !== null && now - this.#unavailableSince < MAX_STALE_SETTINGS_MS
  }

  /** Records that a page could not reach the database: for a minute, public pages are answered from the cache. */
  markUnavailable(): void {
    this.#unavailableSince ??= this.#services.clock.now()
    this.#readAt = Number.NEGATIVE_INFINITY
  }

  /**
   * Reads the settings unless they are fresh. While the database is unavailable or slow, the last ones apply.
   * @throws DatabaseUnavailable if there are none
   */
  async refresh(): Promise<void> {
    const now = this.#services.clock.now()
    if (this.isFresh(now)) return
    this.#reading ??= this.#read(now).finally(() => {
      this.#reading = null
    })
    if (!this.brand) return this.#reading
    const read = this.#reading.catch((error: unknown) => {
      if (!(error instanceof DatabaseUnavailable)) throw error
    })
    // The read may fail after this request has stopped waiting for it; the error must not be unhandled then.
    read.catch(() => {})
    if (this.#unavailableSince !== null) return
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        this.#unavailableSince ??= now
        resolve()
      }, MAX_WAIT_MS)
    })
    await Promise.race([read, timeout]).finally(() => clearTimeout(timer))
  }

  async #read(now: number): Promise<void> {
    try {
      await this.#readAll()
      this.#unavailableSince = null
      this.#readAt = now
    } catch (error) {
      if (error instanceof DatabaseUnavailable) this.#unavailableSince ??= now
      throw error
    }
  }

  async #readAll(): Promise<void> {
    const services = this.#services
    const current = await loadContentVersion(services.db)
    if (current !== this.version || !this.brand) {
      const [brand, notices, photoOrigins, pages] = await Promise.all([
        loadBrand(services),
        loadSiteNotices(services),
        loadPhotoOrigins(services),
        loadFooterPages(services),
      ])
      this.brand = brand
      this.notices = notices
      this.photoOrigins = photoOrigins
      this.pages = pages
      this.theme = themeOf(brand)
      this.version = current
    }
  }
}

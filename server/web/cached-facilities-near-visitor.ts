import {
  loadNearbyFacilities,
  type NearbyFacility,
} from '../../modules/facilities/views/find-facilities-by-place-or-name.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { SiteSettings } from './cached-brand-and-notices.ts'

const LIFETIME_MS = 2000
const MAX_ADDRESSES = 10_000

/** Caches the facilities near a visitor by the visitor's IP address. */
export class NearbyFacilitiesCache {
  readonly #services: Services
  readonly #settings: SiteSettings
  readonly #cards = new Map<string, { until: number; version: number; facilities: NearbyFacility[]; codes: string }>()

  constructor(services: Services, settings: SiteSettings) {
    this.#services = services
    this.#settings = settings
  }

  cached(address: string, now: number): { facilities: NearbyFacility[]; codes: string } | null {
    const card = this.#cards.get(address)
    return card && card.until > now && card.version === this.#settings.version ? card : null
  }

  /** Returns the codes of the facilities last found for an IP address, comma separated; '' if none are stored. */
  last(address: string): string {
    return this.#cards.get(address)?.codes ?? ''
  }

  async load(address: string, header: (name: string) => string | undefined): Promise<NearbyFacility[]> {
    const services = this.#services
    const now = services.clock.now()
    const cached = this.cached(address, now)
    if (cached) return cached.facilities
    const point = await services.ipLocation.locate({ address, header })
    const facilities = point ? await loadNearbyFacilities(services, point) : []
    if (this.#cards.size >= MAX_ADDRESSES) this.#cards.clear()
    const { version } = this.#settings
    this.#cards.set(address, { until: now + LIFETIME_MS, version, facilities, codes: codesOf(facilities) })
    return facilities
  }
}

export const codesOf = (facilities: NearbyFacility[]) => facilities.map((facility) => facility.locationCode).join(',')

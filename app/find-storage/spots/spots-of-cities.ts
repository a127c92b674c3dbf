import type { StateDirectory } from '../../../modules/facilities/directory.ts'
import { rememberedPrices } from '../../../modules/pricing/from-prices.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { MapSpot } from './drawn-map.ts'

/** A state's cities where its facilities are too many for cards, each in the middle of its own; the one with the most is marked first. */
export async function spotsOfCities(services: Services, page: StateDirectory): Promise<MapSpot[]> {
  const prices = await rememberedPrices(
    services,
    page.facilities.map((one) => one.locationCode),
  )
  const inCities = Map.groupBy(page.facilities, (one) => one.citySlug)
  const ranks = new Map(
    [...page.cities].sort((a, b) => b.facilities - a.facilities).map(({ citySlug }, at) => [citySlug, at + 1]),
  )
  return page.cities.map(({ city, citySlug, facilities, path }) => {
    const here = inCities.get(citySlug) ?? []
    const mean = (of: 'lat' | 'lng') => here.reduce((sum, one) => sum + one[of], 0) / here.length
    const known = here.every((one) => prices.has(one.locationCode))
    const least = Math.min(...here.map((one) => prices.get(one.locationCode) ?? Number.POSITIVE_INFINITY))
    return {
      name: city,
      href: path,
      facilities,
      comingSoon: false,
      mark: ranks.get(citySlug) ?? 0,
      lat: mean('lat'),
      lng: mean('lng'),
      from: known ? (Number.isFinite(least) ? least : null) : undefined,
    }
  })
}

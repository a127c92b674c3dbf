import type { StateDirectory } from '../../../modules/facilities/views/find-facilities-by-place-or-name.ts'
import type { MapSpot } from './facility-map-data.ts'

/**
 * Returns a state's cities as spots, each in the middle of its facilities. The city with the most facilities has mark
 * 1.
 */
export function spotsOfCities(page: StateDirectory): MapSpot[] {
  const inCities = Map.groupBy(page.facilities, (facility) => facility.citySlug)
  const ranks = new Map(
    [...page.cities].sort((a, b) => b.facilities - a.facilities).map(({ citySlug }, index) => [citySlug, index + 1]),
  )
  return page.cities.map(({ city, citySlug, facilities, path }) => {
    const cityFacilities = inCities.get(citySlug) ?? []
    const mean = (axis: 'lat' | 'lng') =>
      cityFacilities.reduce((sum, facility) => sum + facility[axis], 0) / cityFacilities.length
    return {
      name: city,
      number: null,
      href: path,
      facilities,
      mark: ranks.get(citySlug) ?? 0,
      lat: mean('lat'),
      lng: mean('lng'),
      miles: null,
    }
  })
}

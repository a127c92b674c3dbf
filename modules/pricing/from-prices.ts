import { MINUTE } from '../../domain/durations.ts'
import { ContentCache } from '../../platform/database/content-cache.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Facility } from '../facilities/facility.ts'
import { type FacilityPage, facilityBySlug } from '../facilities/facility-page.ts'
import { type FacilityQuote, quoteFacilities, quoteUnitTypes, type UnitTypeQuote } from './unit-type-prices.ts'

/** Returns a facility's page with unit prices and availability; null for an unknown address. */
export async function quotedFacility(
  services: Services,
  at: { state: string; city: string; slug: string },
): Promise<(FacilityPage & { quote: FacilityQuote }) | null> {
  const page = await facilityBySlug(services, at)
  const quote = page && (await quoteUnitTypes(services, page.facility.locationCode))
  return quote ? { ...page, quote } : null
}

/** Returns the available unit type with the lowest monthly total; null when none is available. */
function cheapestFree(quote: FacilityQuote | undefined): UnitTypeQuote | null {
  let cheapest: UnitTypeQuote | null = null
  for (const one of quote?.unitTypes ?? [])
    if (one.free > 0 && (!cheapest || one.thenPerMonth < cheapest.thenPerMonth)) cheapest = one
  return cheapest
}

/** Cheapest available unit type of each facility; null when none is available. */
export type FromPrices = ReadonlyMap<string, UnitTypeQuote | null>

/** Returns each facility's available unit type with the lowest monthly total; null when none is available. */
export async function fromPrices(services: Services, facilities: readonly Facility[]): Promise<FromPrices> {
  const codes = facilities.map((one) => one.locationCode)
  const quotes = await quoteFacilities(services, codes)
  return new Map(codes.map((code) => [code, cheapestFree(quotes.get(code))]))
}

/** Number of facilities whose prices one call reads. */
const inTurn = 24
const rememberedMs = 30 * MINUTE
const remembered = new ContentCache<Map<string, { at: number; from: number | null }>>(1)

/**
 * Returns the lowest monthly price of many facilities, in cents and up to half an hour old; null when nothing was
 * available. Each call refreshes a few; facilities not read yet are missing.
 */
export async function rememberedPrices(
  services: Services,
  locationCodes: readonly string[],
): Promise<ReadonlyMap<string, number | null>> {
  const now = services.clock.now()
  const known = (await remembered.one(services.db, 'prices', async () => new Map())) ?? new Map()
  const due = locationCodes.filter((code) => (known.get(code)?.at ?? 0) <= now - rememberedMs).slice(0, inTurn)
  if (due.length > 0) {
    const quotes = await quoteFacilities(services, due)
    for (const code of due) known.set(code, { at: now, from: cheapestFree(quotes.get(code))?.thenPerMonth ?? null })
  }
  return new Map(
    locationCodes.flatMap((code) => {
      const one = known.get(code)
      return one ? [[code, one.from] as const] : []
    }),
  )
}

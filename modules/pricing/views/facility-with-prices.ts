import type { Services } from '../../../platform/operations/services.ts'
import { type FacilityPage, loadFacilityBySlug } from '../../facilities/views/facility-page-without-prices.ts'
import { type FacilityQuote, quoteUnitTypes } from './unit-type-quotes.ts'

/** Returns a facility's page with unit prices and availability; null for an unknown address or a retired facility. */
export async function loadQuotedFacility(
  services: Services,
  address: { state: string; city: string; slug: string },
): Promise<(FacilityPage & { quote: FacilityQuote }) | null> {
  const page = await loadFacilityBySlug(services, address)
  const quote = page && (await quoteUnitTypes(services, page.facility.locationCode))
  return quote ? { ...page, quote } : null
}

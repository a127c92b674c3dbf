import { formatPhone } from '../../domain/phone.ts'
import type { Facility } from '../../modules/facilities/facility.ts'
import type { BrandRecord } from '../../modules/facilities/rules/brand.ts'
import { photoAddress } from '../../modules/facilities/rules/photo.ts'
import type { FromPrices } from '../../modules/pricing/from-prices.ts'
import { frontPath } from './fronts.tsx'

export interface FacilityView {
  name: string
  path: string
  /** '1184 Ralston Mill Road NE' */
  street: string
  /** 'Atlanta, GA 30308' */
  place: string
  /** '1.8 miles', or '' where there is nothing to be far from. */
  distance: string
  /** Cents per 30 days for the cheapest unit that is free, everything in; null where none is. */
  from: number | null
  comingSoon: boolean
  phone: string
  features: string[]
  /** Address of the drawn front. */
  front: string
  photo: string
}

/** 'under 0.1 miles', '0.4 miles', '1 mile', '12.6 miles', '1,369 miles' */
export function spellMiles(miles: number): string {
  if (miles < 0.1) return 'under 0.1\u00a0miles'
  const figure = miles < 100 ? Math.round(miles * 10) / 10 : Math.round(miles)
  return `${figure.toLocaleString('en-US')}\u00a0${figure === 1 ? 'mile' : 'miles'}`
}

/** @param facilities with `miles` where distance matters; their order is kept */
export function facilityCards(
  brand: BrandRecord,
  facilities: (Facility & { miles?: number })[],
  from: FromPrices,
): FacilityView[] {
  return facilities.map(
    (one): FacilityView => ({
      name: one.name,
      path: one.path,
      street: one.address,
      place: `${one.city}, ${one.state} ${one.zip}`,
      distance: one.miles === undefined ? '' : spellMiles(one.miles),
      from: from.get(one.locationCode)?.thenPerMonth ?? null,
      comingSoon: one.comingSoon,
      phone: formatPhone(one.phone),
      features: one.features.slice(0, 4),
      front: frontPath(one, brand),
      photo: photoAddress(one.photo),
    }),
  )
}

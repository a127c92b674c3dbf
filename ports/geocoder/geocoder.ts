export interface Place {
  /** 'Atlanta, GA' or '30308 Atlanta, GA' */
  label: string
  city: string
  state: string
  zip: string
  lat: number
  lng: number
}
/** 'outside': understood, but not in the US. 'unknown': no such place found. */
export type GeocodeAnswer = { found: Place; others: Place[] } | { found: null; why: 'outside' | 'unknown' }
export interface Geocoder {
  /** @param query city, "city, ST", or ZIP (5 digits or ZIP+4) */
  find(query: string): Promise<GeocodeAnswer>
}

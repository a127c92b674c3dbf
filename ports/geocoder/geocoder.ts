export interface Place {
  /** 'Atlanta, GA' or '30308 Atlanta, GA' */
  label: string
  city: string
  state: string
  zip: string
  lat: number
  lng: number
}
/**
 * `others`: places of the same name, the most populous first. 'outside': understood, but not in the US.
 * 'unknown': no such place found; `alike` is then what may have been meant, the most alike first.
 */
export type GeocodeAnswer =
  | { found: Place; others: Place[] }
  | { found: null; why: 'outside' | 'unknown'; alike?: Place[] }
export interface Geocoder {
  /** @param query city, "city, ST", or ZIP (5 digits or ZIP+4) */
  find(query: string): Promise<GeocodeAnswer>
}

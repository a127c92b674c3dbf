/** A US city or ZIP code with its coordinates in degrees. */
export interface Place {
  /** Text to show: 'Atlanta, GA' or '30308 Atlanta, GA'. */
  label: string
  city: string
  state: string
  zip: string
  lat: number
  lng: number
}
/**
 * The result of a search. `others`: other places that the text may mean; those of the gazetteer, most populous first.
 * 'outside': the place is not in the US. 'unknown': not found; `alike` lists similar names, if any, most similar first.
 */
export type GeocodeAnswer =
  | { found: Place; others: Place[] }
  | { found: null; why: 'outside' | 'unknown'; alike?: Place[] }
/** Finds US cities and ZIP codes. */
export interface Geocoder {
  /** Finds a place. @param query city, "city, ST", or ZIP (5 digits or ZIP+4) */
  find(query: string): Promise<GeocodeAnswer>
}

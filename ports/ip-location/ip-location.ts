/**
 * Finds a visitor's rough location in degrees, for the home page's card of nearby facilities; null if unknown. Never
 * throws.
 */
export interface IpLocation {
  locate(request: {
    address: string
    header(name: string): string | undefined
  }): Promise<{ lat: number; lng: number } | null>
}

/** Finds a visitor's rough location for the nearby card, in degrees; null if unknown or abroad. Never throws. */
export interface IpLocation {
  locate(request: {
    address: string
    header(name: string): string | undefined
  }): Promise<{ lat: number; lng: number } | null>
}

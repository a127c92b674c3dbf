/** Roughly where a visitor is, for the nearby card. null when unknown or abroad; never throws. */
export interface IpLocation {
  locate(request: {
    address: string
    header(name: string): string | undefined
  }): Promise<{ lat: number; lng: number } | null>
}

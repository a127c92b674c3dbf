/**
 * Returns a link to directions to a facility, by address rather than coordinates, so that the map names the same street
 * as the lease.
 */
export function directionsTo(place: { address: string; city: string; state: string; zip: string }): string {
  const destination = `${place.address}, ${place.city}, ${place.state} ${place.zip}`
  return `https://www.google.com/maps/dir/?api=1&destination=${encodeURIComponent(destination)}`
}

/**
 * Where 'Directions' leads: the way to a facility, which a phone opens in its own maps. By the address and not by the
 * coordinates, so that the map shows the street that the lease names.
 */
export function directionsTo(place: { address: string; city: string; state: string; zip: string }): string {
  const destination = `${place.address}, ${place.city}, ${place.state} ${place.zip}`
  return `https://www.google.com/maps/dir/?api=1&destination=${encodeURIComponent(destination)}`
}

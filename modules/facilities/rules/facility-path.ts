/** Returns the path of a facility's page: '/storage-units/ga/atlanta/675-north-ave-ne' */
export const facilityPath = (place: { state: string; city_slug: string; slug: string }): string =>
  `/storage-units/${place.state.toLowerCase()}/${place.city_slug}/${place.slug}`

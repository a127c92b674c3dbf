/** Radii of searches for facilities, in miles, and maximum numbers of facilities shown (spec 1 §1, §9). */

/** Maximum distance of the facilities on the home page's card of nearby facilities. */
export const NEARBY_CARD_MILES = 10

/** Maximum number of facilities on the home page's card of nearby facilities. */
export const NEARBY_CARD_MAX = 2

/** Radii that a visitor can choose on the search page. */
export const radiusChoices = [10, 25, 50, 100] as const

/** First radius of a search that widens, such as one for which the visitor chose no radius. */
export const DEFAULT_RADIUS = 25

/** Radii of a search that widens, each tried only when the one before has no facility. */
export const wideningRadii = [DEFAULT_RADIUS, 50, 100, 250, 500, 3_000] as const

/** Distance beyond which the search page says that no facility is near, and shows the nearest few. */
export const FARTHEST_RADIUS = 500

/**
 * Maximum distance in miles between a place and a facility at which a search for the place's name prefers this place to
 * others of that name.
 */
export const NAMESAKE_MILES = 25

/** Maximum distance of the other facilities that a facility's page shows. */
export const NEIGHBOR_MILES = 25

/** Maximum number of other facilities that a facility's page shows. */
export const MAX_NEIGHBORS = 3

/** Returns the radius that the visitor chose; undefined without a valid choice. */
export const parseRadius = (text: string | null): number | undefined =>
  radiusChoices.find((radius) => String(radius) === text)

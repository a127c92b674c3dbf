/** Building walls of a floor, and named signs for gate, elevator, doors and the like. */

interface Extent {
  left: number
  top: number
  right: number
  bottom: number
}

/** Maximum gap between neighboring units of one building, in feet: wider than a corridor, narrower than a driveway. */
const SAME_BUILDING = 9
/** Distance of a building's outer wall from its units, in feet. */
const WALL = 2.5

const areApart = (box: Extent, other: Extent) =>
  other.left - box.right > SAME_BUILDING ||
  box.left - other.right > SAME_BUILDING ||
  other.top - box.bottom > SAME_BUILDING ||
  box.top - other.bottom > SAME_BUILDING

const union = (box: Extent, other: Extent): Extent => ({
  left: Math.min(box.left, other.left),
  top: Math.min(box.top, other.top),
  right: Math.max(box.right, other.right),
  bottom: Math.max(box.bottom, other.bottom),
})

/** Returns the outer walls of the buildings as rectangles. Units at most `SAME_BUILDING` apart form one building. */
export function buildingsAround(units: readonly Extent[]): Extent[] {
  const buildings: Extent[] = []
  for (const unit of units) {
    let building = unit
    // A unit close to two buildings joins them.
    const findNear = () => buildings.find((other) => !areApart(other, building))
    for (let near = findNear(); near; near = findNear()) {
      building = union(building, near)
      buildings.splice(buildings.indexOf(near), 1)
    }
    buildings.push(building)
  }
  return buildings.map(({ left, top, right, bottom }) => ({
    left: left - WALL,
    top: top - WALL,
    right: right + WALL,
    bottom: bottom + WALL,
  }))
}

const pictograms: [kind: RegExp, d: string][] = [
  [/gate/i, 'M-4 4V-4M4 4V-4M-4-2H4M-4 1.500H4'],
  [/elevator|lift/i, 'M-3.500 4.500V-4.500H3.500V4.500ZM-1.500-.8L0-2.500 1.500-.8M-1.500 1L0 2.700 1.500 1'],
  [/stair/i, 'M-4.500 4H-1.500V1.300H1.200V-1.400H4V-4'],
  [/restroom|toilet|washroom/i, 'M-2.600-4h.1M-2.600-2V4M2.600-4h.1M2.600-2L1 2h3.200z'],
  [/door|entrance|exit/i, 'M-3 4.500V-4.500H3V4.500M1 .2v.6'],
  [/office|center|desk/i, 'M-4 4.500V-1.500L0-4.500 4-1.500V4.500Z'],
]

/** Letter height of a place's name on the floor plan, in feet, until the map's script sets the height in pixels. */
export const SIGN_HEIGHT_FEET = 3.2
/** Mean width of a letter, where ten units are one letter height. */
const LETTER_WIDTH = 5.7

/**
 * Draws a sign at a point of the floor plan: its name and, if the name has one, a pictogram, which is shown alone where
 * names would overlap. Within the sign, ten units are one letter height.
 */
export function signMarkup(name: string, escapedName: string, at: { x: number; y: number }): string {
  const [, pictogram] = pictograms.find(([kind]) => kind.test(name)) ?? []
  const icon = pictogram ? 13 : 0
  const width = Math.round(name.length * LETTER_WIDTH + icon + 9)
  const text = `<text x="${icon / 2}" y="0.500" font-size="10">${escapedName}</text>`
  return [
    `<g class="map-sign" transform="translate(${at.x} ${at.y}) scale(${SIGN_HEIGHT_FEET / 10})" data-x="${at.x}" data-width="${width}">`,
    `<g class="map-sign-name"><rect x="${-width / 2}" y="-9" width="${width}" height="18" rx="4"/>${text}</g>`,
    pictogram
      ? `<g class="map-sign-icon" transform="translate(${9.5 - width / 2} 0)"><rect x="-9" y="-9" width="18" height="18" rx="4"/><path d="${pictogram}"/></g>`
      : '',
    '</g>',
  ].join('')
}

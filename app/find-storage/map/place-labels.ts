/** Places the labels of a drawn map: numbers of facilities' cards, or of facilities in a city; and names of towns. */

export interface Spot {
  /** Number of the facility's card; null for a city, whose label shows the number of its facilities. */
  number: number | null
  facilities: number
}

/** Marker on a map with its position in the picture, in pixels. */
export type PlacedSpot = Spot & { x: number; y: number }

export interface Label {
  /** Horizontal middle of the label, in pixels. */
  x: number
  /** Vertical middle of the label, in pixels. Its bottom edge is at the spot, unless the label was moved. */
  y: number
  text: string
  /** Indices of the spots that share the label, in the order of the list. */
  spots: number[]
}

/** Font size of a map label, in pixels. */
export const LABEL_LETTER_PX = 13
/** Minimum width and height of a link, in pixels. */
export const MIN_TARGET_PX = 44
/** Maximum number of labels on one picture if overlapping labels are dropped. */
const MAX_LABELS = 24
/** Maximum number of card numbers on one label. */
const MAX_NUMBERS = 3

/**
 * Returns the text of a label on the map: the list numbers of its facilities, such as '4', '1, 4' or '1, 4, 5 +2'; for
 * cities the number of their facilities.
 */
export function labelText(spots: readonly Spot[]): string {
  const numbers = spots.flatMap(({ number }) => number ?? []).sort((a, b) => a - b)
  if (numbers.length === 0) return `${spots.reduce((sum, spot) => sum + spot.facilities, 0)}`
  const extra = numbers.length - MAX_NUMBERS
  return `${numbers.slice(0, MAX_NUMBERS).join(', ')}${extra > 0 ? ` +${extra}` : ''}`
}

/** Returns the width of a label's box in em, for text in Figtree bold with its padding. */
export const labelEms = (text: string) => Math.round((0.58 * text.length + 1.1) * 10) / 10

const widthOf = (text: string) => Math.max(MIN_TARGET_PX, labelEms(text) * LABEL_LETTER_PX)

/** Vertical distance in pixels from the searched place to a label's middle that leaves the place's dot visible. */
const CLEARANCE_PX = MIN_TARGET_PX / 2 + 8

interface LabelOptions {
  /** Size in pixels of the picture that labels stay within; unlimited if omitted. */
  size?: { width: number; height: number }
  /**
   * Handling of overlapping labels. `join`, the default: they become one label, in the middle of their spots; `drop`:
   * the smaller city's label is omitted.
   */
  crowded?: 'join' | 'drop' | undefined
  /** Position of the searched place in pixels, which no label covers. */
  here?: { x: number; y: number } | null | undefined
}

/** Places labels so that none overlap, at this size of the picture or any larger one. */
export function placeLabels(
  spots: readonly PlacedSpot[],
  { size, crowded = 'join', here = null }: LabelOptions = {},
): Label[] {
  const labelOf = (members: readonly number[]): Label => {
    const memberSpots = members.flatMap((index) => spots[index] ?? [])
    const text = labelText(memberSpots)
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
    const clamp = (value: number, half: number, all: number | undefined) =>
      all === undefined ? value : Math.min(Math.max(value, half), all - half)
    const x = mean(memberSpots.map((spot) => spot.x))
    const y = mean(memberSpots.map((spot) => spot.y))
    return {
      ...moveOffPlace(here, size, {
        x: clamp(x, widthOf(text) / 2, size?.width),
        y: clamp(y - MIN_TARGET_PX / 2, MIN_TARGET_PX / 2, size?.height),
        text,
      }),
      spots: [...members].sort((a, b) => a - b),
    }
  }
  const placed: Label[] = []
  // With `join`, overlapping labels become one, which is then placed like a new label.
  const place = (label: Label) => {
    const overlapping = placed.findIndex((other) => overlap(other, label))
    if (overlapping < 0) {
      if (placed.length < MAX_LABELS || crowded === 'join') placed.push(label)
    } else if (crowded === 'join') {
      const [other] = placed.splice(overlapping, 1)
      place(labelOf([...(other?.spots ?? []), ...label.spots]))
    }
  }
  const order = spots.map((_, index) => index)
  // If there is no room for all labels, the cities with most facilities get theirs first.
  if (crowded === 'drop') order.sort((a, b) => (spots[b]?.facilities ?? 0) - (spots[a]?.facilities ?? 0))
  for (const index of order) place(labelOf([index]))
  return placed
}

/** Moves a label that would cover the searched place up or down, the shorter way that stays within the picture. */
function moveOffPlace<T extends Pick<Label, 'x' | 'y' | 'text'>>(
  here: LabelOptions['here'],
  size: LabelOptions['size'],
  label: T,
): T {
  if (!here || Math.abs(label.x - here.x) >= widthOf(label.text) / 2 + 8 || Math.abs(label.y - here.y) >= CLEARANCE_PX)
    return label
  const candidates = [here.y - CLEARANCE_PX, here.y + CLEARANCE_PX].filter(
    (y) => !size || (y >= MIN_TARGET_PX / 2 && y <= size.height - MIN_TARGET_PX / 2),
  )
  const [y = label.y] = candidates.sort((a, b) => Math.abs(a - label.y) - Math.abs(b - label.y))
  return { ...label, y }
}

const overlap = (a: Label, b: Label) =>
  Math.abs(a.x - b.x) < (widthOf(a.text) + widthOf(b.text)) / 2 && Math.abs(a.y - b.y) < MIN_TARGET_PX

/** Returns whether a label covers a point, or comes within 4 pixels above or below it. */
export const isCoveredByLabel = (label: Label, { x, y }: { x: number; y: number }) =>
  Math.abs(label.x - x) < widthOf(label.text) / 2 && Math.abs(label.y - y) < MIN_TARGET_PX / 2 + 4

/** Vertical offset of a town's name from its dot on the map, in pixels. */
const ABOVE_DOT = -9
/** Offsets that are tried instead when a label covers the dot. */
const BELOW_LABEL = [10, 20, 30, 40]

/**
 * Places the names of towns that have room beside labels, dots and each other; earlier names take precedence.
 * @param names towns with their positions in pixels
 * @returns the towns with room; `at`: vertical middle of the name, in pixels
 */
export function placeTownNames<Name extends { name: string; x: number; y: number }>(
  names: readonly Name[],
  labels: readonly Label[],
  size: { width: number; height: number },
  dots: readonly { x: number; y: number }[] = [],
): (Name & { at: number })[] {
  const placed: (Name & { at: number })[] = []
  // A letter of a town's name is about 6.4 pixels wide.
  const halfWidth = ({ name }: Name) => name.length * 3.2 + 3
  const isFree = (name: Name, y: number) =>
    Math.min(name.x, size.width - name.x) > halfWidth(name) &&
    y > 12 &&
    size.height - y > 12 &&
    !dots.some((dot) => Math.abs(dot.x - name.x) < halfWidth(name) + 3 && Math.abs(dot.y - y) < 8) &&
    !labels.some(
      (label) =>
        Math.abs(label.x - name.x) < widthOf(label.text) / 2 + halfWidth(name) &&
        Math.abs(label.y - y) < MIN_TARGET_PX / 2 + 7,
    ) &&
    !placed.some(
      (other) =>
        (Math.abs(other.x - name.x) < halfWidth(other) + halfWidth(name) && Math.abs(other.at - y) < 17) ||
        (Math.abs(other.x - name.x) < halfWidth(other) && Math.abs(other.at - name.y) < 11),
    )
  for (const name of names) {
    const offsets = labels.some((label) => isCoveredByLabel(label, name)) ? BELOW_LABEL : [ABOVE_DOT]
    const at = offsets.map((offset) => name.y + offset).find((y) => isFree(name, y))
    if (at !== undefined) placed.push({ ...name, at })
  }
  return placed
}

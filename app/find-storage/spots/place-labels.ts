/** Where the labels of a map stand. For the drawn map on the server and the street map in the browser alike. */

export interface Spot {
  /** Cents per 30 days of the cheapest free unit; null where there is none, undefined where that is not known. */
  from: number | null | undefined
  comingSoon: boolean
  /** A city may stand for many. */
  facilities: number
}

/** A spot at a place of the picture, px. */
export type PlacedSpot = Spot & { x: number; y: number }

export interface Label {
  /** Its middle, px. */
  x: number
  y: number
  text: string
  /** Indices of its spots, the cheapest first. */
  spots: number[]
}

/** Of the letters of a label, px. */
export const LETTER = 13
/** The least side of what is pressed, px. */
export const TARGET = 44
/** Labels on one picture at most. */
const MOST = 24

/** Whole dollars, never fewer than it costs. */
const dollars = (cents: number) => `$${Math.ceil(cents / 100).toLocaleString('en-US')}`

/** '$65', '3 from $65', 'Soon', 'Full'; without a price that is known, how many */
export function labelText(spots: readonly Spot[]): string {
  const count = spots.reduce((sum, one) => sum + one.facilities, 0)
  if (spots.some(({ from }) => from === undefined)) return `${count}`
  const prices = spots.flatMap(({ from }) => from ?? [])
  if (prices.length > 0) {
    const least = dollars(Math.min(...prices))
    return count === 1 ? least : `${count} from ${least}`
  }
  const soon = spots.every((one) => one.comingSoon)
  const word = soon ? 'Soon' : 'Full'
  return count === 1 ? word : `${count} ${word.toLowerCase()}`
}

/** Width of a label's box in letters' heights: letters of Figtree in bold, and the room beside them. */
export const labelEms = (text: string) => Math.round((0.58 * text.length + 1.1) * 10) / 10

const widthOf = (text: string) => Math.max(TARGET, labelEms(text) * LETTER)

/** A label this far above or below the dot of what was searched for leaves it to be seen. px */
const CLEAR = 20

interface Around {
  /** Of a picture that the labels stay in; none where it has no edge. px */
  size?: { width: number; height: number }
  /** `join`: those too close become one in their middle; `drop`: the smaller has none. */
  crowded?: 'join' | 'drop' | undefined
  /** What was searched for: no label hides it. px */
  here?: { x: number; y: number } | null | undefined
}

/** Labels that never lie over each other, at this size of the picture or any larger one. */
export function placeLabels(
  spots: readonly PlacedSpot[],
  { size, crowded = 'join', here = null }: Around = {},
): Label[] {
  const labelOf = (members: readonly number[]): Label => {
    const of = members.map((at) => spots[at] as PlacedSpot)
    const text = labelText(of)
    const mean = (values: number[]) => values.reduce((sum, one) => sum + one, 0) / values.length
    const within = (value: number, half: number, all: number | undefined) =>
      all === undefined ? value : Math.min(Math.max(value, half), all - half)
    const [x, y] = [mean(of.map((one) => one.x)), mean(of.map((one) => one.y))]
    return {
      ...besideOf(here, size, {
        x: within(x, widthOf(text) / 2, size?.width),
        y: within(y, TARGET / 2, size?.height),
        text,
      }),
      spots: [...members].sort((a, b) => priceOf(spots[a]) - priceOf(spots[b]) || a - b),
    }
  }
  const placed: Label[] = []
  // Each is put where nothing stands yet; what it meets is taken up into it, and the whole put again.
  const put = (label: Label) => {
    const met = placed.findIndex((one) => overlap(one, label))
    if (met < 0) {
      if (placed.length < MOST || crowded === 'join') placed.push(label)
    } else if (crowded === 'join') {
      const [other] = placed.splice(met, 1)
      put(labelOf([...(other?.spots ?? []), ...label.spots]))
    }
  }
  const order = spots.map((_, at) => at)
  // Where not all have one, the cities with most facilities do.
  if (crowded === 'drop') order.sort((a, b) => (spots[b]?.facilities ?? 0) - (spots[a]?.facilities ?? 0))
  for (const at of order) put(labelOf([at]))
  return placed
}

/** Moved up or down from what was searched for, the shorter way that stays in the picture. */
function besideOf<Place extends Pick<Label, 'x' | 'y' | 'text'>>(
  here: Around['here'],
  size: Around['size'],
  label: Place,
): Place {
  if (!here || Math.abs(label.x - here.x) >= widthOf(label.text) / 2 + 8 || Math.abs(label.y - here.y) >= CLEAR)
    return label
  const ways = [here.y - CLEAR, here.y + CLEAR].filter(
    (y) => !size || (y >= TARGET / 2 && y <= size.height - TARGET / 2),
  )
  const [y = label.y] = ways.sort((a, b) => Math.abs(a - label.y) - Math.abs(b - label.y))
  return { ...label, y }
}

const priceOf = (spot: Spot | undefined) => spot?.from ?? Number.POSITIVE_INFINITY

const overlap = (a: Label, b: Label) =>
  Math.abs(a.x - b.x) < (widthOf(a.text) + widthOf(b.text)) / 2 && Math.abs(a.y - b.y) < TARGET

/** Whether a point is hidden by a label. */
export const isUnder = (label: Label, { x, y }: { x: number; y: number }) =>
  Math.abs(label.x - x) < widthOf(label.text) / 2 && Math.abs(label.y - y) < 14

/** A name stands above the dot of its place; where a label is, below that or above. px */
const ABOVE_DOT = -9
const BESIDE_LABEL = [20, -21]

/** The scale's line lies at the lower left, this high and wide. px */
const SCALE = { height: 44, share: 0.4 }

/**
 * The names that have room beside labels, dots of facilities and each other, the first first, each where it is written.
 * @param names px
 */
export function placeNames<Name extends { name: string; x: number; y: number }>(
  names: readonly Name[],
  labels: readonly Label[],
  size: { width: number; height: number },
  dots: readonly { x: number; y: number }[] = [],
): (Name & { at: number })[] {
  const placed: (Name & { at: number })[] = []
  const half = ({ name }: Name) => name.length * 3.2 + 3
  const isFree = (one: Name, at: number) =>
    Math.min(one.x, size.width - one.x) > half(one) &&
    at > 12 &&
    size.height - at > (one.x - half(one) < size.width * SCALE.share ? SCALE.height : 26) &&
    !dots.some((dot) => Math.abs(dot.x - one.x) < half(one) + 3 && Math.abs(dot.y - at) < 8) &&
    !labels.some(
      (label) => Math.abs(label.x - one.x) < widthOf(label.text) / 2 + half(one) && Math.abs(label.y - at) < 19,
    ) &&
    !placed.some(
      (other) =>
        (Math.abs(other.x - one.x) < half(other) + half(one) && Math.abs(other.at - at) < 17) ||
        (Math.abs(other.x - one.x) < half(other) && Math.abs(other.at - one.y) < 11),
    )
  for (const one of names) {
    const beside = labels.some((label) => isUnder(label, one)) ? BESIDE_LABEL : [ABOVE_DOT]
    const at = beside.map((by) => one.y + by).find((y) => isFree(one, y))
    if (at !== undefined) placed.push({ ...one, at })
  }
  return placed
}

import { floorPlan } from '../floor-plan/floor-plan.ts'
import type { RequestContext } from '../request/context.ts'
import { type Floor, type FloorBox, floorOf, floorPicture, MIN_LETTER_PX } from '../ui/floor-picture.ts'
import { SIGN_HEIGHT_FEET } from '../ui/floor-signs.ts'

/** Width of the picture on the narrowest phones, in pixels, for which its letters are sized. */
const NARROWEST = 300
/** Minimum and maximum aspect ratio of the picture: width divided by height. */
const SHAPE = { least: 1.4, most: 1.7 }
/** Feet around the picture in which units are drawn too, so that their building's walls end outside it. */
const AROUND = 30

export type WayPicture = NonNullable<Awaited<ReturnType<typeof wayPicture>>>

/** Returns the height in feet of a letter that is readable in a picture of this width, also in feet. */
const letterIn = (width: number): number => Math.max(SIGN_HEIGHT_FEET, (MIN_LETTER_PX * width) / NARROWEST)

/** Widens a box around the same middle to the picture's shape, with room for a sign on each side. */
function shaped([left, top, width, height]: FloorBox): FloorBox {
  const withSigns = width + 6 * letterIn(width)
  const [wide, high] = [
    Math.max(withSigns, height * SHAPE.least),
    Math.max(height + 3 * letterIn(width), withSigns / SHAPE.most),
  ]
  return [left - (wide - width) / 2, top - (high - height) / 2, wide, high]
}

/**
 * Draws the way to a unit as a still picture: the part of the floor with the unit, the way and the gate or elevator.
 * @returns null where the map does not show the unit
 */
export async function wayPicture(site: RequestContext, locationCode: string, unitNumber: string) {
  const plan = await floorPlan(site, locationCode, [unitNumber], null, 'mine')
  if (!plan) return null
  const floor = floorOf(plan.floor)
  const mine = new Set([unitNumber])
  const { own } = floorPicture(floor, mine)
  if (!own) return null
  const box = shaped(own)
  const [left, top, width, height] = box
  const isNear = (one: { left: number; top: number }) =>
    one.left > left - AROUND &&
    one.left < left + width + AROUND &&
    one.top > top - AROUND &&
    one.top < top + height + AROUND
  const drawn = floorPicture(
    {
      way: floor.way,
      fixtures: startOf(floor),
      units: floor.units.filter(isNear).map((unit) => (mine.has(unit.unit_no) ? unit : { ...unit, quiet: true })),
    },
    mine,
  )
  return {
    box: box.map((feet) => Math.round(feet)).join(' '),
    markup: withLetters(drawn.markup, letterIn(width)),
    steps: plan.steps.join(' ').replaceAll(' ft', '\u00a0ft'),
  }
}

/** Returns only the fixture where the way starts, since other signs would cover it in so small a picture. */
function startOf({ fixtures, way: [start] }: Floor): Floor['fixtures'] {
  if (!start) return []
  const [x, y] = start
  const distance = ({ left, top, length, width }: Floor['fixtures'][number]) =>
    Math.hypot(left + length / 2 - x, top + width / 2 - y)
  return fixtures.toSorted((one, other) => distance(one) - distance(other)).slice(0, 1)
}

/** Sets the height of the letters of signs and of the tenant's own number, in feet. */
const withLetters = (markup: string, feet: number): string =>
  markup
    .replaceAll(`scale(${SIGN_HEIGHT_FEET / 10})`, `scale(${(feet / 10).toFixed(2)})`)
    .replace(
      /(<g class="map-mine">.*<text[^>]* font-size=")([\d.]+)/,
      (_, before: string, size: string) => `${before}${Math.max(Number(size), feet).toFixed(1)}`,
    )

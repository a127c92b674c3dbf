import type { RequestContext } from '../request/context.ts'
import { type Box, type Floor, floorPicture, LEAST_LETTER } from '../ui/floor-picture.ts'
import { SIGN } from '../ui/floor-signs.ts'
import { floorPlan } from './floor-plan.ts'

/** Width of the picture on the narrowest phones, in pixels, for which its letters are sized. */
const NARROWEST = 300
/** Width of the picture for one of height. */
const SHAPE = 1.6
/** Feet around the picture in which units are drawn too, so that their building's walls end outside it. */
const AROUND = 30

export type WayPicture = NonNullable<Awaited<ReturnType<typeof wayPicture>>>

/** Widens a box to the picture's shape, around the same middle. */
function shaped([left, top, width, height]: Box): Box {
  const [wide, high] = [Math.max(width, height * SHAPE), Math.max(height, width / SHAPE)]
  return [left - (wide - width) / 2, top - (high - height) / 2, wide, high]
}

/**
 * Draws the way to a unit for a page that only shows it: the part of the floor around unit, way and gate or elevator.
 * @returns null where the map does not show the unit
 */
export async function wayPicture(site: RequestContext, locationCode: string, unitNumber: string) {
  const plan = await floorPlan(site, locationCode, [unitNumber], null, 'mine')
  if (!plan) return null
  const floor: Floor = JSON.parse(plan.floor)
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
      fixtures: floor.fixtures.filter(isNear),
      units: floor.units.filter(isNear).map((unit) => (mine.has(unit.unit_no) ? unit : { ...unit, quiet: true })),
    },
    mine,
  )
  const letter = Math.max(SIGN, (LEAST_LETTER * width) / NARROWEST)
  return {
    box: box.map((feet) => Math.round(feet)).join(' '),
    markup: withLetters(drawn.markup, letter),
    steps: plan.steps,
  }
}

/** Sets the height of the letters of signs and of the tenant's own number, in feet. */
const withLetters = (markup: string, feet: number): string =>
  markup
    .replaceAll(`scale(${SIGN / 10})`, `scale(${(feet / 10).toFixed(2)})`)
    .replace(
      /(<g class="map-mine">.*<text[^>]* font-size=")([\d.]+)/,
      (_, before: string, size: string) => `${before}${Math.max(Number(size), feet).toFixed(1)}`,
    )

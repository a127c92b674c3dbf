import type { FloorPoint } from './walking-route.ts'

/** Minimum length of a straight part of a walking route, in feet; shorter parts are side steps, not turns. */
const MIN_LEG_FEET = 5

interface Leg {
  /** Direction in quarter turns, clockwise from the top of the plan. */
  heading: number
  feet: number
}

function legsOf(way: readonly FloorPoint[]): Leg[] {
  const legs: Leg[] = []
  for (const [index, to] of way.entries()) {
    const from = way[index - 1]
    if (!from) continue
    const x = to.x - from.x
    const y = to.y - from.y
    const [heading, feet] = Math.abs(x) > Math.abs(y) ? [x > 0 ? 1 : 3, Math.abs(x)] : [y > 0 ? 2 : 0, Math.abs(y)]
    const last = legs.at(-1)
    if (last?.heading === heading) last.feet += feet
    else if (feet >= MIN_LEG_FEET) legs.push({ heading, feet })
  }
  return legs
}

/** Formats a walking distance, rounded to 5 ft, and to 10 ft from 100 ft on. */
export function formatFeet(feet: number): string {
  const step = feet < 100 ? 5 : 10
  return `${Math.max(step, Math.round(feet / step) * step).toLocaleString('en-US')} ft`
}

const sides = ['ahead of you', 'on your right', 'behind you', 'on your left'] as const
/** Turns by one, two and three quarter turns clockwise. Consecutive legs with the same heading are one leg. */
const turns = ['Turn right', 'Turn around', 'Turn left'] as const

/**
 * Describes a walking path on a floor plan in sentences: one for each straight leg, and one for its end.
 * @param way corner points in feet
 * @param from fixture where the path starts, such as 'Gate'
 * @param to destination unit's number with the center of its rectangle, or the sentence that ends the description
 * @returns sentences; [] for a path without a straight part of at least `MIN_LEG_FEET`
 */
export function describeWalkingPath(
  way: readonly FloorPoint[],
  from: string,
  to: { unit: string; at: FloorPoint } | string,
): string[] {
  const legs = legsOf(way)
  const [first] = legs
  const end = way.at(-1)
  if (!first || !end) return []
  let { heading } = first
  const steps = [`From the ${from.toLowerCase()}, walk ${formatFeet(first.feet)}.`]
  for (const leg of legs.slice(1)) {
    steps.push(`${turns[(leg.heading - heading + 3) % 4]} and walk ${formatFeet(leg.feet)}.`)
    heading = leg.heading
  }
  if (typeof to === 'string') return [...steps, to]
  const x = to.at.x - end.x
  const y = to.at.y - end.y
  const unitHeading = Math.abs(x) > Math.abs(y) ? (x > 0 ? 1 : 3) : y > 0 ? 2 : 0
  return [...steps, `Unit ${to.unit} is ${sides[(unitHeading - heading + 4) % 4]}.`]
}

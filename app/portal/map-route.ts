export interface Point {
  x: number
  y: number
}

/** An oblong on the floor; `rotate` in degrees about its own middle. */
export interface Oblong {
  left: number
  top: number
  length: number
  width: number
  rotate: number
}

/** Narrower than a corridor, so that one is always found. */
const CELL = 3
/** A floor beyond this many cells is walked in larger steps. */
const MOST_CELLS = 40_000

/** Whether a point is inside an oblong; its edge does not count. */
export const isInside = (box: Oblong, { x, y }: Point): boolean => insideOf(box)(x, y)

/** The same for many points of one oblong. */
function insideOf({ left, top, length, width, rotate }: Oblong): (x: number, y: number) => boolean {
  const angle = (-rotate * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const [middleX, middleY] = [left + length / 2, top + width / 2]
  const [halfLength, halfWidth] = [length / 2 - 0.01, width / 2 - 0.01]
  return (x, y) => {
    const [dx, dy] = [x - middleX, y - middleY]
    return Math.abs(dx * cos - dy * sin) < halfLength && Math.abs(dx * sin + dy * cos) < halfWidth
  }
}

/** In front of a unit's door: at rotate 0 it is in the lower side, at 180 in the upper. */
export function doorOf({ left, top, length, width, rotate }: Oblong): Point {
  const reach = width / 2 + CELL / 2
  const angle = (rotate * Math.PI) / 180
  return {
    x: left + length / 2 - reach * Math.sin(angle),
    y: top + width / 2 + reach * Math.cos(angle),
  }
}

/** The shortest route around all obstacles, in straight stretches; [] where there is none. */
export function wayBetween(from: Point, to: Point, obstacles: readonly Oblong[]): Point[] {
  if (![from.x, from.y, to.x, to.y].every(Number.isFinite)) return []
  const around = obstacles.map((box) => ({ box, reach: Math.hypot(box.length, box.width) / 2 }))
  const reachOf = (pick: (x: number, y: number) => number, side: -1 | 1) =>
    around.reduce(
      (most, { box, reach }) =>
        Math[side < 0 ? 'min' : 'max'](most, pick(box.left + box.length / 2, box.top + box.width / 2) + side * reach),
      Math[side < 0 ? 'min' : 'max'](pick(from.x, from.y), pick(to.x, to.y)),
    )
  const first = { x: reachOf((x) => x, -1) - 4 * CELL, y: reachOf((_, y) => y, -1) - 4 * CELL }
  const last = { x: reachOf((x) => x, 1) + 4 * CELL, y: reachOf((_, y) => y, 1) + 4 * CELL }
  const area = (last.x - first.x) * (last.y - first.y)
  const cell = Math.max(CELL, Math.sqrt(area / MOST_CELLS))
  const columns = Math.max(1, Math.ceil((last.x - first.x) / cell))
  const rows = Math.max(1, Math.ceil((last.y - first.y) / cell))
  const middle = (index: number): Point => ({
    x: first.x + ((index % columns) + 0.5) * cell,
    y: first.y + (Math.floor(index / columns) + 0.5) * cell,
  })
  const clamp = (value: number, most: number) => Math.min(most, Math.max(0, Math.floor(value)))
  const cellAt = ({ x, y }: Point) =>
    clamp((y - first.y) / cell, rows - 1) * columns + clamp((x - first.x) / cell, columns - 1)

  const taken = new Uint8Array(columns * rows)
  for (const { box, reach } of around) {
    const inside = insideOf(box)
    const [x, y] = [box.left + box.length / 2, box.top + box.width / 2]
    for (
      let row = clamp((y - reach - first.y) / cell, rows - 1);
      row <= clamp((y + reach - first.y) / cell, rows - 1);
      row += 1
    )
      for (
        let column = clamp((x - reach - first.x) / cell, columns - 1);
        column <= clamp((x + reach - first.x) / cell, columns - 1);
        column += 1
      ) {
        const index = row * columns + column
        if (taken[index] === 0 && inside(first.x + (column + 0.5) * cell, first.y + (row + 0.5) * cell))
          taken[index] = 1
      }
  }
  const [start, end] = [cellAt(from), cellAt(to)]
  taken[start] = 0
  taken[end] = 0

  // Outwards from the end, so that walking from the start goes downhill.
  const far = new Int32Array(columns * rows).fill(-1)
  far[end] = 0
  const queue = new Int32Array(columns * rows)
  queue[0] = end
  let waiting = 1
  const reached = (cell: number, steps: number) => {
    if (far[cell] !== -1 || taken[cell] !== 0) return
    far[cell] = steps
    queue[waiting] = cell
    waiting += 1
  }
  for (let at = 0; at < waiting && far[start] === -1; at += 1) {
    const index = queue[at] as number
    const column = index % columns
    const steps = (far[index] as number) + 1
    if (index >= columns) reached(index - columns, steps)
    if (column < columns - 1) reached(index + 1, steps)
    if (index < columns * (rows - 1)) reached(index + columns, steps)
    if (column > 0) reached(index - 1, steps)
  }
  if (far[start] === -1 || start === end) return []
  const way: Point[] = [from]
  let here = start
  let heading = -1
  while (here !== end) {
    const around = neighbours(here, columns, rows)
    const downhill = (side: number) => {
      const neighbour = around[side] as number
      return neighbour !== -1 && far[neighbour] === (far[here] as number) - 1
    }
    // Straight on wherever that is as short: a route does not zigzag through a corridor.
    const side = heading !== -1 && downhill(heading) ? heading : [0, 1, 2, 3].find(downhill)
    if (side === undefined) return []
    if (side !== heading && heading !== -1) way.push(middle(here))
    heading = side
    here = around[side] as number
  }
  way.push(middle(end))
  return way
}

/** Up, right, down, left; -1 beyond the edge. */
function neighbours(index: number, columns: number, rows: number): [number, number, number, number] {
  const column = index % columns
  return [
    index >= columns ? index - columns : -1,
    column < columns - 1 ? index + 1 : -1,
    index < columns * (rows - 1) ? index + columns : -1,
    column > 0 ? index - 1 : -1,
  ]
}

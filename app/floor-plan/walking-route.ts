/** Point on a floor plan, in feet; `y` grows downward. */
export interface FloorPoint {
  x: number
  y: number
}

/** A rectangle on the floor, in feet; `rotate` in degrees around its own center. */
export interface Oblong {
  left: number
  top: number
  length: number
  width: number
  rotate: number
}

/** Minimum size of a grid cell in feet; less than the width of a corridor, so that a corridor has free cells. */
const CELL = 3
/** Maximum number of grid cells; larger floors use larger cells. */
const MAX_CELLS = 40_000

/** Returns whether a point is inside a rectangle. Its edge does not count. */
export const isInside = (box: Oblong, { x, y }: FloorPoint): boolean => insideOf(box)(x, y)

/** Returns a test of points against one rectangle, with its geometry computed once. */
function insideOf({ left, top, length, width, rotate }: Oblong): (x: number, y: number) => boolean {
  const angle = (-rotate * Math.PI) / 180
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  const middleX = left + length / 2
  const middleY = top + width / 2
  // A hundredth of a foot keeps points on the edge outside.
  const halfLength = length / 2 - 0.01
  const halfWidth = width / 2 - 0.01
  return (x, y) => {
    const dx = x - middleX
    const dy = y - middleY
    return Math.abs(dx * cos - dy * sin) < halfLength && Math.abs(dx * sin + dy * cos) < halfWidth
  }
}

/** Returns the point in front of a unit's door. At rotate 0 the door is in the lower side, at 180 in the upper. */
export function doorOf({ left, top, length, width, rotate }: Oblong): FloorPoint {
  const reach = width / 2 + CELL / 2
  const angle = (rotate * Math.PI) / 180
  return {
    x: left + length / 2 - reach * Math.sin(angle),
    y: top + width / 2 + reach * Math.cos(angle),
  }
}

type ObstacleAreas = { box: Oblong; reach: number; middle: FloorPoint }[]

class Grid {
  readonly columns: number
  readonly rows: number
  /** Size of a cell of the grid, in feet; larger on large floors. */
  readonly cell: number
  readonly #origin: FloorPoint

  constructor(points: FloorPoint[], areas: ObstacleAreas) {
    // A free margin beyond the outermost obstacle or point leaves room to walk around it.
    const edge = (pick: (point: FloorPoint) => number, side: -1 | 1) => {
      const outer = side < 0 ? Math.min : Math.max
      const edges = areas.map(({ middle, reach }) => pick(middle) + side * reach)
      return [...points.map(pick), ...edges].reduce((a, b) => outer(a, b)) + side * 4 * CELL
    }
    const x = (point: FloorPoint) => point.x
    const y = (point: FloorPoint) => point.y
    this.#origin = { x: edge(x, -1), y: edge(y, -1) }
    const width = edge(x, 1) - this.#origin.x
    const height = edge(y, 1) - this.#origin.y
    this.cell = Math.max(CELL, Math.sqrt((width * height) / MAX_CELLS))
    this.columns = Math.max(1, Math.ceil(width / this.cell))
    this.rows = Math.max(1, Math.ceil(height / this.cell))
  }

  middle(index: number): FloorPoint {
    return {
      x: this.#origin.x + ((index % this.columns) + 0.5) * this.cell,
      y: this.#origin.y + (Math.floor(index / this.columns) + 0.5) * this.cell,
    }
  }

  columnAt = (x: number) => clamp((x - this.#origin.x) / this.cell, this.columns - 1)
  rowAt = (y: number) => clamp((y - this.#origin.y) / this.cell, this.rows - 1)
  cellAt = ({ x, y }: FloorPoint) => this.rowAt(y) * this.columns + this.columnAt(x)

  /** Returns the indexes of the cells above, right, below and left; -1 beyond the edge. */
  neighbors(index: number): [number, number, number, number] {
    const { columns, rows } = this
    const column = index % columns
    return [
      index >= columns ? index - columns : -1,
      column < columns - 1 ? index + 1 : -1,
      index < columns * (rows - 1) ? index + columns : -1,
      column > 0 ? index - 1 : -1,
    ]
  }
}

const clamp = (value: number, max: number) => Math.min(max, Math.max(0, Math.floor(value)))

function blockedCells(grid: Grid, areas: ObstacleAreas): Uint8Array {
  const blocked = new Uint8Array(grid.columns * grid.rows)
  for (const { box, reach, middle } of areas) {
    const inside = insideOf(box)
    const left = grid.columnAt(middle.x - reach)
    const right = grid.columnAt(middle.x + reach)
    for (let row = grid.rowAt(middle.y - reach); row <= grid.rowAt(middle.y + reach); row += 1)
      for (let index = row * grid.columns + left; index <= row * grid.columns + right; index += 1) {
        const { x, y } = grid.middle(index)
        if (inside(x, y)) blocked[index] = 1
      }
  }
  return blocked
}

/**
 * Counts, for each grid cell, the steps from there to the end cell, by breadth-first search.
 * @param start cell at which the search stops; null searches the whole grid
 * @returns a function that returns a cell's steps; -1 for a cell that was not reached
 */
function stepsTo(grid: Grid, blocked: Uint8Array, start: number | null, end: number): (cell: number) => number {
  const steps = new Int32Array(blocked.length).fill(-1)
  const stepsOf = (cell: number) => steps[cell] ?? -1
  const queue = [end]
  steps[end] = 0
  for (const cell of queue) {
    if (start !== null && steps[start] !== -1) break
    for (const next of grid.neighbors(cell)) {
      if (next === -1 || steps[next] !== -1 || blocked[next] !== 0) continue
      steps[next] = stepsOf(cell) + 1
      queue.push(next)
    }
  }
  return stepsOf
}

const areasOf = (obstacles: readonly Oblong[]): ObstacleAreas =>
  obstacles.map((box) => ({
    box,
    reach: Math.hypot(box.length, box.width) / 2,
    middle: { x: box.left + box.length / 2, y: box.top + box.width / 2 },
  }))

/**
 * Measures the walking distance around all obstacles from one point to many.
 * @returns feet for each destination; null where no way leads
 */
export function walkingDistances(
  from: FloorPoint,
  destinations: readonly FloorPoint[],
  obstacles: readonly Oblong[],
): (number | null)[] {
  const areas = areasOf(obstacles)
  const grid = new Grid([from, ...destinations], areas)
  const blocked = blockedCells(grid, areas)
  const cells = destinations.map(grid.cellAt)
  const start = grid.cellAt(from)
  for (const cell of [start, ...cells]) blocked[cell] = 0
  const stepsOf = stepsTo(grid, blocked, null, start)
  return cells.map((cell) => (stepsOf(cell) === -1 ? null : stepsOf(cell) * grid.cell))
}

/** Sides of a cell in the order of `neighbors`. */
const sides = [0, 1, 2, 3] as const
type Side = (typeof sides)[number]

/**
 * Finds the shortest way around all obstacles.
 * @returns corner points, from `from` to the middle of the cell of `to`; [] if there is no way, if both are in one
 *   cell, or if a coordinate is not finite
 */
export function findRoute(from: FloorPoint, to: FloorPoint, obstacles: readonly Oblong[]): FloorPoint[] {
  if (![from.x, from.y, to.x, to.y].every(Number.isFinite)) return []
  const areas = areasOf(obstacles)
  const grid = new Grid([from, to], areas)
  const blocked = blockedCells(grid, areas)
  const start = grid.cellAt(from)
  const end = grid.cellAt(to)
  blocked[start] = 0
  blocked[end] = 0
  const stepsOf = stepsTo(grid, blocked, start, end)
  if (stepsOf(start) === -1 || start === end) return []
  const way: FloorPoint[] = [from]
  let cell = start
  let heading: Side | -1 = -1
  while (cell !== end) {
    const next = grid.neighbors(cell)
    const downhill = (side: Side) => next[side] !== -1 && stepsOf(next[side]) === stepsOf(cell) - 1
    // Among equally short ways, the one that keeps its direction is chosen, so that it does not zigzag in a corridor.
    const side: Side | undefined = heading !== -1 && downhill(heading) ? heading : sides.find(downhill)
    if (side === undefined) return []
    if (side !== heading && heading !== -1) way.push(grid.middle(cell))
    heading = side
    cell = next[side]
  }
  way.push(grid.middle(end))
  return way
}

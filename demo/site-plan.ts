import type { DemoFacility } from './facilities.ts'
import { type UnitTypeCode, unitKinds } from './unit-kinds.ts'

/**
 * A unit on the plan, in feet from the upper left; `left` and `top` are null for a unit that is not on the map. Its
 * door is at the bottom at rotate 0, at the top at 180.
 */
export interface PlannedUnit {
  number: string
  type: UnitTypeCode
  floor: number
  left: number | null
  top: number | null
  /** Extent from left to right, in feet. */
  length: number
  /** Extent from top to bottom, in feet. */
  width: number
  rotate: number
}

export interface PlannedFixture {
  category: string
  floor: number
  left: number
  top: number
  length: number
  width: number
}

export interface SitePlan {
  units: PlannedUnit[]
  fixtures: PlannedFixture[]
}

/** Width of an aisle within a building, in feet. */
const corridor = 6
/** Width of an aisle for vehicles, in feet. */
const driveway = 24
/** Width of every building and of the parking lot, in feet. */
const buildingWidth = 146
/** Margin left of and above the buildings of the demo's floor plans, in feet, so that thick lines are not cut off. */
const margin = 10

/** A row of a demo building's units, as deep as its deepest unit, in blocks separated by the cross corridor. */
interface Row {
  depth: number
  blocks: UnitTypeCode[][]
}

/**
 * Divides the unit types of a demo building into rows as wide as the building, shallow types first, so that neighboring
 * units are alike.
 */
function rowsOf(types: UnitTypeCode[], blocks: number): Row[] {
  const blockWidth = (buildingWidth - corridor * (blocks - 1)) / blocks
  const rows: Row[] = []
  let used = blockWidth
  for (const type of types.toSorted((a, b) => unitKinds[a].breadth - unitKinds[b].breadth)) {
    const { length: across, breadth: depth } = unitKinds[type]
    let row = rows.at(-1)
    if (used + across > blockWidth) {
      if (!row || row.blocks.length === blocks) {
        row = { depth, blocks: [] }
        rows.push(row)
      }
      row.blocks.push([])
      used = 0
    }
    row!.blocks.at(-1)!.push(type)
    row!.depth = Math.max(row!.depth, depth)
    used += across
  }
  return rows
}

/**
 * Places rows of units back to back in pairs, with an aisle on either side of each pair.
 * @param place called with each unit and the index of its row
 * @returns the lower end of the last aisle, in feet from the top of the plan
 */
function placeRows(
  rows: Row[],
  layout: { top: number; floor: number; aisle: number; blocks: number },
  place: (unit: Omit<PlannedUnit, 'number'>, row: number) => void,
): number {
  const blockWidth = (buildingWidth + corridor) / layout.blocks
  let top = layout.top + layout.aisle
  rows.forEach((row, index) => {
    const upper = index % 2 === 0
    row.blocks.forEach((block, blockIndex) => {
      let left = margin + blockIndex * blockWidth
      for (const type of block) {
        const { length, breadth: width } = unitKinds[type]
        // Doors are aligned along the aisle; a unit shallower than its row has a gap at its back.
        const shift = upper ? 0 : row.depth - width
        place({ type, floor: layout.floor, left, top: top + shift, length, width, rotate: upper ? 180 : 0 }, index)
        left += length
      }
    })
    top += row.depth
    if (!upper || index === rows.length - 1) top += layout.aisle
  })
  return top
}

/** Returns a row's letter: not I and O, which resemble digits, nor P, the parking lot's. After Z come AA, AB and so on. */
const rowLetter = (index: number) => {
  const letters = 'ABCDEFGHJKLMNQRSTUVWXYZ'
  return index < letters.length
    ? letters[index]!
    : `${letters[Math.floor(index / letters.length) - 1]}${letters[index % letters.length]}`
}

/**
 * Creates the plan of a facility. The same facility always gets the same plan and unit numbers. The last two units are
 * not on the map, as after an extension; of a facility without a map, no unit is.
 */
export function sitePlan(facility: DemoFacility): SitePlan {
  const site = new Site(facility)
  let below = site.addBuilding(margin + 34)
  below = site.addDriveUps(below)
  site.addParking(below)
  const { units } = site
  for (const unit of facility.noMap ? units : units.slice(-2)) Object.assign(unit, { left: null, top: null })
  if (facility.noMap) return { units, fixtures: [] }
  const office = { category: 'Rental Center', floor: 1, left: margin, top: margin, length: 36, width: 18 }
  const gate = { category: 'Gate', floor: 1, left: margin + buildingWidth - 24, top: margin, length: 24, width: 6 }
  return { units, fixtures: [...site.fixtures, office, gate] }
}

type UnitCount = DemoFacility['units'][number]

const repeatType = ([type, count]: readonly [UnitTypeCode, number, ...unknown[]]) =>
  Array.from({ length: count }, () => type)

/**
 * Floor plan of a demo facility, built from top to bottom. `addBuilding` and `addDriveUps` return the lower end so far.
 */
class Site {
  readonly units: PlannedUnit[] = []
  readonly fixtures: PlannedFixture[] = []
  readonly #facility: DemoFacility
  readonly #counts = new Map<string, number>()
  /** Number of rows placed so far, from which the next row gets its letter. */
  #rows = 0

  constructor(facility: DemoFacility) {
    this.#facility = facility
  }

  addBuilding(entranceTop: number): number {
    const { floors } = this.#facility
    const inside = this.#typesOf('CC', 'IN')
    let below = entranceTop
    if (inside.length === 0) return below
    for (let floor = 1; floor <= floors; floor += 1) {
      const types = inside.flatMap(([type, count]) => {
        const upTo = (level: number) => Math.floor((count * level) / floors)
        return repeatType([type, upTo(floor) - upTo(floor - 1)])
      })
      const rows = rowsOf(types, 2)
      const end = placeRows(rows, { top: entranceTop, floor, aisle: corridor, blocks: 2 }, (unit, row) =>
        this.units.push({ ...unit, number: this.#buildingNumber(floor, row) }),
      )
      this.#rows += rows.length
      if (floor === 1) below = end
      this.#addBuildingFixtures(floor, entranceTop, end)
    }
    return below
  }

  addDriveUps(top: number): number {
    const types = this.#typesOf('DU').flatMap(repeatType)
    if (types.length === 0) return top
    const rows = rowsOf(types, 1)
    const below = placeRows(rows, { top, floor: 1, aisle: driveway, blocks: 1 }, (unit, row) =>
      this.units.push({ ...unit, number: this.#buildingNumber(this.#facility.floors + 1 + Math.floor(row / 2), row) }),
    )
    this.#rows += rows.length
    return below
  }

  addParking(below: number): void {
    const types = this.#typesOf('PO', 'PC').flatMap(repeatType)
    // The first parking row uses the last driveway of the drive-up units.
    const top = this.#typesOf('DU').length > 0 ? below - driveway : below
    placeRows(rowsOf(types, 1), { top, floor: 1, aisle: driveway, blocks: 1 }, (unit) =>
      this.units.push({ ...unit, number: this.#numberFor('P-') }),
    )
  }

  #addBuildingFixtures(floor: number, top: number, end: number): void {
    const middle = margin + buildingWidth / 2
    const left = margin + buildingWidth
    if (floor === 1)
      this.fixtures.push({ category: 'Entrance', floor, left: middle - 10, top: top - 5, length: 20, width: 5 })
    if (this.#facility.floors === 1) return
    this.fixtures.push({ category: 'Elevator', floor, left, top, length: 18, width: 10 })
    this.fixtures.push({ category: 'Stairs', floor, left, top: end - 18, length: 18, width: 12 })
  }

  #typesOf(...prefixes: string[]): UnitCount[] {
    return this.#facility.units.filter(([type]) => prefixes.includes(type.slice(0, 2)))
  }

  #numberFor(block: string): string {
    const next = (this.#counts.get(block) ?? 0) + 1
    this.#counts.set(block, next)
    return `${block}${String(next).padStart(2, '0')}`
  }

  #buildingNumber(floorOrBuilding: number, row: number): string {
    const { numbering } = this.#facility
    if (numbering === 'row') return this.#numberFor(`${rowLetter(this.#rows + row)}-`)
    return this.#numberFor(numbering === 'padded' ? `0${floorOrBuilding}` : `${floorOrBuilding}`)
  }
}

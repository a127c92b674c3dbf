import { unitStates } from '../../../modules/facilities/rules/office-unit-state-names.ts'
import type { CurrentUnit } from '../../../modules/leases/views/facility-unit-list.ts'

/** Sort orders of the unit list. 'unit' is the walking order, in which `loadCurrentUnits` returns the units. */
const unitOrders = ['unit', 'state', 'size', 'rent', 'street'] as const
export type UnitOrder = (typeof unitOrders)[number]

export interface UnitSorting {
  by: UnitOrder
  isDescending: boolean
}

/** Parses a sort order: 'rent' is lowest first, '-rent' highest first. Null and unknown text are the walking order. */
export function parseUnitSorting(text: string | null): UnitSorting {
  const isDescending = text?.startsWith('-') ?? false
  const by = unitOrders.find((unitOrder) => unitOrder === (isDescending ? text?.slice(1) : text)) ?? 'unit'
  return { by, isDescending: isDescending && by === (text ?? '').slice(1) }
}

export const formatUnitSorting = ({ by, isDescending }: UnitSorting): string | null =>
  by === 'unit' && !isDescending ? null : `${isDescending ? '-' : ''}${by}`

/**
 * Sorts units; those without the value come last in both directions.
 * @param typeOf returns a unit type's size in square feet and street rate in cents
 */
export function sortUnits(
  units: CurrentUnit[],
  { by, isDescending }: UnitSorting,
  typeOf: (unitTypeId: number) => { area: number; street: number } | undefined,
): CurrentUnit[] {
  if (by === 'unit') return isDescending ? units.toReversed() : units
  const sortValue = (unit: CurrentUnit): number | null =>
    ({
      state: () => unitStates.indexOf(unit.state),
      size: () => typeOf(unit.unitTypeId)?.area ?? null,
      rent: () => unit.lease?.rent ?? null,
      street: () => typeOf(unit.unitTypeId)?.street ?? null,
    })[by]()
  return units.toSorted((a, b) => {
    const x = sortValue(a)
    const y = sortValue(b)
    if (x === null || y === null) return Number(x === null) - Number(y === null)
    return isDescending ? y - x : x - y
  })
}

import { unitStates } from '../../../modules/facilities/rules/unit-states.ts'
import type { UnitNow } from '../../../modules/leases/views/unit-states.ts'

/** What the list of units is sorted by; 'unit' is the walking order in which it is read. */
export const unitOrders = ['unit', 'state', 'size', 'rent', 'street'] as const
export type UnitOrder = (typeof unitOrders)[number]

export interface Sorted {
  by: UnitOrder
  down: boolean
}

/** 'rent' from the lowest, '-rent' from the highest. */
export function sortOf(text: string | null): Sorted {
  const down = text?.startsWith('-') ?? false
  const by = unitOrders.find((one) => one === (down ? text?.slice(1) : text)) ?? 'unit'
  return { by, down: down && by === (text ?? '').slice(1) }
}

export const sortText = ({ by, down }: Sorted): string | null =>
  by === 'unit' && !down ? null : `${down ? '-' : ''}${by}`

/** Units without the figure stand last, whichever way. @param typeOf size in square feet and street rate of a unit's type */
export function sortUnits(
  units: UnitNow[],
  { by, down }: Sorted,
  typeOf: (unitTypeId: number) => { area: number; street: number } | undefined,
): UnitNow[] {
  if (by === 'unit') return down ? units.toReversed() : units
  const figure = (unit: UnitNow): number | null =>
    ({
      state: () => unitStates.indexOf(unit.state),
      size: () => typeOf(unit.unitTypeId)?.area ?? null,
      rent: () => unit.lease?.rent ?? null,
      street: () => typeOf(unit.unitTypeId)?.street ?? null,
    })[by]()
  return units.toSorted((a, b) => {
    const [x, y] = [figure(a), figure(b)]
    if (x === null || y === null) return Number(x === null) - Number(y === null)
    return down ? y - x : x - y
  })
}

import { isParking } from './room-or-parking-wording.ts'

export type SizeBand = 'PARKING' | 'SMALL' | 'MEDIUM' | 'LARGE' | 'EXTRA LARGE'

export const sizeBands: readonly SizeBand[] = ['SMALL', 'MEDIUM', 'LARGE', 'EXTRA LARGE', 'PARKING']

/**
 * Returns the size band: parking by category, other unit types by area in square feet (under 100 small, under 200
 * medium, under 300 large).
 * @param unitType length and breadth in feet
 */
export function sizeBand(unitType: { categoryName: string; length: number; breadth: number }): SizeBand {
  if (isParking(unitType.categoryName)) return 'PARKING'
  const area = unitType.length * unitType.breadth
  if (area < 100) return 'SMALL'
  if (area < 200) return 'MEDIUM'
  if (area < 300) return 'LARGE'
  return 'EXTRA LARGE'
}

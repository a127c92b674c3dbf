import type { Services } from '../../../platform/operations/services.ts'
import type { UnitToChoose } from '../rules/nearest-unit-to-another-unit.ts'
import { loadUnitsOfType } from '../units-of-type.ts'

/**
 * Loads the free units of a type, and the unit that the page's URL names.
 * @param unitId id of the named unit as text; null where the URL names none
 * @returns `named`: the named unit, whether it is free or not; null where the type has no such unit
 */
export async function loadUnitChoice(
  services: Services,
  type: { locationCode: string; unitTypeId: number },
  unitId: string | null,
): Promise<{ free: UnitToChoose[]; named: UnitToChoose | null }> {
  const units = await loadUnitsOfType(services, type.locationCode, type.unitTypeId)
  return {
    free: units.filter((unit) => unit.free),
    named: units.find((unit) => String(unit.unitId) === unitId) ?? null,
  }
}

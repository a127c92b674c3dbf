/** Units of a facility to retire or to restore, as the setup pages show them. */
import type { IsoDate } from '../../../domain/plain-date.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { isGateConnected } from '../../gate/load-and-lock-facility-gate.ts'
import type { FacilityFacts } from '../facility-facts-for-pricing.ts'
import {
  isRentedOrHeld,
  loadRetirableUnits,
  type Retirable,
  type RetirableKind,
  retirableKinds,
} from '../internal/units-to-retire-or-restore.ts'
import { unitTypeName } from '../rules/size-label.ts'

/** A facility with its unit types. */
type FacilityWithTypes = Pick<FacilityFacts, 'location' | 'unitTypes'>

/** Kind and id in a page's path; without a kind, the page is about the whole facility. */
interface Requested {
  kind?: string | undefined
  /** Undefined where the path has no number. */
  id?: number | undefined
}

/** Returns the facility, unit type or unit that a page's path names, with its units; null when it does not exist. */
export async function findRetirable(
  { db }: Pick<Services, 'db'>,
  { location, unitTypes }: FacilityWithTypes,
  requested: Requested,
) {
  const kind =
    requested.kind === undefined
      ? 'facility'
      : retirableKinds.find((retirableKind) => retirableKind !== 'facility' && retirableKind === requested.kind)
  const id = kind === 'facility' ? 0 : requested.id
  if (!kind || id === undefined) return null
  const retirable: Retirable = { kind, id }
  const units = await loadRetirableUnits(db.read, location.location_code, retirable)
  const typeId = kind === 'unit_type' ? retirable.id : kind === 'unit' ? units[0]?.unit_type_id : undefined
  const type = unitTypes.find((unitType) => unitType.unit_type_id === typeId)
  return kind === 'facility' || type ? { retirable, type, units } : null
}

/** A facility, unit type or unit that may be retired or restored, with the unit types and units in it. */
export interface RetirableUnitsPage {
  kind: RetirableKind
  /** Name in a sentence: 'unit A112', '10 × 10 Climate Controlled'. */
  name: string
  retiredOn: IsoDate | null
  /** True when the unit type's or unit's facility, or the unit's type, is retired. */
  isParentRetired: boolean
  /** True for a facility at which a gate is connected. */
  hasGate: boolean
  /** Units that are rented or held. */
  taken: { id: number; unit: string }[]
  /**
   * Unit types of the facility, each with its numbers of units that are not retired (`all`) and that are rented or held
   * (`taken`); empty for a unit type or unit.
   */
  types: { id: number; name: string; retiredOn: IsoDate | null; all: number; taken: number }[]
  /** Units of the unit type, or the facility's retired units; empty for a unit. */
  units: { id: number; unit: string; retiredOn: IsoDate | null }[]
}

/** Loads the page of the facility, unit type or unit that a path names; null when it does not exist. */
export async function loadRetirableUnitsPage(
  services: Pick<Services, 'db' | 'clock'>,
  facility: FacilityWithTypes,
  requested: Requested,
): Promise<RetirableUnitsPage | null> {
  const record = await findRetirable(services, facility, requested)
  if (!record) return null
  const { retirable, type, units } = record
  const { location, unitTypes } = facility
  const now = services.clock.now()
  const takenUnits = units.filter((unit) => isRentedOrHeld(unit, now))
  const unit = retirable.kind === 'unit' ? units[0] : undefined
  const facilityRetiredOn = location.retired_on
  return {
    kind: retirable.kind,
    name: unit ? `unit ${unit.unit_number}` : type ? unitTypeName(type) : location.name,
    retiredOn: unit ? unit.retired_on : type ? type.retired_on : facilityRetiredOn,
    isParentRetired:
      type !== undefined && (facilityRetiredOn !== null || (unit !== undefined && type.retired_on !== null)),
    hasGate: retirable.kind === 'facility' && (await isGateConnected(services.db.read, location.location_code)),
    taken: takenUnits.map((row) => ({ id: row.unit_id, unit: row.unit_number })),
    types: type
      ? []
      : unitTypes.map((unitType) => ({
          id: unitType.unit_type_id,
          name: unitTypeName(unitType),
          retiredOn: unitType.retired_on,
          all: units.filter((row) => row.unit_type_id === unitType.unit_type_id && row.retired_on === null).length,
          taken: takenUnits.filter((row) => row.unit_type_id === unitType.unit_type_id).length,
        })),
    units: units
      .filter((row) => !unit && (type || row.retired_on !== null))
      .map((row) => ({ id: row.unit_id, unit: row.unit_number, retiredOn: row.retired_on })),
  }
}

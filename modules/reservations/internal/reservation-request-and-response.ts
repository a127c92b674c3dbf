import * as v from 'valibot'
import { formatUs, type IsoDate } from '../../../domain/plain-date.ts'
import { someFieldsInvalid } from '../../../domain/texts/some-fields-invalid.ts'
import { wireInstant } from '../../../domain/time-zone-dates.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import { date, flag, integer, locationCode } from '../../../platform/operations/input-fields.ts'
import { type Outcome, type Refusal, refuse, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { type FacilityFacts, loadFacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'
import { nearestUnit } from '../../facilities/rules/nearest-unit-to-another-unit.ts'
import { offeredTypes } from '../../facilities/rules/unretired-unit-types.ts'
import { loadUnitsOfType } from '../../facilities/units-of-type.ts'
import { loadDraftOfCaller } from '../draft.ts'
import type { Reserved } from '../reserve-unit.ts'
import { isWithin, reservationWindow } from '../rules/first-and-last-reservable-day.ts'
import { type Draft, sessionIdOf } from '../rules/journey/draft.ts'
import type { ReservationRequest } from '../save-prospect-and-bind-draft.ts'
import { dateOutsideWindow, unitsNotAvailable, unitTaken } from '../texts/reserve.ts'

export const reservationFields = {
  location_code: locationCode(),
  unit_type_id: integer(),
  /** The unit that the renter chose; omitted for any free unit of the type. */
  unit_id: v.optional(integer()),
  /** Move-in date as mm/dd/yyyy; omitted with rent_now, which means today. */
  move_in_date: v.optional(date()),
  rent_now: v.optional(flag(), false),
}

export const savedReservation = v.object({
  /**
   * Error message: '' on success, 'Units Not Available', a sentence that names the taken unit and the nearest free one,
   * or an internal error where `SaveReservationDetailsForExistingTenants` finds no renter.
   */
  ErrorMessage: v.string(),
  reservationCode: v.string(),
  unitNumber: v.string(),
  /**
   * Number of the tenant; null without a reservation, or from `SaveReservationDetailsForExistingTenants` without a
   * sign-in.
   */
  tenantId: v.nullable(v.number()),
  ReservationDate: v.string(),
  RequiredDate: v.string(),
  UnitType: v.string(),
  /** End of the hold, as ISO instant in the facility's time zone. */
  HeldUntil: v.string(),
  /** The nearest free unit of the type; only where the chosen unit is taken. */
  NearestUnitId: v.optional(v.number()),
})

type SavedReservation = v.InferInput<typeof savedReservation>

export const savedExample: SavedReservation = {
  ErrorMessage: '',
  reservationCode: 'K7M2XQ9TRD',
  unitNumber: '219',
  tenantId: 1042,
  ReservationDate: '11/20/2026',
  RequiredDate: '11/22/2026',
  UnitType: 'CC1010',
  HeldUntil: '2026-11-23T00:00:00-05:00',
}

export const emptyResponse = {
  reservationCode: '',
  unitNumber: '',
  tenantId: null,
  ReservationDate: '',
  RequiredDate: '',
  UnitType: '',
  HeldUntil: '',
}

const unitTypeCode = (facts: FacilityFacts, unitTypeId: number) =>
  facts.unitTypes.find((row) => row.unit_type_id === unitTypeId)?.unit_type_code ?? ''

/**
 * Returns the response when no unit was reserved. It suggests the free unit nearest to a chosen one, if there is any.
 */
async function unitTakenResponse(
  services: Services,
  { locationCode, unitTypeId, unit }: ReservationRequest,
): Promise<SavedReservation> {
  const units = unit ? await loadUnitsOfType(services, locationCode, unitTypeId) : []
  const takenUnit = units.find((candidate) => candidate.unitId === unit?.id)
  const nearest =
    takenUnit &&
    nearestUnit(
      takenUnit,
      units.filter(({ free }) => free),
    )
  // A unit that is still free was refused for another reason, such as a facility that is not open yet.
  if (!takenUnit || takenUnit.free || !nearest) return { ...emptyResponse, ErrorMessage: unitsNotAvailable }
  return { ...emptyResponse, ErrorMessage: unitTaken(takenUnit.number, nearest.number), NearestUnitId: nearest.unitId }
}

/**
 * Builds the response to a requested reservation: the reserved unit, the refusal because a limit is reached, or the
 * error that no unit could be reserved.
 * @param result result of `reserve`
 * @param showTenant whether the response contains the tenant's number
 */
export async function savedReservationResponse(
  services: Services,
  { facts, request: reservationRequest }: ValidatedRequest,
  result: Reserved | null | Refusal,
  showTenant: boolean,
): Promise<Outcome<SavedReservation>> {
  if (!result) return succeed(await unitTakenResponse(services, reservationRequest))
  if ('status' in result) return result
  const { reservation, draft } = result
  return succeed(
    {
      ErrorMessage: '',
      reservationCode: reservation.reservation_code,
      unitNumber: reservation.unit_number,
      tenantId: showTenant ? reservation.tenant_id : null,
      ReservationDate: formatUs(reservation.reservation_date),
      RequiredDate: formatUs(reservation.required_date),
      UnitType: unitTypeCode(facts, reservation.unit_type_id),
      HeldUntil: wireInstant(facts.location.time_zone, reservation.hold_until),
    },
    { draftId: sessionIdOf(draft) },
  )
}

interface ValidatedRequest {
  facts: FacilityFacts
  request: ReservationRequest
}

/** Loads a unit of the given type that is not retired; undefined where none matches. */
const loadRentableUnit = (
  services: Services,
  unitKey: { location_code: string; unit_type_id: number; unit_id: number },
) =>
  services.db.read
    .selectFrom('units')
    .select(['unit_id', 'unit_number'])
    .where('location_code', '=', unitKey.location_code)
    .where('unit_id', '=', unitKey.unit_id)
    .where('unit_type_id', '=', unitKey.unit_type_id)
    .where('retired_on', 'is', null)
    .executeTakeFirst()

/** Validates the facility, unit type, unit and day of a requested reservation; returns a refusal if any is invalid. */
export async function validateRequest(
  services: Services,
  input: { location_code: string; unit_type_id: number; unit_id?: number; move_in_date?: IsoDate; rent_now: boolean },
): Promise<(ValidatedRequest & { ok: true }) | Refusal> {
  const invalid = (fields: Record<string, string>) => refuse(400, 'invalid_input', someFieldsInvalid, { fields })
  const facts = (await loadFacilityFacts(services, [input.location_code])).get(input.location_code)
  if (facts?.location.retired_on !== null) return invalid({ location_code: 'is not a location where units are let' })
  if (!offeredTypes(facts).some((row) => row.unit_type_id === input.unit_type_id)) {
    return invalid({ unit_type_id: 'is not a unit type of this location' })
  }
  const { unit_id } = input
  const chosen = unit_id === undefined ? undefined : await loadRentableUnit(services, { ...input, unit_id })
  if (unit_id !== undefined && !chosen) {
    return invalid({ unit_id: 'is not a unit of this type at this location' })
  }
  const window = reservationWindow(facts.today, facts.location.reservation_window)
  const moveInDate = input.rent_now ? facts.today : input.move_in_date
  if (moveInDate === undefined || !isWithin(window, moveInDate)) {
    return invalid({ move_in_date: dateOutsideWindow(formatUs(window.earliest), formatUs(window.latest)) })
  }
  return {
    ok: true,
    facts,
    request: {
      locationCode: input.location_code,
      unitTypeId: input.unit_type_id,
      ...(chosen && { unit: { id: chosen.unit_id, number: chosen.unit_number } }),
      moveInDate,
      rentNow: input.rent_now,
    },
  }
}

/**
 * Loads the draft of a session that began the rental or signed in as its tenant; null without one, since a new
 * reservation must not change a rental that the session only found.
 */
export const loadSessionDraft = (services: Services, { rental }: Callers): Promise<Draft | null> =>
  loadDraftOfCaller(services, rental?.proof === 'own' ? rental : undefined)

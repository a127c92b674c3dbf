import * as v from 'valibot'
import { formatUs, type IsoDate } from '../../../domain/plain-date.ts'
import { type Callers, ownTenant } from '../../../platform/operations/callers.ts'
import { grantAt, mayAtFacility } from '../../../platform/operations/facilities-of-staff.ts'
import { date, integer, orNull } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { fieldError, type Refusal } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { type FacilityFacts, loadFacilityFacts } from '../../facilities/facility-facts-for-pricing.ts'
import { leaseNotFound } from '../../leases/lease.ts'
import { isWithin, reservationWindow } from '../../reservations/rules/first-and-last-reservable-day.ts'
import { dateOutsideWindow } from '../../reservations/texts/reserve.ts'
import { leaseFields } from '../../standing/ledger-operation.ts'
import { MAX_OVERLAP_DAYS } from '../rules/transfer.ts'
import * as say from '../texts/transfer.ts'

export const leaseExample = { location_code: 'ATL01', tenant_id: 1001, lease_number: 10001 }

const maybeUnit = () => orNull(integer('Choose a unit.'))

const overlapField = () =>
  v.optional(
    v.pipe(
      integer(say.overlapOutside(MAX_OVERLAP_DAYS)),
      v.maxValue(MAX_OVERLAP_DAYS, say.overlapOutside(MAX_OVERLAP_DAYS)),
    ),
    0,
  )

export const transferFields = {
  ...leaseFields,
  /** Unit id; null for any unit of the type. */
  unit_id: maybeUnit(),
  unit_type_id: maybeUnit(),
  /** First day of the new lease; today when omitted. */
  transfer_date: orNull(date()),
  /** Days from the new lease's first day to the old lease's last day. */
  overlap_days: overlapField(),
}

export const transferAccess = { tenant: ownTenant, staff: mayAtFacility('unit.transfer') } as const

/** Returns whose wording a refusal uses: the tenant's or the office's. */
export const wordingFor = ({ staff }: Callers): 'office' | 'tenant' => (staff ? 'office' : 'tenant')

/** Returns whether the calling staff member may transfer a lease with a balance due; false for tenants. */
export const mayTransferWithBalance = ({ staff }: Callers, locationCode: string): boolean =>
  staff !== undefined && grantAt(staff, 'unit.transfer-owing', locationCode) === 'yes'

export const loadFactsForTransfer = async (services: Services, code: string): Promise<FacilityFacts | undefined> =>
  (await loadFacilityFacts(services, [code])).get(code)

/** Returns the 404 refusal for an unknown lease, in the wording for the office or for tenants. */
export const leaseNotFoundFor = (callers: Callers): Refusal => (callers.staff ? recordNotFound : leaseNotFound())

/**
 * Checks that a transfer day is within the facility's reservation window.
 * @throws RefusalError
 */
export function checkTransferDay(facts: FacilityFacts, day: IsoDate): void {
  const window = reservationWindow(facts.today, facts.location.reservation_window)
  if (isWithin(window, day)) return
  const why = dateOutsideWindow(formatUs(window.earliest), formatUs(window.latest))
  throw fieldError('transfer_date', why)
}

import type { Kysely } from 'kysely'
import * as v from 'valibot'
import type { Cents } from '../../../domain/money.ts'
import { formatUs, type IsoDate } from '../../../domain/plain-date.ts'
import { type Callers, ownTenant } from '../../../platform/operations/callers.ts'
import { date, integer, optionalText, orNull } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { type Refusal, RefusalError, refusalError, refuse } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { grantAt, mayAtFacility } from '../../../platform/operations/staff-scope.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { type FacilityFacts, facilityFacts, type UnitTypeRow } from '../../facilities/facility-price-facts.ts'
import type { Lease } from '../../leases/lease.ts'
import { leaseNotFound } from '../../leases/lease.ts'
import { lockLease } from '../../leases/lock-lease.ts'
import { isPaymentPending } from '../../payments/is-payment-pending.ts'
import { isWithin, reservationWindow } from '../../reservations/rules/reservation-window.ts'
import { dateOutsideWindow, transferTypeTaken, transferUnitTaken } from '../../reservations/texts/reserve.ts'
import type { OperationCall } from '../../staff/approvals.ts'
import { leaseFields, signedCents } from '../../standing/ledger-operation.ts'
import { type OpenedTransfer, openTransfer } from '../internal/begin-transfer.ts'
import { MAX_OVERLAP_DAYS } from '../rules/transfer.ts'
import * as say from '../texts/transfer.ts'
import type { Transfer } from '../transfer-rows.ts'
import { loadTransferBlock } from '../views/transfer-block.ts'
import { loadTransferPrice, type TransferPreview } from '../views/transfer-preview.ts'

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
  /** Number of days on which the tenant has both units. */
  overlap_days: overlapField(),
}

export const transferAccess = { tenant: ownTenant, staff: mayAtFacility('unit.transfer') } as const

/** Describes a transfer operation called by a staff member, for limits, approvals and the audit. */
export const officeCallOf = (
  operation: string,
  input: { location_code: string; tenant_id: number; lease_number: number; reason: string },
): OperationCall => ({
  operation,
  permission: 'unit.transfer',
  event: null,
  input,
  why: input.reason,
  tenantId: input.tenant_id,
  leaseNumber: input.lease_number,
})

/** Returns whose wording a refusal uses: the tenant's or the office's. */
export const wordingFor = ({ staff }: Callers): 'office' | 'tenant' => (staff ? 'office' : 'tenant')

/** Returns whether the calling staff member may transfer a lease with a balance due; false for tenants. */
export const mayTransferWithBalance = ({ staff }: Callers, locationCode: string): boolean =>
  staff !== undefined && grantAt(staff, 'unit.transfer-owing', locationCode) === 'yes'

export const loadFactsForTransfer = async (services: Services, code: string): Promise<FacilityFacts | undefined> =>
  (await facilityFacts(services, [code])).get(code)

/** Returns the 404 refusal for an unknown lease, in the wording for the office or for tenants. */
export const leaseNotFoundFor = (callers: Callers): Refusal => (callers.staff ? recordNotFound : leaseNotFound())

/** A free unit to which the lease may be transferred. */
export interface FreeUnit {
  unitId: number
  unitNumber: string
  unitTypeId: number
  floor: number
}

/** A unit size with at least one free unit. */
export interface FreeSize {
  type: UnitTypeRow
  /** Rent of a period in cents, before tax, fees and insurance. */
  rent: Cents
  /** Difference from the current rent, in cents. */
  difference: Cents
  units: FreeUnit[]
}

/** Options, dates and preview of a transfer, as quoted before it is opened. */
export interface TransferQuote {
  /** Why a transfer is impossible now, worded for the caller; '' when it is possible. */
  blocked: string
  block: say.TransferBlock | ''
  /** Open transfer, offered or moving. */
  open: Transfer | null
  rent: Cents
  balance: Cents
  sizes: FreeSize[]
  days: { earliest: IsoDate; latest: IsoDate }
  /** Preview of the transfer; null when no unit is chosen or the chosen one is not free. */
  preview: TransferPreview | null
}

/** Returns the refusal for a transfer day outside the facility's reservation window; null for a day within it. */
export function dayRefusal(facts: FacilityFacts, day: IsoDate): Refusal | null {
  const window = reservationWindow(facts.today, facts.location.reservation_window)
  if (isWithin(window, day)) return null
  const why = dateOutsideWindow(formatUs(window.earliest), formatUs(window.latest))
  return refuse(400, 'invalid_input', why, { fields: { transfer_date: why } })
}

export const transferInput = v.object({
  ...transferFields,
  /** Balance that the form displayed. */
  balance: signedCents,
  due_at_signing: v.optional(signedCents),
  then_per_period: v.optional(signedCents),
  reason: optionalText(500),
})

export type TransferInput = v.InferOutput<typeof transferInput>

/**
 * Locks the lease, checks that it may be transferred, and reserves the new unit.
 * @throws RefusalError when the transfer is blocked, the unit is taken, or balance or price differ from the form's
 */
export async function openTransferFor(
  tx: Kysely<Tables>,
  services: Services,
  facts: FacilityFacts,
  input: TransferInput,
  callers: Callers,
): Promise<OpenedTransfer & { from: string }> {
  const lease = await lockLease(tx, input)
  if (lease?.tenant_id !== input.tenant_id) throw new RefusalError(leaseNotFoundFor(callers))
  const block = await loadTransferBlock(tx, lease, {
    mayOwing: mayTransferWithBalance(callers, input.location_code),
    isPaying: isPaymentPending,
  })
  if (block) throw refusalError(409, block, say.transferBlocks[block][wordingFor(callers)])
  if (lease.balance !== input.balance) throw refusalError(409, 'changed', say.changedSinceShown)
  const type = await loadChosenType(tx, facts, input)
  const field = input.unit_id === null ? 'unit_type_id' : 'unit_id'
  const taken = input.unit_id === null ? transferTypeTaken : transferUnitTaken
  if (!type) throw refusalError(409, 'taken', taken, { fields: { [field]: taken } })
  if (!(await isPriceAsShown(tx, facts, lease, input, type)))
    throw refusalError(409, 'price_changed', say.priceChangedSinceShown)
  const opened = await openTransfer(tx, services, facts, lease, {
    type,
    unitId: input.unit_id,
    startsOn: input.transfer_date ?? facts.today,
    overlapDays: input.overlap_days,
    openedBy: callers.staff?.staffId ?? null,
  })
  if (!opened) throw refusalError(409, 'taken', taken, { fields: { [field]: taken } })
  return { ...opened, from: lease.unit_number }
}

/** Returns whether the current price equals the price in the form. A form without a price always matches. */
async function isPriceAsShown(
  tx: Kysely<Tables>,
  facts: FacilityFacts,
  lease: Lease,
  { due_at_signing: due, then_per_period: then, transfer_date }: TransferInput,
  type: UnitTypeRow,
): Promise<boolean> {
  const quote = await loadTransferPrice(tx, facts, lease, { type, startsOn: transfer_date ?? facts.today })
  return (
    (due ?? quote?.charges.dueToday) === quote?.charges.dueToday &&
    (then ?? quote?.charges.thenPerPeriod) === quote?.charges.thenPerPeriod
  )
}

/** Returns the unit type of the chosen unit, or the chosen type. */
async function loadChosenType(tx: Kysely<Tables>, facts: FacilityFacts, { unit_id, unit_type_id }: TransferInput) {
  const unit =
    unit_id === null
      ? undefined
      : await tx
          .selectFrom('units')
          .select('unit_type_id')
          .where((eb) => eb.and({ location_code: facts.location.location_code, unit_id }))
          .executeTakeFirst()
  const id = unit_id === null ? unit_type_id : unit?.unit_type_id
  return facts.unitTypes.find((unitType) => unitType.unit_type_id === id)
}

/** Compares what callers repeat about a move-in with what was agreed (spec 1 §7); none of it is trusted. */
import * as v from 'valibot'
import { isTenant } from '../../../platform/database/where-tenant-or-lease-key.ts'
import type { Callers, RentalCaller, TenantCaller } from '../../../platform/operations/callers.ts'
import { date, optionalText, unmodifiedText } from '../../../platform/operations/input-fields.ts'
import {
  type FieldComparison,
  fieldComparisons,
} from '../../../platform/operations/refuse-fields-that-differ-from-record.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { activeGateCodeOf } from '../../gate/assign-and-activate-gate-codes.ts'
import { loadSignedLeaseFile } from '../../leases/lease-documents.ts'
import { winnerCodesQuery } from '../../links/paid-auction-winners.ts'
import { decryptPlan } from '../../payments/order-terms-encryption.ts'
import type { MoveInPlan } from '../../payments/payers/post-move-in-payment.ts'
import type { Payment } from '../../payments/payment.ts'
import type { Charges } from '../../pricing/rules/charges.ts'
import { hasTenant } from '../../tenants/rules/account-has-tenant.ts'

/** Schema of a signed lease PDF in base64; '' when omitted. A call has 1 MiB at most (`bodyLimits.document`). */
export const signedLeaseField = v.optional(
  v.pipe(unmodifiedText, v.maxLength(1_000_000, 'must have at most 1000000 characters')),
  '',
)

/** Fields about a move-in that a caller may repeat with its card payment; they are compared with the stored move-in. */
export const moveInFields = {
  res_code: optionalText(40),
  tenant_id: optionalText(16),
  unit_id: optionalText(16),
  /** Gate code, which is generated at the move-in; blank, or the tenant's existing code. */
  gate_code: optionalText(20),
  insurance_id: optionalText(16),
  /** Insurance status: 0 none, 1 product coverage, 2 own coverage, 3 vehicle. */
  insurance_status_id: optionalText(1),
  discount_id: optionalText(16),
  /** First day that is paid for. */
  start_date: v.optional(date()),
  /** Last day that is paid for. */
  end_date: v.optional(date()),
  /** Fee for the reservation; reservations are free, so 0.00. */
  dbl_reservation_paid_fee: optionalText(20),
  /** Document id of the signed lease. */
  doc_ref_number: optionalText(64),
  doc_base64_format: signedLeaseField,
  /** Id of the card processing fee; 0 if this payment bears none. */
  fee_id: optionalText(16),
  /** Amount of the card processing fee before tax; 0.00 if this payment bears none. */
  fee_amount: optionalText(20),
}

/** Agreed terms of a move-in, paid by card or by bank. */
export interface AgreedMoveIn {
  draftId: string | null
  tenantId: number | null
  unitIds: readonly (number | null | undefined)[]
  gateCodes: readonly (string | null | undefined)[]
  insuranceId: number
  insuranceStatus: number
  discountId: number
  charges: Charges
  documentId: string | null
  autopay: boolean
}

/**
 * Loads the terms of the move-in that an order pays for, with unit and gate code of the created lease if there is one;
 * null if the order pays for no move-in.
 * @param gateCode gate code that the caller states; if it is not '' and the rental may use the tenant's code
 *   (`ownTenant`), the tenant's existing code is loaded for comparison
 */
export async function loadAgreedMoveIn(
  services: Services,
  payment: Payment,
  gateCode: string,
  callers: Pick<Callers, 'rental' | 'tenant'>,
): Promise<AgreedMoveIn | null> {
  const { reservationCode, charges, lease, autopay } = decryptPlan<Partial<MoveInPlan>>(services, payment)
  if (reservationCode === undefined || !charges || !lease) return null
  const [reservation, createdLease] = await Promise.all([
    services.db.read
      .selectFrom('reservations')
      .select(['unit_id', 'tenant_id'])
      .where('location_code', '=', payment.location_code)
      .where('reservation_code', '=', reservationCode)
      .executeTakeFirst(),
    services.db.read.selectFrom('leases').selectAll().where('order_id', '=', payment.order_id).executeTakeFirst(),
  ])
  return {
    draftId: payment.draft_id,
    tenantId: payment.tenant_id,
    // The lease has another unit of the type if the reserved unit was lost.
    unitIds: [reservation?.unit_id, createdLease?.unit_id],
    gateCodes: [
      createdLease && activeGateCodeOf(createdLease),
      gateCode !== '' && lease.ownTenant ? await loadOwnGateCode(services, callers.rental, callers.tenant) : null,
    ],
    insuranceId: lease.insurance.schemeId,
    insuranceStatus: lease.insurance.status,
    discountId: lease.discountId,
    charges,
    documentId: lease.documentId,
    autopay: autopay === true,
  }
}

type RentalSession = Pick<RentalCaller, 'locationCode' | 'tenantId' | 'existingTenant' | 'proof'>

/**
 * Loads the oldest active gate code of a rental session's tenant, which the new lease takes over.
 * @returns null without one, or where neither the session nor the signed-in account has proved to be the tenant
 */
export async function loadOwnGateCode(
  services: Services,
  session: RentalSession | undefined,
  account: TenantCaller | undefined,
): Promise<string | null> {
  if (!session || session.tenantId === null) return null
  const isProven = (!session.existingTenant && session.proof !== 'names') || hasTenant(account, session)
  if (!isProven) return null
  const row = await services.db.read
    .selectFrom('gate_codes')
    .select('gate_code')
    .where(isTenant({ location_code: session.locationCode, tenant_id: session.tenantId }))
    .where('active', '=', 1)
    .where('gate_code', 'not in', winnerCodesQuery(services.db.read, session.locationCode))
    .orderBy('created_at')
    .executeTakeFirst()
  return row?.gate_code ?? null
}

/**
 * Returns a comparison of a caller's file with the signed lease PDF, which is loaded only if the caller sent a file.
 */
export const compareSignedFile = async (
  services: Services,
  agreed: AgreedMoveIn,
  sent: string,
): Promise<FieldComparison> =>
  fieldComparisons.file(
    sent !== '' && agreed.documentId !== null && agreed.draftId !== null
      ? await loadSignedLeaseFile(services, agreed.documentId, agreed.draftId)
      : null,
  )

/**
 * Returns comparisons of the fields of `ConvertReservationtoRentalAndSendLeaseAgreement` with the move-in that the
 * renter agreed to; empty without one.
 */
export async function cardMoveInComparisons(
  services: Services,
  agreed: AgreedMoveIn | null,
  request: { doc_base64_format: string },
): Promise<Record<string, FieldComparison>> {
  if (!agreed) return {}
  const fee = agreed.charges.lines.find((line) => line.kind === 'card_fee')
  return {
    tenant_id: fieldComparisons.text(agreed.tenantId),
    unit_id: fieldComparisons.text(...agreed.unitIds),
    gate_code: fieldComparisons.text(...agreed.gateCodes),
    insurance_id: fieldComparisons.text(agreed.insuranceId),
    insurance_status_id: fieldComparisons.text(agreed.insuranceStatus),
    discount_id: fieldComparisons.text(agreed.discountId),
    start_date: fieldComparisons.day(agreed.charges.periodStart),
    end_date: fieldComparisons.day(agreed.charges.periodEnd),
    dbl_reservation_paid_fee: fieldComparisons.amount(0),
    doc_ref_number: fieldComparisons.text(agreed.documentId),
    doc_base64_format: await compareSignedFile(services, agreed, request.doc_base64_format),
    fee_id: fieldComparisons.text(fee?.feeId ?? 0),
    fee_amount: fieldComparisons.amount(fee?.cents ?? 0),
  }
}

/**
 * Returns comparisons of the fields of `ProcessACHMoveIn` with the move-in that the renter agreed to; empty without
 * one.
 */
export async function bankMoveInComparisons(
  services: Services,
  agreed: AgreedMoveIn | null,
  request: { SignedLease: string },
): Promise<Record<string, FieldComparison>> {
  if (!agreed) return {}
  return {
    TenantId: fieldComparisons.text(agreed.tenantId),
    AccessCode: fieldComparisons.text(...agreed.gateCodes),
    UnitId: fieldComparisons.text(...agreed.unitIds),
    InsuranceId: fieldComparisons.text(agreed.insuranceId),
    DiscountId: fieldComparisons.text(agreed.discountId),
    StartDate: fieldComparisons.day(agreed.charges.periodStart),
    EndDate: fieldComparisons.day(agreed.charges.periodEnd),
    OverrideUnitStatus: fieldComparisons.text('False', 'false', 'FALSE'),
    AutopayACH: fieldComparisons.text(String(agreed.autopay)),
    DocRefNumber: fieldComparisons.text(agreed.documentId),
    SignedLease: await compareSignedFile(services, agreed, request.SignedLease),
  }
}

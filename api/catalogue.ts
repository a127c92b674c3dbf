/** Everything that can be called, by HTTP and in process; nothing else can. */

import { internalOperations as accountPages } from '../modules/accounts/operations/internal-operations.ts'
import { lookUpOperations, lookUpResources } from '../modules/accounts/operations/lookup-operations.ts'
import { signInOperations } from '../modules/accounts/operations/operations.ts'
import { UpdateTenantByStaff } from '../modules/accounts/operations/staff-operations.ts'
import { UpdateTenantInfo } from '../modules/accounts/profile.ts'
import { postTenantUpdateNotice } from '../modules/accounts/tenant-updates.ts'
import { AcceptTerms } from '../modules/agreements/operations/internal-operations.ts'
import { appointmentResources } from '../modules/appointments/appointments.ts'
import { ProposeAppointment } from '../modules/appointments/operations/staff-operations.ts'
import { counterOperations } from '../modules/cash-drawers/operations/operations.ts'
import { settlementOperations } from '../modules/collections/operations/settlement-operations.ts'
import { pastDueOperations } from '../modules/collections/operations/staff-operations.ts'
import { getLocationContents, getLocations } from '../modules/facilities/content.ts'
import { locationOperations } from '../modules/facilities/locations.ts'
import { getLocationUnits } from '../modules/facilities/map.ts'
import { SaveBrand } from '../modules/facilities/operations/brand-operations.ts'
import { SaveBrandPicture } from '../modules/facilities/operations/brand-picture-operations.ts'
import { SaveFacility } from '../modules/facilities/operations/facility-operations.ts'
import { offerOperations } from '../modules/facilities/operations/offer-operations.ts'
import { photographOperations } from '../modules/facilities/operations/photograph-operations.ts'
import { SaveLetting } from '../modules/facilities/operations/retire-operations.ts'
import { getSettings, getState, getStates } from '../modules/facilities/operations/settings-operations.ts'
import { setupOperations } from '../modules/facilities/operations/setup-operations.ts'
import { GetAllUnits, GetUnitsList } from '../modules/facilities/units.ts'
import { gateOperations } from '../modules/gate/operations/gate-operations.ts'
import { lockOperations } from '../modules/gate/operations/lock-operations.ts'
import { insuranceResources } from '../modules/insurance/operations/operations.ts'
import { proofOperations } from '../modules/insurance/operations/staff-operations.ts'
import { autopayOperations } from '../modules/leases/operations/autopay-operations.ts'
import { leaseOperations } from '../modules/leases/operations/operations.ts'
import { RequireTerms } from '../modules/leases/operations/terms-operations.ts'
import { GetCurrentDues, GetPrePayRentalCharges } from '../modules/ledger/operations/operations.ts'
import { ledgerByHand } from '../modules/ledger/operations/staff-operations.ts'
import { WriteOffBalance } from '../modules/ledger/operations/write-off-operations.ts'
import { lienOperations } from '../modules/liens/operations/lien-operations.ts'
import { surplusOperations } from '../modules/liens/operations/surplus-operations.ts'
import { signOffOperations } from '../modules/liens/sign-off.ts'
import { linkOperations } from '../modules/links/operations/send-link-operations.ts'
import { jobOperations } from '../modules/messages/operations/staff-operations.ts'
import { ProcessACHMoveIn } from '../modules/move-in/operations/bank-operations.ts'
import { noticeResources } from '../modules/move-in/operations/notice-operations.ts'
import { ConvertReservation, LeasePdf } from '../modules/move-in/operations/operations.ts'
import { LeaveWithFeedback } from '../modules/move-outs/operations/internal-operations.ts'
import {
  CancelScheduleMoveOut,
  postScheduledMoveOuts,
  ScheduleMoveOut,
  sendScheduleMoveOutEmail,
} from '../modules/move-outs/operations/operations.ts'
import { staffMoveOutOperations } from '../modules/move-outs/operations/staff-operations.ts'
import { GetPaymentHistory_V1, GetTenantLastPaymentDetails } from '../modules/payments/history.ts'
import { ProcessACHPayments } from '../modules/payments/operations/bank-operations.ts'
import { postDirectPay, postHostPay } from '../modules/payments/operations/card-page-operations.ts'
import { StartCheckout, StartUnitsCheckout } from '../modules/payments/operations/internal-operations.ts'
import { payerOperations, payerResources } from '../modules/payments/operations/link-operations.ts'
import {
  GetAllDiscounts,
  GetFeesandCharges,
  GetFeesandCharges_V1,
  GetInsuranceSchemes,
  GetInsuranceTerminology,
  GetLocationUnitTypes,
} from '../modules/pricing/operations/operations.ts'
import { privacyOperations } from '../modules/privacy/operations/operations.ts'
import { moneyBackOperations } from '../modules/refunds/operations/staff-operations.ts'
import { rentChangeOperations } from '../modules/rent-changes/operations/staff-operations.ts'
import { reportOperations } from '../modules/reports/operations/staff-operations.ts'
import { GetMoveInCostAll } from '../modules/reservations/move-in-cost.ts'
import { deskOperations } from '../modules/reservations/operations/desk-operations.ts'
import { reservationOperations } from '../modules/reservations/operations/operations.ts'
import { unitServiceOperations } from '../modules/reservations/operations/unit-service-operations.ts'
import { EndWait } from '../modules/reservations/operations/waitlist-operations.ts'
import { getProspect, prospectResources } from '../modules/reservations/prospects.ts'
import { JoinWaitlist } from '../modules/reservations/waitlist.ts'
import { auditOperations } from '../modules/staff/operations/audit-operations.ts'
import { limitOperations } from '../modules/staff/operations/limit-operations.ts'
import { staffOperations } from '../modules/staff/operations/operations.ts'
import { ownOperations } from '../modules/staff/operations/own-operations.ts'
import { queueOperations } from '../modules/staff/operations/queue-operations.ts'
import { tenantFileOperations } from '../modules/tenant-view/operations/staff-operations.ts'
import {
  AddTenantNotes,
  GetTenantDetailsByEmail,
  GetTenantInfo,
  postTenants,
  UpdateTenantMilitaryStatus,
} from '../modules/tenants/operations/operations.ts'
import { tenantStaffOperations } from '../modules/tenants/operations/staff-operations.ts'
import { transferOperations } from '../modules/transfers/operations/transfer-operations.ts'
import type { InternalOperation, Operation } from '../platform/operations/operation.ts'

// biome-ignore lint/suspicious/noExplicitAny: a list of operations of every input and output
export type AnyOperation = Operation<any, any>

const byName = (declared: readonly unknown[]): ReadonlyMap<string, AnyOperation> =>
  new Map((declared as AnyOperation[]).map((one) => [one.name, one]))

export const operations = byName([
  ...locationOperations,
  GetLocationUnitTypes,
  GetAllDiscounts,
  GetUnitsList,
  GetAllUnits,
  GetInsuranceSchemes,
  GetInsuranceTerminology,
  GetFeesandCharges,
  GetFeesandCharges_V1,
  GetMoveInCostAll,
  ...reservationOperations,
  GetTenantInfo,
  UpdateTenantInfo,
  GetTenantDetailsByEmail,
  AddTenantNotes,
  UpdateTenantMilitaryStatus,
  ...leaseOperations,
  GetPrePayRentalCharges,
  GetCurrentDues,
  GetPaymentHistory_V1,
  GetTenantLastPaymentDetails,
  ...autopayOperations,
  ScheduleMoveOut,
  CancelScheduleMoveOut,
  sendScheduleMoveOutEmail,
  ...signInOperations,
  ...lookUpOperations,
  LeasePdf,
  ConvertReservation,
  ...payerOperations,
  ProcessACHMoveIn,
  ProcessACHPayments,
])

export const resources = byName([
  getLocations,
  getLocationContents,
  getLocationUnits,
  getStates,
  getState,
  getSettings,
  getProspect,
  postTenants,
  ...prospectResources,
  ...lookUpResources,
  ...insuranceResources,
  postHostPay,
  postDirectPay,
  ...noticeResources,
  ...payerResources,
  postScheduledMoveOuts,
  ...appointmentResources,
  postTenantUpdateNotice,
])

/** What our own pages call besides; none of it is mounted or described. */
// biome-ignore lint/suspicious/noExplicitAny: a list of operations of every input and output
export const internalOperations: readonly InternalOperation<any, any>[] = [
  ...accountPages,
  AcceptTerms,
  LeaveWithFeedback,
  StartCheckout,
  StartUnitsCheckout,
  JoinWaitlist,
  ...transferOperations,
]

/** What the pages of the office call; by role and facility. */
// biome-ignore lint/suspicious/noExplicitAny: a list of operations of every input and output
export const officeOperations: readonly InternalOperation<any, any>[] = [
  ...staffOperations,
  ...limitOperations,
  ...queueOperations,
  ...ownOperations,
  ...tenantFileOperations,
  ...ledgerByHand,
  WriteOffBalance,
  ...pastDueOperations,
  ...settlementOperations,
  ...signOffOperations,
  ...lienOperations,
  ...surplusOperations,
  ...gateOperations,
  ...lockOperations,
  ...reportOperations,
  ...staffMoveOutOperations,
  ...linkOperations,
  ...deskOperations,
  ...unitServiceOperations,
  EndWait,
  ...counterOperations,
  ...rentChangeOperations,
  ...setupOperations,
  SaveBrand,
  RequireTerms,
  ProposeAppointment,
  ...offerOperations,
  SaveLetting,
  SaveFacility,
  ...photographOperations,
  SaveBrandPicture,
  ...moneyBackOperations,
  ...proofOperations,
  ...jobOperations,
  ...tenantStaffOperations,
  UpdateTenantByStaff,
  ...privacyOperations,
  ...auditOperations,
  ...transferOperations,
]

/** What `operator catalogue --json` prints, with the two envelope addresses. */
export const catalogue = () => ({
  operations: [...operations.keys()],
  resources: ['POST /api/ssm', 'POST /api/ssm/{operation}', ...resources.keys()],
})

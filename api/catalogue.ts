/** Everything that can be called, by HTTP and in process; nothing else can. */

import { internalOperations as accountPages } from '../modules/accounts/internal-operations.ts'
import { lookUpOperations, lookUpResources } from '../modules/accounts/lookup-operations.ts'
import { signInOperations } from '../modules/accounts/operations.ts'
import { UpdateTenantInfo } from '../modules/accounts/profile.ts'
import { UpdateTenantByStaff } from '../modules/accounts/staff-operations.ts'
import { postTenantUpdateNotice } from '../modules/accounts/tenant-updates.ts'
import { AcceptTerms } from '../modules/agreements/internal-operations.ts'
import { appointmentResources } from '../modules/appointments/appointments.ts'
import { ProposeAppointment } from '../modules/appointments/staff-operations.ts'
import { SaveBrand } from '../modules/facilities/brand-operations.ts'
import { SaveBrandPicture } from '../modules/facilities/brand-picture-operations.ts'
import { getLocationContents, getLocations } from '../modules/facilities/content.ts'
import { SaveFacility } from '../modules/facilities/facility-operations.ts'
import { locationOperations } from '../modules/facilities/locations.ts'
import { getLocationUnits } from '../modules/facilities/map.ts'
import { offerOperations } from '../modules/facilities/offer-operations.ts'
import { photographOperations } from '../modules/facilities/photograph-operations.ts'
import { SaveLetting } from '../modules/facilities/retire-operations.ts'
import { getSettings, getState, getStates } from '../modules/facilities/settings-operations.ts'
import { setupOperations } from '../modules/facilities/setup-operations.ts'
import { GetAllUnits, GetUnitsList } from '../modules/facilities/units.ts'
import { autopayOperations } from '../modules/leases/autopay-operations.ts'
import { gateOperations } from '../modules/leases/gate-operations.ts'
import { insuranceResources } from '../modules/leases/insurance/operations.ts'
import { proofOperations } from '../modules/leases/insurance/staff-operations.ts'
import { GetCurrentDues, GetPrePayRentalCharges } from '../modules/leases/ledger/operations.ts'
import { ledgerByHand } from '../modules/leases/ledger/staff-operations.ts'
import { signOffOperations } from '../modules/leases/liens/sign-off.ts'
import { lockOperations } from '../modules/leases/lock-operations.ts'
import { LeaveWithFeedback } from '../modules/leases/move-outs/internal-operations.ts'
import {
  CancelScheduleMoveOut,
  postScheduledMoveOuts,
  ScheduleMoveOut,
  sendScheduleMoveOutEmail,
} from '../modules/leases/move-outs/operations.ts'
import { staffMoveOutOperations } from '../modules/leases/move-outs/staff-operations.ts'
import { leaseOperations } from '../modules/leases/operations.ts'
import { pastDueOperations } from '../modules/leases/past-due/staff-operations.ts'
import { rentChangeOperations } from '../modules/leases/rent-changes/staff-operations.ts'
import { linkOperations } from '../modules/leases/send-link-operations.ts'
import { RequireTerms } from '../modules/leases/terms-operations.ts'
import { ProcessACHMoveIn } from '../modules/move-in/bank-operations.ts'
import { noticeResources } from '../modules/move-in/notice-operations.ts'
import { ConvertReservation, LeasePdf } from '../modules/move-in/operations.ts'
import { transferOperations } from '../modules/move-in/transfer-operations.ts'
import { jobOperations } from '../modules/notices/staff-operations.ts'
import { ProcessACHPayments } from '../modules/payments/bank/operations.ts'
import { postDirectPay, postHostPay } from '../modules/payments/card-page-operations.ts'
import { counterOperations } from '../modules/payments/counter/operations.ts'
import { GetPaymentHistory_V1, GetTenantLastPaymentDetails } from '../modules/payments/history.ts'
import { StartCheckout, StartUnitsCheckout } from '../modules/payments/internal-operations.ts'
import { lienOperations } from '../modules/payments/lien-operations.ts'
import { payerOperations, payerResources } from '../modules/payments/link-operations.ts'
import { settlementOperations } from '../modules/payments/settlement-operations.ts'
import { moneyBackOperations } from '../modules/payments/staff-operations.ts'
import { surplusOperations } from '../modules/payments/surplus-operations.ts'
import { WriteOffBalance } from '../modules/payments/write-off-operations.ts'
import {
  GetAllDiscounts,
  GetFeesandCharges,
  GetFeesandCharges_V1,
  GetInsuranceSchemes,
  GetInsuranceTerminology,
  GetLocationUnitTypes,
} from '../modules/pricing/operations.ts'
import { privacyOperations } from '../modules/privacy/operations.ts'
import { reportOperations } from '../modules/reports/staff-operations.ts'
import { deskOperations } from '../modules/reservations/desk-operations.ts'
import { GetMoveInCostAll } from '../modules/reservations/move-in-cost.ts'
import { reservationOperations } from '../modules/reservations/operations.ts'
import { getProspect, prospectResources } from '../modules/reservations/prospects.ts'
import { unitServiceOperations } from '../modules/reservations/unit-service-operations.ts'
import { JoinWaitlist } from '../modules/reservations/waitlist.ts'
import { EndWait } from '../modules/reservations/waitlist-operations.ts'
import { auditOperations } from '../modules/staff/audit-operations.ts'
import { limitOperations } from '../modules/staff/limit-operations.ts'
import { staffOperations } from '../modules/staff/operations.ts'
import { ownOperations } from '../modules/staff/own-operations.ts'
import { queueOperations } from '../modules/staff/queue-operations.ts'
import { tenantFileOperations } from '../modules/tenant-file/staff-operations.ts'
import {
  AddTenantNotes,
  GetTenantDetailsByEmail,
  GetTenantInfo,
  postTenants,
  UpdateTenantMilitaryStatus,
} from '../modules/tenants/operations.ts'
import { tenantStaffOperations } from '../modules/tenants/staff-operations.ts'
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

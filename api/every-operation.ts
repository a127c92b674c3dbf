// Written by `npm run catalogue`.
import { postTenantUpdateNotice } from '../modules/accounts/operations/check-account-change-mail-state.ts'
import { CheckResetCode } from '../modules/accounts/operations/check-reset-code.ts'
import { CheckUnitNumber } from '../modules/accounts/operations/check-unit-number-for-online-access.ts'
import { ConfirmEmailChange } from '../modules/accounts/operations/confirm-email-change.ts'
import {
  UpdateOnlineAccess,
  UpdateOnlineAccessPassword,
} from '../modules/accounts/operations/create-account-or-change-password.ts'
import { DeclinePasskeys } from '../modules/accounts/operations/decline-passkeys.ts'
import { EndOtherSignIns } from '../modules/accounts/operations/end-other-sign-ins.ts'
import { EndSignIn } from '../modules/accounts/operations/end-sign-in.ts'
import { tenantLookup } from '../modules/accounts/operations/find-tenant-for-registration.ts'
import { FinishReset } from '../modules/accounts/operations/finish-reset.ts'
import { GetSecurityQuestions } from '../modules/accounts/operations/get-security-questions.ts'
import { KeepPasskey } from '../modules/accounts/operations/keep-passkey.ts'
import { login } from '../modules/accounts/operations/login.ts'
import { ValidatePasswordRequestIsExist } from '../modules/accounts/operations/mail-password-reset-code.ts'
import { RemovePasskey } from '../modules/accounts/operations/remove-passkey.ts'
import { RenamePasskey } from '../modules/accounts/operations/rename-passkey.ts'
import { RenewSignIn } from '../modules/accounts/operations/renew-sign-in.ts'
import { sendForgottenGateCode } from '../modules/accounts/operations/send-forgotten-gate-code.ts'
import { SetTextConsent } from '../modules/accounts/operations/set-text-message-consent.ts'
import { signInGuestPayer } from '../modules/accounts/operations/sign-in-guest-payer.ts'
import { UndoAccountChange } from '../modules/accounts/operations/undo-account-change.ts'
import { UpdateTenantByStaff } from '../modules/accounts/operations/update-tenant-by-staff.ts'
import { UpdateTenantInfo } from '../modules/accounts/operations/update-tenant-info.ts'
import { WithdrawEmailChange } from '../modules/accounts/operations/withdraw-email-change.ts'
import { AcceptTerms } from '../modules/agreements/operations/accept-terms.ts'
import { postConfirmAppointment } from '../modules/appointments/operations/post-confirm-appointment.ts'
import { ProposeAppointment } from '../modules/appointments/operations/propose-appointment.ts'
import { CloseDrawer } from '../modules/cash-drawers/operations/close-drawer.ts'
import { ExportDrawer } from '../modules/cash-drawers/operations/export-drawer.ts'
import { MatchDeposit } from '../modules/cash-drawers/operations/match-deposit.ts'
import { OpenDrawer } from '../modules/cash-drawers/operations/open-drawer.ts'
import { ReceivePayment } from '../modules/cash-drawers/operations/receive-payment.ts'
import { ReturnCheck } from '../modules/cash-drawers/operations/return-check.ts'
import { VoidReceipt } from '../modules/cash-drawers/operations/void-receipt.ts'
import { MakePromise } from '../modules/collections/operations/make-promise.ts'
import { OfferSettlement } from '../modules/collections/operations/offer-settlement.ts'
import { RecordCall } from '../modules/collections/operations/record-call.ts'
import { AddOffer } from '../modules/facilities/operations/add-fee-plan-or-discount.ts'
import { AddPhotographs } from '../modules/facilities/operations/add-photographs.ts'
import { SaveOffer } from '../modules/facilities/operations/change-fee-insurance-plan-or-discount.ts'
import { getSettings } from '../modules/facilities/operations/get-banner-or-maintenance-setting.ts'
import { getLocationContents } from '../modules/facilities/operations/get-completion-screen-and-access-fee.ts'
import { GetLocationDetails } from '../modules/facilities/operations/get-location-details.ts'
import { getLocations } from '../modules/facilities/operations/get-locations.ts'
import { getState, getStates } from '../modules/facilities/operations/get-states.ts'
import { GetAllUnits, GetUnitsList } from '../modules/facilities/operations/get-units.ts'
import { getLocationUnits } from '../modules/facilities/operations/get-units-on-location-map.ts'
import { SavePhotographs } from '../modules/facilities/operations/reorder-describe-or-remove-photographs.ts'
import { RetireOrRestore } from '../modules/facilities/operations/retire-or-restore.ts'
import { ReturnUnitToService } from '../modules/facilities/operations/return-unit-to-service.ts'
import { SaveBrand } from '../modules/facilities/operations/save-brand.ts'
import { SaveBrandPicture } from '../modules/facilities/operations/save-brand-picture.ts'
import { SaveFacility } from '../modules/facilities/operations/save-facility.ts'
import { SaveSiteSetting } from '../modules/facilities/operations/save-site-setting.ts'
import { SaveStreetRates } from '../modules/facilities/operations/save-street-rates.ts'
import { TakeUnitOutOfService } from '../modules/facilities/operations/take-unit-out-of-service.ts'
import { ChangeGateCode } from '../modules/gate/operations/change-gate-code.ts'
import { EndGateOverride } from '../modules/gate/operations/end-gate-override.ts'
import { ExportGateList } from '../modules/gate/operations/export-gate-list.ts'
import { getGateState } from '../modules/gate/operations/get-gate-list-for-controller.ts'
import { LiftOverlock } from '../modules/gate/operations/lift-overlock-until-day.ts'
import { OpenGate } from '../modules/gate/operations/open-gate-by-staff.ts'
import { postGateEvents } from '../modules/gate/operations/post-gate-events.ts'
import { RecordLock } from '../modules/gate/operations/record-overlock-set-or-removed.ts'
import { SaveGate } from '../modules/gate/operations/save-gate.ts'
import { SuspendGate } from '../modules/gate/operations/suspend-gate.ts'
import { DecideProof } from '../modules/insurance/operations/decide-proof.ts'
import { OpenProofFile } from '../modules/insurance/operations/open-proof-file.ts'
import { postInsuranceUpload } from '../modules/insurance/operations/post-insurance-upload.ts'
import { AddFeesToLease } from '../modules/leases/operations/add-full-day-access-fee-by-tenant.ts'
import { GetLeaseAgreementDetails } from '../modules/leases/operations/get-lease-agreement-details.ts'
import { GetTenantUnitLeaseDetails } from '../modules/leases/operations/get-tenant-unit-lease-details.ts'
import { GetTenantUnitList_V1 } from '../modules/leases/operations/get-tenant-unit-list-v1.ts'
import { RequireTerms } from '../modules/leases/operations/require-terms.ts'
import { AddGateAccessTimeZone } from '../modules/leases/operations/set-lease-gate-hours.ts'
import { UpdateAutoPayInformation } from '../modules/leases/operations/turn-autopay-off-by-tenant.ts'
import { AddCharge } from '../modules/ledger/operations/add-charge.ts'
import { CreditLease } from '../modules/ledger/operations/credit-lease.ts'
import { GetCurrentDues } from '../modules/ledger/operations/get-current-dues.ts'
import { GetPrePayRentalCharges } from '../modules/ledger/operations/get-pre-pay-rental-charges.ts'
import { MoveBalance } from '../modules/ledger/operations/move-balance.ts'
import { WaiveCharge } from '../modules/ledger/operations/waive-charge.ts'
import { WriteOffBalance } from '../modules/ledger/operations/write-off-balance.ts'
import { DecideLienStep } from '../modules/liens/operations/confirm-or-refuse-lien-step.ts'
import { OpenLienCase } from '../modules/liens/operations/open-lien-case.ts'
import { OpenLienProof } from '../modules/liens/operations/open-lien-proof.ts'
import { PaySurplus } from '../modules/liens/operations/pay-surplus.ts'
import { RecordLienStep } from '../modules/liens/operations/record-lien-step.ts'
import { CloseSale } from '../modules/liens/operations/record-sale.ts'
import { SignOffLienRules } from '../modules/liens/operations/sign-off-lien-rules.ts'
import { StopLienCase } from '../modules/liens/operations/stop-lien-case.ts'
import { getAuctionWinner } from '../modules/links/operations/get-auction-winner.ts'
import { postAcknowledgedRules } from '../modules/links/operations/post-acknowledged-auction-rules.ts'
import { SendLink } from '../modules/links/operations/send-link.ts'
import { EndJob } from '../modules/messages/operations/end-job.ts'
import { RetryJob } from '../modules/messages/operations/retry-job.ts'
import { postMoveInCompletion } from '../modules/move-in/operations/check-move-in-mail-state.ts'
import { postReceipt } from '../modules/move-in/operations/check-own-payment-receipt-mail-state.ts'
import { ConvertReservationToRental } from '../modules/move-in/operations/convert-own-paid-reservation-to-rental.ts'
import { LeasePdf } from '../modules/move-in/operations/preview-or-sign-lease-pdf.ts'
import { ProcessACHMoveIn } from '../modules/move-in/operations/process-ach-move-in.ts'
import { CancelMoveOutByStaff } from '../modules/move-outs/operations/cancel-move-out-by-staff.ts'
import { CancelScheduleMoveOut } from '../modules/move-outs/operations/cancel-scheduled-move-out.ts'
import { VerifyMoveOut } from '../modules/move-outs/operations/inspect-unit-after-move-out.ts'
import { sendScheduleMoveOutEmail } from '../modules/move-outs/operations/mail-about-scheduled-move-out.ts'
import { postScheduledMoveOuts } from '../modules/move-outs/operations/save-move-out-feedback.ts'
import { ScheduleMoveOut } from '../modules/move-outs/operations/schedule-move-out.ts'
import { ScheduleMoveOutByStaff } from '../modules/move-outs/operations/schedule-move-out-by-staff.ts'
import { ScheduleMoveOutWithFeedback } from '../modules/move-outs/operations/schedule-move-out-with-feedback.ts'
import { postAuctionPaymentEmail } from '../modules/payments/operations/check-auction-payment-mail-state.ts'
import { GetPaymentHistory_V1 } from '../modules/payments/operations/get-payment-history-v1.ts'
import { getDelinquentTenant } from '../modules/payments/operations/get-settlement-by-link.ts'
import { GetTenantLastPaymentDetails } from '../modules/payments/operations/get-tenant-last-payment-details.ts'
import { postHostPay } from '../modules/payments/operations/open-card-page-by-api.ts'
import { ProcessACHPayments } from '../modules/payments/operations/pay-lease-from-bank-account.ts'
import { ProcessPayment_V2 } from '../modules/payments/operations/process-payment-v2.ts'
import { postDirectPay } from '../modules/payments/operations/settle-order-of-own-session.ts'
import { StartCheckout } from '../modules/payments/operations/start-checkout.ts'
import { StartUnitsCheckout } from '../modules/payments/operations/start-units-checkout.ts'
import { GetAllDiscounts } from '../modules/pricing/operations/get-discounts-of-unit-type.ts'
import { GetFeesandCharges, GetFeesandCharges_V1 } from '../modules/pricing/operations/get-fees-and-charges.ts'
import { GetInsuranceTerminology } from '../modules/pricing/operations/get-insurance-coverage-texts.ts'
import { GetInsuranceSchemes } from '../modules/pricing/operations/get-insurance-schemes.ts'
import { GetLocationUnitTypes } from '../modules/pricing/operations/get-location-unit-types.ts'
import { EraseTenant } from '../modules/privacy/operations/erase-tenant.ts'
import { ExportTenant } from '../modules/privacy/operations/export-tenant.ts'
import { DecideReview } from '../modules/refunds/operations/decide-payment-review.ts'
import { RefundPayment } from '../modules/refunds/operations/refund-payment.ts'
import { RefundedByHand } from '../modules/refunds/operations/refunded-by-hand.ts'
import { RetryRefund } from '../modules/refunds/operations/retry-refund.ts'
import { CancelRentChange } from '../modules/rent-changes/operations/cancel-rent-change.ts'
import { DecideRentChanges } from '../modules/rent-changes/operations/decide-rent-changes.ts'
import { ExportRents } from '../modules/rent-changes/operations/export-rents.ts'
import { ProposeRentChanges } from '../modules/rent-changes/operations/propose-rent-changes.ts'
import { ProposeRentChangesByRule } from '../modules/rent-changes/operations/propose-rent-changes-by-rule.ts'
import { StopRentChanges } from '../modules/rent-changes/operations/stop-rent-changes.ts'
import { ExportReport } from '../modules/reports/operations/export-report.ts'
import { GetReport } from '../modules/reports/operations/get-report.ts'
import { EndWait } from '../modules/reservations/operations/end-wait.ts'
import { postProspects } from '../modules/reservations/operations/ensure-prospect-record-of-own-reservation.ts'
import { GetActiveReservation } from '../modules/reservations/operations/find-active-reservation-by-name-and-phone.ts'
import { FindReservation } from '../modules/reservations/operations/find-reservation.ts'
import { GetMoveInCostAll } from '../modules/reservations/operations/get-move-in-cost-of-unit.ts'
import { JoinWaitlist } from '../modules/reservations/operations/join-waitlist.ts'
import { getProspect } from '../modules/reservations/operations/locate-reservation-of-mailed-link.ts'
import { putProspect } from '../modules/reservations/operations/mark-prospect-completed.ts'
import { SaveReservationDetails_WEB } from '../modules/reservations/operations/reserve-unit-for-new-tenant.ts'
import { SaveReservationDetailsForExistingTenants } from '../modules/reservations/operations/save-reservation-for-existing-tenant.ts'
import { StartDeskMoveIn } from '../modules/reservations/operations/start-desk-move-in.ts'
import { AssignTask } from '../modules/staff/operations/assign-task.ts'
import { CompleteTask } from '../modules/staff/operations/complete-task.ts'
import { DecideApproval } from '../modules/staff/operations/decide-approval.ts'
import { EndOwnSignIn } from '../modules/staff/operations/end-own-sign-in.ts'
import { EndStaff } from '../modules/staff/operations/end-staff.ts'
import { EndStaffSignIns } from '../modules/staff/operations/end-staff-sign-ins.ts'
import { ExportAudit } from '../modules/staff/operations/export-audit.ts'
import { InviteStaff } from '../modules/staff/operations/invite-staff.ts'
import { ListMachineKeys } from '../modules/staff/operations/list-machine-keys.ts'
import { MakeMachineKey } from '../modules/staff/operations/make-machine-key.ts'
import { NewRecoveryCodes } from '../modules/staff/operations/new-recovery-codes.ts'
import { InviteStaffAgain } from '../modules/staff/operations/reinvite-former-staff-member.ts'
import { RemoveFactor } from '../modules/staff/operations/remove-factor.ts'
import { ResetStaffCredentials } from '../modules/staff/operations/reset-staff-credentials.ts'
import { RevokeMachineKey } from '../modules/staff/operations/revoke-machine-key.ts'
import { RotateMachineKey } from '../modules/staff/operations/rotate-machine-key.ts'
import { SetLimits } from '../modules/staff/operations/set-amount-limits-per-role.ts'
import { SetRoles } from '../modules/staff/operations/set-roles.ts'
import { WithdrawApproval } from '../modules/staff/operations/withdraw-approval.ts'
import { GetLeaseFile } from '../modules/tenant-view/operations/get-lease-for-office-page.ts'
import { GetTenantFile } from '../modules/tenant-view/operations/get-tenant-file.ts'
import { OpenTenantDocument } from '../modules/tenant-view/operations/open-tenant-document.ts'
import { SearchOffice } from '../modules/tenant-view/operations/search-office.ts'
import { ShowSensitive } from '../modules/tenant-view/operations/show-sensitive.ts'
import { AddTenantNotes } from '../modules/tenants/operations/add-note-by-tenant.ts'
import { AddStaffNote } from '../modules/tenants/operations/add-staff-note.ts'
import { GetTenantDetailsByEmail } from '../modules/tenants/operations/check-tenant-exists-by-email.ts'
import { GetTenantInfo } from '../modules/tenants/operations/get-tenant-info.ts'
import { postTenants } from '../modules/tenants/operations/save-tenant-birthday.ts'
import { SetTenantFlag } from '../modules/tenants/operations/set-tenant-flag.ts'
import { StopTexts } from '../modules/tenants/operations/stop-texts-by-staff.ts'
import { UpdateTenantMilitaryStatus } from '../modules/tenants/operations/update-tenant-military-status.ts'
import { CancelTransfer } from '../modules/transfers/operations/cancel-transfer.ts'
import { QuoteTransfer } from '../modules/transfers/operations/quote-transfer.ts'
import { TransferUnit } from '../modules/transfers/operations/start-transfer-by-tenant-or-staff.ts'

export const everyOperation = [
  postTenantUpdateNotice,
  CheckResetCode,
  CheckUnitNumber,
  ConfirmEmailChange,
  UpdateOnlineAccess,
  UpdateOnlineAccessPassword,
  DeclinePasskeys,
  EndOtherSignIns,
  EndSignIn,
  tenantLookup,
  FinishReset,
  GetSecurityQuestions,
  KeepPasskey,
  login,
  ValidatePasswordRequestIsExist,
  RemovePasskey,
  RenamePasskey,
  RenewSignIn,
  sendForgottenGateCode,
  SetTextConsent,
  signInGuestPayer,
  UndoAccountChange,
  UpdateTenantByStaff,
  UpdateTenantInfo,
  WithdrawEmailChange,
  AcceptTerms,
  postConfirmAppointment,
  ProposeAppointment,
  CloseDrawer,
  ExportDrawer,
  MatchDeposit,
  OpenDrawer,
  ReceivePayment,
  ReturnCheck,
  VoidReceipt,
  MakePromise,
  OfferSettlement,
  RecordCall,
  AddOffer,
  AddPhotographs,
  SaveOffer,
  getSettings,
  getLocationContents,
  GetLocationDetails,
  getLocations,
  getStates,
  getState,
  getLocationUnits,
  GetUnitsList,
  GetAllUnits,
  SavePhotographs,
  RetireOrRestore,
  ReturnUnitToService,
  SaveBrandPicture,
  SaveBrand,
  SaveFacility,
  SaveSiteSetting,
  SaveStreetRates,
  TakeUnitOutOfService,
  ChangeGateCode,
  EndGateOverride,
  ExportGateList,
  getGateState,
  LiftOverlock,
  OpenGate,
  postGateEvents,
  RecordLock,
  SaveGate,
  SuspendGate,
  DecideProof,
  OpenProofFile,
  postInsuranceUpload,
  AddFeesToLease,
  GetLeaseAgreementDetails,
  GetTenantUnitLeaseDetails,
  GetTenantUnitList_V1,
  RequireTerms,
  AddGateAccessTimeZone,
  UpdateAutoPayInformation,
  AddCharge,
  CreditLease,
  GetCurrentDues,
  GetPrePayRentalCharges,
  MoveBalance,
  WaiveCharge,
  WriteOffBalance,
  DecideLienStep,
  OpenLienCase,
  OpenLienProof,
  PaySurplus,
  RecordLienStep,
  CloseSale,
  SignOffLienRules,
  StopLienCase,
  getAuctionWinner,
  postAcknowledgedRules,
  SendLink,
  EndJob,
  RetryJob,
  postMoveInCompletion,
  postReceipt,
  ConvertReservationToRental,
  LeasePdf,
  ProcessACHMoveIn,
  CancelMoveOutByStaff,
  CancelScheduleMoveOut,
  VerifyMoveOut,
  sendScheduleMoveOutEmail,
  postScheduledMoveOuts,
  ScheduleMoveOutByStaff,
  ScheduleMoveOutWithFeedback,
  ScheduleMoveOut,
  postAuctionPaymentEmail,
  GetPaymentHistory_V1,
  getDelinquentTenant,
  GetTenantLastPaymentDetails,
  postHostPay,
  ProcessACHPayments,
  ProcessPayment_V2,
  postDirectPay,
  StartCheckout,
  StartUnitsCheckout,
  GetAllDiscounts,
  GetFeesandCharges,
  GetFeesandCharges_V1,
  GetInsuranceTerminology,
  GetInsuranceSchemes,
  GetLocationUnitTypes,
  EraseTenant,
  ExportTenant,
  DecideReview,
  RefundPayment,
  RefundedByHand,
  RetryRefund,
  CancelRentChange,
  DecideRentChanges,
  ExportRents,
  ProposeRentChangesByRule,
  ProposeRentChanges,
  StopRentChanges,
  ExportReport,
  GetReport,
  EndWait,
  postProspects,
  GetActiveReservation,
  FindReservation,
  GetMoveInCostAll,
  JoinWaitlist,
  getProspect,
  putProspect,
  SaveReservationDetails_WEB,
  SaveReservationDetailsForExistingTenants,
  StartDeskMoveIn,
  AssignTask,
  CompleteTask,
  DecideApproval,
  EndOwnSignIn,
  EndStaffSignIns,
  EndStaff,
  ExportAudit,
  InviteStaff,
  ListMachineKeys,
  MakeMachineKey,
  NewRecoveryCodes,
  InviteStaffAgain,
  RemoveFactor,
  ResetStaffCredentials,
  RevokeMachineKey,
  RotateMachineKey,
  SetLimits,
  SetRoles,
  WithdrawApproval,
  GetLeaseFile,
  GetTenantFile,
  OpenTenantDocument,
  SearchOffice,
  ShowSensitive,
  AddTenantNotes,
  AddStaffNote,
  GetTenantDetailsByEmail,
  GetTenantInfo,
  postTenants,
  SetTenantFlag,
  StopTexts,
  UpdateTenantMilitaryStatus,
  CancelTransfer,
  QuoteTransfer,
  TransferUnit,
]

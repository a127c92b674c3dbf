// Written by `npm run catalogue`.
import { postTenantUpdateNotice } from '../modules/accounts/operations/check-account-change-mail-state.ts'
import { CheckResetCode } from '../modules/accounts/operations/check-reset-code.ts'
import { CheckUnitNumber } from '../modules/accounts/operations/check-unit-number-for-online-access.ts'
import { ConfirmEmailChange } from '../modules/accounts/operations/confirm-email-change.ts'
import { DeclinePasskeys } from '../modules/accounts/operations/decline-passkeys.ts'
import { EndOtherSignIns } from '../modules/accounts/operations/end-other-sign-ins.ts'
import { EndSignIn } from '../modules/accounts/operations/end-sign-in.ts'
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
import { tenantLookup } from '../modules/accounts/operations/tenant-lookup.ts'
import { UndoAccountChange } from '../modules/accounts/operations/undo-account-change.ts'
import { UpdateOnlineAccess, UpdateOnlineAccessPassword } from '../modules/accounts/operations/update-online-access.ts'
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
import { getLocationContents } from '../modules/facilities/operations/get-location-contents.ts'
import { GetLocationDetails } from '../modules/facilities/operations/get-location-details.ts'
import { getLocationUnits } from '../modules/facilities/operations/get-location-units.ts'
import { getLocations } from '../modules/facilities/operations/get-locations.ts'
import { getSettings } from '../modules/facilities/operations/get-settings.ts'
import { getState, getStates } from '../modules/facilities/operations/get-states.ts'
import { GetAllUnits, GetUnitsList } from '../modules/facilities/operations/get-units.ts'
import { RetireOrRestore } from '../modules/facilities/operations/retire-or-restore.ts'
import { ReturnUnitToService } from '../modules/facilities/operations/return-unit-to-service.ts'
import { SaveBrand } from '../modules/facilities/operations/save-brand.ts'
import { SaveBrandPicture } from '../modules/facilities/operations/save-brand-picture.ts'
import { SaveFacility } from '../modules/facilities/operations/save-facility.ts'
import { SaveOffer } from '../modules/facilities/operations/save-fee-insurance-plan-or-discount.ts'
import { SavePhotographs } from '../modules/facilities/operations/save-photographs.ts'
import { SaveSiteSetting } from '../modules/facilities/operations/save-site-setting.ts'
import { SaveStreetRates } from '../modules/facilities/operations/save-street-rates.ts'
import { TakeUnitOutOfService } from '../modules/facilities/operations/take-unit-out-of-service.ts'
import { ChangeGateCode } from '../modules/gate/operations/change-gate-code.ts'
import { EndGateOverride } from '../modules/gate/operations/end-gate-override.ts'
import { ExportGateList } from '../modules/gate/operations/export-gate-list.ts'
import { getGateState } from '../modules/gate/operations/get-gate-state.ts'
import { LiftOverlock } from '../modules/gate/operations/lift-overlock.ts'
import { OpenGate } from '../modules/gate/operations/open-gate.ts'
import { postGateEvents } from '../modules/gate/operations/post-gate-events.ts'
import { RecordLock } from '../modules/gate/operations/record-lock.ts'
import { SaveGate } from '../modules/gate/operations/save-gate.ts'
import { SuspendGate } from '../modules/gate/operations/suspend-gate.ts'
import { DecideProof } from '../modules/insurance/operations/decide-proof.ts'
import { OpenProofFile } from '../modules/insurance/operations/open-proof-file.ts'
import { postInsuranceUpload } from '../modules/insurance/operations/post-insurance-upload.ts'
import { AddFeesToLease } from '../modules/leases/operations/add-full-day-access-fee-by-tenant.ts'
import { AddGateAccessTimeZone } from '../modules/leases/operations/add-gate-access-time-zone.ts'
import { GetLeaseAgreementDetails } from '../modules/leases/operations/get-lease-agreement-details.ts'
import { GetTenantUnitLeaseDetails } from '../modules/leases/operations/get-tenant-unit-lease-details.ts'
import { GetTenantUnitList_V1 } from '../modules/leases/operations/get-tenant-unit-list-v1.ts'
import { RequireTerms } from '../modules/leases/operations/require-terms.ts'
import { UpdateAutoPayInformation } from '../modules/leases/operations/update-auto-pay-information.ts'
import { AddCharge } from '../modules/ledger/operations/add-charge.ts'
import { CreditLease } from '../modules/ledger/operations/credit-lease.ts'
import { GetCurrentDues } from '../modules/ledger/operations/get-current-dues.ts'
import { GetPrePayRentalCharges } from '../modules/ledger/operations/get-pre-pay-rental-charges.ts'
import { MoveBalance } from '../modules/ledger/operations/move-balance.ts'
import { WaiveCharge } from '../modules/ledger/operations/waive-charge.ts'
import { WriteOffBalance } from '../modules/ledger/operations/write-off-balance.ts'
import { DecideLienStep } from '../modules/liens/operations/decide-lien-step.ts'
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
import { postReceipt } from '../modules/move-in/operations/check-receipt-mail-state.ts'
import { ConvertReservationToRental } from '../modules/move-in/operations/convert-reservation-to-rental.ts'
import { LeasePdf } from '../modules/move-in/operations/lease-pdf.ts'
import { ProcessACHMoveIn } from '../modules/move-in/operations/process-ach-move-in.ts'
import { CancelMoveOutByStaff } from '../modules/move-outs/operations/cancel-move-out-by-staff.ts'
import { CancelScheduleMoveOut } from '../modules/move-outs/operations/cancel-schedule-move-out.ts'
import { postScheduledMoveOuts } from '../modules/move-outs/operations/post-scheduled-move-outs.ts'
import { ScheduleMoveOut } from '../modules/move-outs/operations/schedule-move-out.ts'
import { ScheduleMoveOutByStaff } from '../modules/move-outs/operations/schedule-move-out-by-staff.ts'
import { ScheduleMoveOutWithFeedback } from '../modules/move-outs/operations/schedule-move-out-with-feedback.ts'
import { sendScheduleMoveOutEmail } from '../modules/move-outs/operations/send-schedule-move-out-email.ts'
import { VerifyMoveOut } from '../modules/move-outs/operations/verify-move-out.ts'
import { postAuctionPaymentEmail } from '../modules/payments/operations/check-auction-payment-mail-state.ts'
import { getDelinquentTenant } from '../modules/payments/operations/get-delinquent-tenant.ts'
import { GetPaymentHistory_V1 } from '../modules/payments/operations/get-payment-history-v1.ts'
import { GetTenantLastPaymentDetails } from '../modules/payments/operations/get-tenant-last-payment-details.ts'
import { postDirectPay } from '../modules/payments/operations/post-direct-pay.ts'
import { postHostPay } from '../modules/payments/operations/post-host-pay.ts'
import { ProcessACHPayments } from '../modules/payments/operations/process-ach-payments.ts'
import { ProcessPayment_V2 } from '../modules/payments/operations/process-payment-v2.ts'
import { StartCheckout } from '../modules/payments/operations/start-checkout.ts'
import { StartUnitsCheckout } from '../modules/payments/operations/start-units-checkout.ts'
import { GetAllDiscounts } from '../modules/pricing/operations/get-all-discounts.ts'
import { GetFeesandCharges, GetFeesandCharges_V1 } from '../modules/pricing/operations/get-fees-and-charges.ts'
import { GetInsuranceSchemes } from '../modules/pricing/operations/get-insurance-schemes.ts'
import { GetInsuranceTerminology } from '../modules/pricing/operations/get-insurance-terminology.ts'
import { GetLocationUnitTypes } from '../modules/pricing/operations/get-location-unit-types.ts'
import { EraseTenant } from '../modules/privacy/operations/erase-tenant.ts'
import { ExportTenant } from '../modules/privacy/operations/export-tenant.ts'
import { DecideReview } from '../modules/refunds/operations/decide-review.ts'
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
import { GetActiveReservation } from '../modules/reservations/operations/find-active-reservation-by-name-and-phone.ts'
import { FindReservation } from '../modules/reservations/operations/find-reservation.ts'
import { GetMoveInCostAll } from '../modules/reservations/operations/get-move-in-cost-of-unit.ts'
import { getProspect } from '../modules/reservations/operations/get-prospect.ts'
import { JoinWaitlist } from '../modules/reservations/operations/join-waitlist.ts'
import { postProspects } from '../modules/reservations/operations/post-prospects.ts'
import { putProspect } from '../modules/reservations/operations/put-prospect.ts'
import { SaveReservationDetails_WEB } from '../modules/reservations/operations/save-reservation-details.ts'
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
import { SetLimits } from '../modules/staff/operations/set-limits.ts'
import { SetRoles } from '../modules/staff/operations/set-roles.ts'
import { WithdrawApproval } from '../modules/staff/operations/withdraw-approval.ts'
import { GetLeaseFile } from '../modules/tenant-view/operations/get-lease-file.ts'
import { GetTenantFile } from '../modules/tenant-view/operations/get-tenant-file.ts'
import { OpenTenantDocument } from '../modules/tenant-view/operations/open-tenant-document.ts'
import { SearchOffice } from '../modules/tenant-view/operations/search-office.ts'
import { ShowSensitive } from '../modules/tenant-view/operations/show-sensitive.ts'
import { AddStaffNote } from '../modules/tenants/operations/add-staff-note.ts'
import { AddTenantNotes } from '../modules/tenants/operations/add-tenant-notes.ts'
import { GetTenantDetailsByEmail } from '../modules/tenants/operations/check-tenant-exists-by-email.ts'
import { GetTenantInfo } from '../modules/tenants/operations/get-tenant-info.ts'
import { postTenants } from '../modules/tenants/operations/post-tenants.ts'
import { SetTenantFlag } from '../modules/tenants/operations/set-tenant-flag.ts'
import { StopTexts } from '../modules/tenants/operations/stop-texts-by-staff.ts'
import { UpdateTenantMilitaryStatus } from '../modules/tenants/operations/update-tenant-military-status.ts'
import { CancelTransfer } from '../modules/transfers/operations/cancel-transfer.ts'
import { TransferUnit } from '../modules/transfers/operations/offer-transfer.ts'
import { QuoteTransfer } from '../modules/transfers/operations/quote-transfer.ts'

export const everyOperation = [
  postTenantUpdateNotice,
  CheckResetCode,
  CheckUnitNumber,
  ConfirmEmailChange,
  DeclinePasskeys,
  EndOtherSignIns,
  EndSignIn,
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
  tenantLookup,
  UndoAccountChange,
  UpdateOnlineAccess,
  UpdateOnlineAccessPassword,
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
  getLocationContents,
  GetLocationDetails,
  getLocationUnits,
  getLocations,
  getSettings,
  getStates,
  getState,
  GetUnitsList,
  GetAllUnits,
  RetireOrRestore,
  ReturnUnitToService,
  SaveBrandPicture,
  SaveBrand,
  SaveFacility,
  SaveOffer,
  SavePhotographs,
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
  AddGateAccessTimeZone,
  GetLeaseAgreementDetails,
  GetTenantUnitLeaseDetails,
  GetTenantUnitList_V1,
  RequireTerms,
  UpdateAutoPayInformation,
  AddCharge,
  CreditLease,
  GetCurrentDues,
  GetPrePayRentalCharges,
  MoveBalance,
  WaiveCharge,
  WriteOffBalance,
  CloseSale,
  DecideLienStep,
  OpenLienCase,
  OpenLienProof,
  PaySurplus,
  RecordLienStep,
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
  postScheduledMoveOuts,
  ScheduleMoveOutByStaff,
  ScheduleMoveOutWithFeedback,
  ScheduleMoveOut,
  sendScheduleMoveOutEmail,
  VerifyMoveOut,
  postAuctionPaymentEmail,
  getDelinquentTenant,
  GetPaymentHistory_V1,
  GetTenantLastPaymentDetails,
  postDirectPay,
  postHostPay,
  ProcessACHPayments,
  ProcessPayment_V2,
  StartCheckout,
  StartUnitsCheckout,
  GetAllDiscounts,
  GetFeesandCharges,
  GetFeesandCharges_V1,
  GetInsuranceSchemes,
  GetInsuranceTerminology,
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
  GetActiveReservation,
  FindReservation,
  GetMoveInCostAll,
  getProspect,
  JoinWaitlist,
  postProspects,
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
  AddStaffNote,
  AddTenantNotes,
  GetTenantDetailsByEmail,
  GetTenantInfo,
  postTenants,
  SetTenantFlag,
  StopTexts,
  UpdateTenantMilitaryStatus,
  CancelTransfer,
  TransferUnit,
  QuoteTransfer,
]

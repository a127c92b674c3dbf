// Written by `npm run catalogue`.
import { unlockMail } from './mails/account-unlock.ts'
import { appointmentProposedMail } from './mails/appointment-proposed.ts'
import { appointmentReminderMail } from './mails/appointment-reminder.ts'
import { auctionPaymentMail } from './mails/auction-winner-receipt.ts'
import { auditHashMail } from './mails/audit-hash.ts'
import { autopayOnMail } from './mails/autopay-on.ts'
import { autopayRefusedMail } from './mails/autopay-refused.ts'
import { paymentReturnedMail } from './mails/bank-debit-returned.ts'
import { billingWaitsMail } from './mails/billing-waits.ts'
import { checkReturnedMail } from './mails/check-returned.ts'
import { clockInDoubtMail } from './mails/clock-in-doubt.ts'
import { confirmEmailMail } from './mails/confirm-email.ts'
import { counterReceiptMail } from './mails/counter-receipt.ts'
import { changeUndoneMail } from './mails/email-change-undone.ts'
import { gateCodeChangedMail } from './mails/gate-code-changed.ts'
import { gateCodeSmsText } from './mails/gate-code-text-message.ts'
import { auctionGateReadyMail, gateReadyMail } from './mails/gate-ready.ts'
import { holdExpiredMail } from './mails/hold-expired.ts'
import { insuranceProofDecidedMail } from './mails/insurance-proof-decided.ts'
import { insuranceProofOfficeMail } from './mails/insurance-proof-office.ts'
import { insuranceProofMail } from './mails/insurance-proof-received.ts'
import { ledgerChangedMail } from './mails/ledger-changed.ts'
import { machineKeyEndingMail } from './mails/machine-key-ending.ts'
import { moveInCompletedMail } from './mails/move-in-completed.ts'
import { moveOutScheduledMail } from './mails/move-out-scheduled.ts'
import { onlineAccessMail } from './mails/online-account-created.ts'
import { ownInsuranceEndedMail } from './mails/own-insurance-ended.ts'
import { ownInsuranceEndedOfficeMail } from './mails/own-insurance-ended-office.ts'
import { ownInsuranceEndingMail } from './mails/own-insurance-ending.ts'
import { passkeyChangedMail } from './mails/passkey-changed.ts'
import { pastDueMail } from './mails/past-due.ts'
import { paymentDueMail } from './mails/payment-due.ts'
import { paymentReviewMail } from './mails/payment-review.ts'
import { receiptMail } from './mails/receipt.ts'
import { receiptVoidedMail } from './mails/receipt-voided.ts'
import { refundSentMail } from './mails/refund-sent.ts'
import { registerLinkMail } from './mails/register-link.ts'
import { rentChangeCancelledMail } from './mails/rent-change-cancelled.ts'
import { rentChangeNoticeMail } from './mails/rent-change-notice.ts'
import { gateCodeMail } from './mails/requested-gate-code.ts'
import { reservationCancelledMail } from './mails/reservation-cancelled.ts'
import { reservationConfirmedMail } from './mails/reservation-confirmed.ts'
import { reservationLinkSmsText } from './mails/reservation-link-text-message.ts'
import { resetCodeMail } from './mails/reset-code.ts'
import { settlementLinkMail } from './mails/settlement-link.ts'
import { staffInvitedMail } from './mails/staff-invited.ts'
import { staffNewDeviceMail } from './mails/staff-new-device.ts'
import { staffUnlockMail } from './mails/staff-unlock.ts'
import { tenantUpdatedMail } from './mails/tenant-updated.ts'
import { transferCompletedMail } from './mails/transfer-completed.ts'
import { transferSignedMail } from './mails/transfer-signed.ts'
import { unitFreeMail } from './mails/unit-free.ts'
import { termsLinkMail } from './mails/updated-terms-to-accept.ts'
import { refundMail } from './mails/whole-payment-refunded.ts'

export const everyMessage = {
  unlock: unlockMail,
  appointment_proposed: appointmentProposedMail,
  appointment_reminder: appointmentReminderMail,
  auction_payment: auctionPaymentMail,
  audit_hash: auditHashMail,
  autopay_on: autopayOnMail,
  autopay_refused: autopayRefusedMail,
  payment_returned: paymentReturnedMail,
  billing_waits: billingWaitsMail,
  check_returned: checkReturnedMail,
  clock_in_doubt: clockInDoubtMail,
  confirm_email: confirmEmailMail,
  counter_receipt: counterReceiptMail,
  change_undone: changeUndoneMail,
  gate_code_changed: gateCodeChangedMail,
  gate_code_sms: gateCodeSmsText,
  gate_ready: gateReadyMail,
  auction_gate_ready: auctionGateReadyMail,
  hold_expired: holdExpiredMail,
  insurance_proof_decided: insuranceProofDecidedMail,
  insurance_proof_office: insuranceProofOfficeMail,
  insurance_proof: insuranceProofMail,
  ledger_changed: ledgerChangedMail,
  machine_key_ending: machineKeyEndingMail,
  move_in_completed: moveInCompletedMail,
  move_out_scheduled: moveOutScheduledMail,
  online_access: onlineAccessMail,
  own_insurance_ended_office: ownInsuranceEndedOfficeMail,
  own_insurance_ended: ownInsuranceEndedMail,
  own_insurance_ending: ownInsuranceEndingMail,
  passkey_changed: passkeyChangedMail,
  past_due: pastDueMail,
  payment_due: paymentDueMail,
  payment_review: paymentReviewMail,
  receipt_voided: receiptVoidedMail,
  receipt: receiptMail,
  refund_sent: refundSentMail,
  register_link: registerLinkMail,
  rent_change_cancelled: rentChangeCancelledMail,
  rent_change_notice: rentChangeNoticeMail,
  gate_code: gateCodeMail,
  reservation_cancelled: reservationCancelledMail,
  reservation_confirmed: reservationConfirmedMail,
  reservation_link_sms: reservationLinkSmsText,
  reset_code: resetCodeMail,
  settlement_link: settlementLinkMail,
  staff_invited: staffInvitedMail,
  staff_new_device: staffNewDeviceMail,
  staff_unlock: staffUnlockMail,
  tenant_updated: tenantUpdatedMail,
  transfer_completed: transferCompletedMail,
  transfer_signed: transferSignedMail,
  unit_free: unitFreeMail,
  terms_link: termsLinkMail,
  refund: refundMail,
}

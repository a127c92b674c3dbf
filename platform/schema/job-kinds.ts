/** The kinds of jobs with their payloads. Both are stored, so neither is renamed. */
import type { IsoDate } from '../../domain/plain-date.ts'

interface ReservationKey {
  locationCode: string
  reservationCode: string
}

interface LeaseKey {
  locationCode: string
  leaseNumber: number
}

export interface TenantKey {
  locationCode: string
  tenantId: number
}

interface OrderKey {
  orderId: string
}

interface RefundKey {
  refundId: string
}

interface ProofKey {
  proofId: string
}

/**
 * A lease, and the number of its facility's billing run that queued the mail, by which a reversal of the run finds the
 * mail. Earlier releases stored no number.
 */
interface BilledLeaseKey extends LeaseKey {
  billingRun?: number
}

interface DuePeriod extends BilledLeaseKey {
  periodStart: IsoDate
}

/** A lease and the last day of its tenant's own policy. */
export interface PolicyKey extends BilledLeaseKey {
  expires: IsoDate
}

export interface AppointmentJob {
  appointmentId: number
  link: string
}

/** A lease that changed to the tenant's own insurance. */
export interface InsuredLease {
  lease_number: number
  unit_number: string
  /** Ended premium for a period before tax, in cents; 0 if the lease did not have our insurance. */
  premium_ended: number
  /** Last day charged with our insurance; null if none was. */
  charged_until: IsoDate | null
}

export type TenantUpdate = { accountId: string } & (
  | ({ changed: 'name' } & TenantKey)
  | ({ changed: 'phone' } & TenantKey)
  | { changed: 'password'; undoId: string | null }
  | { changed: 'email'; changeId: string; to: 'old' | 'new'; undoId?: string | null }
)

/** A sign-in to the office from a browser that the staff member has not used before; `at` in epoch milliseconds. */
export interface NewDevice {
  staffId: string
  at: number
  address: string
  agent: string
}

/** Recipient of a warning by mail. `staffId`: an owner; '' for the business's own address. */
export interface OwnerWarning {
  staffId: string
}

/** Payload of each kind of job. */
export interface JobKinds {
  clock_in_doubt: OwnerWarning & { doubt: 'jump' | 'database' | 'known' | 'outside' }
  billing_waits: OwnerWarning & { facilities: { locationCode: string; billed: IsoDate; today: IsoDate }[] }
  /** `to`: the address that AUDIT_MAIL_TO names. */
  audit_hash: { to: string; day: IsoDate; events: number; hash: string }
  /** `endsAt`: expiry of the machine key, in epoch milliseconds; one mail is sent for each expiry. */
  machine_key_ending: OwnerWarning & { keyId: string; endsAt: number }
  staff_new_device: NewDevice
  /** `at`: time of the request, in epoch milliseconds, which is part of the link's token. */
  staff_unlock: { staffId: string; at: number }
  /** `link`: the invitation link's token, sealed. */
  staff_invited: { staffId: string; link: string }
  /** `rentNow`: for a rental in progress that moves in today; not sent once the reservation is no longer active. */
  reservation_confirmed: ReservationKey & { rentNow?: boolean }
  reservation_cancelled: ReservationKey
  hold_expired: ReservationKey
  /** Mail to a visitor on the waitlist about a free unit. */
  unit_free: { waitlistId: string }
  move_in_completed: LeaseKey
  receipt: OrderKey
  autopay_on: OrderKey
  /** `nextTry`: day of the next charge; null if there is none. */
  autopay_refused: OrderKey & { autopayOff: boolean; nextTry: IsoDate | null }
  payment_returned: OrderKey & { autopayOff: boolean }
  payment_review: OrderKey
  /** `by`: how a staff member refunded the money, if the provider could not. */
  refund: OrderKey & { by?: string }
  /** Mail with the receipt for money that was paid at the counter. */
  counter_receipt: { receiptId: string }
  receipt_voided: { receiptId: string }
  check_returned: { receiptId: string }
  /** Refund of a posted payment; each attempt is a separate job. */
  send_refund: RefundKey
  refund_sent: RefundKey
  /** Mail to the tenant about ledger entries that a staff member added, or that reverse charges of a billing run. */
  ledger_changed: LeaseKey & { act: 'waive' | 'charge' | 'credit' | 'take back'; entryIds: string[] }
  payment_due: DuePeriod
  past_due: DuePeriod
  auction_payment: { uuid: string }
  auction_gate_ready: { uuid: string }
  settlement_link: { uuid: string }
  move_out_scheduled: { moveOutId: string }
  transfer_signed: { transferId: string }
  transfer_completed: { transferId: string }
  /** Deletes a stored proof whose lien step was never written. */
  lien_proof_kept: { stepId: string; fileKey: string }
  rent_change_notice: { changeId: string }
  rent_change_cancelled: { changeId: string }

  reset_code: { resetId: string }
  unlock: { accountId: string }
  passkey_changed: { accountId: string; name: string; change: 'added' | 'removed'; at: number }
  register_link: TenantKey
  terms_link: LeaseKey
  online_access: TenantKey
  gate_code: TenantKey
  gate_code_sms: TenantKey
  gate_code_changed: TenantKey
  gate_ready: TenantKey
  reservation_link_sms: ReservationKey
  confirm_email: { changeId: string }
  tenant_updated: TenantUpdate
  change_undone: { accountId: string; to: string }

  appointment_proposed: AppointmentJob
  appointment_reminder: AppointmentJob
  insurance_proof: ProofKey
  insurance_proof_office: ProofKey
  insurance_proof_decided: ProofKey & { leases: InsuredLease[] }
  own_insurance_ending: PolicyKey
  own_insurance_ended: PolicyKey
  own_insurance_ended_office: PolicyKey
}

export type JobKind = keyof JobKinds

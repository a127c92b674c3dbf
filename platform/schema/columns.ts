// Types that narrow those of the generated `tables.ts`. Only text, integer, bigint and double precision exist on both engines:
// money is whole cents, instants (`…_at`, `…_until`) are epoch milliseconds, dates (`…_on`, `…_date`) ISO text.
import type { ColumnType } from 'kysely'
import type { Instant } from '../../domain/dates.ts'
import type { Cents } from '../../domain/money.ts'
import type { PaymentState } from '../../domain/payment.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import type { RefundAfterwards, RefundWay } from '../../domain/refund.ts'
import type { CounterColumns } from './counter-columns.ts'
import type { LienColumns } from './lien-columns.ts'
import type { ReportColumns } from './report-columns.ts'
import type { StaffColumns } from './staff-columns.ts'
import type { Json, Sealed } from './text-columns.ts'
import type { TransferColumns } from './transfer-columns.ts'

/** 0 or 1; the two engines share no boolean. */
export type Flag = 0 | 1

/** 'free' may be let; 'held' by a reservation until `held_until`; 'rented'; 'off' is out of use. */
export type UnitStatus = 'free' | 'held' | 'rented' | 'off'
export type ReservationStatus = 'active' | 'completed' | 'expired' | 'cancelled'
export type LeaseStatus = 'Current' | 'Pre-Paid' | 'Past Due' | 'Auction' | 'Closed'
/** 'on_choice': where the renter asks for it; 'card': the card processing fee; 'late': for an unpaid period; 'returned': for a check that came back. */
export type FeeCharged = 'move_in' | 'period' | 'on_choice' | 'card' | 'late' | 'returned'
export type EntryKind = 'rent' | 'insurance' | 'fee' | 'tax' | 'discount' | 'payment' | 'refund' | 'credit' | 'reversal'
export type PayerKind = 'move_in' | 'tenant' | 'guest' | 'auction' | 'settlement' | 'autopay' | 'units'
export type LinkState = 'open' | 'paid' | 'withdrawn'
export type AppointmentState = 'proposed' | 'confirmed' | 'other' | 'cancelled'
/** dead: given up, waits for a person; ended: a person gave it up for good. */
export type JobState = 'waiting' | 'running' | 'done' | 'dead' | 'ended'

export interface Columns extends CounterColumns, LienColumns, ReportColumns, StaffColumns, TransferColumns {
  locations: Record<'cc_fee' | 'allow_ach' | 'facility_map_enabled' | 'coming_soon', Flag> & {
    /** The storage system's number for the facility; 1 is its office and never let. */
    facility_id: number
    /** From the street address, lower case: `675-north-ave-ne`; `city_slug` likewise. */
    slug: string
    /** [{days: 'Mon–Fri', hours: '9 AM to 6 PM'}] */
    office_hours: Json
    /** string[] */
    features: Json
    sboa: Flag
    /** Days, today included, in which a move-in date may be chosen. */
    reservation_window: number
    /** Hundredths of a percent, as the other rates: 890 is 8.90 %. */
    rent_tax_rate: number
  }
  location_contents: {
    /** HTML of the operator's own, sanitised when read; {review_link} is replaced by feedback_link. */
    website_move_in_completion_screen: string
    /** The fee named '24 Hour Access Fee' per period, or null where there is none. */
    fee_for_24hr_access: Cents | null
  }
  unit_types: {
    rent: Cents
    internet_price_available: Flag
    features: Json
  }
  units: {
    status: UnitStatus
    /** Reservation code while held; 'move-out' while out of use after one, until it has been inspected; 'office' while out of service; 'retired'. */
    held_by: string | null
    /** Where it stands on the facility map, in feet, with `top_coordinate`; null hides it. */
    left_coordinate: number | null
  }
  discounts: Record<'displayable' | 'revenue_managed' | 'available', Flag> & {
    unit_type_id: number | null
    /** Type 1: hundredths of a percent (10000 = 100.00 %). Otherwise: the fixed price of the first period, in cents. */
    amount: number
  }
  fees: { charged: FeeCharged }

  accounts: {
    password_changed_at: Instant | null
    passkey_offer_declined_at: Instant | null
  }
  tenants: Record<'active_military' | 'grant_online_access', Flag> & {
    /** {branch, base, commanding_officer} */
    military: Json
    /** {drivers_license, issued_state, birth_date, expiration_date, brief_description} */
    identity_sealed: Sealed | null
  }
  /** A sign-in or token that can be ended. */
  sign_ins: {
    kind: 'tenant' | 'guest'
  }

  rental_drafts: {
    /** Set where the reservation belongs to an existing tenant: reveal and change nothing of that tenant. */
    existing_tenant: Flag
    rent_now: Flag
    /** `Answers` of modules/reservations/rules/journey/answers.ts, less the sealed ones. */
    answers: Json
    sealed_answers: Sealed | null
    /** Incremented by every change: a stale write from a second tab is noticed. */
    version: number
    /** Its browser has logged out: no cookie leads to it any more. Payments that were under way still finish. */
    left_at: Instant | null
  }
  /** A browser that came back to a rental: its cookie holds this id in place of the draft's. */
  resumed_rentals: {
    /** By last name and four digits ('names') no sealed answer is read; 'own': the reservation's tenant has signed in. */
    proof: 'link' | 'names' | 'own'
    /** The tenant was on file when the reservation was found: reveal and change nothing of that tenant. */
    existing_tenant: Flag
  }
  reservations: {
    status: ReservationStatus
    /** What that discount was when reserved, `{description, amount, type}`; null where there is none. */
    agreed_discount: Json | null
    street_rent: Cents
    required_date: IsoDate
    /** A hold that ran out while a payment was on its way is extended once. */
    hold_extended: Flag
    /** Keyed hash of the network from which a renter holds it who has proven nothing; '' where it counts among all alone. */
    unproven_from: string | null
  }
  prospects: {
    res_status: 'active' | 'completed' | 'expired'
    /** {firstName, lastName, unitNumber, unitRent, unitTypeId} */
    extra_data: Json
  }
  quotes: {
    charges: Json
  }
  leases: Record<'autopay' | 'auction_prepped', Flag> & {
    status: LeaseStatus
    paid_through: IsoDate
    insurance_status: 0 | 1 | 2 | 3
    /** {carrier, policy_number, expiration_date} or vehicle */
    insurance_notes: Json
    autopay_method: '' | 'CC' | 'ACH'
    autopay_sealed: Sealed | null
    terms_required: Flag
    /** First day of the period that autopay was last refused for, and how often it was. */
    autopay_refused_period: IsoDate | null
    autopay_refusals: ColumnType<number, number | undefined>
    /** The gate refuses the code while this stands. */
    overlocked: Flag | null
    details: Json
    /** Import record where the lease was brought in and has neither payment nor signature here. */
    imported: Json | null
    /** What its ledger sums to; negative is a credit. Kept by the database as entries come; else only a copy brings one along. */
    balance: ColumnType<Cents, Cents | undefined, never>
  }
  /** A lease has at most one that is not decided or not in force; announced, its rent stands on the lease as `next_rent`. */
  rent_changes: {
    /** 'approved': waits for its notice to leave; 'coming': announced, stands on the lease; 'stale': the rent changed before. */
    state: 'proposed' | 'approved' | 'coming' | 'applied' | 'refused' | 'cancelled' | 'stale' | 'lapsed'
  }
  gate_codes: {
    active: Flag
  }
  /** What the office says of a gate until a day, beside what the books say. */
  gate_overrides: {
    /** null: the tenant's code as a whole. */
    lease_number: number | null
    /** 'suspended': the code opens nothing; 'lifted': the lease's overlock does not count. */
    kind: 'suspended' | 'lifted'
    /** Ended earlier than it says. */
    ended_at: Instant | null
  }
  /** What was seen at the door; `leases.overlocked` is what the books say. */
  locks_seen: {
    state: 'on' | 'off'
  }
  units_out_of_service: {
    /** When it is expected back; nothing happens by itself then. */
    back_on: IsoDate | null
  }
  unit_photos: {
    /** 'move-out': taken when the emptied unit was looked at. */
    kind: 'move-out'
  }
  lease_documents: {
    /** SHA-256, hex, of the document as read; `hash_after` of the one with the signature. */
    hash_before: string
    /** `SignatureEvidence` of modules/agreements/signature/evidence.ts */
    evidence: Json
    void: Flag
  }
  /** Never changed, never deleted. A charge is positive, a payment negative; their sum is the balance. */
  ledger_entries: {
    kind: EntryKind
    /** What makes the entry once only: 'order:…:payment', 'period:2026-11-20:rent'. Unique with the lease. */
    once: string
    period_start: IsoDate | null
    period_end: IsoDate | null
  }

  payments: {
    payer: PayerKind
    state: PaymentState
    /** 0: the card page only stores the card. */
    amount: Cents
    /** What was agreed, all that is needed to finish without the browser. */
    plan: Json
    autopay: Flag
    method: 'CC' | 'ACH'
    alias_sealed: Sealed | null
    /** Why it needs a person: 'amount_differs', 'hold_lost', … */
    trouble: string | null
    /** Cancelled or expired then, later by the hours in which the provider was not asked; an approval may still arrive. */
    closed_at: Instant | null
    /** A payer's browser was at its card form then: the provider tells of a charge only once it is over. */
    form_entered_at: Instant | null
    /** Bank payments: {name, routing, account, type} while it is needed. */
    bank_sealed: Sealed | null
    /** Bank payments and autopay: {text, at, address, agent} of what was authorised. */
    authorisation: Json | null
    /** Autopay: the first day of the period that it pays; with the lease and `autopay_try`, once only. */
    autopay_period: IsoDate | null
    /** A guest's order: hash of the sign-in that opened it; of a rental found by names: its resumed session. */
    opened_by: string | null
    /** Of what was captured and posted, how much has been promised back; never above it. */
    refunded_cents: ColumnType<Cents, Cents | undefined>
  }
  /** An order of payer `units` has one for each lease, whose sum is what it took; the order itself names none. */
  payment_shares: {
    cents: Cents
    /** Of it, how much has been promised back. */
    refunded_cents: Cents
  }
  /** Money that was captured and cannot be posted. */
  refund_tasks: { state: 'open' | 'done' | 'failed' }
  /** Money of a posted payment; its ledger entry is written with the row, before the money leaves. */
  refunds: {
    way: RefundWay
    afterwards: RefundAfterwards
    /** open: being sent. failed: given up. by_hand: a person pays it. returned: the bank sent the debit back before. */
    state: 'open' | 'failed' | 'by_hand' | 'done' | 'returned'
    /** 'check 1042' */
    paid_by: string | null
  }

  /** A reset code that was asked for. Its id is in the session of the browser that asked, and the code works nowhere else. */
  reset_codes: {
    /** null: no account has that name; the row is there so that both take the same way. */
    account_id: string | null
    /** The 4 digits: too few for a hash to hide. */
    code_sealed: Sealed
    /** The code was entered: the new password may be set with this browser until it expires. */
    matched_at: Instant | null
  }
  /** A new e-mail address that its mailbox has to confirm before it counts (docs/decisions/accounts.md). */
  email_changes: {
    token_sealed: Sealed
    /** An account has one open at most: asking again withdraws the one before. */
    state: 'open' | 'confirmed' | 'withdrawn'
  }
  /** What undoes a new e-mail address or password: the account as it was before. */
  account_undos: {
    kind: 'email' | 'password'
    /** Before the change, lower case; the mail with the link goes here. */
    email: string
    /** Tenants whose address moved, as they were: [{"location_code","tenant_id","email"}] */
    tenants: Json
    /** void: an earlier change was undone, and this one with it. */
    state: 'open' | 'used' | 'void'
  }
  passkeys: {
    transports: Json
    /** Kept by a password manager on several devices. */
    synced: Flag
  }
  /** A WebAuthn challenge that waits for its answer; an answer deletes it. */
  passkey_challenges: {
    /** What the answer may be used for: 'add', 'sign-in'. */
    purpose: string
    /** Whose passkey is added; null where only the answer says who signs in. */
    subject: string | null
  }

  auction_winners: { state: LinkState }
  settlements: { state: LinkState }
  appointments: {
    state: AppointmentState
  }

  /** Proof of a tenant's own insurance; the file is served as an attachment only. */
  insurance_proofs: {
    unit_numbers: Json
    /** Ours, made from the type that the content shows; never the sender's. */
    file_name: string
    /** null: the operator has not looked at it yet. */
    decision: 'accepted' | 'refused' | null
  }
  move_outs: {
    reasons: Json
    /** The lease's autopay as it was, so that a cancelled move-out can bring it back; null where it was off. */
    autopay_before: Sealed | null
    /** 'begun': feedback was left, and the move-out is not scheduled yet. */
    state: 'begun' | 'scheduled' | 'cancelled' | 'completed'
  }

  /** A bank account that was checked before its first debit (Nacha's WEB rule). */
  bank_accounts: {
    state: 'valid' | 'refused'
  }
  /** How far a day's billing of a facility has come, so that an interrupted run goes on where it stopped. */
  billing_runs: {
    state: 'running' | 'done' | 'reversed'
    /** With the facility's code what the charges of the run name. */
    run_number: number | null
    /** The facility's day, where the run stopped short of it: billing waits for `billing --catch-up`. */
    held_for: IsoDate | null
  }

  /** Work written in the transaction that causes it; claimed by a guarded update with a lease time. */
  jobs: {
    /** One job per kind and key: what makes a notice go out once. */
    once: string
    state: JobState
    /** While running: until when the claim holds. */
    claimed_until: Instant | null
    /** 1 goes out before 0. */
    priority: ColumnType<0 | 1, 0 | 1 | undefined>
  }
  text_choices: {
    choice: 'agreed' | 'stopped'
    asked_at: 'gate_code' | 'rental' | 'desk' | 'profile' | 'office' | 'reply'
  }
  /** What the captured mail and SMS adapters received; shown by the development mailbox. */
  mailbox: {
    channel: 'mail' | 'sms'
    /** [{filename, file_key, content_type}] */
    attachments: Json
  }
}

/** Only columns of the table, null only where the database's are. */
type Fits<Row, Narrowed> = {
  [C in keyof Narrowed]: C extends keyof Row
    ? null extends Row[C]
      ? null extends Narrowed[C]
        ? Row[C]
        : never
      : Row[C] | ColumnType<Row[C], unknown, unknown>
    : never
}

type ColumnsOf<Table extends string> = Table extends keyof Columns ? Columns[Table] : object

/** A generated row with the types above. */
export type Narrow<Table extends string, Row> =
  ColumnsOf<Table> extends Fits<Row, ColumnsOf<Table>> ? Omit<Row, keyof ColumnsOf<Table>> & ColumnsOf<Table> : never

/**
 * What columns hold beyond what the database says of them; `tables.ts`, generated, takes these types over. The portable core
 * only: text, integer, bigint and double precision. Money is whole cents, instants (`…_at`, `…_until`) are epoch milliseconds,
 * dates (`…_date`, `…_on`, `paid_through`) are an `IsoDate`, and JSON is text that the owner of the row parses.
 */
import type { ColumnType } from 'kysely'
import type { Instant } from '../../domain/dates.ts'
import type { Cents } from '../../domain/money.ts'
import type { PaymentState } from '../../domain/payment.ts'
import type { IsoDate } from '../../domain/plain-date.ts'

/** 0 or 1; the two engines share no boolean. */
export type Flag = 0 | 1
/** JSON text. */
export type Json = string
/** Authenticated ciphertext made by `platform/sealing/sealer.ts`. */
export type Sealed = string

/** 'free' may be let; 'held' by a reservation until `held_until`; 'rented'; 'off' is out of use. */
export type UnitStatus = 'free' | 'held' | 'rented' | 'off'
export type ReservationStatus = 'active' | 'completed' | 'expired' | 'cancelled'
export type LeaseStatus = 'Current' | 'Pre-Paid' | 'Past Due' | 'Auction' | 'Closed'
/**
 * 'move_in': once; 'period': each period; 'on_choice': where the renter asks; 'card': the card processing fee;
 * 'late': for each period that is not paid ten days after it began.
 */
export type FeeCharged = 'move_in' | 'period' | 'on_choice' | 'card' | 'late'
export type EntryKind = 'rent' | 'insurance' | 'fee' | 'tax' | 'discount' | 'payment' | 'refund' | 'credit' | 'reversal'
export type PayerKind = 'move_in' | 'tenant' | 'guest' | 'auction' | 'settlement' | 'autopay'
export type LinkState = 'open' | 'paid' | 'withdrawn'
export type AppointmentState = 'proposed' | 'confirmed' | 'other' | 'cancelled'
export type JobState = 'waiting' | 'running' | 'done' | 'dead'

/** Nothing beyond its column types. */
type AsGenerated = object

export interface Columns {
  settings: {
    /** 'app_banner', 'maintenance', 'brand', … */
    name: string
  }
  states: {
    /** Two-letter code, upper case. */
    short_name: string
  }

  locations: Record<'cc_fee' | 'allow_ach' | 'facility_map_enabled' | 'coming_soon', Flag> & {
    /** The storage system's number for the facility; 1 is its office and never let. */
    facility_id: number
    /** From the street address, lower case: `675-north-ave-ne`; `city_slug` likewise. */
    slug: string
    /** IANA name, such as America/New_York. */
    time_zone: string
    /** Seed of the drawn front where there is no photo. */
    front: number
    /** [{days: 'Mon–Fri', hours: '9 AM to 6 PM'}] */
    office_hours: Json
    /** string[] */
    features: Json
    /** Insurance is offered. */
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
    /** Feet, as `breadth`. */
    length: number
    /** Street rate per period of 30 days. */
    rent: Cents
    internet_price_available: Flag
    /** string[] such as ["indoor", "climate", "drive-up", "ground floor"] */
    features: Json
  }
  units: {
    status: UnitStatus
    /** Reservation code while held; 'move-out' while out of use after one, until the property manager has been there. */
    held_by: string | null
    /** Where it stands on the facility map, in feet, with `top_coordinate`; null hides it. */
    left_coordinate: number | null
  }
  /** Things on the map that are not let: Gate, Rental Center, Elevator, … */
  map_fixtures: AsGenerated
  discounts: Record<'displayable' | 'revenue_managed' | 'available', Flag> & {
    /** null: every unit type of the facility. */
    unit_type_id: number | null
    /** Type 1: hundredths of a percent (10000 = 100.00 %). Otherwise: the fixed price of the first period, in cents. */
    amount: number
  }
  insurance_schemes: AsGenerated
  fees: { charged: FeeCharged }

  /** One verified e-mail address (the username) over one or more tenants. */
  accounts: {
    /** null: never since the account was made. */
    password_changed_at: Instant | null
    /** The offer of a passkey was declined for good. */
    passkey_offer_declined_at: Instant | null
  }
  tenants: Record<'active_military' | 'grant_online_access', Flag> & {
    /** Lower case, for look-ups; `email_key` likewise. */
    last_key: string
    /** {branch, base, commanding_officer} */
    military: Json
    /** {drivers_license, issued_state, birth_date, expiration_date, brief_description} */
    identity_sealed: Sealed | null
  }
  tenant_notes: AsGenerated
  /** A sign-in or token that can be ended. */
  sign_ins: {
    /** SHA-256 of the bearer token. */
    token_hash: string
    kind: 'tenant' | 'guest'
    /** The passkey it was made with; removing that one ends it. */
    passkey_id: string | null
  }

  /** The rental session: what a visitor has answered so far. The browser's cookie holds its id only. */
  rental_drafts: {
    /** Set where the reservation belongs to an existing tenant: reveal and change nothing of that tenant. */
    existing_tenant: Flag
    rent_now: Flag
    /** `Answers` of domain/journey/answers.ts, less the sealed ones. */
    answers: Json
    /** Licence, birth date, default notice. */
    sealed_answers: Sealed | null
    /** Incremented by every change: a stale write from a second tab is noticed. */
    version: number
    /** Its browser has logged out: no cookie leads to it any more. Payments that were under way still finish. */
    left_at: Instant | null
  }
  /** A browser that came back to a rental: its cookie holds this id in place of the draft's. */
  resumed_rentals: {
    /**
     * By the mailed link or an unguessable code; or by last name and four digits, which reads no sealed answer; or the
     * reservation's tenant has signed in.
     */
    proof: 'link' | 'names' | 'own'
    /** The tenant was on file when the reservation was found: reveal and change nothing of that tenant. */
    existing_tenant: Flag
  }
  reservations: {
    status: ReservationStatus
    /** What that discount was when reserved, `{description, amount, type}`; null where there is none. */
    agreed_discount: Json | null
    /** Street and agreed (`rent`) rent per period when reserved. */
    street_rent: Cents
    /** The requested move-in day. */
    required_date: IsoDate
    /** A hold that ran out while a payment was on its way is extended once. */
    hold_extended: Flag
  }
  /** The site's own record of a reservation and the mailed link's uuid. */
  prospects: {
    res_status: 'active' | 'completed' | 'expired'
    /** {firstName, lastName, unitNumber, unitRent, unitTypeId} */
    extra_data: Json
  }
  /** A price that was shown and may be consented to until it expires. */
  quotes: {
    /** `Charges` of domain/charges.ts */
    charges: Json
  }
  leases: Record<'autopay' | 'auction_prepped', Flag> & {
    status: LeaseStatus
    /** The last day paid for. */
    paid_through: IsoDate
    insurance_status: 0 | 1 | 2 | 3
    /** {carrier, policy_number, expiration_date} or vehicle */
    insurance_notes: Json
    autopay_method: '' | 'CC' | 'ACH'
    /** Card alias or bank account. */
    autopay_sealed: Sealed | null
    /** 'VI **** 1111' */
    autopay_label: string
    /** Must accept updated terms before anything else. */
    terms_required: Flag
    /** The sentence agreed to when autopay was switched on. */
    autopay_consent_text: string | null
    /** First day of the period that autopay was last refused for, and how often it was. */
    autopay_refused_period: IsoDate | null
    autopay_refusals: ColumnType<number, number | undefined>
    /** The gate refuses the code while this stands. */
    overlocked: Flag | null
    /** Vehicle, lien holder, military, agent as signed. */
    details: Json
    /** Import record where the lease was brought in and has neither payment nor signature here. */
    imported: Json | null
    /** What its ledger sums to; negative is a credit. Kept by the database as entries come; else only a copy brings one along. */
    balance: ColumnType<Cents, Cents | undefined, never>
  }
  /** Fees that recur with the lease (24 Hour Access Fee, …). */
  lease_fees: AsGenerated
  /** Live gate codes: unique within a facility. */
  gate_codes: {
    /** 'standard' or '24-hour' */
    time_zone_name: string
    active: Flag
  }
  /** A signed lease: file, hashes and evidence. */
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
    /** Ours, unguessable, what the provider knows the payment by. */
    order_id: string
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
    /** Bank payments: {name, routing, account, type} while it is needed. */
    bank_sealed: Sealed | null
    /** 'Checking ****6789' */
    bank_label: string | null
    /** Bank payments and autopay: {text, at, address, agent} of what was authorised. */
    authorisation: Json | null
    /** 'R01' and others, when the bank sent the money back days later. */
    return_code: string | null
    /** Autopay: the first day of the period that it pays; with the lease and `autopay_try`, once only. */
    autopay_period: IsoDate | null
    /** Auction and settlement: the uuid of the link that pays. */
    link_uuid: string | null
    /** A guest's order: hash of the sign-in that opened it; of a rental found by names: its resumed session. */
    opened_by: string | null
  }
  refund_tasks: { state: 'open' | 'done' | 'failed' }

  /** A reset code that was asked for. Its id is in the session of the browser that asked, and the code works nowhere else. */
  reset_codes: {
    /** null: no account has that name; the row is there so that both take the same way. */
    account_id: string | null
    /** The 4 digits: too few for a hash to hide. */
    code_sealed: Sealed
    /** The code was entered: the new password may be set with this browser until it expires. */
    matched_at: Instant | null
  }
  /** A new e-mail address that its mailbox has to confirm before it counts (docs/decisions/e-mail-changes.md). */
  email_changes: {
    /** The account's address when it was asked for, lower case. */
    old_email: string
    /** What the mailed link proves. */
    token_sealed: Sealed
    /** An account has one open at most: asking again withdraws the one before. */
    state: 'open' | 'confirmed' | 'withdrawn'
  }
  /** What undoes a new e-mail address or password: the account as it was before. */
  account_undos: {
    /** Counts the changes of an account: undoing one undoes those after it. */
    number: number
    kind: 'email' | 'password'
    /** Before the change, lower case; the mail with the link goes here. */
    email: string
    /** Tenants whose address moved, as they were: [{"location_code","tenant_id","email"}] */
    tenants: Json
    /** void: an earlier change was undone, and this one with it. */
    state: 'open' | 'used' | 'void'
  }
  /** A WebAuthn credential that signs in to an account (docs/decisions/passkeys.md). */
  passkeys: {
    /** The authenticator's own id of it, base64url; `passkey_id` names it on our pages. `public_key` is a COSE key. */
    credential_id: string
    /** The authenticator's signature counter; 0 for good where it keeps none. */
    counter: number
    /** List of how the authenticator is reached: 'internal', 'hybrid', 'usb' … */
    transports: Json
    /** Kept by a password manager on several devices. */
    synced: Flag
  }
  /** A WebAuthn challenge that waits for its answer; an answer deletes it. */
  passkey_challenges: {
    /** The random id in the sealed cookie of the browser that asked. */
    browser: string
    /** What the answer may be used for: 'add', 'sign-in'. */
    purpose: string
    /** Whose passkey is added; null where only the answer says who signs in. */
    subject: string | null
  }

  /** Who bought a unit's contents at auction and pays the facility's balance by link (spec 2 §3). */
  auction_winners: { state: LinkState }
  /** 'I Understand' under the auction rules: by which link, which text, when, from where. */
  auction_acknowledgements: AsGenerated
  /** A past-due tenant who was offered to settle for an amount, by link (spec 2 §3 "Settlement"). */
  settlements: { state: LinkState }
  /** A visit with the property manager, confirmed from a mailed link (spec 2 §2 /confirm_appointment). */
  appointments: {
    /** SHA-256 of the token in the link. */
    token_hash: string
    state: AppointmentState
  }

  /** Proof of a tenant's own insurance; the file is served as an attachment only. */
  insurance_proofs: {
    /** string[] */
    unit_numbers: Json
    /** Ours, made from the type that the content shows; never the sender's. */
    file_name: string
    /** null: the operator has not looked at it yet. */
    decision: 'accepted' | 'refused' | null
    /** Why it was refused, in the tenant's mail. */
    decided_because: string | null
  }
  /** A move-out that was scheduled, with the feedback given and what is needed to cancel it. */
  move_outs: {
    /** string[] */
    reasons: Json
    /** The lease's autopay as it was, so that a cancelled move-out can bring it back; null where it was off. */
    autopay_before: Sealed | null
    /** 'begun': feedback was left, and the move-out is not scheduled yet. */
    state: 'begun' | 'scheduled' | 'cancelled' | 'completed'
  }

  /** A bank account that was checked before its first debit (Nacha's WEB rule). */
  bank_accounts: {
    /** Keyed hash of routing and account number. */
    account_hash: string
    state: 'valid' | 'refused'
  }
  /** How far a day's billing of a facility has come, so that an interrupted run goes on where it stopped. */
  billing_runs: {
    /** The last lease that is done. */
    done_through: number
    state: 'running' | 'done'
  }

  /** Work written in the transaction that causes it; claimed by a guarded update with a lease time. */
  jobs: {
    /** One job per kind and key: what makes a notice go out once. */
    once: string
    state: JobState
    /** While running: until when the claim holds. */
    claimed_until: Instant | null
  }
  /** What the captured mail and SMS adapters received; shown by the development mailbox. */
  mailbox: {
    channel: 'mail' | 'sms'
    /** [{filename, file_key, content_type}] */
    attachments: Json
  }
  /** Counters of `platform/rate-limits.ts`. */
  limits: AsGenerated
  /** Next number per facility and kind ('tenant', 'lease', 'reservation'). */
  counters: AsGenerated
  /** One row: incremented whenever something a public page shows has changed. */
  content_version: AsGenerated
  /** Answers already given to writes that carried an idempotency key. */
  idempotency: AsGenerated
}

/** Columns of the table that are null where the database's are; the compiler refuses others. */
type Fits<Row, Narrowed> = {
  [C in keyof Narrowed]: C extends keyof Row
    ? null extends Row[C]
      ? null extends Narrowed[C]
        ? Row[C]
        : never
      : Row[C] | ColumnType<Row[C], unknown, unknown>
    : never
}

/** A generated row with the types above. */
export type Narrow<Row, Narrowed extends Fits<Row, Narrowed>> = Omit<Row, keyof Narrowed> & Narrowed

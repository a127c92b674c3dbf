/**
 * Every table, as both engines hold it. The portable core only: text, integer, bigint and double precision columns;
 * money in whole cents; plain dates as ISO text (YYYY-MM-DD); instants as epoch milliseconds; flags as 0 and 1; JSON as
 * text. Identifiers are made by us. Busy tables lead their keys with `location_code`, so the data can be split by facility.
 */
import type { ColumnType } from 'kysely'

/** 0 or 1; the two engines share no boolean. */
export type Flag = 0 | 1
/** Epoch milliseconds. */
export type Instant = number
/** YYYY-MM-DD in the facility's own time zone. */
export type IsoDate = string
/** Whole US cents. */
export type Cents = number
/** JSON text; the module that owns the row parses it. */
export type Json = string
/** Authenticated ciphertext made by `database/sealed.ts`. */
export type Sealed = string

// ── The operator's settings ───────────────────────────────────────────────────────────────────────────────────────────

export interface SettingsTable {
  /** 'app_banner', 'maintenance', 'brand', … */
  name: string
  value: string
  updated_at: Instant
}

export interface StatesTable {
  /** Two-letter code, upper case. */
  short_name: string
  full_name: string
  map_img: string
  general_contact_number: string
}

// ── Facilities and what they let ──────────────────────────────────────────────────────────────────────────────────────

export interface LocationsTable {
  location_code: string
  /** The storage system's number for the facility; 1 is its office and never let. */
  facility_id: number
  name: string
  /** From the street address, lower case: `675-north-ave-ne`. */
  slug: string
  address: string
  city: string
  /** `atlanta` */
  city_slug: string
  state: string
  zip: string
  phone: string
  reservation_email: string
  lat: number
  lng: number
  /** IANA name, such as America/New_York. */
  time_zone: string
  photo: string
  /** Seed of the drawn front where there is no photo. */
  front: number
  description: string
  directions: string
  /** JSON: [{days: 'Mon–Fri', hours: '9 AM to 6 PM'}] */
  office_hours: Json
  gate_hours: string
  /** JSON: string[] */
  features: Json
  /** Insurance is offered. */
  sboa: Flag
  /** File name of the brochure, or ''. */
  sboa_brochure: string
  /** Days, today included, in which a move-in date may be chosen. */
  reservation_window: number
  cc_fee: Flag
  allow_ach: Flag
  facility_map_enabled: Flag
  coming_soon: Flag
  feedback_link: string
  special_instruction_after_rental: string
  /** Hundredths of a percent: 890 is 8.90 %. */
  rent_tax_rate: number
  insurance_tax_rate: number
  fee_tax_rate: number
  auction_after_days: number
}

export interface LocationContentsTable {
  location_code: string
  /** HTML of the operator's own, sanitised when read; {review_link} is replaced by feedback_link. */
  website_move_in_completion_screen: string
  /** The fee named '24 Hour Access Fee' per period, or null where there is none. */
  fee_for_24hr_access: Cents | null
}

export interface UnitTypesTable {
  location_code: string
  unit_type_id: number
  unit_type_code: string
  category_name: string
  /** Feet. */
  length: number
  breadth: number
  /** Street rate per period of 30 days. */
  rent: Cents
  internet_price: Cents
  internet_price_available: Flag
  description: string
  detailed_description: string
  /** JSON: string[] such as ["indoor", "climate", "drive-up", "ground floor"] */
  features: Json
}

/** 'free' may be let; 'held' by a reservation until `held_until`; 'rented'; 'off' is out of use. */
export type UnitStatus = 'free' | 'held' | 'rented' | 'off'

export interface UnitsTable {
  location_code: string
  unit_id: number
  unit_number: string
  unit_type_id: number
  status: UnitStatus
  /** Reservation code while held; 'move-out' while out of use after one, until the property manager has been there. */
  held_by: string | null
  held_until: Instant | null
  /** Where it stands on the facility map, in feet; null hides it. */
  floor_no: number
  left_coordinate: number | null
  top_coordinate: number | null
  length: number
  width: number
  rotate: number
}

/** Things on the map that are not let: Gate, Rental Center, Elevator, … */
export interface MapFixturesTable {
  location_code: string
  fixture_id: number
  category_name: string
  floor_no: number
  left_coordinate: number
  top_coordinate: number
  length: number
  width: number
  rotate: number
  system_rotation: number
}

export interface DiscountsTable {
  location_code: string
  discount_id: number
  /** null: every unit type of the facility. */
  unit_type_id: number | null
  description: string
  /** Type 1: percent with two decimals as hundredths (10000 = 100.00 %). Otherwise: the fixed price of the first period, in cents. */
  amount: number
  type: number
  displayable: Flag
  revenue_managed: Flag
  available: Flag
}

export interface InsuranceSchemesTable {
  location_code: string
  scheme_id: number
  scheme_name: string
  coverage: Cents
  premium: Cents
  terminology: string
}

/**
 * 'move_in': charged once; 'period': each period; 'on_choice': only where the renter asks; 'card': the card processing fee;
 * 'late': for each period that is not paid ten days after it began.
 */
export type FeeCharged = 'move_in' | 'period' | 'on_choice' | 'card' | 'late'

export interface FeesTable {
  location_code: string
  fee_id: number
  unit_type_id: number | null
  description: string
  amount: Cents
  charged: FeeCharged
}

// ── People ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** One verified e-mail address (the username) over one or more tenants. */
export interface AccountsTable {
  account_id: string
  username: string
  email: string
  password_hash: string
  question_id: number
  security_answer_hash: string
  created_at: Instant
  /** null: never since the account was made. */
  password_changed_at: Instant | null
  /** The offer of a passkey was declined for good. */
  passkey_offer_declined_at: Instant | null
}

export interface TenantsTable {
  location_code: string
  tenant_id: number
  account_id: string | null
  first: string
  middle: string
  last: string
  /** Lower case, for look-ups. */
  last_key: string
  company: string
  email: string
  /** Lower case, for look-ups. */
  email_key: string
  cell_phone: string
  home_phone: string
  work_phone: string
  address: string
  city: string
  state: string
  zip: string
  company_address: string
  company_city: string
  company_state: string
  company_zip: string
  company_phone: string
  company_email: string
  active_military: Flag
  /** JSON {branch, base, commanding_officer} */
  military: Json
  /** JSON {drivers_license, issued_state, birth_date, expiration_date, brief_description} */
  identity_sealed: Sealed | null
  grant_online_access: Flag
  created_at: Instant
}

export interface TenantNotesTable {
  note_id: string
  location_code: string
  tenant_id: number
  lease_number: number | null
  note: string
  created_at: Instant
}

/** A sign-in or token that can be ended. */
export interface SignInsTable {
  /** SHA-256 of the bearer token. */
  token_hash: string
  kind: 'tenant' | 'guest'
  account_id: string | null
  location_code: string | null
  tenant_id: number | null
  agent: string
  address: string
  created_at: Instant
  expires_at: Instant
  ended_at: Instant | null
  /** The passkey it was made with; removing that one ends it. */
  passkey_id: string | null
}

// ── From reservation to lease ─────────────────────────────────────────────────────────────────────────────────────────

/** The rental session: what a visitor has answered so far. The browser's cookie holds its id only. */
export interface RentalDraftsTable {
  draft_id: string
  location_code: string
  unit_type_id: number
  tenant_id: number | null
  reservation_code: string | null
  /** Set where the reservation belongs to an existing tenant: reveal and change nothing of that tenant. */
  existing_tenant: Flag
  rent_now: Flag
  /** JSON `Answers` of domain/move-in-journey.ts, less the sealed ones. */
  answers: Json
  /** JSON of licence, birth date, default notice. */
  sealed_answers: Sealed | null
  /** Bumped on every change: a stale write from a second tab is noticed. */
  version: number
  created_at: Instant
  touched_at: Instant
  /** Its browser has logged out: no cookie leads to it any more. Payments that were under way still finish. */
  left_at: Instant | null
}

/** A browser that came back to a rental: its cookie holds this id in place of the draft's. */
export interface ResumedRentalsTable {
  resumed_id: string
  draft_id: string
  /**
   * By the mailed link or an unguessable code; or by last name and four digits, which reads no sealed answer; or the
   * reservation's tenant has signed in.
   */
  proof: 'link' | 'names' | 'own'
  /** The tenant was on file when the reservation was found: reveal and change nothing of that tenant. */
  existing_tenant: Flag
  created_at: Instant
  /** Its browser has logged out. */
  left_at: Instant | null
}

export type ReservationStatus = 'active' | 'completed' | 'expired' | 'cancelled'

export interface ReservationsTable {
  location_code: string
  reservation_code: string
  unit_id: number
  unit_number: string
  unit_type_id: number
  tenant_id: number
  status: ReservationStatus
  discount_id: number
  /** What that discount was when reserved, `{description, amount, type}` as JSON; null where there is none. */
  agreed_discount: string | null
  /** Street and agreed rent per period when reserved. */
  street_rent: Cents
  rent: Cents
  reservation_date: IsoDate
  /** The requested move-in day. */
  required_date: IsoDate
  hold_until: Instant
  /** A hold that ran out while a payment was on its way is extended once. */
  hold_extended: Flag
  lease_number: number | null
  created_at: Instant
}

/** The site's own record of a reservation and the mailed link's uuid. */
export interface ProspectsTable {
  uuid: string
  res_code: string
  location_code: string
  tenant_id: number
  site_name: string
  email_address: string
  cell_phone: string
  res_status: 'active' | 'completed' | 'expired'
  lease_status: string
  reservation_date: IsoDate
  required_date: IsoDate
  move_in_date: IsoDate | null
  /** JSON {firstName, lastName, unitNumber, unitRent, unitTypeId} */
  extra_data: Json
  created_at: Instant
}

/** A price that was shown and may be consented to until it expires. */
export interface QuotesTable {
  quote_id: string
  location_code: string
  draft_id: string | null
  /** JSON `Charges` of domain/charges.ts */
  charges: Json
  total: Cents
  created_at: Instant
  expires_at: Instant
}

export type LeaseStatus = 'Current' | 'Pre-Paid' | 'Past Due' | 'Auction' | 'Closed'

export interface LeasesTable {
  location_code: string
  lease_number: number
  tenant_id: number
  unit_id: number
  unit_number: string
  unit_type_id: number
  reservation_code: string | null
  status: LeaseStatus
  move_in_date: IsoDate
  /** The last day paid for. */
  paid_through: IsoDate
  rent: Cents
  insurance_status: 0 | 1 | 2 | 3
  insurance_scheme_id: number
  insurance_premium: Cents
  /** JSON {carrier, policy_number, expiration_date} or vehicle */
  insurance_notes: Json
  discount_id: number
  autopay: Flag
  autopay_method: '' | 'CC' | 'ACH'
  /** Card alias or bank account, sealed. */
  autopay_sealed: Sealed | null
  /** 'VI **** 1111' */
  autopay_label: string
  autopay_consent_at: Instant | null
  gate_code: string
  combo_code: string
  auction_prepped: Flag
  scheduled_move_out: IsoDate | null
  move_out_reason: number | null
  /** Must accept updated terms before anything else. */
  terms_required: Flag
  terms_accepted_at: Instant | null
  /** The sentence agreed to when autopay was switched on. */
  autopay_consent_text: string | null
  /** The gate refuses the code while this stands. */
  overlocked: Flag | null
  closed_on: IsoDate | null
  /** JSON of vehicle, lien holder, military, agent as signed. */
  details: Json
  /** JSON import record where the lease was brought in and has neither payment nor signature here. */
  imported: Json | null
  document_id: string | null
  order_id: string | null
  created_at: Instant
  /** What its ledger sums to; negative is a credit. Kept by the database as entries come; else only a copy brings one along. */
  balance: ColumnType<Cents, Cents | undefined, never>
}

/** Fees that recur with the lease (24 Hour Access Fee, …). */
export interface LeaseFeesTable {
  location_code: string
  lease_number: number
  fee_id: number
  description: string
  amount: Cents
}

/** Live gate codes: unique within a facility. */
export interface GateCodesTable {
  location_code: string
  gate_code: string
  tenant_id: number
  lease_number: number | null
  /** 'standard' or '24-hour' */
  time_zone_name: string
  active: Flag
  created_at: Instant
}

/** A signed lease: file, hashes and evidence. */
export interface LeaseDocumentsTable {
  document_id: string
  location_code: string
  draft_id: string | null
  lease_number: number | null
  file_key: string
  /** SHA-256, hex, of the document as read and of the one with the signature. */
  hash_before: string
  hash_after: string
  /** JSON `SignatureEvidence` of lease/evidence.ts */
  evidence: Json
  void: Flag
  created_at: Instant
}

export type EntryKind = 'rent' | 'insurance' | 'fee' | 'tax' | 'discount' | 'payment' | 'refund' | 'credit' | 'reversal'

/** Never changed, never deleted. A charge is positive, a payment negative; their sum is the balance. */
export interface LedgerEntriesTable {
  entry_id: string
  location_code: string
  lease_number: number
  kind: EntryKind
  cents: Cents
  description: string
  /** What makes the entry once only: 'order:…:payment', 'period:2026-11-20:rent'. Unique with the lease. */
  once: string
  order_id: string | null
  period_start: IsoDate | null
  period_end: IsoDate | null
  posted_on: IsoDate
  created_at: Instant
}

// ── Money on its way ──────────────────────────────────────────────────────────────────────────────────────────────────

export type PayerKind = 'move_in' | 'tenant' | 'guest' | 'auction' | 'settlement' | 'autopay'

/** See domain/payment.ts for the table of moves between these. */
export type PaymentState =
  | 'created'
  | 'presented'
  | 'captured'
  | 'posted'
  | 'declined'
  | 'cancelled'
  | 'expired'
  | 'refund_due'
  | 'refunded'
  | 'returned'
  | 'review'

export interface PaymentsTable {
  /** Ours, unguessable, what the provider knows the payment by. */
  order_id: string
  location_code: string
  payer: PayerKind
  draft_id: string | null
  tenant_id: number | null
  lease_number: number | null
  state: PaymentState
  amount: Cents
  /** 0: the card page only stores the card. */
  quote_id: string | null
  /** JSON: what was agreed, all that is needed to finish without the browser. */
  plan: Json
  autopay: Flag
  method: 'CC' | 'ACH'
  session_token: string | null
  pay_page_url: string | null
  transaction_id: string | null
  response_code: string | null
  response_text: string | null
  approved_amount: Cents | null
  card_brand: string | null
  masked_card: string | null
  exp_month: string | null
  exp_year: string | null
  card_name: string | null
  card_address: string | null
  card_zip: string | null
  alias_sealed: Sealed | null
  receipt_id: string | null
  /** Why it needs a person: 'amount_differs', 'hold_lost', … */
  trouble: string | null
  created_at: Instant
  updated_at: Instant
  captured_at: Instant | null
  posted_at: Instant | null
  /** Cancelled or expired then, later by the hours in which nobody asked about it; an approval may still come to light. */
  closed_at: Instant | null
  /** Bank payments: JSON {name, routing, account, type} while it is needed. */
  bank_sealed: Sealed | null
  /** 'Checking ****6789' */
  bank_label: string | null
  /** Bank payments and autopay: JSON {text, at, address, agent} of what was authorised. */
  authorisation: Json | null
  /** 'R01' and others, when the bank sent the money back days later. */
  return_code: string | null
  returned_at: Instant | null
  /** Autopay: the first day of the period that it pays, and which try this is; with the lease, once only. */
  autopay_period: IsoDate | null
  autopay_try: number | null
  /** Auction and settlement: the uuid of the link that pays. */
  link_uuid: string | null
  /** A guest's order: hash of the sign-in that opened it; of a rental found by names: its resumed session. */
  opened_by: string | null
}

export interface RefundTasksTable {
  order_id: string
  location_code: string
  cents: Cents
  reason: string
  state: 'open' | 'done' | 'failed'
  attempts: number
  last_error: string | null
  created_at: Instant
  done_at: Instant | null
}

// ── Keeping accounts ──────────────────────────────────────────────────────────────────────────────────────────────────

/** A reset code that was asked for. Its id is in the session of the browser that asked, and the code works nowhere else. */
export interface ResetCodesTable {
  reset_id: string
  /** null: nobody has that name; the row is there so that both take the same way. */
  account_id: string | null
  /** The 4 digits: too few for a hash to hide. */
  code_sealed: Sealed
  tries: number
  created_at: Instant
  expires_at: Instant
  /** The code was entered: the new password may be set with this browser until it expires. */
  matched_at: Instant | null
  used_at: Instant | null
}

/** A new e-mail address that its mailbox has to confirm before it counts (docs/decisions/e-mail-changes.md). */
export interface EmailChangesTable {
  change_id: string
  account_id: string
  /** The profile it was entered in. */
  location_code: string
  tenant_id: number
  /** The account's address when it was asked for, lower case. */
  old_email: string
  new_email: string
  /** What the mailed link proves. */
  token_sealed: Sealed
  /** An account has one open at most: asking again withdraws the one before. */
  state: 'open' | 'confirmed' | 'withdrawn'
  created_at: Instant
  expires_at: Instant
  confirmed_at: Instant | null
}

/** What undoes a new e-mail address or password: the account as it was before. */
export interface AccountUndosTable {
  undo_id: string
  account_id: string
  /** Counts the changes of an account: undoing one undoes those after it. */
  number: number
  kind: 'email' | 'password'
  /** Before the change, lower case; the mail with the link goes here. */
  email: string
  username: string
  /** JSON of the tenants whose address moved: [{"location_code","tenant_id","email"}], as they were. */
  tenants: Json
  /** void: an earlier change was undone, and this one with it. */
  state: 'open' | 'used' | 'void'
  created_at: Instant
  expires_at: Instant
}

/** A WebAuthn credential that signs in to an account (docs/decisions/passkeys.md). */
export interface PasskeysTable {
  /** Names it on our pages. */
  passkey_id: string
  account_id: string
  /** The authenticator's own id of it, base64url. */
  credential_id: string
  /** COSE key, base64url. */
  public_key: string
  /** The authenticator's signature counter; 0 for good where it keeps none. */
  counter: number
  /** JSON list of how the authenticator is reached: 'internal', 'hybrid', 'usb' … */
  transports: string
  /** Kept by a password manager on several devices. */
  synced: Flag
  name: string
  created_at: Instant
  last_used_at: Instant | null
}

/** A WebAuthn challenge that waits for its answer; an answer deletes it. */
export interface PasskeyChallengesTable {
  challenge: string
  /** The random id in the sealed cookie of the browser that asked. */
  browser: string
  /** What the answer may be used for: 'add', 'sign-in'. */
  purpose: string
  /** Whose passkey is added; null where only the answer says who signs in. */
  subject: string | null
  expires_at: Instant
}

// ── Personal links ────────────────────────────────────────────────────────────────────────────────────────────────────

export type LinkState = 'open' | 'paid' | 'withdrawn'

/** Who bought a unit's contents at auction and pays the facility's balance by link (spec 2 §3). */
export interface AuctionWinnersTable {
  auction_winner_id: number
  uuid: string
  location_code: string
  lease_number: number
  unit_number: string
  facility_name: string
  facility_balance: Cents
  name: string
  email: string
  city: string
  zip: string
  gate_code: string
  combo_code: string
  state: LinkState
  order_id: string | null
  created_at: Instant
  paid_at: Instant | null
}

/** 'I Understand' under the auction rules: by which link, which text, when, from where. */
export interface AuctionAcknowledgementsTable {
  uuid: string
  rules_version: string
  rules_text: string
  acknowledged_at: Instant
  address: string
  agent: string
}

/** A past-due tenant who was offered to settle for an amount, by link (spec 2 §3 "Settlement"). */
export interface SettlementsTable {
  uuid: string
  location_code: string
  tenant_id: number
  lease_number: number
  unit_number: string
  facility_name: string
  tenant_name: string
  settlement_amount: Cents
  state: LinkState
  order_id: string | null
  created_at: Instant
  paid_at: Instant | null
}

export type AppointmentState = 'proposed' | 'confirmed' | 'other' | 'cancelled'

/** A visit with the property manager, confirmed from a mailed link (spec 2 §2 /confirm_appointment). */
export interface AppointmentsTable {
  appointment_id: number
  location_code: string
  name: string
  email: string
  phone: string
  starts_at: Instant
  /** SHA-256 of the token in the link. */
  token_hash: string
  state: AppointmentState
  option: string
  confirmation_source: string
  created_at: Instant
  answered_at: Instant | null
}

// ── What tenants send and schedule ────────────────────────────────────────────────────────────────────────────────────

/** Proof of a tenant's own insurance; the file is served as an attachment only. */
export interface InsuranceProofsTable {
  proof_id: string
  location_code: string
  tenant_id: number
  /** JSON: string[] */
  unit_numbers: Json
  tenant_name: string
  tenant_email: string
  policy_number: string
  insurance_carrier: string
  expiration_date: IsoDate
  file_key: string
  /** Ours, made from the type that the content shows; never the sender's. */
  file_name: string
  content_type: string
  bytes: number
  created_at: Instant
  /** null: the operator has not looked at it yet. */
  decision: 'accepted' | 'refused' | null
  decided_at: Instant | null
  /** Why it was refused, as the tenant is told. */
  decided_because: string | null
}

/** A move-out that was scheduled, with the feedback given and what is needed to take it back. */
export interface MoveOutsTable {
  move_out_id: string
  location_code: string
  tenant_id: number
  lease_number: number
  move_out_date: IsoDate
  vacate_reason_id: number
  custom_note: string
  star_rating: number | null
  comment: string
  /** JSON: string[] */
  reasons: Json
  /** The lease's autopay as it was before, so that a cancelled move-out can bring it back; null where it was off. */
  autopay_before: Sealed | null
  /** 'begun': feedback was left, and the move-out is not scheduled yet. */
  state: 'begun' | 'scheduled' | 'cancelled' | 'completed'
  created_at: Instant
  cancelled_at: Instant | null
}

// ── Bank accounts and billing ─────────────────────────────────────────────────────────────────────────────────────────

/** A bank account that was checked before its first debit (Nacha's WEB rule). */
export interface BankAccountsTable {
  /** Keyed hash of routing and account number. */
  account_hash: string
  state: 'valid' | 'refused'
  reference: string
  checked_at: Instant
}

/** How far a day's billing of a facility has come, so that an interrupted run goes on where it stopped. */
export interface BillingRunsTable {
  location_code: string
  run_date: IsoDate
  /** The last lease that is done. */
  done_through: number
  leases: number
  entries: number
  state: 'running' | 'done'
  started_at: Instant
  finished_at: Instant | null
}

// ── Jobs, outbox, mailbox, limits, files ──────────────────────────────────────────────────────────────────────────────

export type JobState = 'waiting' | 'running' | 'done' | 'dead'

/** Work written in the transaction that causes it; claimed by a guarded update with a lease time. */
export interface JobsTable {
  job_id: string
  kind: string
  /** One job per kind and key: what makes a notice go out once. */
  once: string
  payload: Json
  state: JobState
  run_at: Instant
  /** While running: until when the claim holds. */
  claimed_until: Instant | null
  attempts: number
  last_error: string | null
  created_at: Instant
  done_at: Instant | null
}

/** What the captured mail and SMS adapters received; shown by the development mailbox. */
export interface MailboxTable {
  message_id: string
  channel: 'mail' | 'sms'
  recipient: string
  subject: string
  text: string
  html: string
  /** JSON [{filename, file_key, content_type}] */
  attachments: Json
  created_at: Instant
}

/** Counters of `database/limits.ts`. */
export interface LimitsTable {
  key: string
  points: number
  expires_at: Instant
}

/** Next number per facility and kind ('tenant', 'lease', 'reservation'). */
export interface CountersTable {
  location_code: string
  kind: string
  next: number
}

/** One row: bumped whenever something a public page shows has changed. */
export interface ContentVersionTable {
  id: number
  version: number
}

/** Answers already given to writes that carried an idempotency key. */
export interface IdempotencyTable {
  key: string
  caller: string
  request_hash: string
  status: number
  answer: Json
  created_at: Instant
}

export interface Tables {
  settings: SettingsTable
  states: StatesTable
  locations: LocationsTable
  location_contents: LocationContentsTable
  unit_types: UnitTypesTable
  units: UnitsTable
  map_fixtures: MapFixturesTable
  discounts: DiscountsTable
  insurance_schemes: InsuranceSchemesTable
  fees: FeesTable
  accounts: AccountsTable
  tenants: TenantsTable
  tenant_notes: TenantNotesTable
  sign_ins: SignInsTable
  rental_drafts: RentalDraftsTable
  resumed_rentals: ResumedRentalsTable
  reservations: ReservationsTable
  prospects: ProspectsTable
  quotes: QuotesTable
  leases: LeasesTable
  lease_fees: LeaseFeesTable
  gate_codes: GateCodesTable
  lease_documents: LeaseDocumentsTable
  ledger_entries: LedgerEntriesTable
  payments: PaymentsTable
  refund_tasks: RefundTasksTable
  jobs: JobsTable
  mailbox: MailboxTable
  limits: LimitsTable
  counters: CountersTable
  content_version: ContentVersionTable
  idempotency: IdempotencyTable
  reset_codes: ResetCodesTable
  email_changes: EmailChangesTable
  account_undos: AccountUndosTable
  passkeys: PasskeysTable
  passkey_challenges: PasskeyChallengesTable
  auction_winners: AuctionWinnersTable
  auction_acknowledgements: AuctionAcknowledgementsTable
  settlements: SettlementsTable
  appointments: AppointmentsTable
  insurance_proofs: InsuranceProofsTable
  move_outs: MoveOutsTable
  bank_accounts: BankAccountsTable
  billing_runs: BillingRunsTable
}

import type { Tables } from '../../../platform/schema/tables.ts'
import type { Exception } from './holding.ts'
import { leaseHoldings } from './leases.ts'
import { moneyHoldings } from './money.ts'
import { personHoldings } from './person.ts'

/** Every table with rows of a tenant that are exported, and what an erasure leaves of them, in the order of deleting. */
export const holdings = [...moneyHoldings, ...leaseHoldings, ...personHoldings]

const noPerson = (export_: string): Exception => ({ export: export_, erasure: export_ })

const offer = noPerson('What the business offers: no person.')
const machinery = noPerson('The program’s own: no person.')
const sums = noPerson('Sums of a facility’s day: no person.')
const ownPeople = noPerson('The business’s own people.')

/** All other tables. A table that stands in neither list fails a test. */
export const exceptions: { readonly [Table in keyof Tables]?: Exception } = {
  settings: offer,
  states: offer,
  locations: offer,
  location_contents: offer,
  unit_types: offer,
  units: offer,
  map_fixtures: offer,
  discounts: offer,
  insurance_schemes: offer,
  fees: offer,
  units_out_of_service: offer,
  facility_photos: offer,
  unit_photos: noPerson('Pictures of empty units: no person.'),
  daily_figures: sums,
  daily_exceptions: sums,
  daily_rolls: noPerson('What each unit brought on a day. It names leases and tenants by number alone.'),
  counters: machinery,
  content_version: machinery,
  billing_runs: machinery,
  key_checks: machinery,
  installations: machinery,
  chores: machinery,
  circuits: machinery,
  database_readers: machinery,
  restore_marks: machinery,
  audit_days: machinery,
  audit_seals: machinery,
  audit_reseals: machinery,
  staff: ownPeople,
  staff_roles: ownPeople,
  staff_factors: ownPeople,
  staff_sign_ins: ownPeople,
  staff_unlocks: ownPeople,
  cash_batches: noPerson('Drawers: sums of many receipts. The tenant’s receipts are in the export.'),
  quotes: noPerson('Prices that were shown. They name no person and run out.'),
  passkey_challenges: noPerson('Random numbers that run out within minutes.'),
  limits: noPerson('Counts under keyed hashes, forgotten when they run out.'),
  kept_forms: noPerson('Sealed, what a person of the business has typed, forgotten after an hour.'),
  idempotency: noPerson('Sealed answers to repeated requests, forgotten after a day.'),
  bank_accounts: noPerson('A keyed hash of an account number and whether it is valid: no person can be found by it.'),
  auction_winners: noPerson('The data of another person, who bought the contents.'),
  auction_acknowledgements: noPerson('What another person, the winner, agreed to.'),
  jobs: {
    export: 'Listed as the mails and texts sent; the row holds keys alone.',
    erasure: 'What waits for the tenant is removed. What was sent holds keys alone.',
  },
  audit_events: {
    export: 'Acts of the business’s own people, kept as evidence.',
    erasure: 'Evidence of who did what, which nothing changes. Contact data in it went with the tenant’s key.',
  },
  approvals: {
    export: 'Decisions between the business’s own people.',
    erasure: 'Evidence of who asked and who approved. What was asked for went with the tenant’s key.',
  },
  erasures: {
    export: 'That and when data were erased: no person.',
    erasure: 'That and when data were erased: no person.',
  },
}

/**
 * What a website and a storage system on two addresses tell each other, each from a database of its own. The records are
 * written by the storage system alone, and the website has a copy; what the website alone knows of and the storage system's
 * functions read (rental drafts, payments, signed leases, personal links) goes the other way. So every function finds what it
 * reads in its own database, wherever it runs. This module says which tables those are, whose word counts where both have one,
 * and how what is sealed travels: opened with one server's keys, sealed with the key that both share, and sealed anew.
 */
import { hkdfSync } from 'node:crypto'
import {
  type CopiedTable,
  feedName,
  PAGE_ROWS,
  type Page,
  type Row,
  readPage,
  recordChanges,
  refuseWrites,
  type ToldTable,
} from '../database/changes.ts'
import type { Database } from '../database/open.ts'
import { SealBroken, Sealer } from '../database/sealed.ts'
import { type PaymentState, statesBefore } from '../domain/payment.ts'
import { paymentAliasContext, paymentBankContext, planContext } from '../paying/payment.ts'
import type { Random } from '../ports/clock.ts'
import { draftSealContext } from '../site-records/rental-draft.ts'
import { emailTokenContext } from './account-changes.ts'
import { resetContext } from './account-look-ups.ts'
import { autopayBeforeContext } from './autopay.ts'
import { autopayContext, detailsContext } from './move-in.ts'
import { identityContext } from './tenants.ts'

/** The storage system's own, those that others refer to first. Entries come before the leases whose sum they are. */
const recordTables: ToldTable[] = [
  { name: 'states', key: ['short_name'] },
  { name: 'locations', key: ['location_code'] },
  { name: 'location_contents', key: ['location_code'] },
  { name: 'unit_types', key: ['location_code', 'unit_type_id'] },
  { name: 'units', key: ['location_code', 'unit_id'] },
  { name: 'map_fixtures', key: ['location_code', 'fixture_id'] },
  { name: 'discounts', key: ['location_code', 'discount_id'] },
  { name: 'insurance_schemes', key: ['location_code', 'scheme_id'] },
  { name: 'fees', key: ['location_code', 'fee_id'] },
  { name: 'accounts', key: ['account_id'] },
  { name: 'tenants', key: ['location_code', 'tenant_id'] },
  { name: 'sign_ins', key: ['token_hash'] },
  { name: 'reservations', key: ['location_code', 'reservation_code'] },
  { name: 'prospects', key: ['uuid'] },
  { name: 'ledger_entries', key: ['entry_id'] },
  { name: 'leases', key: ['location_code', 'lease_number'] },
  { name: 'lease_fees', key: ['location_code', 'lease_number', 'fee_id'] },
  // A code may have been given several times; the rows of a code are told together.
  { name: 'gate_codes', key: ['location_code', 'gate_code'] },
  { name: 'move_outs', key: ['move_out_id'] },
  { name: 'reset_codes', key: ['reset_id'] },
  { name: 'email_changes', key: ['change_id'] },
  { name: 'billing_runs', key: ['location_code', 'run_date'] },
]

/** The database is another server's, or was. */
export class NoCopyHere extends Error {}
/** A website that has no copy yet could not read its first one. */
export class NoRecordsYet extends Error {}

/** Begins the name of a database that a storage system writes, and of one that is a website's. */
const roles = { records: 'records:', website: 'website:' } as const

/** The database notes from now on what a storage system tells. @throws Error where it is a website's */
export async function recordForWebsite(db: Database, random: Random): Promise<void> {
  if ((await feedName(db)).startsWith(roles.website))
    throw new NoCopyHere('The database is the copy that a website keeps: a storage system wants one of its own.')
  await recordChanges(db, toldByRecords, `${roles.records}${random.uuid()}`)
}

/** The database notes from now on what a website tells, and nobody but the feed writes its records. */
export async function recordForRecords(db: Database, random: Random): Promise<void> {
  await refuseRecordsDatabase(db)
  await recordChanges(db, toldByWebsite, `${roles.website}${random.uuid()}`)
  await refuseWrites(db, recordTableNames)
}

/** @throws Error where the database is the storage system's own: as a copy it could be written by nobody */
export async function refuseRecordsDatabase(db: Database): Promise<void> {
  if ((await feedName(db)).startsWith(roles.records))
    throw new NoCopyHere('The database is the storage system’s own: a website wants one for itself.')
}

/** Tables whose rows nobody at the website writes: see `refuseWrites`. */
export const recordTableNames: readonly string[] = recordTables.map((table) => table.name)

/** Told from both sides; what becomes of them is said in `toWebsite` and `toRecords`. */
const drafts: ToldTable = { name: 'rental_drafts', key: ['draft_id'] }
const payments: ToldTable = { name: 'payments', key: ['order_id'] }
const documents: ToldTable = { name: 'lease_documents', key: ['document_id'] }
const auctions: ToldTable = { name: 'auction_winners', key: ['auction_winner_id'] }
const settlements: ToldTable = { name: 'settlements', key: ['uuid'] }
const proofs: ToldTable = { name: 'insurance_proofs', key: ['proof_id'] }
/** Written once and never changed, by either side, in the transaction of what they tell about. */
const notes: ToldTable = { name: 'tenant_notes', key: ['note_id'], insertsOnly: true }

/** What a storage system tells: its records, and the jobs that they gave rise to, which are the website's to run. */
export const toldByRecords: readonly ToldTable[] = [
  ...recordTables,
  ...[drafts, payments, documents, auctions, settlements, proofs, notes],
  { name: 'jobs', key: ['job_id'], insertsOnly: true, onlyWhere: "state in ('waiting', 'running')" },
]

/** What a website tells. */
export const toldByWebsite: readonly ToldTable[] = [
  { name: 'settings', key: ['name'] },
  ...[drafts, documents, payments, auctions, settlements, proofs, notes],
]

const asItWas = () => null

/** Of the columns that the storage system sets on a row of the website's. */
const only =
  (...columns: string[]) =>
  (own: Row, told: Row): Row => ({ ...own, ...Object.fromEntries(columns.map((name) => [name, told[name]])) })

const but =
  (...columns: string[]) =>
  (own: Row, told: Row): Row => ({ ...told, ...Object.fromEntries(columns.map((name) => [name, own[name]])) })

/** The states that the storage system brings a payment to: what it does to the records is done there. */
const ofRecords: readonly PaymentState[] = ['posted', 'returned']
const stateOf = (row: Row) => row.state as PaymentState
/** Whether a payment has come from one state to the other, by way of others or not. */
const isPast = (state: PaymentState, other: PaymentState): boolean =>
  statesBefore(state).some((before) => before === other || (before !== state && isPast(before, other)))

/** How the website takes in what the storage system tells. */
export const toWebsite: readonly CopiedTable[] = [
  ...recordTables,
  // A reservation is bound to its draft over there, under a version of its own.
  {
    ...drafts,
    keepsGone: true,
    merge: (own, told) =>
      // Who has logged out stays so, whatever was on its way.
      Number(told.version) >= Number(own.version) ? { ...told, left_at: own.left_at ?? told.left_at } : null,
  },
  { ...documents, keepsGone: true, merge: only('lease_number') },
  {
    ...payments,
    keepsGone: true,
    merge: (own, told) =>
      ofRecords.includes(stateOf(told)) && isPast(stateOf(told), stateOf(own))
        ? only('state', 'posted_at', 'lease_number', 'updated_at')(own, told)
        : null,
  },
  { ...auctions, keepsGone: true, merge: only('state', 'order_id', 'paid_at', 'gate_code') },
  { ...settlements, keepsGone: true, merge: only('state', 'order_id', 'paid_at') },
  { ...proofs, keepsGone: true, merge: only('decision', 'decided_at', 'decided_because') },
  { ...notes, keepsGone: true, merge: asItWas },
  { name: 'jobs', key: ['job_id'], keepsGone: true, merge: asItWas },
]

const linkMerge =
  (...columns: string[]) =>
  (own: Row, told: Row): Row =>
    // What was paid is paid, whatever was said of the link on the way.
    own.state === 'paid' ? but('state', ...columns)(own, told) : but(...columns)(own, told)

/** Nobody but the storage system says that something stands in its books. */
const postedHereOnly = (told: Row, own?: Row): Row =>
  stateOf(told) !== 'posted' || (own && stateOf(own) === 'posted')
    ? told
    : { ...told, state: 'captured' satisfies PaymentState, posted_at: null }

/** How the storage system takes in what the website tells. */
export const toRecords: readonly CopiedTable[] = [
  { name: 'settings', key: ['name'] },
  {
    ...drafts,
    merge: (own, told) =>
      Number(told.version) > Number(own.version) ? told : only('left_at', 'touched_at')(own, told),
  },
  { ...documents, merge: but('lease_number') },
  {
    ...payments,
    // What we have lost by an older backup is posted anew, and not believed to be: the website asks for it.
    comes: (told, isFirst) => (isFirst ? told : postedHereOnly(told)),
    merge: (own, told) =>
      ofRecords.includes(stateOf(own)) && !isPast(stateOf(told), stateOf(own))
        ? but('state', 'posted_at', 'lease_number', 'updated_at')(own, told)
        : postedHereOnly(told, own),
  },
  { ...auctions, merge: linkMerge('order_id', 'paid_at', 'gate_code') },
  { ...settlements, merge: linkMerge('order_id', 'paid_at') },
  { ...proofs, merge: but('decision', 'decided_at', 'decided_because') },
  { ...notes, keepsGone: true, merge: asItWas },
]

// ── What is sealed ────────────────────────────────────────────────────────────────────────────────────────────────────

type Reseal = (text: string, context: string) => string

const text = (row: Row, name: string) => String(row[name])
const leaseOf = (row: Row): [string, number] => [text(row, 'location_code'), Number(row.lease_number)]

/** One text of a row that stands in JSON beside others. */
function within(row: Row, column: string, context: string, reseal: Reseal): Row {
  const kept = JSON.parse(text(row, column)) as { sealed?: string }
  return kept.sealed === undefined
    ? row
    : { ...row, [column]: JSON.stringify({ ...kept, sealed: reseal(kept.sealed, context) }) }
}

function alone(row: Row, column: string, context: string, reseal: Reseal): Row {
  return typeof row[column] === 'string' ? { ...row, [column]: reseal(text(row, column), context) } : row
}

/** Every sealed text that travels, under what it is sealed. */
const sealedIn: Record<string, (row: Row, reseal: Reseal) => Row> = {
  tenants: (row, reseal) =>
    alone(row, 'identity_sealed', identityContext(text(row, 'location_code'), Number(row.tenant_id)), reseal),
  leases: (row, reseal) =>
    within(
      alone(row, 'autopay_sealed', autopayContext(...leaseOf(row)), reseal),
      'details',
      detailsContext(...leaseOf(row)),
      reseal,
    ),
  move_outs: (row, reseal) =>
    alone(
      row,
      'autopay_before',
      autopayBeforeContext({ location_code: text(row, 'location_code'), lease_number: Number(row.lease_number) }),
      reseal,
    ),
  reset_codes: (row, reseal) => alone(row, 'code_sealed', resetContext(text(row, 'reset_id')), reseal),
  email_changes: (row, reseal) => alone(row, 'token_sealed', emailTokenContext(text(row, 'change_id')), reseal),
  rental_drafts: (row, reseal) => alone(row, 'sealed_answers', draftSealContext(text(row, 'draft_id')), reseal),
  payments: (row, reseal) => {
    const order = text(row, 'order_id')
    return within(
      alone(
        alone(row, 'alias_sealed', paymentAliasContext(order), reseal),
        'bank_sealed',
        paymentBankContext(order),
        reseal,
      ),
      'plan',
      planContext(order),
      reseal,
    )
  },
}

/** Seals under what both servers share, for the way between them. */
export const wayside = (siteKey: string): Sealer =>
  new Sealer({
    keys: [{ id: 'site', key: new Uint8Array(hkdfSync('sha256', siteKey, '', 'records on their way', 32)) }],
  })

const resealing =
  (from: Sealer, to: Sealer): Reseal =>
  (sealed, context) => {
    try {
      return to.seal(from.open(sealed, context), context)
    } catch (error) {
      // Under a key that is no longer among ours it opens nowhere: the row goes as it is.
      if (error instanceof SealBroken) return sealed
      throw error
    }
  }

/** What proves who somebody is stays with the storage system, which alone compares it. */
const leftOut: Record<string, Row> = { accounts: { password_hash: '', security_answer_hash: '' } }

const rowsBy = (page: Page, change: (table: string, row: Row) => Row): Page => ({
  ...page,
  changes: page.changes.map((one) => ({ ...one, rows: one.rows.map((row) => change(one.table, row)) })),
})

/** What a page may come to, bytes: well below what the door of the other server takes. */
export const PAGE_BYTES = 4 * 1024 * 1024

/** A page of what changed, fit for the way: of fewer rows where they are large. */
export async function pageToTell(
  db: Database,
  tables: readonly ToldTable[],
  after: string,
  keys: { own: Sealer; way: Sealer },
  limit: number = PAGE_ROWS,
): Promise<Page> {
  const reseal = resealing(keys.own, keys.way)
  const page = rowsBy(await readPage(db, tables, after, limit), (table, row) => ({
    ...(sealedIn[table]?.(row, reseal) ?? row),
    ...leftOut[table],
  }))
  return limit > 1 && Buffer.byteLength(JSON.stringify(page)) > PAGE_BYTES
    ? pageToTell(db, tables, after, keys, Math.ceil(limit / 8))
    : page
}

/** A page as it came, sealed with our own keys. */
export const pageAsTold = (page: Page, keys: { own: Sealer; way: Sealer }): Page => {
  const reseal = resealing(keys.way, keys.own)
  return rowsBy(page, (table, row) => sealedIn[table]?.(row, reseal) ?? row)
}

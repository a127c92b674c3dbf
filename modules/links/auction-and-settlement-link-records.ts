/** Personal payment links (spec 2 §3). Their uuid is the only secret, so guesses are limited by network address. */
import type { Kysely, Selectable } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import { engineOf } from '../../platform/database/open.ts'
import { nextNumber } from '../../platform/database/sequences.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { LinkState } from '../../platform/schema/narrowed-column-types.ts'
import type { AuctionWinnersTable, LeasesTable, SettlementsTable, Tables } from '../../platform/schema/tables.ts'
import { isOverlockCombination } from '../gate/rules/shows-overlock-combination.ts'
import { loadBalance } from '../ledger/load-and-repair-lease-balance.ts'
import { paidWinnerQuery } from './paid-auction-winners.ts'
import { AUCTION_RULES_VERSION } from './rules/auction-rules-for-winner.ts'
import { normalizeLinkUuid } from './rules/normalize-link-uuid.ts'

export type AuctionLink = Selectable<AuctionWinnersTable>
/** A unit won at auction, with the state of its winner's link. */
export interface WonUnit extends AuctionLink {
  /** Whether the lease has closed. */
  ended: boolean
  /** Whether the winner has acknowledged the current auction rules. */
  rulesAcknowledged: boolean
}

export type SettlementLink = Selectable<SettlementsTable>

/**
 * Options of the link queries. `withdrawn` includes withdrawn links, so that a payer who returns from the card page sees
 * the outcome of the payment.
 */
interface LinkOptions {
  withdrawn?: true
}

/**
 * Loads the link by which an auction winner pays for the unit. Once the lease is closed, the link has no gate and combo
 * codes, because another tenant may have them by then.
 * @param uuid uuid from the link's URL
 * @returns null when the link is unknown or withdrawn
 */
export async function loadAuctionLink(
  db: Kysely<Tables>,
  uuid: string | undefined | null,
  options: LinkOptions = {},
): Promise<WonUnit | null> {
  const key = normalizeLinkUuid(uuid)
  if (key === null) return null
  const row = await db
    .selectFrom('auction_winners')
    .innerJoin('leases', (join) =>
      join
        .onRef('leases.location_code', '=', 'auction_winners.location_code')
        .onRef('leases.lease_number', '=', 'auction_winners.lease_number'),
    )
    .leftJoin('auction_acknowledgements', (join) =>
      join
        .onRef('auction_acknowledgements.uuid', '=', 'auction_winners.uuid')
        .on('rules_version', '=', AUCTION_RULES_VERSION),
    )
    .selectAll('auction_winners')
    .select(['status', 'acknowledged_at'])
    .where('auction_winners.uuid', '=', key)
    .$if(!options.withdrawn, (query) => query.where('state', '!=', 'withdrawn'))
    .executeTakeFirst()
  if (!row) return null
  const { status, acknowledged_at, ...winner } = row
  const link = { ...winner, rulesAcknowledged: acknowledged_at !== null }
  return status === 'Closed' ? { ...link, gate_code: '', combo_code: '', ended: true } : { ...link, ended: false }
}

/**
 * Loads a settlement link, by which a past-due tenant pays an agreed part of the balance.
 * @param uuid uuid from the link's URL
 * @returns null when the link is unknown or withdrawn
 */
export async function loadSettlementLink(
  db: Kysely<Tables>,
  uuid: string | undefined | null,
  options: LinkOptions = {},
): Promise<SettlementLink | null> {
  const key = normalizeLinkUuid(uuid)
  if (key === null) return null
  const row = await db
    .selectFrom('settlements')
    .selectAll()
    .where('uuid', '=', key)
    .$if(!options.withdrawn, (query) => query.where('state', '!=', 'withdrawn'))
    .executeTakeFirst()
  return row ?? null
}

export type LinkKind = 'auction' | 'settlement'

interface LinkRow {
  auction: AuctionLink
  settlement: SettlementLink
}

/** Returns the table of a kind of link, typed as settlements, because Kysely cannot type a query on either table. */
const tableOf = (kind: LinkKind) => (kind === 'auction' ? 'auction_winners' : 'settlements') as 'settlements'

/** Locks a link's row until the transaction ends. SQLite needs no lock: its write transactions run one after the other. */
export async function lockLink(tx: Kysely<Tables>, kind: LinkKind, uuid: string): Promise<void> {
  if (engineOf(tx) === 'postgres')
    await tx.selectFrom(tableOf(kind)).select('uuid').where('uuid', '=', uuid).forNoKeyUpdate().execute()
}

interface LinkPayment {
  orderId: string
  at: number
}

/** Updates that mark an open link as paid, one for each kind, because Kysely types the columns of one table only. */
const markPaidByKind: {
  [Kind in LinkKind]: (tx: Kysely<Tables>, uuid: string, by: LinkPayment) => Promise<LinkRow[Kind] | undefined>
} = {
  auction: (tx, uuid, { orderId, at }) =>
    tx
      .updateTable('auction_winners')
      .set({ state: 'paid', order_id: orderId, paid_at: at })
      .where((eb) => eb.and({ uuid, state: 'open' }))
      .returningAll()
      .executeTakeFirst(),
  settlement: (tx, uuid, { orderId, at }) =>
    tx
      .updateTable('settlements')
      .set({ state: 'paid', order_id: orderId, paid_at: at })
      .where((eb) => eb.and({ uuid, state: 'open' }))
      .returningAll()
      .executeTakeFirst(),
}

/**
 * Marks an open link as paid, in the caller's transaction.
 * @returns the link; when it was not open, its state, or null when it is unknown
 */
export async function markLinkPaid<Kind extends LinkKind>(
  tx: Kysely<Tables>,
  kind: Kind,
  uuid: string,
  payment: LinkPayment,
): Promise<{ ok: true; link: LinkRow[Kind] } | { ok: false; state: LinkState | null }> {
  const link = await markPaidByKind[kind](tx, uuid, payment)
  if (link) return { ok: true, link }
  const row = await tx.selectFrom(tableOf(kind)).select('state').where('uuid', '=', uuid).executeTakeFirst()
  return { ok: false, state: row?.state ?? null }
}

export async function setWinnerGateCode(tx: Kysely<Tables>, uuid: string, gateCode: string): Promise<void> {
  await tx.updateTable('auction_winners').set({ gate_code: gateCode }).where('uuid', '=', uuid).execute()
}

export type LinkResult = { ok: true; uuid: string; path: string } | { ok: false; why: string }

type LinkParts = Pick<Services, 'db' | 'clock' | 'random'>

async function loadLinkedLease(
  db: Kysely<Tables>,
  unitKey: { locationCode: string; unitNumber: string },
): Promise<{ lease: Selectable<LeasesTable>; facilityName: string; tenantName: string; balance: Cents } | null> {
  const row = await db
    .selectFrom('leases')
    .innerJoin('locations', 'locations.location_code', 'leases.location_code')
    .innerJoin('tenants', (join) =>
      join
        .onRef('tenants.location_code', '=', 'leases.location_code')
        .onRef('tenants.tenant_id', '=', 'leases.tenant_id'),
    )
    .selectAll('leases')
    .select(['locations.name as facility_name', 'first', 'last'])
    .where('leases.location_code', '=', unitKey.locationCode)
    .where('leases.unit_number', '=', unitKey.unitNumber)
    .where('leases.status', '!=', 'Closed')
    .executeTakeFirst()
  if (!row) return null
  const { facility_name, first, last, ...lease } = row
  return {
    lease,
    facilityName: facility_name,
    tenantName: `${first} ${last}`.trim(),
    balance: await loadBalance(db, lease.location_code, lease.lease_number),
  }
}

/** Withdraws a lease's open auction or settlement link, if it has one, in the caller's transaction. */
export async function withdrawOpenLink(
  tx: Kysely<Tables>,
  kind: LinkKind,
  lease: Pick<Selectable<LeasesTable>, 'location_code' | 'lease_number'>,
): Promise<void> {
  await tx
    .updateTable(tableOf(kind) as 'auction_winners')
    .set({ state: 'withdrawn' })
    .where((eb) => eb.and({ location_code: lease.location_code, lease_number: lease.lease_number }))
    .where('state', '=', 'open')
    .execute()
}

/** Location key of the number sequence of auction winners, which all facilities share. */
const ALL_FACILITIES = '*'
const firstWinnerId = 1

/**
 * Creates an auction winner's link and withdraws the unit's earlier open one.
 * @param winner `cents` 1 to 10¹², by default the balance; `comboCode` by default the lease's; `uuid` for a link known
 *   in advance, by default random
 * @returns path of the page; not ok when the unit has no open lease or was sold before, or the amount is not allowed
 */
export const makeAuctionLink = (services: LinkParts, winner: Winner): Promise<LinkResult> =>
  services.db.transaction((tx) => insertAuctionLink(tx, services, winner))

/** Winner of an auctioned unit. */
export interface Winner {
  locationCode: string
  unitNumber: string
  name: string
  email: string
  city: string
  zip: string
  cents?: Cents
  comboCode?: string
  uuid?: string
}

/** Creates an auction winner's link in the caller's transaction. */
export async function insertAuctionLink(
  tx: Kysely<Tables>,
  services: Pick<LinkParts, 'clock' | 'random'>,
  winner: Winner,
): Promise<LinkResult> {
  const linked = await loadLinkedLease(tx, winner)
  if (!linked) return { ok: false, why: `Unit ${winner.unitNumber} of ${winner.locationCode} has no lease.` }
  const leaseKey = { locationCode: linked.lease.location_code, leaseNumber: linked.lease.lease_number }
  if (await paidWinnerQuery(tx, leaseKey).executeTakeFirst())
    return { ok: false, why: `Unit ${winner.unitNumber} of ${winner.locationCode} was sold at auction already.` }
  const amount = winner.cents ?? linked.balance
  const fault = amountFault(amount)
  if (fault) return { ok: false, why: fault }
  const combo = winner.comboCode ?? linked.lease.combo_code
  const uuid = normalizeLinkUuid(winner.uuid) ?? services.random.uuid()
  await withdrawOpenLink(tx, 'auction', linked.lease)
  await tx
    .insertInto('auction_winners')
    .values({
      auction_winner_id: await nextNumber(tx, ALL_FACILITIES, 'auction_winner', firstWinnerId),
      uuid,
      location_code: linked.lease.location_code,
      lease_number: linked.lease.lease_number,
      unit_number: linked.lease.unit_number,
      facility_name: linked.facilityName,
      facility_balance: amount,
      name: winner.name,
      email: winner.email,
      city: winner.city,
      zip: winner.zip,
      gate_code: '',
      combo_code: isOverlockCombination(combo) ? combo : '',
      state: 'open',
      order_id: null,
      created_at: services.clock.now(),
      paid_at: null,
    })
    .execute()
  return { ok: true, uuid, path: `/auction-winner/${uuid}` }
}

/**
 * Creates a link by which a past-due tenant settles for an amount, `cents` from 1 to the balance. With the payment, the
 * rest is written off.
 * @returns path of the page; not ok when the unit has no open lease or the amount is not allowed
 */
export const makeSettlementLink = (services: LinkParts, offer: Settlement): Promise<LinkResult> =>
  services.db.transaction((tx) => insertSettlementLink(tx, services, offer))

interface Settlement {
  locationCode: string
  unitNumber: string
  cents: Cents
  uuid?: string
}

/** Creates a settlement link in the caller's transaction. */
export async function insertSettlementLink(
  tx: Kysely<Tables>,
  services: Pick<LinkParts, 'clock' | 'random'>,
  offer: Settlement,
): Promise<LinkResult> {
  const linked = await loadLinkedLease(tx, offer)
  if (!linked) return { ok: false, why: `Unit ${offer.unitNumber} of ${offer.locationCode} has no lease.` }
  const fault = amountFault(offer.cents)
  if (fault) return { ok: false, why: fault }
  if (offer.cents > linked.balance) return { ok: false, why: 'The amount is more than is owed.' }
  const uuid = normalizeLinkUuid(offer.uuid) ?? services.random.uuid()
  await withdrawOpenLink(tx, 'settlement', linked.lease)
  await tx
    .insertInto('settlements')
    .values({
      uuid,
      location_code: linked.lease.location_code,
      tenant_id: linked.lease.tenant_id,
      lease_number: linked.lease.lease_number,
      unit_number: linked.lease.unit_number,
      facility_name: linked.facilityName,
      tenant_name: linked.tenantName,
      settlement_amount: offer.cents,
      state: 'open',
      order_id: null,
      created_at: services.clock.now(),
      paid_at: null,
    })
    .execute()
  return { ok: true, uuid, path: `/past-due-payment/${uuid}` }
}

const MAX_CENTS = 1_000_000_000_000

function amountFault(cents: Cents): string | null {
  if (!Number.isSafeInteger(cents) || cents > MAX_CENTS) return 'The amount is not one in whole cents.'
  return cents <= 0 ? 'There is nothing to pay.' : null
}

/** Reads and updates transfers. */

import { type ExpressionBuilder, type Kysely, type Selectable, type SqlBool, sql } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import type { Instant } from '../../domain/time-zone-dates.ts'
import { facilityCodesForSqlIn } from '../../platform/database/facility-codes-for-sql-in.ts'
import { optionalCondition } from '../../platform/database/optional-condition.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables, TransfersTable } from '../../platform/schema/tables.ts'
import type { LeaseKey } from '../leases/lease.ts'
import type { LeaseTransfers } from './rules/lease-transfers-types.ts'

export type Transfer = Selectable<TransfersTable>

/**
 * Condition for open transfers. A literal, because bound parameters would keep databases from using the partial index.
 */
export const isOpenTransfer = sql<SqlBool>`transfers.state in ('offered', 'moving')`
/** Condition for offered transfers; a literal like `isOpenTransfer`. */
export const isOfferedTransfer = sql<SqlBool>`transfers.state = 'offered'`

/**
 * Condition for transfers whose reservation is active. An offered transfer without an active reservation has lapsed.
 */
const isHeld = (eb: ExpressionBuilder<Tables, 'transfers'>) =>
  eb.exists(
    eb
      .selectFrom('reservations')
      .select('reservations.reservation_code')
      .whereRef('reservations.location_code', '=', 'transfers.location_code')
      .whereRef('reservations.reservation_code', '=', 'transfers.reservation_code')
      .where('reservations.status', '=', sql.lit('active')),
  )

/**
 * Returns the open transfer out of a lease: it is moving, or offered with an active reservation. undefined when the
 * lease has none.
 */
export const loadOpenTransfer = (
  db: Kysely<Tables>,
  { location_code, lease_number }: LeaseKey,
): Promise<Transfer | undefined> =>
  db
    .selectFrom('transfers')
    .selectAll()
    .where((eb) => eb.and({ location_code, lease_number }))
    .where(isOpenTransfer)
    .where((eb) => eb.or([eb('state', '=', 'moving'), isHeld(eb)]))
    .executeTakeFirst()

/** Returns the transfer that created a lease; undefined when there was none. */
const loadTransferInto = (
  db: Kysely<Tables>,
  { location_code, lease_number }: LeaseKey,
): Promise<Transfer | undefined> =>
  db
    .selectFrom('transfers')
    .selectAll()
    .where((eb) => eb.and({ location_code, to_lease: lease_number }))
    .executeTakeFirst()

/** Returns the newest moving or done transfer out of a lease; undefined when there is none. */
export const loadTransferOutOf = (
  db: Kysely<Tables>,
  { location_code, lease_number }: LeaseKey,
): Promise<Transfer | undefined> =>
  db
    .selectFrom('transfers')
    .selectAll()
    .where((eb) => eb.and({ location_code, lease_number }))
    .where('state', 'in', ['moving', 'done'])
    .orderBy('opened_at', 'desc')
    .limit(1)
    .executeTakeFirst()

/**
 * Loads the end of the hold of a transfer's new unit, with the facility's time zone; undefined once the
 * reservation is no longer active.
 */
export const loadTransferHold = (
  db: Kysely<Tables>,
  { location_code, reservation_code }: Pick<Transfer, 'location_code' | 'reservation_code'>,
): Promise<{ until: Instant; timeZone: string } | undefined> =>
  db
    .selectFrom('reservations')
    .innerJoin('locations', 'locations.location_code', 'reservations.location_code')
    .select(['hold_until as until', 'time_zone as timeZone'])
    .where('reservations.location_code', '=', location_code)
    .where('reservation_code', '=', reservation_code)
    .where('status', '=', sql.lit('active'))
    .executeTakeFirst()

/** Returns the transfers that a lease's page shows: out of the lease and into it. */
export async function loadTransfers(db: Kysely<Tables>, lease: LeaseKey): Promise<LeaseTransfers> {
  const [open, out, into] = await Promise.all([
    loadOpenTransfer(db, lease),
    loadTransferOutOf(db, lease),
    loadTransferInto(db, lease),
  ])
  const shown = open ?? out
  const hold = shown?.state === 'offered' ? await loadTransferHold(db, shown) : undefined
  return { out: shown ? { ...shown, hold: hold ?? null } : null, into: into ?? null }
}

/** Expires a lease's offered transfers whose reservation has ended, so that another transfer can be opened. */
export const expireLapsedTransfers = (tx: Kysely<Tables>, { location_code, lease_number }: LeaseKey, now: Instant) =>
  tx
    .updateTable('transfers')
    .set({ state: 'expired', ended_at: now })
    .where((eb) => eb.and({ location_code, lease_number }))
    .where(isOfferedTransfer)
    .where((eb) => eb.not(isHeld(eb)))
    .execute()

/**
 * Cancels the open transfer out of a lease, because the lease's move-out was cancelled, or the lease ended before the
 * new one was made. Changes no lease.
 */
export const endTransfers = (
  tx: Kysely<Tables>,
  { location_code, lease_number }: LeaseKey,
  now: Instant,
): Promise<unknown> =>
  tx
    .updateTable('transfers')
    .set({ state: 'cancelled', ended_at: now })
    .where((eb) => eb.and({ location_code, lease_number }))
    .where(isOpenTransfer)
    .execute()

/** Returns offered transfers whose new unit is still held, oldest first. */
export const loadOfferedTransfers = (
  { db }: Pick<Services, 'db'>,
  filter: {
    codes: 'all' | readonly string[]
    after: { at: Instant; id: string } | null
    limit: number
    only?: string
  },
) =>
  db.read
    .selectFrom('transfers')
    .innerJoin('reservations', (join) =>
      join
        .onRef('reservations.location_code', '=', 'transfers.location_code')
        .onRef('reservations.reservation_code', '=', 'transfers.reservation_code'),
    )
    .innerJoin('tenants', (join) =>
      join
        .onRef('tenants.location_code', '=', 'transfers.location_code')
        .onRef('tenants.tenant_id', '=', 'transfers.tenant_id'),
    )
    .selectAll('transfers')
    .select(['reservations.hold_until', 'tenants.first', 'tenants.last'])
    .where(isOfferedTransfer)
    .where('reservations.status', '=', sql.lit('active'))
    .$if(filter.codes !== 'all', (query) =>
      query.where('transfers.location_code', 'in', facilityCodesForSqlIn(filter.codes)),
    )
    .$call(
      optionalCondition(filter.after, (query, { at, id }) =>
        query.where((eb) => eb(eb.refTuple('opened_at', 'transfer_id'), '>', eb.tuple(at, id))),
      ),
    )
    .$call(optionalCondition(filter.only, (query, id) => query.where('transfer_id', '=', id)))
    .orderBy('opened_at')
    .orderBy('transfer_id')
    .limit(filter.limit)
    .execute()

/** Records that the old lease has ended, and the amount moved to the new one, in cents. */
export async function markTransferDone(
  tx: Kysely<Tables>,
  transferId: string,
  { last, cents, now }: { last: IsoDate; cents: Cents; now: Instant },
): Promise<void> {
  await tx
    .updateTable('transfers')
    .set({ state: 'done', ends_on: last, moved_cents: cents, ended_at: now })
    .where('transfer_id', '=', transferId)
    .execute()
}

/**
 * Records the new lease of an offered transfer.
 * @param set last day of the old lease; or the instant of cancellation, when the old lease has ended meanwhile
 * @returns false when the transfer was no longer offered
 */
export async function markTransferSigned(
  tx: Kysely<Tables>,
  transferId: string,
  newLease: { leaseNumber: number; unitNumber: string },
  set: { ends_on: IsoDate } | { ended_at: Instant },
): Promise<boolean> {
  const updated = await tx
    .updateTable('transfers')
    .set({
      to_lease: newLease.leaseNumber,
      to_unit_number: newLease.unitNumber,
      state: 'ends_on' in set ? 'moving' : 'cancelled',
      ...set,
    })
    .where('transfer_id', '=', transferId)
    .where(isOfferedTransfer)
    .returning('transfer_id')
    .executeTakeFirst()
  return updated !== undefined
}

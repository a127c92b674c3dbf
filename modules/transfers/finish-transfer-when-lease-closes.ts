import type { Insertable, Kysely } from 'kysely'
import type { IsoDate } from '../../domain/plain-date.ts'
import { requireValue } from '../../domain/require-value.ts'
import { enqueue } from '../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import type { LeaseKey } from '../leases/lease.ts'
import { lockLeaseRow, requireToday } from '../leases/lock-lease-row.ts'
import { addEntries } from '../ledger/build-and-insert-entries.ts'
import { loadTransferEntries } from './internal/transfer-entries.ts'
import { endTransfers, isOpenTransfer, markTransferDone, type Transfer } from './transfer-rows.ts'

/** Returns the `once` key of the mail jobs about a transfer, so that each kind of mail is sent once for a transfer. */
export const transferMailKey = (transfer: Pick<Transfer, 'location_code' | 'lease_number' | 'transfer_id'>): string =>
  `${transfer.location_code}:${transfer.lease_number}:${transfer.transfer_id}`

/** Functions of the module `standing`, which this file may not import (order of modules, tests/structure.ts). */
interface StandingFunctions {
  updateStanding(tx: Kysely<Tables>, services: Services, key: LeaseKey): Promise<unknown>
  recordEntryReasons(tx: Kysely<Tables>, rows: Insertable<Tables['entry_reasons']>[]): Promise<void>
}

/**
 * Finishes a moving transfer in the transaction that closes the old lease: moves the money for unused days and other
 * credit to the new lease. Cancels a transfer that is only offered. Locks the old lease, which has the lower number,
 * before the new one.
 * @param key the old lease
 * @param last last day of the old lease
 */
export async function finishTransfer(
  tx: Kysely<Tables>,
  services: Services,
  key: LeaseKey,
  last: IsoDate,
  standing: StandingFunctions,
): Promise<void> {
  const { location_code, lease_number } = key
  const transfer = await tx
    .selectFrom('transfers')
    .selectAll()
    .where((eb) => eb.and({ location_code, lease_number }))
    .where(isOpenTransfer)
    .executeTakeFirst()
  if (!transfer) return
  if (transfer.state !== 'moving' || transfer.to_lease === null) {
    await endTransfers(tx, key, services.clock.now())
    return
  }
  const old = requireValue(await lockLeaseRow(tx, key), 'lease that the tenant leaves')
  const newLeaseKey = { location_code, lease_number: transfer.to_lease }
  await lockLeaseRow(tx, newLeaseKey)
  const entries = await loadTransferEntries(tx, old, {
    last,
    to: transfer.to_unit_number,
    once: `transfer:${transfer.transfer_id}`,
  })
  if (entries.cents > 0) {
    const today = await requireToday(tx, services, location_code)
    await addEntries(tx, services, key, today, entries.old)
    await addEntries(tx, services, newLeaseKey, today, entries.new)
    await recordEntryAuthor(tx, transfer, newLeaseKey, standing)
    await standing.updateStanding(tx, services, key)
    await standing.updateStanding(tx, services, newLeaseKey)
  }
  const now = services.clock.now()
  await markTransferDone(tx, transfer.transfer_id, { last, cents: entries.cents, now })
  await enqueue(tx, {
    kind: 'transfer_completed',
    once: transferMailKey(transfer),
    payload: { transferId: transfer.transfer_id },
    runAt: now,
  })
}

/** Records the staff member who opened the transfer as author of its entries. */
async function recordEntryAuthor(
  tx: Kysely<Tables>,
  transfer: Transfer,
  newLease: LeaseKey,
  { recordEntryReasons }: StandingFunctions,
): Promise<void> {
  const { location_code, opened_by } = transfer
  if (opened_by === null) return
  const rows = await tx
    .selectFrom('ledger_entries')
    .select('entry_id')
    .where('location_code', '=', location_code)
    .where('lease_number', 'in', [transfer.lease_number, newLease.lease_number])
    .where('once', 'like', `transfer:${transfer.transfer_id}:%`)
    .execute()
  if (rows.length === 0) return
  await recordEntryReasons(
    tx,
    rows.map(({ entry_id }) => ({
      entry_id,
      act: 'move' as const,
      reason: 'moved-units' as const,
      note: '',
      staff_id: opened_by,
      corrects: null,
    })),
  )
}

/** Finds reasons why a tenant's data cannot be erased yet. */

import { type Kysely, sql } from 'kysely'
import { DAY } from '../../../domain/durations.ts'
import { format } from '../../../domain/money.ts'
import { type TenantFlag, tenantFlags } from '../../../domain/office/tenant-flags.ts'
import { formatLong } from '../../../domain/plain-date.ts'
import { type Instant, todayIn } from '../../../domain/time-zone-dates.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { inProgressStates } from '../../payments/payment.ts'
import { mayStillBeApproved } from '../../payments/settle-pending-payments.ts'
import type { PrivacyTerms } from '../rules/retention-and-export-limit-setting.ts'
import type { TenantKeys } from '../tenant-record-ids.ts'
import { erasureBlocks } from '../texts/tenant-export-and-erasure-refusals.ts'

/** Flags that mark a legal hold: a court or a claim needs the data. */
const holdingFlags: readonly TenantFlag[] = ['legal_hold', 'bankruptcy']

interface ErasureCheck {
  keys: TenantKeys
  terms: PrivacyTerms
  now: Instant
}

/** Returns the reasons that block an erasure; empty if there are none. The erasing transaction checks them again. */
export async function findErasureBlockers(db: Kysely<Tables>, check: ErasureCheck): Promise<string[]> {
  const blockers = await Promise.all([
    findLeaseBlockers(db, check),
    findMoneyBlockers(db, check),
    findTaskBlockers(db, check),
  ])
  return blockers.flat()
}

async function findLeaseBlockers(db: Kysely<Tables>, { keys }: ErasureCheck): Promise<string[]> {
  const tenantKey = { location_code: keys.locationCode, tenant_id: keys.tenantId }
  const leases = await db
    .selectFrom('leases')
    .select(['unit_number', 'status', 'balance'])
    .where((eb) => eb.and(tenantKey))
    .orderBy('lease_number')
    .execute()
  const reservations = await db
    .selectFrom('reservations')
    .select('unit_number')
    .where((eb) => eb.and({ ...tenantKey, status: 'active' }))
    .execute()
  return [
    ...leases.flatMap(({ unit_number, status, balance }) => [
      ...(status === 'Closed' ? [] : [erasureBlocks.leased(unit_number)]),
      ...(balance > 0 ? [erasureBlocks.owes(unit_number, format(balance))] : []),
      ...(balance < 0 ? [erasureBlocks.credit(unit_number, format(-balance))] : []),
    ]),
    ...reservations.map(({ unit_number }) => erasureBlocks.reserved(unit_number)),
  ]
}

async function findMoneyBlockers(db: Kysely<Tables>, { keys, terms, now }: ErasureCheck): Promise<string[]> {
  const orders = keys.orderIds.length > 0 ? keys.orderIds : ['']
  const payments = await db.selectFrom('payments').select('posted_at').where('order_id', 'in', orders).execute()
  const inProgress = await db
    .selectFrom('payments')
    .select('order_id')
    .where('order_id', 'in', orders)
    .where((eb) => eb.or([eb('state', 'in', [...inProgressStates, 'refund_due']), mayStillBeApproved(eb)]))
    .execute()
  const refunds = await db
    .selectFrom('refunds')
    .select('refund_id')
    .where('order_id', 'in', orders)
    .where('state', 'in', ['open', 'failed', 'by_hand'])
    .execute()
  const tasks = await db
    .selectFrom('refund_tasks')
    .select('order_id')
    .where('order_id', 'in', orders)
    .where('state', '!=', 'done')
    .execute()
  const receipts = await db
    .selectFrom('counter_receipts')
    .select(['state', 'method', 'received_at'])
    .where((eb) => eb.and({ location_code: keys.locationCode, tenant_id: keys.tenantId }))
    .where('state', 'in', ['held', 'deposited', 'matched'])
    .execute()
  // The bank may return a check or money order after its deposit.
  const returnable = receipts.filter(({ method }) => method !== 'cash')
  const paidAt = [
    ...payments.map((payment) => payment.posted_at ?? 0),
    ...returnable.map((receipt) => receipt.received_at),
  ]
  const disputableUntil = Math.max(0, ...paidAt) + terms.disputeDays * DAY
  return [
    ...(inProgress.length + refunds.length + tasks.length > 0 ? [erasureBlocks.money] : []),
    ...(receipts.some(({ state }) => state !== 'matched') ? [erasureBlocks.counter] : []),
    ...(disputableUntil > now ? [erasureBlocks.disputable(formatLong(todayIn('UTC', disputableUntil)))] : []),
  ]
}

async function findTaskBlockers(db: Kysely<Tables>, { keys }: ErasureCheck): Promise<string[]> {
  const tenantKey = { location_code: keys.locationCode, tenant_id: keys.tenantId }
  const flags = await db
    .selectFrom('tenant_flags')
    .select('flag')
    .where((eb) => eb.and(tenantKey))
    .execute()
  const hasOpenRow = async (table: 'tasks' | 'approvals' | 'settlements') =>
    (
      await db
        .selectFrom(table)
        .select('tenant_id')
        .where((eb) => eb.and({ ...tenantKey, state: 'open' }))
        // The request for the erasure itself is still open when it is approved.
        .$if(table === 'approvals', (query) => query.where(sql.ref('operation'), '!=', 'EraseTenant'))
        .limit(1)
        .execute()
    ).length > 0
  const lien = await db
    .selectFrom('lien_cases')
    .select('case_id')
    .where((eb) => eb.and(tenantKey))
    .where('state', 'in', ['open', 'sold', 'surplus'])
    .limit(1)
    .execute()
  return [
    ...(lien.length > 0 ? [erasureBlocks.lien] : []),
    ...((await hasOpenRow('settlements')) ? [erasureBlocks.settlement] : []),
    ...((await hasOpenRow('tasks')) ? [erasureBlocks.task] : []),
    ...((await hasOpenRow('approvals')) ? [erasureBlocks.request] : []),
    ...flags
      .filter(({ flag }) => holdingFlags.includes(flag))
      .map(({ flag }) => erasureBlocks.flag(tenantFlags[flag].label)),
  ]
}

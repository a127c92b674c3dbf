/** Finds reasons why a tenant's data cannot be erased yet. */

import type { Kysely } from 'kysely'
import { DAY } from '../../domain/durations.ts'
import { format } from '../../domain/money.ts'
import { type TenantFlag, tenantFlags } from '../../domain/office/tenant-flags.ts'
import { formatLong } from '../../domain/plain-date.ts'
import { type Instant, todayIn } from '../../domain/time-zone-dates.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { closedStates, inProgressStates } from '../payments/payment.ts'
import type { PrivacyTerms } from './rules/retention-terms.ts'
import type { TenantKeys } from './tenant-record-ids.ts'
import { erasureBlocks } from './texts/office-privacy.ts'

/** Time after which a closed order can no longer turn out to be approved, in milliseconds. */
const LATE_MS = 2 * DAY

/** Legal hold: a court or a claim needs the data. */
const holdingFlags: readonly TenantFlag[] = ['legal_hold', 'bankruptcy']

interface Asked {
  keys: TenantKeys
  terms: PrivacyTerms
  now: Instant
}

/** Returns the reasons that block an erasure; empty if there are none. Checked again in the erasing transaction. */
export async function findErasureBlockers(db: Kysely<Tables>, asked: Asked): Promise<string[]> {
  const found = await Promise.all([leasesOpen(db, asked), moneyMoving(db, asked), workOpen(db, asked)])
  return found.flat()
}

async function leasesOpen(db: Kysely<Tables>, { keys }: Asked): Promise<string[]> {
  const of = { location_code: keys.locationCode, tenant_id: keys.tenantId }
  const leases = await db
    .selectFrom('leases')
    .select(['unit_number', 'status', 'balance'])
    .where((eb) => eb.and(of))
    .orderBy('lease_number')
    .execute()
  const held = await db
    .selectFrom('reservations')
    .select('unit_number')
    .where((eb) => eb.and({ ...of, status: 'active' }))
    .execute()
  return [
    ...leases.flatMap(({ unit_number, status, balance }) => [
      ...(status === 'Closed' ? [] : [erasureBlocks.leased(unit_number)]),
      ...(balance > 0 ? [erasureBlocks.owes(unit_number, format(balance))] : []),
      ...(balance < 0 ? [erasureBlocks.credit(unit_number, format(-balance))] : []),
    ]),
    ...held.map(({ unit_number }) => erasureBlocks.reserved(unit_number)),
  ]
}

async function moneyMoving(db: Kysely<Tables>, { keys, terms, now }: Asked): Promise<string[]> {
  const orders = keys.orderIds.length > 0 ? keys.orderIds : ['']
  const payments = await db
    .selectFrom('payments')
    .select(['state', 'closed_at', 'created_at', 'posted_at'])
    .where('order_id', 'in', orders)
    .execute()
  const moving = payments.some(
    (one) =>
      [...inProgressStates, 'refund_due'].includes(one.state) ||
      (closedStates.includes(one.state) && (one.closed_at ?? one.created_at) > now - LATE_MS),
  )
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
  // The bank may still return a deposited check.
  const paper = receipts.filter(({ method }) => method !== 'cash')
  const paidAt = [...payments.map((payment) => payment.posted_at ?? 0), ...paper.map((one) => one.received_at)]
  const disputable = Math.max(0, ...paidAt) + terms.disputeDays * DAY
  return [
    ...(moving || refunds.length + tasks.length > 0 ? [erasureBlocks.money] : []),
    ...(receipts.some(({ state }) => state !== 'matched') ? [erasureBlocks.counter] : []),
    ...(disputable > now ? [erasureBlocks.disputable(formatLong(todayIn('UTC', disputable)))] : []),
  ]
}

async function workOpen(db: Kysely<Tables>, { keys }: Asked): Promise<string[]> {
  const of = { location_code: keys.locationCode, tenant_id: keys.tenantId }
  const flags = await db
    .selectFrom('tenant_flags')
    .select('flag')
    .where((eb) => eb.and(of))
    .execute()
  const count = async (table: 'tasks' | 'approvals' | 'settlements') =>
    (
      await db
        .selectFrom(table)
        .select('tenant_id')
        .where((eb) => eb.and({ ...of, state: 'open' }))
        .$if(table === 'approvals', (query) => query.where('operation' as never, '!=', 'EraseTenant' as never))
        .limit(1)
        .execute()
    ).length > 0
  const lien = await db
    .selectFrom('lien_cases')
    .select('case_id')
    .where((eb) => eb.and(of))
    .where('state', 'in', ['open', 'sold', 'surplus'])
    .limit(1)
    .execute()
  return [
    ...(lien.length > 0 ? [erasureBlocks.lien] : []),
    ...((await count('settlements')) ? [erasureBlocks.settlement] : []),
    ...((await count('tasks')) ? [erasureBlocks.task] : []),
    ...((await count('approvals')) ? [erasureBlocks.request] : []),
    ...flags
      .filter(({ flag }) => holdingFlags.includes(flag))
      .map(({ flag }) => erasureBlocks.flag(tenantFlags[flag].label)),
  ]
}

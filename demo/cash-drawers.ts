import { DAY, HOUR } from '../domain/durations.ts'
import type { IsoDate } from '../domain/plain-date.ts'
import { todayIn } from '../domain/time-zone-dates.ts'
import { uncounted, unmatched } from '../modules/cash-drawers/load-drawers.ts'
import {
  type CounterMethod,
  describeCounterPayment,
} from '../modules/cash-drawers/rules/counter-receipt-methods-and-states.ts'
import { selectLeasesWithTenants } from '../modules/leases/select-leases-with-tenants.ts'
import { updateStanding } from '../modules/standing/update-standing.ts'
import { type Database, isUniqueViolation, type Transaction } from '../platform/database/open.ts'
import type { Services } from '../platform/operations/services.ts'
import type { Tables } from '../platform/schema/tables.ts'
import type { SeedParts } from './seed-dependencies.ts'
import { staffEmail } from './staff.ts'
import { people } from './tenants-with-leases-and-reservations.ts'

const LOCATION_CODE = 'ATL02'
const TIME_ZONE = 'America/New_York'

/**
 * The two drawers: yesterday's is counted and waits for the bank, today's is open. `ago`: milliseconds before now;
 * `short`: cents missing from the cash, null for the open drawer.
 */
const drawers = [
  { id: 'DR20261', ago: DAY, methods: ['check', 'check', 'cash', 'money_order'], short: 2_00 },
  { id: 'DR20262', ago: 0, methods: ['check', 'cash', 'check'], short: null },
] as const

/** Loads up to seven past-due leases whose tenants are not among the demo's `people`. */
const loadOwingLeases = (tx: Transaction<Tables>) =>
  selectLeasesWithTenants(tx)
    .select(['leases.location_code', 'lease_number', 'leases.tenant_id', 'balance'])
    .where('leases.location_code', '=', LOCATION_CODE)
    .where('leases.status', '=', 'Past Due')
    .where('balance', '>', 0)
    .where('auction_prepped', '=', 0)
    .where(
      'tenants.email',
      'not in',
      people.map(({ email }) => email),
    )
    .orderBy('lease_number', 'desc')
    .limit(7)
    .execute()

type OwingLease = Awaited<ReturnType<typeof loadOwingLeases>>[number]

/** Adds the demo's cash drawers with their receipts, unless any exists. Several processes may run this at once. */
export async function seedDrawers(db: Database, parts: SeedParts): Promise<void> {
  const existing = await db.read.selectFrom('cash_batches').select('batch_id').limit(1).executeTakeFirst()
  if (existing) return
  try {
    await db.transaction(async (tx) => {
      const manager = await tx
        .selectFrom('staff')
        .select('staff_id')
        .where('email', '=', staffEmail({ role: 'manager' }))
        .executeTakeFirst()
      if (!manager) return
      const leases = await loadOwingLeases(tx)
      for (const drawer of drawers) await seedDrawer(tx, parts, manager.staff_id, drawer, leases)
    })
  } catch (error) {
    // Another process that started at the same time has added the drawers.
    if (!isUniqueViolation(error)) throw error
  }
}

/**
 * Returns the columns of a cash drawer that has been counted and closed.
 * @param sums cents by method; `short`: cents missing from the cash, ignored when the drawer has less cash than that
 */
function countedColumns(
  staffId: string,
  at: number,
  day: IsoDate,
  sums: { cash: number; checks: number; orders: number; short: number },
) {
  const short = sums.cash >= sums.short ? sums.short : 0
  return {
    state: 'closed',
    closed_by: staffId,
    closed_at: at + HOUR,
    closed_on: day,
    system_cash: sums.cash,
    system_checks: sums.checks,
    system_money_orders: sums.orders,
    counted_cash: sums.cash - short,
    counted_checks: sums.checks,
    counted_money_orders: sums.orders,
    deposit_cents: sums.cash - short + sums.checks + sums.orders,
    difference_reason: short > 0 ? 'short_change' : '',
    bag_number: '70031',
  } as const
}

async function seedDrawer(
  tx: Transaction<Tables>,
  parts: SeedParts,
  staffId: string,
  drawer: (typeof drawers)[number],
  leases: OwingLease[],
): Promise<void> {
  const at = parts.clock.now() - drawer.ago
  const day = todayIn(TIME_ZONE, at)
  const paid = drawer.methods.flatMap((method) => {
    const lease = leases.shift()
    return lease ? [{ method, lease }] : []
  })
  const sum = (summed: CounterMethod) =>
    paid.filter(({ method }) => method === summed).reduce((all, { lease }) => all + lease.balance, 0)
  const cash = sum('cash')
  const checks = sum('check')
  const orders = sum('money_order')
  const counted =
    drawer.short !== null && countedColumns(staffId, at, day, { cash, checks, orders, short: drawer.short })
  await tx
    .insertInto('cash_batches')
    .values({
      batch_id: drawer.id,
      location_code: LOCATION_CODE,
      opened_by: staffId,
      opened_at: at - HOUR,
      opened_on: day,
      float_cents: 100_00,
      ...(counted || uncounted),
      close_note: '',
      ...unmatched,
    })
    .execute()
  for (const [index, { method, lease }] of paid.entries())
    await seedReceipt(tx, parts, { staffId, drawer, method, lease, index, at, day })
}

async function seedReceipt(
  tx: Transaction<Tables>,
  { clock, random }: SeedParts,
  receipt: {
    staffId: string
    drawer: (typeof drawers)[number]
    method: CounterMethod
    lease: OwingLease
    index: number
    at: number
    day: string
  },
): Promise<void> {
  const { staffId, drawer, method, lease, index, at, day } = receipt
  const { location_code, lease_number, tenant_id, balance } = lease
  const receipt_id = `RC${drawer.id.slice(2)}${index + 1}`
  const check_number = method === 'cash' ? '' : String(2041 + index * 37)
  await tx
    .insertInto('counter_receipts')
    .values({
      receipt_id,
      batch_id: drawer.id,
      location_code,
      tenant_id,
      method,
      check_number,
      cents: balance,
      received_by: staffId,
      received_at: at - index * 60_000,
      received_on: day,
      state: drawer.short === null ? 'held' : 'deposited',
      ended_by: null,
      ended_at: null,
      ended_on: null,
      ended_reason: '',
      ended_note: '',
    })
    .execute()
  const entry_id = random.uuid()
  await tx
    .insertInto('ledger_entries')
    .values({
      entry_id,
      location_code,
      lease_number,
      kind: 'payment',
      cents: -balance,
      description: describeCounterPayment(method, check_number),
      once: `order:${receipt_id}:payment`,
      order_id: receipt_id,
      period_start: null,
      period_end: null,
      posted_on: day,
      created_at: at - index * 60_000,
    })
    .execute()
  await tx
    .insertInto('entry_reasons')
    .values({
      entry_id,
      act: 'receive',
      reason: 'counter-payment',
      note: '',
      staff_id: staffId,
      corrects: null,
    })
    .execute()
  await updateStanding(tx, { clock } as Services, lease)
}

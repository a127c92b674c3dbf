/** Payments whose process or transaction ends at a chosen point. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { DatabasePlace, Transaction } from '../../platform/database/open.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { SANDBOX_CREDENTIALS } from '../../sandbox/server.ts'
import { placeOf } from '../../tests/support/databases.ts'
import { type Moment, observeServices } from '../../tests/support/fault-points.ts'
import type { TestServices } from '../../tests/support/small-operator.ts'
import { settlePayment } from './settle-payment.ts'
import type { PayingServices } from './testing.ts'
import type { Till } from './testing-card-provider.ts'

export type PaymentPoint = 'order written' | 'page opened' | 'provider asked' | 'captured' | 'posted'

const asksForResult = ['queryPayment', 'saleByAlias', 'queryDebit', 'debit']

export function paymentPoint(moment: Moment): PaymentPoint | null {
  if (moment.at === 'answered') {
    if (moment.call === 'createHostedPage') return 'page opened'
    return asksForResult.includes(moment.call) ? 'provider asked' : null
  }
  if (!('table' in moment) || moment.table !== 'payments') return null
  if (moment.write === 'insert') return moment.at === 'committed' ? 'order written' : null
  if (moment.set.state === 'review') return moment.at === 'committed' ? 'captured' : null
  if (moment.set.state !== 'posted') return null
  return moment.at === 'written' ? 'captured' : 'posted'
}

export class Ended extends Error {}

/** The services of a process that dies at a point of a payment. */
export const endingAt = <Of extends Services>(services: Of, point: PaymentPoint): Of =>
  observeServices(services, (moment) => {
    if (paymentPoint(moment) === point) throw new Ended()
  })

/**
 * Runs the settling process and kills it (SIGKILL) right after it prints a chosen line.
 * @param when returns whether to kill it after this line, the `count`th
 */
export async function killedProcess(
  services: TestServices,
  { till, folder, at }: { till: Till; folder: string; at?: DatabasePlace },
  task: { orderIds: string[]; autopay?: { waitAt: string }; lostSince?: number },
  when: (line: string, count: number) => boolean,
): Promise<void> {
  const place = {
    place: at ?? placeOf(services.db),
    filesFolder: join(folder, 'child'),
    sandboxUrl: till.sandbox.url,
    credentials: SANDBOX_CREDENTIALS,
    now: services.clock.now(),
  }
  const program = fileURLToPath(new URL('./fixtures/settling-process.ts', import.meta.url))
  const child = spawn(process.execPath, [program, JSON.stringify({ ...place, ...task })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  let count = 0
  for await (const line of createInterface(child.stdout)) if (when(line, ++count)) child.kill('SIGKILL')
  await exit
}

/**
 * Checks on PostgreSQL that posting an order does not deadlock with a transaction that has locked what the order pays
 * for and then locks the order, as a checkout that closes open orders does.
 * @param orderId an order whose money is captured at the provider
 * @param takeHold locks what the order pays for
 */
export async function expectOrderFree(
  services: PayingServices,
  orderId: string,
  takeHold: (tx: Transaction<Tables>) => Promise<unknown>,
): Promise<void> {
  const [held, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const other = services.db.transaction(async (tx) => {
    await takeHold(tx)
    held.resolve()
    await goOn.promise
    const order = tx.selectFrom('payments').select('state').where('order_id', '=', orderId)
    return order.forUpdate().noWait().executeTakeFirst()
  })
  await held.promise
  const settling = settlePayment(services, orderId)
  const waiting = sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  try {
    await expect.poll(async () => (await waiting.execute(services.db.read)).rows.length, { timeout: 10_000 }).toBe(1)
  } finally {
    goOn.resolve()
  }
  expect(await other).toEqual({ state: 'presented' })
  expect((await settling).state).toBe('posted')
}

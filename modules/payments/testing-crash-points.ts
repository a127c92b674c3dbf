/** Test helpers that end a payment's process or transaction at a chosen point, and check that it does not deadlock. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { DatabasePlace, Transaction } from '../../platform/database/open.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { SANDBOX_CREDENTIALS } from '../../sandbox/server.ts'
import { placeOf } from '../../tests/support/databases.ts'
import { type Moment, observeServices } from '../../tests/support/fault-points.ts'
import { countLockWaits } from '../../tests/support/held-transactions.ts'
import type { TestServices } from '../../tests/support/small-operator.ts'
import { settlePayment } from './settle-payment.ts'
import type { PayingServices } from './testing.ts'
import type { PaymentSandbox } from './testing-card-provider.ts'

export type PaymentPoint = 'order written' | 'page opened' | 'provider asked' | 'captured' | 'posted'

const resultCalls = ['queryPayment', 'saleByAlias', 'queryDebit', 'debit']

/**
 * Returns the point of a payment that a step has reached; null for other steps.
 * 'provider asked': the provider has responded. 'captured': the money is captured, but the ledger entry not committed.
 */
export function paymentPoint(moment: Moment): PaymentPoint | null {
  if (moment.at === 'answered') {
    if (moment.call === 'createHostedPage') return 'page opened'
    return resultCalls.includes(moment.call) ? 'provider asked' : null
  }
  if (!('table' in moment) || moment.table !== 'payments') return null
  if (moment.write === 'insert') return moment.at === 'committed' ? 'order written' : null
  if (moment.set.state === 'review') return moment.at === 'committed' ? 'captured' : null
  if (moment.set.state !== 'posted') return null
  return moment.at === 'written' ? 'captured' : 'posted'
}

/** Error that tests throw at the point where a process is to die, so that the code after it does not run. */
export class SimulatedCrash extends Error {}

/** Returns services that throw SimulatedCrash at a point of a payment. */
export const crashAt = <S extends Services>(services: S, point: PaymentPoint): S =>
  observeServices(services, (moment) => {
    if (paymentPoint(moment) === point) throw new SimulatedCrash()
  })

/**
 * Runs the settling process and kills it (SIGKILL) right after it prints a chosen line.
 * @param task.lostSince start of the span whose lost charges the process posts, in epoch milliseconds
 * @param shouldKill returns whether to kill the process after a printed line; `count` is the line's number, from 1
 */
export async function runAndKillSettlingProcess(
  services: TestServices,
  { till, folder, database }: { till: PaymentSandbox; folder: string; database?: DatabasePlace },
  task: { orderIds: string[]; autopay?: { waitAt: string }; lostSince?: number },
  shouldKill: (line: string, count: number) => boolean,
): Promise<void> {
  const settings = {
    place: database ?? placeOf(services.db),
    filesFolder: join(folder, 'child'),
    sandboxUrl: till.sandbox.url,
    credentials: SANDBOX_CREDENTIALS,
    now: services.clock.now(),
  }
  const program = fileURLToPath(new URL('./fixtures/settling-process.ts', import.meta.url))
  const child = spawn(process.execPath, [program, JSON.stringify({ ...settings, ...task })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  let count = 0
  for await (const line of createInterface(child.stdout)) if (shouldKill(line, ++count)) child.kill('SIGKILL')
  await exit
}

/**
 * Checks on PostgreSQL that settling an order does not deadlock with a transaction that has locked what the order pays
 * for and then locks the order, as a checkout that closes open orders does.
 * @param orderId an order whose money is captured at the provider
 * @param lockPaidRecords locks the records that the order pays for
 */
export async function expectNoDeadlock(
  services: PayingServices,
  orderId: string,
  lockPaidRecords: (tx: Transaction<Tables>) => Promise<unknown>,
): Promise<void> {
  const locked = Promise.withResolvers<void>()
  const mayContinue = Promise.withResolvers<void>()
  const competingTransaction = services.db.transaction(async (tx) => {
    await lockPaidRecords(tx)
    locked.resolve()
    await mayContinue.promise
    const order = tx.selectFrom('payments').select('state').where('order_id', '=', orderId)
    return order.forUpdate().noWait().executeTakeFirst()
  })
  await locked.promise
  const settling = settlePayment(services, orderId)
  try {
    await expect.poll(() => countLockWaits(services.db), { timeout: 10_000 }).toBe(1)
  } finally {
    mayContinue.resolve()
  }
  expect(await competingTransaction).toEqual({ state: 'presented' })
  expect((await settling).state).toBe('posted')
}

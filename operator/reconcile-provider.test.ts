/**
 * Tests that charges missing after a restore are found in the provider's list and posted or refunded, and that until then
 * the business is resumed only with --undecided.
 */
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { runAutopay } from '../modules/payments/autopay/charge-autopay.ts'
import { openCheckout } from '../modules/payments/open/open-checkout.ts'
import { parseLeaseOfOrderId } from '../modules/payments/payment.ts'
import { compareWithProvider, resolveLostCharge } from '../modules/payments/reconcile-with-provider.ts'
import { processRefunds } from '../modules/payments/refund-unposted-payments.ts'
import { settlePayment } from '../modules/payments/settle-payment.ts'
import { reconcilePayments } from '../modules/payments/settle-pending-payments.ts'
import {
  adaPrepays,
  chargeNextPeriod,
  connectServices,
  cyDues,
  leaseOf,
  openPayingServices,
  type PayingServices,
  startTestCheckout,
  testSubmission,
  turnAutopayOn,
} from '../modules/payments/testing.ts'
import { sandboxForTests } from '../modules/payments/testing-card-provider.ts'
import { crashAt, runAndKillSettlingProcess, SimulatedCrash } from '../modules/payments/testing-crash-points.ts'
import { openTestCardPage, readyToPay } from '../modules/payments/testing-rent-until-card-page.ts'
import { copyAll } from '../platform/database/copy-all-rows.ts'
import { type Database, type DatabasePlace, openDatabase } from '../platform/database/open.ts'
import { backUp, restore } from '../platform/database/sqlite-backup-and-restore.ts'
import { RestoreGuard } from '../platform/server-registry/detect-restored-database.ts'
import { payAtHostedPage } from '../sandbox/submit-card-page-in-tests.ts'
import { describeOnBothEngines, placeOf, temporaryFolder } from '../tests/support/databases.ts'
import { configOf } from '../tests/support/site.ts'
import { contact } from '../tests/support/small-operator.ts'
import { paymentCommands } from './billing-reconcile-and-personal-link-commands.ts'
import type { CommandContext, CommandOptions } from './command-definition.ts'
import { restoredCommands } from './resume-after-restore-command.ts'

describeOnBothEngines('Orders that a restore has lost', (open, engine) => {
  const { till, folder } = sandboxForTests('lost-orders')

  /**
   * Backs the database up.
   * @returns a function that restores the backup as another database
   */
  async function backup(db: Database): Promise<() => Promise<{ db: Database; at: DatabasePlace }>> {
    if (engine === 'postgres') {
      const copy = await open()
      await copyAll(db, copy)
      return async () => ({ db: copy, at: placeOf(copy) })
    }
    const file = join(temporaryFolder(), 'backup.sqlite')
    backUp(placeOf(db).dataDir, file)
    return async () => {
      const dataDir = temporaryFolder()
      await restore(file, dataDir, { now: () => 0 })
      const restored = await openDatabase({ dataDir })
      onTestFinished(() => restored.close())
      return { db: restored, at: { dataDir } }
    }
  }

  async function command(services: PayingServices, options: CommandOptions) {
    const said: string[] = []
    const tools = { services: async () => services, clock: services.clock, say: (line: string) => said.push(line) }
    const quiet = { ...tools, progress: () => {} } as unknown as CommandContext
    const answer = await paymentCommands.reconcile?.run(quiet, [], { provider: true, ...options })
    return { said: said.join('\n'), answer: answer as Record<string, unknown> }
  }

  async function payByCard(services: PayingServices, terms: Parameters<typeof startTestCheckout>[1]): Promise<string> {
    const page = await openCheckout(services, await startTestCheckout(services, terms), testSubmission)
    if (!page.ok) throw new Error(page.why)
    await payAtHostedPage(page.payPageUrl, 'visa')
    expect((await settlePayment(services, page.orderId)).state).toBe('posted')
    return page.orderId
  }

  const orders = (services: PayingServices) => services.db.read.selectFrom('payments').selectAll().execute()

  /** Makes twelve payments: four dues, four prepayments, two by autopay, two move-ins. */
  async function makeTwelvePayments(services: PayingServices): Promise<string[]> {
    for (let at = 0; at < 4; at++) {
      if (at > 0) await chargeNextPeriod(services, 10002)
      await payByCard(services, cyDues)
      await payByCard(services, adaPrepays)
      services.later(60_000)
    }
    for (const n of [1, 2]) {
      const who = { ...contact, email: `renter${n}@example.com`, cell_phone: `(404) 555-010${n}` }
      const page = await openTestCardPage(services, await readyToPay(services, { who }))
      await payAtHostedPage(page.payPageUrl, 'mastercard')
      expect((await settlePayment(services, page.orderId)).state).toBe('posted')
    }
    await turnAutopayOn(services, 10002, { alias: 'SAMPLE1' })
    for (const days of [150, 40]) {
      await chargeNextPeriod(services, 10002)
      services.later(days * 86_400_000)
      expect(await runAutopay(services)).toMatchObject({ posted: 1 })
    }
    return (await orders(services)).map(({ order_id }) => order_id)
  }

  /**
   * Expects that the provider charged each order once, that charges less refunds equal the ledger's payments, and that the
   * leases' balances are the sums of their entries.
   */
  async function expectExact(services: PayingServices, ids: readonly string[]): Promise<void> {
    let net = 0
    for (const id of ids) {
      const { charged, charges, returned, returns } = await till.moved(id)
      expect([charges, returns <= 1]).toEqual([1, true])
      net += charged - returned
    }
    const paid = await services.db.read
      .selectFrom('ledger_entries')
      .select('cents')
      .where('kind', '=', 'payment')
      .where('order_id', 'in', [...ids])
      .execute()
    expect(-paid.reduce((sum, { cents }) => sum + cents, 0)).toBe(net)
    for (const number of [10001, 10002]) {
      const entries = await services.db.read
        .selectFrom('ledger_entries')
        .select('cents')
        .where('lease_number', '=', number)
        .execute()
      expect((await leaseOf(services, number)).balance).toBe(entries.reduce((sum, { cents }) => sum + cents, 0))
    }
  }

  it('are all listed, then adopted or refunded, each once even after an interruption', async () => {
    const before = await openPayingServices(await open(), till, folder)
    const since = new Date(before.clock.now()).toISOString()
    const restoreBackup = await backup(before.db)
    const paid = await makeTwelvePayments(before)
    expect(paid).toHaveLength(12)

    const { db, at } = await restoreBackup()
    const services = connectServices({ ...before, db }, till, folder)
    const listing = await command(services, { since })
    const lost = listing.answer.lost as { orderId: string; lease: { name: string } | null }[]
    expect(lost.map(({ orderId }) => orderId).sort()).toEqual([...paid].sort())
    expect(lost.filter(({ lease }) => lease === null).map(({ orderId }) => parseLeaseOfOrderId(orderId))).toEqual([
      null,
      null,
    ])
    expect(lost.filter(({ lease }) => lease?.name === 'Cy Dorn')).toHaveLength(6)
    expect(listing.said).toMatch(/12 are not in the books/)
    expect(listing.said).toMatch(/unknown LK\w+-GA1-10002 {2}151\.37 .*Cy Dorn, owes 151\.37/)

    const adaOrder = lost.find(({ lease }) => lease?.name === 'Ada Byrne')!.orderId
    expect((await command(services, { since, refund: adaOrder })).said).toContain(`${adaOrder}  on its way back`)
    await expect(command(services, { since, adopt: adaOrder })).rejects.toThrow('is not among the charges')
    // Two processes are killed while they adopt; a third attempt crashes after it wrote an order, which the server completes.
    for (const life of [2, 5]) {
      const task = { orderIds: [], lostSince: Date.parse(since) }
      await runAndKillSettlingProcess(services, { till, folder, database: at }, task, (_, count) => count === life)
    }
    const [next] = (await compareWithProvider(services, Date.parse(since))).lost
    await expect(resolveLostCharge(crashAt(services, 'order written'), next!, 'adopt')).rejects.toThrow(SimulatedCrash)
    services.later(60_000)
    expect(await reconcilePayments(services)).toBeGreaterThan(0)
    expect((await orders(services)).filter(({ state }) => state === 'created')).toEqual([])
    const decision = await command(services, { since, adopt: 'all' })
    expect(decision.said).toMatch(/decided/)
    await processRefunds(services)

    const after = await command(services, { since })
    expect(after.answer).toMatchObject({ charges: 12, lost: [], differing: [] })
    expect(after.said).toMatch(/12 charges since .*: all are in the books/)
    const states = Map.groupBy(await orders(services), ({ state }) => state)
    expect([states.get('posted')?.length, states.get('refunded')?.length]).toEqual([9, 3])
    await expectExact(services, paid)
    expect((await command(services, { since, adopt: 'all' })).answer).toEqual({ decided: [], returned: 0 })
    // Each adopted charge is mailed once.
    await services.runDueJobs()
    const mails = await db.read.selectFrom('jobs').select('once').where('kind', '=', 'receipt').execute()
    expect(new Set(mails.map(({ once }) => once)).size).toBe(9)
  }, 120_000)

  it('prevent a restored business from being resumed without --undecided, even if its marks are dated in the future', async () => {
    const before = await openPayingServices(await open(), till, folder)
    const { files, clock, random } = before
    const guardOf = (db: Database) => new RestoreGuard({ db, files, clock, random })
    await guardOf(before.db).leaveMark()
    const restoreBackup = await backup(before.db)
    before.later(60_000)
    const orderId = await payByCard(before, cyDues)
    await guardOf(before.db).leaveMark()

    const { db } = await restoreBackup()
    const services = connectServices({ ...before, db }, till, folder)
    const resume = async (options: CommandOptions) => {
      const guard = guardOf(db)
      await guard.checkState()
      const said: string[] = []
      const tools = {
        services: async () => services,
        restoreGuard: async () => guard,
        clock,
        config: configOf(),
        say: (line: string) => said.push(line),
      }
      await restoredCommands.resume?.run(tools as unknown as CommandContext, [], { 'after-restore': true, ...options })
      return said.join('\n')
    }
    await expect(resume({})).rejects.toThrow(/charges that are not in the books: [1-9]\d*, [1-9]\d*\.\d\d/)
    expect(await guardOf(db).checkState()).toBe('restored')

    const ahead = clock.now() + 60 * 86_400_000
    await db.write.updateTable('restore_marks').set({ made_at: ahead }).execute()
    await expect(resume({})).rejects.toThrow('its marks lie ahead of the clock')
    expect(await guardOf(db).checkState()).toBe('restored')
    expect(await resume({ undecided: true })).toMatch(
      new RegExp(`A mark of ${new Date(ahead).toISOString()} lies ahead of the clock and is not believed[^]*Resumed`),
    )
    expect(await guardOf(db).checkState()).toBe('open')
    expect((await orders(services)).map(({ order_id }) => order_id)).not.toContain(orderId)
  }, 120_000)
})

/** One of two servers is brought back as it was before: what the other one knows since is not lost. */
import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { Limits } from '../database/limits.ts'
import { type Database, openDatabase, sqliteFile } from '../database/open.ts'
import { openerForTests, temporaryFolder } from '../database/testing.ts'
import { payAtHostedPage } from '../sandbox/pay.ts'
import { balanceOf } from '../storage-system/ledger.ts'
import { postCharge } from '../storage-system/postings.ts'
import { copyDiffers, openWebsite, type TwoServers } from '../storage-system/testing-two-servers.ts'
import { type CheckoutTerms, checkoutOf, startCheckout } from './checkout.ts'
import { openCheckout } from './lease-payment.ts'
import { completePayments, settlePayment } from './payers.ts'
import { settleRefunds } from './payment.ts'
import {
  leasesOf,
  opened,
  openPayingHouse,
  type PayingHouse,
  payingHouse,
  readyToPay,
  tillForTests,
} from './testing.ts'

const { till, folder } = tillForTests('restored-servers')
const open = openerForTests()
const by = { address: '198.51.100.7', agent: 'test browser' }
const dues: CheckoutTerms = {
  ...{ payer: 'tenant', locationCode: 'GA1', tenantId: 1002, leaseNumber: 10002 },
  ...{ pays: 'dues', periods: 1, autopay: false },
}

let records: PayingHouse
let website: PayingHouse
let two: TwoServers<PayingHouse>

beforeEach(async () => {
  records = await openPayingHouse(await open(), till, folder)
  two = await openWebsite(records, await open())
  website = payingHouse(two.website, till, folder)
  website.bank = till.bank
})

/** The database as it is now, to be opened later. */
async function backup(db: Database): Promise<() => Promise<Database>> {
  const dataDir = temporaryFolder()
  await sql`vacuum into ${sqliteFile(dataDir)}`.execute(db.write)
  return () => openDatabase({ dataDir })
}
const on = <H extends PayingHouse>(house: H, db: Database): H =>
  Object.assign(Object.create(house), { ...house, db, limits: new Limits({ db, clock: house.clock }) }) as H
const stateOf = async (house: PayingHouse, orderId: string) =>
  (await house.db.read.selectFrom('payments').select('state').where('order_id', '=', orderId).executeTakeFirst())?.state
const entriesOf = (house: PayingHouse, orderId: string) =>
  house.db.read
    .selectFrom('ledger_entries')
    .select(['cents', 'lease_number'])
    .where('order_id', '=', orderId)
    .where('kind', '=', 'payment')
    .execute()

async function paysDues(): Promise<string> {
  const started = await startCheckout(website, dues)
  const checkout = started.ok ? await checkoutOf(website, started.checkoutId) : null
  const page = checkout && (await openCheckout(website, checkout, by))
  if (!page?.ok) throw new Error('no page')
  await payAtHostedPage(page.payPageUrl, 'visa')
  expect(await settlePayment(website, page.orderId)).toMatchObject({ state: 'posted' })
  return page.orderId
}
async function movesIn(): Promise<string> {
  const page = await opened(website, await readyToPay(website))
  await payAtHostedPage(page.payPageUrl, 'visa')
  expect(await settlePayment(website, page.orderId)).toMatchObject({ state: 'posted' })
  return page.orderId
}
const owes = () =>
  records.db.transaction((tx) =>
    postCharge(tx, records, {
      ...{ locationCode: 'GA1', leaseNumber: 10002, kind: 'fee', cents: 20_00, description: 'Lock cut', once: 'lock' },
    }),
  )

it('a storage system as it was before: what was paid since stands in its books again, or goes back', async () => {
  await owes()
  await two.copy.catchUp()
  const draft = await readyToPay(website)
  await two.copy.tell()
  const restore = await backup(records.db)
  const paid = await paysDues()
  const page = await opened(website, draft)
  await payAtHostedPage(page.payPageUrl, 'visa')
  expect(await settlePayment(website, page.orderId)).toMatchObject({ state: 'posted' })
  const moved = page.orderId
  const unknown = await movesIn()
  expect(await balanceOf(records.db.read, 'GA1', 10002)).toBeLessThanOrEqual(0)

  const restored = on(records, await restore())
  await two.answerBy(restored)
  // Notices first that what it has read is unknown over there, then hears what of its own is.
  for (let round = 0; round < 3; round += 1) {
    await website.storageSystem?.keepUp()
    website.later(60_000)
    await completePayments(website)
  }
  await settleRefunds(website)
  await website.storageSystem?.keepUp()
  expect(await entriesOf(restored, paid)).toHaveLength(1)
  expect(await entriesOf(restored, moved)).toHaveLength(1)
  expect(await leasesOf(restored)).toEqual([expect.objectContaining({ order_id: moved })])
  // Its reservation is gone with what was lost: nothing can be let for it any more.
  expect(await entriesOf(restored, unknown)).toEqual([])
  expect(await stateOf(website, unknown)).toBe('refunded')
  expect(await till.moved(unknown)).toMatchObject({ charges: 1, returns: 1 })
  for (const order of [paid, moved]) {
    expect(await stateOf(website, order)).toBe('posted')
    expect(await till.moved(order)).toMatchObject({ charges: 1, returns: 0 })
  }
  expect(await copyDiffers(website.db, restored.db)).toEqual([])
  await restored.db.close()
})

it('a storage system as it was before, that has gone on since: its copy is read anew all the same', async () => {
  const restore = await backup(records.db)
  const touch = async (house: PayingHouse, times: number, amount: number) => {
    for (let time = 1; time <= times; time += 1)
      await house.db.write
        .updateTable('fees')
        .set({ amount: amount + time })
        .where('fee_id', '=', 1)
        .execute()
  }
  await records.db.write.updateTable('tenants').set({ first: 'Lost' }).where('tenant_id', '=', 1001).execute()
  await touch(records, 2, 10_00)
  await website.storageSystem?.keepUp()
  const restored = on(records, await restore())
  await two.answerBy(restored)
  await touch(restored, 20, 40_00)
  await website.storageSystem?.keepUp()
  expect(await copyDiffers(website.db, restored.db)).toEqual([])
  await restored.db.close()
})

it('a website as it was before goes on: what it does from then on is told', async () => {
  const restore = await backup(website.db)
  await owes()
  await two.copy.catchUp()
  const before = await paysDues()
  const db = await restore()
  two = await openWebsite(records, db, 815)
  website = payingHouse(two.website, till, folder)
  await website.storageSystem?.keepUp()
  expect(await stateOf(website, before)).toBe('posted')
  const moved = await movesIn()
  expect(await stateOf(records, moved)).toBe('posted')
  expect(await entriesOf(records, moved)).toHaveLength(1)
  expect(await copyDiffers(db, records.db)).toEqual([])
  await db.close()
})

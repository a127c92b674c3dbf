/** Payments at a website whose storage system is on another address, each with a database and keys of its own. */
import { beforeAll, expect, it } from 'vitest'
import { describeOnBothEngines } from '../database/testing.ts'
import { payAtHostedPage } from '../sandbox/pay.ts'
import { makeAuctionLink, makeSettlementLink } from '../site-records/links.ts'
import { autopayPartyOf } from '../storage-system/autopay.ts'
import { runBilling } from '../storage-system/billing.ts'
import { expireHolds } from '../storage-system/holds.ts'
import { balanceOf } from '../storage-system/ledger.ts'
import { postCharge } from '../storage-system/postings.ts'
import type { RecordsCopy } from '../storage-system/records-copy.ts'
import { openWebsite, type Wire } from '../storage-system/testing-two-servers.ts'
import { runAutopay } from './autopay.ts'
import { payCheckoutByBank } from './bank-payment.ts'
import { takeReturns } from './bank-returns.ts'
import { type CheckoutTerms, checkoutOf, startCheckout } from './checkout.ts'
import { openCheckout } from './lease-payment.ts'
import { openLinkPayment } from './link-payment.ts'
import { completePayments, postPayment, settlePayment } from './payers.ts'
import { settleRefunds } from './payment.ts'
import {
  leasesOf,
  opened,
  openPayingHouse,
  type PayingHouse,
  payingHouse,
  readyToPay,
  reserved,
  subjects,
  tillForTests,
} from './testing.ts'

const { till, folder } = tillForTests('two-servers')

const HOUR = 60 * 60 * 1000
const by = { address: '198.51.100.7', agent: 'test browser' }
const cyDues: CheckoutTerms = {
  ...{ payer: 'tenant', locationCode: 'GA1', tenantId: 1002, leaseNumber: 10002 },
  ...{ pays: 'dues', periods: 1, autopay: false },
}

describeOnBothEngines('Paying with the records on another address', (open) => {
  let records: PayingHouse
  let website: PayingHouse
  let wire: Wire
  let copy: RecordsCopy

  // One pair for all of them, each going on where the one before has stopped.
  beforeAll(async () => {
    records = await openPayingHouse(await open(), till, folder)
    const made = await openWebsite(records, await open())
    ;({ wire, copy } = made)
    website = payingHouse(made.website, till, folder)
    website.bank = till.bank
  })

  const paymentIn = (house: PayingHouse, orderId: string) =>
    house.db.read.selectFrom('payments').selectAll().where('order_id', '=', orderId).executeTakeFirstOrThrow()
  const leaseIn = (house: PayingHouse, number: number) =>
    house.db.read.selectFrom('leases').selectAll().where('lease_number', '=', number).executeTakeFirstOrThrow()
  const entries = (house: PayingHouse) =>
    house.db.read.selectFrom('ledger_entries').selectAll().orderBy('entry_id').execute()
  const jobs = async (house: PayingHouse) =>
    (await house.db.read.selectFrom('jobs').select(['kind', 'once']).execute())
      .map((job) => `${job.kind} ${job.once}`)
      .sort()
  /** Owes again, as billing or somebody at the counter would write it. */
  const charge = async (cents: number, once: string) => {
    await records.db.transaction((tx) =>
      postCharge(tx, records, {
        ...{ locationCode: 'GA1', leaseNumber: 10002, kind: 'fee', cents, description: 'Lock cut', once },
      }),
    )
    await copy.catchUp()
  }
  const checkout = async (terms: CheckoutTerms) => {
    const started = await startCheckout(website, terms)
    const made = started.ok ? await checkoutOf(website, started.checkoutId) : null
    if (!made) throw new Error(started.ok ? 'no checkout' : started.message)
    return made
  }
  const openDues = async (terms = cyDues) => {
    const page = await openCheckout(website, await checkout(terms), by)
    if (!page.ok) throw new Error(page.why)
    return page
  }
  /** Asked for once more, it has happened once: the same entries and jobs in both places, the copy is the records. */
  const expectOnce = async (orderId: string) => {
    const [before, jobsBefore] = [await entries(records), await jobs(website)]
    await postPayment(website, orderId)
    expect(await entries(records)).toEqual(before)
    expect(await entries(website)).toEqual(before)
    expect(await jobs(website)).toEqual(jobsBefore)
    expect(await paymentIn(website, orderId)).toMatchObject({
      state: 'posted',
      lease_number: (await paymentIn(records, orderId)).lease_number,
    })
  }

  it('a move-in whose answer is lost becomes one lease there and here, with its document and mails', async () => {
    const draft = await readyToPay(website)
    const page = await opened(website, draft)
    await payAtHostedPage(page.payPageUrl, 'visa')
    wire.lose = { answers: 1, of: 'postPayment' }
    expect(await settlePayment(website, page.orderId)).toMatchObject({ state: 'posted' })
    expect(wire.lose.answers).toBe(0)
    const [there, ...more] = await leasesOf(records)
    expect(more).toEqual([])
    const [here] = await leasesOf(website)
    expect(here).toMatchObject({ lease_number: there?.lease_number, order_id: page.orderId, autopay: 1 })
    // Each with keys of its own, and the same within.
    expect(here?.autopay_sealed).not.toBe(there?.autopay_sealed)
    expect(here && autopayPartyOf(website, here)).toEqual(there && autopayPartyOf(records, there))
    const document = await website.db.read
      .selectFrom('lease_documents')
      .select(['lease_number', 'void'])
      .where('document_id', '=', here?.document_id ?? '')
      .executeTakeFirst()
    expect(document).toEqual({ lease_number: here?.lease_number, void: 0 })
    await expectOnce(page.orderId)
    await website.sendMail()
    expect(await subjects(website)).toEqual([
      expect.stringMatching(/^Receipt /),
      expect.stringMatching(/^You're moved in: unit 10\d at /),
    ])
    expect(await subjects(records)).toEqual([])
  })

  it('captured while the storage system is away, it is in the books once it is back', async () => {
    const page = await openDues()
    await payAtHostedPage(page.payPageUrl, 'visa')
    wire.isCut = true
    expect(await settlePayment(website, page.orderId)).toEqual({ state: 'checking', unreachable: true })
    expect((await paymentIn(website, page.orderId)).state).toBe('captured')
    expect(await completePayments(website)).toBe(0)
    wire.isCut = false
    website.later(60_000)
    expect(await completePayments(website)).toBe(1)
    expect(await balanceOf(website.db.read, 'GA1', 10002)).toBe(0)
    await expectOnce(page.orderId)
    expect(await till.moved(page.orderId)).toMatchObject({ charges: 1, returns: 0 })
  })

  it('ended between the posting there and the page here: what is told finishes it, with nobody asking', async () => {
    await charge(20_00, 'lock 0')
    const page = await openDues()
    await payAtHostedPage(page.payPageUrl, 'visa')
    // None of the three answers arrives.
    wire.lose = { answers: 3, of: 'postPayment' }
    expect(await settlePayment(website, page.orderId)).toEqual({ state: 'checking', unreachable: true })
    expect((await paymentIn(records, page.orderId)).state).toBe('posted')
    expect((await paymentIn(website, page.orderId)).state).toBe('captured')
    await website.storageSystem?.keepUp()
    expect(await settlePayment(website, page.orderId)).toMatchObject({ state: 'posted', leaseNumber: 10002 })
    expect(await balanceOf(website.db.read, 'GA1', 10002)).toBe(0)
    await expectOnce(page.orderId)
    expect(await till.moved(page.orderId)).toMatchObject({ charges: 1, returns: 0 })
  })

  it('what cannot be posted over there goes back from here', async () => {
    await charge(50_00, 'lock 1')
    const page = await openDues()
    await payAtHostedPage(page.payPageUrl, 'visa')
    await charge(-50_00, 'lock 1 back')
    expect(await settlePayment(website, page.orderId)).toEqual({ state: 'refund' })
    expect(await settleRefunds(website)).toBe(1)
    expect(await paymentIn(website, page.orderId)).toMatchObject({ state: 'refunded', trouble: 'already_paid' })
    expect(await till.moved(page.orderId)).toMatchObject({ charges: 1, returns: 1 })
    await copy.tell()
    expect((await paymentIn(records, page.orderId)).state).toBe('refunded')
  })

  it('a settlement and an auction: the link is paid here by what was posted there, each once', async () => {
    await charge(90_00, 'lock 2')
    const settling = await makeSettlementLink(website, { locationCode: 'GA1', unitNumber: '302', cents: 40_00 })
    if (!settling.ok) throw new Error(settling.why)
    const first = await openLinkPayment(website, 'settlement', settling.uuid)
    if (!first.ok) throw new Error(first.why)
    await payAtHostedPage(first.payPageUrl, 'visa')
    expect(await settlePayment(website, first.orderId)).toMatchObject({ state: 'posted' })
    expect(await website.db.read.selectFrom('settlements').select(['state', 'order_id']).execute()).toEqual([
      { state: 'paid', order_id: first.orderId },
    ])
    await expectOnce(first.orderId)
    await charge(60_00, 'lock 3')
    const won = await makeAuctionLink(website, {
      ...{ locationCode: 'GA1', unitNumber: '302', name: 'Wim Tesh', email: 'wim@example.com' },
      ...{ city: 'Atlanta', zip: '30308' },
    })
    if (!won.ok) throw new Error(won.why)
    const second = await openLinkPayment(website, 'auction', won.uuid)
    if (!second.ok) throw new Error(second.why)
    await payAtHostedPage(second.payPageUrl, 'visa')
    expect(await settlePayment(website, second.orderId)).toMatchObject({ state: 'posted' })
    const link = await website.db.read.selectFrom('auction_winners').selectAll().executeTakeFirstOrThrow()
    expect(link).toMatchObject({ state: 'paid', gate_code: expect.stringMatching(/^\d{4,}$/) })
    expect(await leaseIn(website, 10002)).toMatchObject({ scheduled_move_out: '2026-11-23' })
    await expectOnce(second.orderId)
  })

  it('a debit that the bank sends back is reversed there, and told by mail from here, once', async () => {
    await records.db.write
      .updateTable('leases')
      .set({ scheduled_move_out: null, auction_prepped: 0 })
      .where('lease_number', '=', 10002)
      .execute()
    await charge(30_00, 'lock 4')
    const account = { routing: '061000104', account: '000123459999', type: 'Checking' as const, name: 'Cy Lee' }
    const asked = await payCheckoutByBank(website, await checkout(cyDues), { account, by }, { pause: async () => {} })
    if (!asked.ok || asked.paid.state !== 'posted') throw new Error(JSON.stringify(asked))
    const { orderId } = asked.paid
    await expectOnce(orderId)
    website.bank = {
      ...till.bank,
      returnsSince: async (cursor) =>
        cursor === ''
          ? [{ cursor: 'one', orderId, amount: 30_00, code: 'R01', description: 'Insufficient funds' }]
          : [],
    } as typeof till.bank
    wire.lose = { answers: 1, of: 'reverseReturned' }
    expect(await takeReturns(website)).toBe(1)
    expect(await takeReturns(website)).toBe(0)
    expect(await balanceOf(website.db.read, 'GA1', 10002)).toBe(30_00)
    expect((await paymentIn(website, orderId)).state).toBe('returned')
    expect((await jobs(website)).filter((job) => job === `payment_returned ${orderId}`)).toHaveLength(1)
    expect(await entries(website)).toEqual(await entries(records))
  })

  it('autopay is charged by the website for what the storage system has billed', async () => {
    const [lease] = await leasesOf(records)
    const number = lease?.lease_number ?? 0
    website.later(31 * 24 * HOUR)
    await runBilling(records, {})
    await copy.catchUp()
    expect((await leaseIn(website, number)).balance).toBeGreaterThan(0)
    expect(await runAutopay(website)).toMatchObject({ tries: 1, posted: 1 })
    expect(await leaseIn(website, number)).toMatchObject({ balance: 0, status: 'Current' })
    expect(await leaseIn(records, number)).toMatchObject({ balance: 0 })
    expect(await runAutopay(website)).toMatchObject({ tries: 0 })
  })

  it('a hold whose payment is on its way is not let go over there', async () => {
    const paying = await opened(website, await readyToPay(website))
    await copy.tell()
    const other = await reserved(website)
    website.later(25 * HOUR)
    expect(await expireHolds(records)).toBe(1)
    await copy.catchUp()
    const reservation = (code: string | null) =>
      website.db.read
        .selectFrom('reservations')
        .select(['status', 'hold_extended'])
        .where('reservation_code', '=', code ?? '')
        .executeTakeFirstOrThrow()
    const draft = await website.db.read
      .selectFrom('rental_drafts')
      .select('reservation_code')
      .where('draft_id', '=', (await paymentIn(website, paying.orderId)).draft_id ?? '')
      .executeTakeFirstOrThrow()
    expect(await reservation(draft.reservation_code)).toEqual({ status: 'active', hold_extended: 1 })
    expect(await reservation(other.reservationCode)).toMatchObject({ status: 'expired' })
    expect(wire.faults).toEqual([])
  })
})

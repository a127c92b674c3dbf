import { afterEach, beforeEach, expect, it } from 'vitest'
import { movingOut } from '../../domain/texts/payment.ts'
import { signIn } from '../../modules/accounts/sessions.ts'
import { loadBalance } from '../../modules/ledger/load-and-repair-lease-balance.ts'
import { makeSettlementLink } from '../../modules/links/auction-and-settlement-link-records.ts'
import { processRefunds } from '../../modules/payments/refund-unposted-payments.ts'
import type { CheckoutTerms } from '../../modules/payments/rules/checkout-terms.ts'
import { openPayingServices, type PayingServices } from '../../modules/payments/testing.ts'
import { sandboxForTests } from '../../modules/payments/testing-card-provider.ts'
import { expectInvariants } from '../../modules/payments/testing-invariants.ts'
import { postCharge } from '../../modules/standing/post-entries.ts'
import { payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { recordOf } from '../../tests/support/rows.ts'
import { visitor } from '../../tests/support/small-operator.ts'
import { Browser } from '../testing.ts'
import { beginTestCheckout } from './testing.ts'

const { till, folder } = sandboxForTests('races')

const prepays: CheckoutTerms = {
  payer: 'tenant',
  locationCode: 'GA1',
  tenantId: 1001,
  leaseNumber: 10001,
  pays: 'prepay',
  periods: 1,
  autopay: true,
}

describeOnBothEngines('At the same moment', (open) => {
  let services: PayingServices
  let token: string
  beforeEach(async () => {
    services = await openPayingServices(await open(), till, folder)
    token = await signIn(services.db.write, services, 'ada', visitor())
  })
  afterEach(() => services.db.close())

  const leaseNow = () => recordOf(services, 'leases', { lease_number: 10001 })
  const states = async () =>
    (await services.db.read.selectFrom('payments').select('state').execute()).map(({ state }) => state).sort()

  async function window(terms: CheckoutTerms) {
    const browser = new Browser(services, { token })
    const form = { method: 'CC', checkout: await beginTestCheckout(browser, services, terms) }
    return {
      browser,
      press: () => browser.post('/online-payment-method', form),
      card: () => browser.get('/online-payment'),
    }
  }
  async function openCard(terms: CheckoutTerms) {
    const { browser, press, card } = await window(terms)
    await press()
    const { data } = await card()
    return {
      pay: () => payAtHostedPage(data.card.payPageUrl, 'visa'),
      back: () => browser.get(`/checkout-completed?order=${data.card.orderId}`),
    }
  }
  async function payCard(terms: CheckoutTerms) {
    const { pay, back } = await openCard(terms)
    await pay()
    return back
  }
  const leave = () =>
    new Browser(services, { token }).post('/schedule-move-out', { lease: '10001', at: 'GA1:1001', day: '2026-11-21' })
  const press = (intent: string) =>
    new Browser(services, { token }).post('/unit-lease-details', { intent, lease: '10001' })

  it('a move-out during a payment turns autopay off and keeps or refunds prepaid periods as a whole', async () => {
    const back = await payCard(prepays)
    await Promise.all([leave(), back()])
    await back()
    expect(await leaseNow()).toMatchObject({ autopay: 0, autopay_sealed: null, scheduled_move_out: '2026-11-21' })
    expect(['posted', 'refund_due']).toContain((await states())[0])
    await processRefunds(services)
    expect(await loadBalance(services.db.read, 'GA1', 10001)).toBe(0)
    await expectInvariants(services, till)
  })

  it('a move-out before the payment returns pays the dues without autopay and refunds periods ahead', async () => {
    const ahead = await payCard(prepays)
    await leave()
    await ahead()
    expect(await states()).toEqual(['refund_due'])
    await processRefunds(services)
    await services.db.transaction((tx) =>
      postCharge(tx, services, {
        locationCode: 'GA1',
        leaseNumber: 10001,
        kind: 'fee',
        cents: 20_00,
        description: 'Lock',
        once: 'lock',
      } as Parameters<typeof postCharge>[2]),
    )
    const dues = await payCard({ ...prepays, pays: 'dues' })
    await dues()
    expect(await states()).toEqual(['posted', 'refunded'])
    expect(await leaseNow()).toMatchObject({ autopay: 0, autopay_sealed: null })
    expect(await loadBalance(services.db.read, 'GA1', 10001)).toBe(0)
    for (const intent of ['pay', 'autopay_on'])
      expect(await press(intent)).toMatchObject({ status: 409, data: { message: movingOut } })
    await expectInvariants(services, till)
  })

  it('autopay turned on in one window and off in another ends in one state and can still be turned off', async () => {
    const back = await payCard({ ...prepays, pays: 'autopay' })
    await Promise.all([press('autopay_off'), back(), press('autopay_off')])
    await back()
    const { autopay, autopay_sealed, autopay_label, autopay_consent_at } = await leaseNow()
    const storedFields = [autopay_sealed, autopay_label, autopay_consent_at].map(Boolean)
    expect(storedFields).toEqual(Array(3).fill(autopay === 1))
    expect((await press('autopay_off')).to).toMatch(/^\/unit-lease-details/)
    await Promise.all([back(), back()])
    expect(await leaseNow()).toMatchObject({ autopay: 0, autopay_sealed: null, autopay_label: '' })
  })

  it('prepayments from several windows share an order if equal, and otherwise lose no money', async () => {
    const before = (await leaseNow()).paid_through
    const same = [await openCard(prepays), await openCard(prepays)]
    const windows = [...same, await openCard({ ...prepays, periods: 2 })]
    await Promise.all(windows.map(({ pay }) => pay().catch(() => {})))
    await Promise.all([...windows, ...windows].map(({ back }) => back()))
    await Promise.all(windows.map(({ back }) => back()))
    await processRefunds(services)
    const endStates = await states()
    expect(endStates).toHaveLength(2)
    expect(['posted,posted', 'posted,refunded']).toContain(endStates.join())
    const rows = await services.db.read.selectFrom('payments').select('order_id').execute()
    for (const { order_id } of rows) expect((await till.moved(order_id)).charges).toBe(1)
    expect((await leaseNow()).paid_through > before).toBe(true)
    expect(await loadBalance(services.db.read, 'GA1', 10001)).toBeLessThanOrEqual(0)
    await expectInvariants(services, till)
  })

  it('both of two browsers that prepay the same period find the card page', async () => {
    const [first, second] = await Promise.all([window(prepays), window(prepays)])
    for (const browserWindow of [first, second]) expect((await browserWindow.press()).to).toBe('/online-payment')
    const pages = [await first.card(), await second.card(), await first.card()]
    for (const { data } of pages) expect(data.card.orderId).toBe(pages[0]?.data.card.orderId)
    expect(await states()).toEqual(['presented'])
    const third = await window({ ...prepays, periods: 2 })
    third.browser.ids.orderId = pages[0]?.data.card.orderId
    expect((await third.card()).to).toBe('/online-payment-method')
  })

  it('opens no second card page while another browser pays, and says why', async () => {
    const [slow, quick] = await Promise.all([window(prepays), window(prepays)])
    const { cardProvider } = services
    let others = async () => {
      others = async () => {}
      await quick.press()
      const { data } = await quick.card()
      await payAtHostedPage(data.card.payPageUrl, 'visa')
      await quick.browser.get(`/checkout-completed?order=${data.card.orderId}`)
    }
    services.cardProvider = {
      ...cardProvider,
      async createHostedPage(request) {
        await others()
        return cardProvider.createHostedPage(request)
      },
    }
    expect((await slow.press()).to).toBe('/my-units')
    expect(slow.browser.alert).toBe('paymentAlreadyProcessed')
    expect(await states()).toEqual(['posted'])
    await expectInvariants(services, till)
  })

  it('a settlement link in two browsers gives one order and one charge, however often it returns', async () => {
    const link = await makeSettlementLink(services, { locationCode: 'GA1', unitNumber: '302', cents: 90_00 })
    if (!link.ok) throw new Error(link.why)
    const browsers = [1, 2].map(() => new Browser(services, { settlement: link.uuid }))
    const pages = await Promise.all(browsers.map((browser) => browser.get('/past-due-payment-process')))
    const [card, same] = pages.map(({ data }) => data.card)
    expect(same.orderId).toBe(card.orderId)
    await Promise.all([1, 2].map(() => payAtHostedPage(card.payPageUrl, 'visa').catch(() => {})))
    const back = () =>
      Promise.all(browsers.map((browser) => browser.get(`/past-due-payment-accept?order=${card.orderId}`)))
    await Promise.all([back(), back()])
    for (const { to } of await back()) expect(to).toBe('/past-due-payment-completed')
    expect(await states()).toEqual(['posted'])
    expect(await till.moved(card.orderId)).toMatchObject({ charges: 1, charged: 90_00, returns: 0 })
    await expectInvariants(services, till)
  })
})

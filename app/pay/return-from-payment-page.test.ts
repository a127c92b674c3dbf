import { beforeEach, describe, expect, it } from 'vitest'
import { format } from '../../domain/money.ts'
import { formatUs } from '../../domain/plain-date.ts'
import {
  achFailed,
  declinedByIssuer,
  paymentAlreadyProcessed,
  paymentCompleted,
  paymentRetryFailedTitle,
} from '../../domain/texts/payment.ts'
import { todayIn } from '../../domain/time-zone-dates.ts'
import { runBilling } from '../../modules/billing/run-billing.ts'
import { loadBalance } from '../../modules/ledger/load-and-repair-lease-balance.ts'
import { makeAuctionLink, makeSettlementLink } from '../../modules/links/auction-and-settlement-link-records.ts'
import { runAutopay } from '../../modules/payments/autopay/charge-autopay.ts'
import { payCheckoutByBank } from '../../modules/payments/bank/bank-debit.ts'
import { startCheckout } from '../../modules/payments/price-checkout.ts'
import type { Checkout } from '../../modules/payments/rules/checkout-terms.ts'
import { reconcilePayments } from '../../modules/payments/settle-pending-payments.ts'
import { openPayingServices, type PayingServices } from '../../modules/payments/testing.ts'
import { sandboxForTests } from '../../modules/payments/testing-card-provider.ts'
import { crashAt, SimulatedCrash } from '../../modules/payments/testing-crash-points.ts'
import { loadCheckout } from '../../modules/payments/views/own-checkout.ts'
import { reverseReturnedDebits } from '../../modules/refunds/reverse-payments-returned-by-bank.ts'
import { refundReason } from '../../modules/refunds/texts/payer-refund-reasons.ts'
import { postCharge, postPayment } from '../../modules/standing/post-entries.ts'
import { cancelAtHostedPage, payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import { isServedInMaintenance } from '../../server/web/maintenance.ts'
import { openerForTests } from '../../tests/support/databases.ts'
import { change, recordOf, recordsOf } from '../../tests/support/rows.ts'
import { Browser } from '../testing.ts'
import { type CheckoutPayer, type PagePayer, payers } from './payer-page-addresses.ts'
import {
  autopayByBank,
  bankAccount,
  beginTestCheckout,
  chooseCard,
  cyDues,
  signInGuestBrowser,
  signInTenantBrowser,
} from './testing.ts'

const { till, folder } = sandboxForTests('return-doors')

interface Door {
  payer: PagePayer
  /** Redirect and alert for a browser that names an order of another payer. */
  refused: { to: RegExp; alert: string }
  done: string
  /** Opens a browser that has a session of this kind but no part in the payment. */
  stranger(services: PayingServices): Promise<Browser>
  begin(services: PayingServices): Promise<Browser>
}

const winner = {
  locationCode: 'GA1',
  unitNumber: '302',
  name: 'Wim Tesh',
  email: 'wim@example.com',
  city: 'Atlanta',
  zip: '30308',
}

const doors: Record<string, Door> = {
  'a tenant': {
    payer: 'tenant',
    refused: { to: /^\/my-units$/, alert: 'invalidPaymentSession' },
    stranger: (services) => signInTenantBrowser(services, 'ada'),
    done: '/unit-lease-details?lease=10002#paid',
    async begin(services) {
      const browser = await signInTenantBrowser(services, 'cy')
      await beginTestCheckout(browser, services, cyDues)
      await chooseCard(browser, 'tenant')
      return browser
    },
  },
  'a guest': {
    payer: 'guest',
    refused: { to: /^\/guest\/find-units$/, alert: 'invalidPaymentSession' },
    stranger: (services) => signInGuestBrowser(services, 1001),
    done: '/guest/payment-completed',
    async begin(services) {
      const browser = await signInGuestBrowser(services, 1002)
      await beginTestCheckout(browser, services, { ...cyDues, payer: 'guest' })
      await chooseCard(browser, 'guest')
      return browser
    },
  },
  'an auction winner': {
    payer: 'auction',
    refused: { to: /^\/auction-winner-payment-method\/[-\da-f]+$/, alert: 'invalidPaymentSession' },
    stranger: (services) => doors['an auction winner']?.begin(services) as Promise<Browser>,
    done: '/auction-winner-payment-completed',
    async begin(services) {
      const link = await makeAuctionLink(services, winner)
      if (!link.ok) throw new Error(link.why)
      const browser = new Browser(services, { auction: link.uuid })
      await browser.post(`/auction-winner/${link.uuid}`, { understood: '1' })
      return browser
    },
  },
  'a past-due tenant': {
    payer: 'settlement',
    refused: { to: /^\/past-due-payment\/[-\da-f]+$/, alert: 'settlementSessionNotFound' },
    stranger: (services) => doors['a past-due tenant']?.begin(services) as Promise<Browser>,
    done: '/past-due-payment-completed',
    async begin(services) {
      const link = await makeSettlementLink(services, { locationCode: 'GA1', unitNumber: '302', cents: 90_00 })
      if (!link.ok) throw new Error(link.why)
      return new Browser(services, { settlement: link.uuid })
    },
  },
}

const noOrders = [
  'LK0123456789ABCDEF01234567',
  'x',
  "LK1234567' OR 1=1--",
  '../../receipt',
  '%00',
  '💥',
  'A'.repeat(65),
  '0',
  '-1',
  'null',
  '<script>',
  'LK 3F9A 0C44 D1E2',
]

describe('back from the card page', () => {
  const open = openerForTests()
  let services: PayingServices
  beforeEach(async () => {
    services = await openPayingServices(await open(), till, folder)
  })

  const loadState = async (orderId: string) =>
    (await services.db.read.selectFrom('payments').select('state').where('order_id', '=', orderId).execute())[0]?.state
  const returnToSite = async (door: Door, browser: Browser, order: string) => {
    browser.alert = ''
    const answer = await browser.get(`${payers[door.payer].returns}?order=${encodeURIComponent(order)}`)
    return { to: answer.to, alert: browser.alert }
  }
  const payCard = async (door: Door, browser: Browser) => {
    const { data } = await browser.get(payers[door.payer].card)
    await payAtHostedPage(data.card.payPageUrl, 'visa')
    return data.card.orderId as string
  }

  it.each(Object.keys(doors))(
    '%s: refuses an order that is malformed, guessed or someone else’s and leaves it unchanged',
    async (who) => {
      const door = doors[who] as Door
      const browser = await door.begin(services)
      for (const order of noOrders) {
        const { alert } = await returnToSite(door, browser, order)
        expect(alert, order).not.toBe('')
        expect(
          await services.db.read.selectFrom('payments').select('order_id').where('state', '=', 'posted').execute(),
        ).toEqual([])
      }
      expect(services.reported).toEqual([])
      const foreign = ['order.foreign', { operation: 'card return', order: undefined }]
      expect(services.security.recorded.filter(([event]) => event === 'order.foreign')).toEqual(
        noOrders.map(() => foreign),
      )
      const order = await payCard(door, browser)
      for (const [other, otherDoor] of Object.entries(doors)) {
        // A second link of the same kind for one unit replaces the first.
        if (other === who && who !== 'a tenant' && who !== 'a guest') continue
        const stranger = await otherDoor.stranger(services)
        const outcome = await returnToSite(otherDoor, stranger, order)
        expect(outcome, other).toEqual({
          to: expect.stringMatching(otherDoor.refused.to),
          alert: otherDoor.refused.alert,
        })
        // The return page of the order's own kind of payer refuses the stranger as well.
        expect((await returnToSite(door, stranger, order)).alert, other).not.toBe('')
        expect(await loadState(order), other).toBe('presented')
      }
    },
  )

  it('shows the receipt to a tenant who returns while the site is closed and the unit has no page', async () => {
    const door = doors['a tenant'] as Door
    const browser = await door.begin(services)
    browser.inMaintenance = true
    const order = await payCard(door, browser)
    expect(await returnToSite(door, browser, order)).toEqual({ to: `/receipt/${order}`, alert: '' })
    expect(isServedInMaintenance('GET', `/receipt/${order}`)).toBe(true)
    const read = await browser.get(`/receipt/${order}`)
    expect(read.data).toMatchObject({ orderId: order, returned: false })
  })

  it.each(Object.keys(doors))('%s: logs no error when the page is opened without an order', async (who) => {
    const door = doors[who] as Door
    const browser = await door.begin(services)
    const path = payers[door.payer].returns
    for (const address of [path, `${path}?order=`]) {
      browser.alert = ''
      delete browser.ids.orderId
      await browser.get(address)
      expect(browser.alert).toBe(door.refused.alert)
    }
    expect(services.reported).toEqual([])
  })

  it.each(Object.keys(doors))('%s: says after the card page was left that nothing was charged', async (who) => {
    const door = doors[who] as Door
    const browser = await door.begin(services)
    const { data } = await browser.get(payers[door.payer].card)
    await cancelAtHostedPage(data.card.payPageUrl)
    const { to } = await returnToSite(door, browser, data.card.orderId)
    expect(to).toMatch(/^\/[^?]+\?left=true$/)
    expect((await browser.get(to)).html()).toContain('Nothing was charged')
    expect((await till.moved(data.card.orderId)).charges).toBe(0)
  })

  it.each(Object.keys(doors))('%s: mentions no held unit after two failed attempts', async (who) => {
    const door = doors[who] as Door
    const browser = await door.begin(services)
    const uuid = browser.ids.auction ?? browser.ids.settlement
    const method = payers[door.payer].method.replace(':uuid', uuid ?? '')
    const notices: string[] = []
    for (const card of ['declined', 'expired'] as const) {
      if (!uuid) await chooseCard(browser, door.payer as CheckoutPayer)
      const { data } = await browser.get(payers[door.payer].card)
      await payAtHostedPage(data.card.payPageUrl, card)
      await returnToSite(door, browser, data.card.orderId)
      notices.push((await browser.get(method)).html())
    }
    expect(notices[0]).not.toContain(paymentRetryFailedTitle)
    expect(notices[1]).toContain(paymentRetryFailedTitle)
    expect(notices[1]).toContain(
      'You were not charged, and what is due has not changed. Please try another way to pay, or call (404) 555-0199.',
    )
    expect(notices[1]).not.toContain('being held')
  })

  it.each(['a tenant', 'a guest'] as const)(
    '%s whose card is refused on a card page that another window had replaced reads why, and which payment it was',
    async (who) => {
      const door = doors[who] as Door
      const browser = await door.begin(services)
      const first = browser.ids.checkout
      const { data } = await browser.get(payers[door.payer].card)
      const payer = door.payer as CheckoutPayer
      await beginTestCheckout(browser, services, { ...cyDues, payer, autopay: true })
      await chooseCard(browser, payer)
      expect(await loadState(data.card.orderId)).toBe('cancelled')
      await payAtHostedPage(data.card.payPageUrl, 'declined')
      const { to } = await returnToSite(door, browser, data.card.orderId)
      expect(to).toMatch(/\?retry=true$/)
      expect(await loadState(data.card.orderId)).toBe('declined')
      expect(browser.ids.checkout).toBe(first)
      expect((await browser.get(to)).data.failure).toContain(declinedByIssuer)
    },
  )

  describe('a refund: the page states its reason', () => {
    const leaseSet = (set: { status?: 'Closed'; scheduled_move_out?: string }) => () =>
      change(services, 'leases', { location_code: 'GA1' }, set)
    const withdrawn = (table: 'auction_winners' | 'settlements') => () =>
      services.db.write.updateTable(table).set({ state: 'withdrawn' }).execute()
    const counter = () =>
      services.db.transaction((tx) =>
        postPayment(tx, services, {
          locationCode: 'GA1',
          leaseNumber: 10002,
          cents: 500_00,
          orderId: 'COUNTER0001',
          description: 'At the counter',
        }),
      )
    const ahead = { leaseNumber: 10001, tenantId: 1001, pays: 'prepay' } as const
    it.each([
      { who: 'a tenant', what: 'dues paid meanwhile', terms: {}, do: counter, trouble: 'already_paid' },
      { who: 'a guest', what: 'dues paid meanwhile', terms: {}, do: counter, trouble: 'already_paid' },
      {
        who: 'a tenant',
        what: 'periods ahead, with a move-out scheduled meanwhile',
        terms: ahead,
        do: leaseSet({ scheduled_move_out: '2026-12-24' }),
        trouble: 'moving_out',
      },
      {
        who: 'a guest',
        what: 'periods ahead of a lease that ended meanwhile',
        terms: ahead,
        do: leaseSet({ status: 'Closed' }),
        trouble: 'lease_closed',
      },
      {
        who: 'an auction winner',
        what: 'a unit whose lease ended meanwhile',
        terms: {},
        do: leaseSet({ status: 'Closed' }),
        trouble: 'lease_closed',
      },
      {
        who: 'an auction winner',
        what: 'by a link that was withdrawn meanwhile',
        terms: {},
        do: withdrawn('auction_winners'),
        trouble: 'link_withdrawn',
      },
      {
        who: 'a past-due tenant',
        what: 'by a link that was withdrawn meanwhile',
        terms: {},
        do: withdrawn('settlements'),
        trouble: 'link_withdrawn',
      },
    ])('$who, $what', async ({ who, terms, do: meanwhile, trouble }) => {
      const door = doors[who] as Door
      let browser = await door.begin(services)
      if ('pays' in terms) {
        const payer = door.payer as CheckoutPayer
        browser = await (payer === 'tenant' ? signInTenantBrowser(services, 'ada') : signInGuestBrowser(services, 1001))
        await beginTestCheckout(browser, services, { ...cyDues, ...terms, payer })
        await chooseCard(browser, payer)
      }
      const order = await payCard(door, browser)
      await meanwhile()
      const page = await browser.get(`${payers[door.payer].returns}?order=${order}`)
      expect(page.data).toMatchObject({ state: 'refund', orderId: order, refundNotice: { trouble } })
      const html = page.html()
      expect(html).toContain(refundReason(trouble))
      expect(html.includes(paymentAlreadyProcessed)).toBe(trouble === 'already_paid')
      if (trouble === 'link_withdrawn') {
        expect((await browser.get(payers[door.payer].card)).to).toBe('/')
      }
    })
  })

  it('shows the card fee with its tax, and the bank account’s price without either', async () => {
    await change(services, 'locations', { location_code: 'GA1' }, { cc_fee: 1, allow_ach: 1 })
    for (const [browser, payer] of [
      [await signInTenantBrowser(services, 'cy'), 'tenant'],
      [await signInGuestBrowser(services, 1002), 'guest'],
    ] as const) {
      const path = payers[payer].method
      await beginTestCheckout(browser, services, { ...cyDues, payer })
      const { data } = await browser.get(path)
      const added = data.summary.total - data.bankSummary.total
      expect(data.back).toBe(
        payer === 'tenant' ? '/unit-lease-details?lease=10002&at=GA1%3A1002' : '/guest/find-units?unit=GA1%3A10002',
      )
      expect(added).toBeGreaterThan(200)
      expect(data.feeWarning).toBe(`${format(added)} ($2.00 and its tax)`)
      const html = (await browser.get(`${path}?left=true`)).html()
      expect(html).toContain(data.feeWarning)
      expect(html).toContain(`You pay ${format(data.summary.total)}.`)
      expect(html).toContain(`You pay ${format(data.bankSummary.total)}, without the card fee.`)
      // Without an order the address alone does not show the sentence about money.
      expect(html).not.toContain('Nothing was charged')
    }
  })

  it('the unit’s page shows only its own latest payment, its method and where the receipt went', async () => {
    const door = doors['a tenant'] as Door
    const browser = await door.begin(services)
    const openUnitPage = async (lease = 10002) => {
      const page = await browser.get(`/unit-lease-details?lease=${lease}#paid`)
      return { paid: page.data.paid, html: page.html() }
    }
    const order = await payCard(door, browser)
    const unpaid = await openUnitPage()
    expect(unpaid.paid).toBeNull()
    expect(unpaid.html).not.toContain(paymentCompleted)
    await returnToSite(door, browser, order)
    const { paid: payment, html } = await openUnitPage()
    const { amount } = await recordOf(services, 'payments', { order_id: order })
    expect(payment).toMatchObject({
      amount,
      with: 'Visa ending 1111',
      orderId: order,
      to: expect.stringContaining('@'),
    })
    for (const words of [paymentCompleted, format(amount), 'Visa ending 1111', payment.to, `/receipt/${order}`])
      expect(html).toContain(words)
    await change(services, 'payments', { order_id: order }, { lease_number: 10001 })
    expect((await openUnitPage()).paid).toBeNull()
    await change(services, 'payments', { order_id: order }, { lease_number: 10002, state: 'returned' })
    const afterReturn = await openUnitPage()
    expect(afterReturn.paid).toBeNull()
    expect(afterReturn.html).not.toContain(format(amount))
  })

  it('the auction’s last page hides the codes once the unit’s lease has ended', async () => {
    const door = doors['an auction winner'] as Door
    const browser = await door.begin(services)
    await returnToSite(door, browser, await payCard(door, browser))
    const loadLastPage = async () => (await browser.get(door.done)).data
    expect(await loadLastPage()).toMatchObject({ ended: false, gateCode: expect.stringMatching(/^\d+$/) })
    await change(services, 'leases', { lease_number: 10002 }, { status: 'Closed' })
    expect(await loadLastPage()).toMatchObject({ ended: true, gateCode: '', comboCode: '' })
  })

  it('the page of a paid settlement states its date, also when rent has come due since', async () => {
    const door = doors['a past-due tenant'] as Door
    const browser = await door.begin(services)
    await returnToSite(door, browser, await payCard(door, browser))
    const day = formatUs(todayIn('America/New_York', services.clock.now()))
    services.later(40 * 86_400_000)
    await runBilling(services)
    expect(await loadBalance(services.db.read, 'GA1', 10002)).toBeGreaterThan(0)
    const html = (await browser.get(door.done)).html()
    expect(html).toContain(`on ${day} is settled`)
    expect(html).not.toContain('nothing more is owed')
  })

  it('does not claim autopay that a move-out or a card that was not stored prevented', async () => {
    const { cardProvider } = services
    const turnOn = async (meanwhile: () => Promise<unknown>) => {
      const ada = await signInTenantBrowser(services, 'ada')
      const terms = { leaseNumber: 10001, tenantId: 1001, pays: 'autopay', autopay: true } as const
      await beginTestCheckout(ada, services, { ...cyDues, ...terms })
      await chooseCard(ada, 'tenant')
      const order = await payCard(doors['a tenant'] as Door, ada)
      await meanwhile()
      expect((await returnToSite(doors['a tenant'] as Door, ada, order)).to).toBe('/unit-lease-details?lease=10001')
      return ada.alert
    }
    const scheduled = (day: string | null) => () =>
      change(services, 'leases', { location_code: 'GA1', lease_number: 10001 }, { scheduled_move_out: day })
    expect(await turnOn(scheduled('2026-12-24'))).toBe('movingOut')
    await scheduled(null)()
    services.cardProvider = {
      ...cardProvider,
      queryPayment: async (orderId) => ({ ...(await cardProvider.queryPayment(orderId)), alias: '' }),
    }
    expect(await turnOn(async () => {})).toBe('autopayIsOff')
    services.cardProvider = cardProvider
    expect(await turnOn(async () => {})).toBe('autopayIsOn')
  })

  it('says by card and by bank that autopay is already charging', async () => {
    await autopayByBank(services, 10001)
    services.later(Date.parse('2026-12-01T17:00:00Z') - services.clock.now())
    await runBilling(services)
    const ada = await signInTenantBrowser(services, 'ada')
    const guest = await signInGuestBrowser(services, 1001)
    const alerts: string[] = []
    services.bank = {
      ...till.bank,
      async debit(request) {
        services.bank = till.bank
        for (const [browser, payer] of [
          [ada, 'tenant'],
          [guest, 'guest'],
        ] as const) {
          const checkout = await beginTestCheckout(browser, services, {
            ...cyDues,
            leaseNumber: 10001,
            tenantId: 1001,
            payer,
          })
          await chooseCard(browser, payer)
          alerts.push(browser.alert)
          browser.alert = ''
          await browser.post(payers[payer].bank, { ...bankAccount, checkout })
          alerts.push(browser.alert)
        }
        return till.bank.debit(request)
      },
    }
    expect(await runAutopay(services, { locationCode: 'GA1' })).toMatchObject({ tries: 1, posted: 1 })
    expect(alerts).toEqual(Array(4).fill('paymentUnderWay'))
    const orders = await services.db.read.selectFrom('payments').select(['payer', 'state']).execute()
    expect(orders).toEqual([{ payer: 'autopay', state: 'posted' }])
  })

  it('posts the payer’s payment and reveals nothing when another account signed in before the return', async () => {
    const door = doors['a tenant'] as Door
    const browser = await door.begin(services)
    const order = await payCard(door, browser)
    const ada = await signInTenantBrowser(services, 'ada')
    ada.ids = { ...browser.ids, ...ada.ids }
    expect(await returnToSite(door, ada, order)).toEqual({ to: '/my-units', alert: 'invalidPaymentSession' })
    const page = await ada.get('/online-payment')
    expect([page.to, ada.alert]).toEqual(['/my-units', 'sessionTenantMissing'])
    expect(await loadState(order)).toBe('presented')
    services.later(60_000)
    await reconcilePayments(services)
    expect(await loadState(order)).toBe('posted')
    expect(await returnToSite(door, browser, order)).toMatchObject({ to: door.done })
  })

  it('reports dues that a guest has paid meanwhile to the tenant as processed, by card and by bank', async () => {
    const [tenant, guest] = [doors['a tenant'], doors['a guest']] as [Door, Door]
    const browser = await guest.begin(services)
    const cy = await tenant.begin(services)
    const order = await payCard(guest, browser)
    expect((await returnToSite(guest, browser, order)).to).toBe(guest.done)
    const form = { ...bankAccount, checkout: cy.ids.checkout as string }
    for (const page of [
      () => cy.post('/online-payment-method', { method: 'CC', checkout: form.checkout }),
      () => cy.get('/online-payment'),
      () => cy.post('/online-payment-ach', form),
    ]) {
      cy.alert = ''
      const answer = await page()
      expect([answer.to, cy.alert], JSON.stringify(answer.data)).toEqual(['/my-units', 'paymentAlreadyProcessed'])
    }
  })
})

describe('between the methods page and the card page', () => {
  const open = openerForTests()
  const lanes = [
    { who: 'a tenant', payer: 'tenant', ...payers.tenant },
    { who: 'a guest', payer: 'guest', ...payers.guest },
  ] as const

  it.each(lanes)('$who sees a price change after pressing and gets a card form for the new amount', async (lane) => {
    const services = await openPayingServices(await open(), till, folder)
    const browser = await (lane.payer === 'tenant'
      ? signInTenantBrowser(services, 'cy')
      : signInGuestBrowser(services, 1002))
    await beginTestCheckout(browser, services, { ...cyDues, payer: lane.payer })
    const before = (await browser.get(lane.method)).data.summary.total as number
    // A fee is charged after the page was shown.
    await services.db.transaction((tx) =>
      postCharge(tx, services, {
        locationCode: 'GA1',
        leaseNumber: 10002,
        once: 'late',
        kind: 'fee',
        cents: 20_00,
        description: 'Late fee',
      }),
    )
    const early = await browser.get(lane.card)
    expect(early.to).toBe(lane.method)
    const pressed = await chooseCard(browser, lane.payer)
    expect(pressed.to.split('?')[0]).toBe(lane.card)
    const { card, changed } = (await browser.get(pressed.to)).data
    expect(card).toBeNull()
    expect(changed).toMatchObject({ total: before + 20_00 })
    const agreed = await browser.post(lane.card, { checkout: changed.checkoutId })
    expect(agreed.to.split('?')[0]).toBe(lane.card)
    const page = (await browser.get(agreed.to)).data
    expect([page.card?.amount, page.summary.total]).toEqual([before + 20_00, before + 20_00])
  })

  it.each(lanes)('$who returns to the same card page after leaving it and starting again', async (lane) => {
    const services = await openPayingServices(await open(), till, folder)
    const browser = await (lane.payer === 'tenant'
      ? signInTenantBrowser(services, 'cy')
      : signInGuestBrowser(services, 1002))
    const cardPage = async () => {
      const checkout = await beginTestCheckout(browser, services, { ...cyDues, payer: lane.payer })
      const pressed = await chooseCard(browser, lane.payer)
      const page = await browser.get(pressed.to)
      return { checkout, to: page.to, card: page.data?.card }
    }
    const left = await cardPage()
    const again = await cardPage()
    expect(again.checkout).not.toBe(left.checkout)
    expect(again).toMatchObject({ to: '', card: { ok: true, orderId: left.card.orderId, amount: left.card.amount } })
    expect((await browser.get(lane.card)).data.card.orderId).toBe(left.card.orderId)
    await payAtHostedPage(again.card.payPageUrl, 'declined')
    const back = await browser.get(`${lane.returns}?order=${again.card.orderId}`)
    expect(back.to).toBe(`${lane.card}?retry=true`)
    expect((await browser.get(back.to)).data.failure).toContain(declinedByIssuer)
  })

  it('the card page has no card form while an earlier order’s state is unknown', async () => {
    const services = await openPayingServices(await open(), till, folder)
    const cy = await signInTenantBrowser(services, 'cy')
    const first = await beginTestCheckout(cy, services, cyDues)
    await cy.post('/online-payment-method', { method: 'CC', checkout: first })
    const checkout = await beginTestCheckout(cy, services, cyDues)
    await till.fault({ kind: 'down', on: 'query', times: 2 })
    const pressed = await cy.post('/online-payment-method', { method: 'CC', checkout })
    const page = await cy.get(pressed.to)
    expect(page.data).toMatchObject({ card: null, changed: null })
    expect((await cy.get(pressed.to)).data.card).toMatchObject({ ok: true })
  })
})

describe('the bank account page', () => {
  const open = openerForTests()
  let services: PayingServices
  beforeEach(async () => {
    services = await openPayingServices(await open(), till, folder)
  })

  const expectNoPayments = async () => expect(await recordsOf(services, 'payments')).toEqual([])

  it('charges nothing where the session has changed since the page was shown', async () => {
    const cy = await signInTenantBrowser(services, 'cy')
    const shownCheckout = await beginTestCheckout(cy, services, cyDues)
    const press = (browser: Browser, checkout: string, payer: CheckoutPayer = 'tenant') =>
      browser.post(payers[payer].bank, { ...bankAccount, checkout })
    await beginTestCheckout(cy, services, cyDues)
    expect([(await press(cy, shownCheckout)).to, cy.alert]).toEqual(['/online-payment-method', 'changedElsewhere'])
    const out = new Browser(services, { checkout: shownCheckout })
    expect((await press(out, shownCheckout)).to).toMatch(/^\/login/)
    const ada = await signInTenantBrowser(services, 'ada')
    ada.ids.checkout = shownCheckout
    expect([(await press(ada, shownCheckout)).to, ada.alert]).toEqual(['/my-units', 'sessionTenantMissing'])
    const guest = await signInGuestBrowser(services, 1002)
    guest.ids.checkout = shownCheckout
    expect([(await press(guest, shownCheckout, 'guest')).to, guest.alert]).toEqual([
      '/guest/find-units',
      'invalidPaymentSession',
    ])
    const other = await signInGuestBrowser(services, 1001)
    const guests = await beginTestCheckout(other, services, { ...cyDues, payer: 'guest' })
    expect([(await press(other, guests, 'guest')).to, other.alert]).toEqual([
      '/guest/find-email',
      'invalidGuestSession',
    ])
    for (const checkout of ['', 'x', "' OR 1=1--", '6f1d2a80-4c1b-4e0e-9d57-2b7a40500001']) {
      cy.ids.checkout = checkout
      const answer = await press(cy, checkout)
      expect(answer.to, checkout).toBe('/my-units')
    }
    await expectNoPayments()
  })

  it('reports a debit that the bank never received as failed, not as an abandoned card page', async () => {
    services.bank = till.bank
    for (const [browser, payer] of [
      [await signInTenantBrowser(services, 'cy'), 'tenant'],
      [await signInGuestBrowser(services, 1002), 'guest'],
    ] as const) {
      const checkout = await loadCheckout(services, await beginTestCheckout(browser, services, { ...cyDues, payer }))
      const { account_name: name, routing_number: routing, account_number: account } = bankAccount
      // The process ends before the bank is asked.
      const paying = payCheckoutByBank(crashAt(services, 'order written'), checkout as Checkout, {
        account: { name, routing, account, type: 'Checking' },
        by: { address: '198.51.100.7', agent: 'test browser' },
      })
      await expect(paying).rejects.toThrow(SimulatedCrash)
      const { order_id: order } = await recordOf(services, 'payments', { payer })
      const openReturnPage = () => browser.get(`${payers[payer].returns}?order=${order}`)
      expect((await openReturnPage()).data).toMatchObject({ state: 'checking' })
      services.later(3 * 3_600_000)
      await reconcilePayments(services)
      expect([(await openReturnPage()).to, browser.alert]).toEqual([payers[payer].method, 'achFailed'])
    }
  })

  it('corrects the receipt and makes dues payable again when the bank rejects the debit days later', async () => {
    services.bank = till.bank
    const cy = await signInTenantBrowser(services, 'cy')
    const pay = async (account_number: string) => {
      const checkout = await beginTestCheckout(cy, services, cyDues)
      const numbers = { account_number, confirm_account: account_number }
      return cy.post('/online-payment-ach', { ...bankAccount, ...numbers, checkout })
    }
    // The account ending in 1111 is refused when it is checked, before a debit; the other at its debit.
    for (const accountNumber of ['000123451111', '000123452222']) {
      const answer = await pay(accountNumber)
      expect([answer.status, answer.data.fields], accountNumber).toEqual([409, { form: achFailed }])
    }
    const answer = await pay('000123453333')
    const order = answer.to.replace('/checkout-completed?order=', '')
    const receiptOf = (browser: Browser) => browser.get(`/receipt/${order}`)
    expect((await receiptOf(cy)).data).toMatchObject({ returned: false, method: 'Checking ****3333' })
    const refusal = await startCheckout(services, cyDues)
    expect(refusal).toEqual({ ok: false, message: paymentAlreadyProcessed })
    services.later(2 * 86_400_000)
    expect(await reverseReturnedDebits(services)).toBe(1)
    const later = await signInTenantBrowser(services, 'cy')
    expect((await receiptOf(later)).data).toMatchObject({ returned: true })
    expect((await receiptOf(await signInTenantBrowser(services, 'ada'))).data).toBeNull()
    expect(await startCheckout(services, cyDues)).toMatchObject({ ok: true })
  })
})

import { afterEach, beforeEach, expect, it } from 'vitest'
import { runBilling } from '../../modules/billing/run-billing.ts'
import { postReceipt } from '../../modules/move-in/operations/check-own-payment-receipt-mail-state.ts'
import { runAutopay } from '../../modules/payments/autopay/charge-autopay.ts'
import { postHostPay } from '../../modules/payments/operations/open-card-page-by-api.ts'
import { ProcessACHPayments } from '../../modules/payments/operations/pay-lease-from-bank-account.ts'
import { ProcessPayment_V2 } from '../../modules/payments/operations/process-payment-v2.ts'
import { postDirectPay } from '../../modules/payments/operations/settle-order-of-own-session.ts'
import { startCheckout } from '../../modules/payments/price-checkout.ts'
import { processRefunds } from '../../modules/payments/refund-unposted-payments.ts'
import { openPayingServices, type PayingServices } from '../../modules/payments/testing.ts'
import { sandboxForTests } from '../../modules/payments/testing-card-provider.ts'
import { expectInvariants } from '../../modules/payments/testing-invariants.ts'
import { perform } from '../../platform/operations/operation.ts'
import { payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import { loadSessionCallers } from '../../server/web/authenticate-callers.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { change } from '../../tests/support/rows.ts'
import { visitor } from '../../tests/support/small-operator.ts'
import { Browser } from '../testing.ts'
import { autopayByBank, bankAccount, beginTestCheckout, chooseCard, cyDues, signInTenantBrowser } from './testing.ts'

const { till, folder } = sandboxForTests('two-payers')

const MINUTE = 60_000

describeOnBothEngines('Two payers of one lease', (open) => {
  let services: PayingServices
  beforeEach(async () => {
    services = await openPayingServices(await open(), till, folder)
    services.bank = till.bank
  })
  afterEach(() => services.db.close())

  const orders = () => services.db.read.selectFrom('payments').selectAll().orderBy('created_at').execute()
  const loadState = async (order: string) => (await orders()).find((payment) => payment.order_id === order)?.state
  const asCaller = (browser: Browser) => loadSessionCallers(services, browser.ids, visitor())

  async function guest(): Promise<Browser> {
    const browser = new Browser(services)
    const { to } = await browser.post('/guest/find-email', { email: 'cy@example.com' })
    expect(to).toMatch(/^\/guest\/find-units/)
    return browser
  }
  const begin = async (browser: Browser, form: Record<string, string> = {}) =>
    browser.post('/guest/find-units', { unit: 'GA1:10002', ...form })
  async function atTheCard(browser: Browser, form: Record<string, string> = {}) {
    await begin(browser, form)
    expect([(await chooseCard(browser, 'guest')).to, browser.alert]).toEqual(['/guest/process-payment', ''])
    const { data } = await browser.get('/guest/process-payment')
    return data.card as { orderId: string; payPageUrl: string }
  }
  const returns = (browser: Browser, order: string) => browser.get(`/guest/accept-payment?order=${order}`)
  async function tenant(): Promise<Browser> {
    const browser = await signInTenantBrowser(services, 'cy')
    await beginTestCheckout(browser, services, cyDues)
    return browser
  }
  async function tenantAtTheCard(browser: Browser) {
    expect([(await chooseCard(browser, 'tenant')).to, browser.alert]).toEqual(['/online-payment', ''])
    const { data } = await browser.get('/online-payment')
    return data.card as { orderId: string; payPageUrl: string }
  }

  it('gives each of two guests an order of their own and shows neither the other’s', async () => {
    const first = await guest()
    const second = await guest()
    const mine = await atTheCard(first)
    const theirs = await atTheCard(second)
    expect(theirs.orderId).not.toBe(mine.orderId)
    expect((await orders()).map((order) => order.state)).toEqual(['presented', 'presented'])
    await payAtHostedPage(mine.payPageUrl, 'visa')
    expect((await returns(first, mine.orderId)).to).toBe('/guest/payment-completed')

    const stranger = await asCaller(second)
    const input = { order_id: mine.orderId }
    expect(await perform(services, postDirectPay, input, stranger)).toMatchObject({ status: 403 })
    expect(await perform(services, postReceipt, input, stranger)).toMatchObject({ status: 403 })
    const posting = { location_code: 'GA1', tenant_id: 1002, order_id: mine.orderId }
    expect(await perform(services, ProcessPayment_V2, posting, stranger)).toMatchObject({ status: 403 })
    await returns(second, mine.orderId)
    expect(second.alert).toBe('invalidPaymentSession')
    second.ids.orderId = mine.orderId
    await second.get('/guest/payment-completed')
    expect(second.alert).toBe('invalidGuestSession')
    await second.get(`/receipt/${mine.orderId}`)
    expect(second.alert).toBe('paymentNotFound')
    expect(await perform(services, postDirectPay, { order_id: mine.orderId }, await asCaller(first))).toMatchObject({
      value: { STATE: 'APPROVED', MASKEDCARDNUMBER: expect.stringMatching(/1111$/) },
    })
    await payAtHostedPage(theirs.payPageUrl, 'visa')
    expect((await returns(second, theirs.orderId)).data).toMatchObject({ state: 'refund' })
    await processRefunds(services)
    await expectInvariants(services, till)
  })

  it('a guest with a different agreement closes only their own order', async () => {
    const first = await guest()
    const second = await guest()
    const theirs = await atTheCard(first)
    const before = await atTheCard(second, { autopay: '1' })
    const now = await atTheCard(second)
    expect(await loadState(theirs.orderId)).toBe('presented')
    expect(await loadState(before.orderId)).toBe('cancelled')
    expect(await loadState(now.orderId)).toBe('presented')
    expect((await atTheCard(second)).orderId).toBe(now.orderId)
  })

  it('makes a guest wait ten minutes while the account holder is at the card page, and keeps the order', async () => {
    const cy = await tenant()
    const { orderId } = await tenantAtTheCard(cy)
    const other = await guest()
    await begin(other)
    expect((await chooseCard(other, 'guest')).to).toBe('/guest/select-method')
    expect(other.alert).toBe('paymentUnderWay')
    other.alert = ''
    await other.post('/guest/process-payment-ach', { ...bankAccount, checkout: other.ids.checkout ?? '' })
    expect(other.alert).toBe('paymentUnderWay')
    expect((await orders()).map((order) => [order.order_id, order.state])).toEqual([[orderId, 'presented']])
    const input = { location_code: 'GA1', tenant_id: 1002, lease_number: 10002 }
    const outcome = await perform(services, postHostPay, input, await asCaller(other))
    expect(outcome).toMatchObject({ ok: false, status: 409, code: 'checking' })
    expect(JSON.stringify(outcome)).not.toContain(orderId)
    services.later(10 * MINUTE)
    other.alert = ''
    const card = await atTheCard(other)
    expect(card.orderId).not.toBe(orderId)
    expect(await loadState(orderId)).toBe('presented')
  })

  it('lets neither the account holder nor autopay wait for guests’ open card pages', async () => {
    const guests = await Promise.all([guest(), guest(), guest()])
    for (const guest of guests) await atTheCard(guest)
    const cy = await tenant()
    const { orderId, payPageUrl } = await tenantAtTheCard(cy)
    expect((await orders()).map((order) => order.state)).toEqual(Array(4).fill('presented'))
    await payAtHostedPage(payPageUrl, 'visa')
    const back = await cy.get(`/checkout-completed?order=${orderId}`)
    expect(back.to).toBe('/unit-lease-details?lease=10002#paid')

    await autopayByBank(services, 10002)
    services.later(Date.parse('2026-12-15T17:00:00Z') - services.clock.now())
    await runBilling(services)
    const late = await guest()
    const page = await atTheCard(late)
    expect(await runAutopay(services, { locationCode: 'GA1' })).toMatchObject({ tries: 1, posted: 1 })
    expect(await loadState(page.orderId)).toBe('presented')
    await payAtHostedPage(page.payPageUrl, 'visa')
    expect((await returns(late, page.orderId)).data).toMatchObject({ state: 'refund' })
  })

  it('tells a guest that the account holder’s payment is pending, without its order', async () => {
    const cy = await tenant()
    const { orderId } = await tenantAtTheCard(cy)
    await change(services, 'payments', { order_id: orderId }, { state: 'review' })
    for (const other of [await guest(), await guest()]) {
      await begin(other)
      const answer = await other.get('/guest/select-method')
      expect([answer.to, other.alert]).toEqual(['/guest/find-units', 'paymentUnderWay'])
      expect(other.ids.orderId).toBeUndefined()
    }
  })

  it('does not send one guest to the order of another guest’s pending payment', async () => {
    const first = await guest()
    const second = await guest()
    const { orderId } = await atTheCard(first)
    await change(services, 'payments', { order_id: orderId }, { state: 'review' })
    await begin(second)
    const answer = await second.get('/guest/select-method')
    expect([answer.to, second.alert]).toEqual(['/guest/find-units', 'paymentUnderWay'])
    const own = await first.get('/guest/select-method')
    expect(own.to).toBe(`/guest/accept-payment?order=${orderId}`)
  })

  it('reveals no recent debit to a guest who guesses the account’s last digits', async () => {
    const due = (await startCheckout(services, cyDues)) as { checkout: { price: { ACH: { total: number } } } }
    const input = {
      location_code: 'GA1',
      tenant_id: 1002,
      lease_number: 10002,
      ACHRoutingNumber: '061000104',
      amount: (due.checkout.price.ACH.total / 100).toFixed(2),
    }
    const cy = await asCaller(await tenant())
    const paid = await perform(services, ProcessACHPayments, { ...input, ACHAccountNumber: '000123450000' }, cy)
    if (!paid.ok) throw new Error(paid.message)
    const answer = await perform(
      services,
      ProcessACHPayments,
      { ...input, ACHAccountNumber: '990000' },
      await asCaller(await guest()),
    )
    expect(JSON.stringify(answer)).not.toContain(paid.value.order_id)
    expect((await orders()).map((order) => [order.payer, order.state])).toEqual([
      ['tenant', 'posted'],
      ['guest', 'posted'],
    ])
  })

  it('treats the same idempotency key of two guests as two keys', async () => {
    const pay = async (browser: Browser) =>
      perform(
        services,
        postHostPay,
        { location_code: 'GA1', tenant_id: 1002, lease_number: 10002 },
        await asCaller(browser),
        'the same key of both',
      )
    const answers = [await pay(await guest()), await pay(await guest())]
    const [mine, theirs] = answers.map((answer) => (answer.ok ? answer.value.order_id : answer.message))
    expect(mine).toMatch(/^LK/)
    expect(theirs).toMatch(/^LK/)
    expect(theirs).not.toBe(mine)
  })

  it('shows the tenant that a guest has paid, with only the last digits of the card', async () => {
    const payer = await guest()
    const { orderId, payPageUrl } = await atTheCard(payer)
    await payAtHostedPage(payPageUrl, 'visa')
    await returns(payer, orderId)
    const cy = await signInTenantBrowser(services, 'cy')
    const receipt = await cy.get(`/receipt/${orderId}`)
    expect(receipt.data).toMatchObject({ orderId, method: expect.stringMatching(/ending 1111$/) })
    expect(await perform(services, postDirectPay, { order_id: orderId }, await asCaller(cy))).toMatchObject({
      status: 403,
    })
  })

  it('makes one bank debit when tenant and guest pay at the same moment and asks the other to wait', async () => {
    const { bank } = services
    const debited: string[] = []
    const other = await guest()
    await begin(other)
    const form = { ...bankAccount, checkout: other.ids.checkout ?? '' }
    const cy = await asCaller(await tenant())
    const due = (await startCheckout(services, cyDues)) as { checkout: { price: { ACH: { total: number } } } }
    const input = {
      location_code: 'GA1',
      tenant_id: 1002,
      lease_number: 10002,
      ACHRoutingNumber: '061000104',
      amount: (due.checkout.price.ACH.total / 100).toFixed(2),
      ACHAccountNumber: '000543210000',
    }
    services.bank = {
      ...bank,
      async validateAccount(account) {
        services.bank = {
          ...bank,
          async debit(request) {
            debited.push(request.orderId)
            return bank.debit(request)
          },
        }
        expect(await perform(services, ProcessACHPayments, input, cy)).toMatchObject({
          value: { PaymentMessage: 'Successful' },
        })
        return bank.validateAccount(account)
      },
    }
    await other.post('/guest/process-payment-ach', form)
    expect(debited).toHaveLength(1)
    expect((await orders()).map((order) => [order.payer, order.state]).sort()).toEqual([
      ['guest', 'cancelled'],
      ['tenant', 'posted'],
    ])
  })
})

import { expect, it } from 'vitest'
import { achFailed, failedToInitializePayment } from '../../domain/texts/payment.ts'
import { openPayingServices, type PayingServices } from '../../modules/payments/testing.ts'
import { sandboxForTests } from '../../modules/payments/testing-card-provider.ts'
import { readyToPay } from '../../modules/payments/testing-rent-until-card-page.ts'
import { payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import { openerForTests } from '../../tests/support/databases.ts'
import { recordOf } from '../../tests/support/rows.ts'
import { Browser } from '../testing.ts'
import { findRefusalAdvice } from '../ui/refusal-advice-texts.ts'
import { payers } from './payer-page-addresses.ts'
import { bankAccount, beginTestCheckout, cyDues, signInGuestBrowser, signInTenantBrowser } from './testing.ts'

const { till, folder } = sandboxForTests('bank-refused')
const open = openerForTests()

const refusedAccount = { ...bankAccount, account_number: '000123452222', confirm_account: '000123452222' }

const tenant = async (services: PayingServices) => {
  const browser = await signInTenantBrowser(services, 'cy')
  await beginTestCheckout(browser, services, cyDues)
  return browser
}
const guest = async (services: PayingServices) => {
  const browser = await signInGuestBrowser(services, 1002)
  await beginTestCheckout(browser, services, { ...cyDues, payer: 'guest' })
  return browser
}
const movingIn = async (services: PayingServices) => {
  const draft = await readyToPay(services, { answers: { paymentMethod: 'ACH' } })
  const browser = new Browser(services, { draftId: draft.draftId })
  const { quoteId } = (await browser.get('/payment-method')).data
  await browser.post('/payment-method', { method: 'ACH', quote: quoteId })
  return browser
}

it.each([
  ['a tenant', tenant, payers.tenant],
  ['a guest', guest, payers.guest],
  ['a renter who moves in', movingIn, payers.move_in],
] as const)('%s whose debit is refused for the last time chooses another way', async (_, enter, { method, bank }) => {
  const services = await openPayingServices(await open(), till, folder)
  services.bank = till.bank
  const browser = await enter(services)
  const press = async () => {
    const { name, value } = (await browser.get(bank)).data.entry.agreed
    return browser.post(bank, { ...refusedAccount, [name]: value })
  }
  expect(await press()).toMatchObject({
    status: 409,
    data: { fields: { form: achFailed }, charged: 'You were not charged' },
  })
  expect((await press()).to).toBe(method)
  expect((await browser.get(method)).data).toMatchObject({ failure: achFailed, retriesUsedUp: true })
})

it.each([
  ['a tenant', tenant, payers.tenant],
  ['a guest', guest, payers.guest],
  ['a renter who moves in', movingIn, payers.move_in],
] as const)(
  '%s whose earlier card payment cannot be asked about reads nothing of not being charged',
  async (_, enter, { method, bank }) => {
    const services = await openPayingServices(await open(), till, folder)
    services.bank = till.bank
    const browser = await enter(services)
    const { quoteId, checkoutId } = (await browser.get(method)).data
    await browser.post(method, { method: 'CC', ...(quoteId ? { quote: quoteId } : { checkout: checkoutId }) })
    const order = browser.ids.orderId ?? ''
    const { pay_page_url } = await recordOf(services, 'payments', { order_id: order })
    await payAtHostedPage(pay_page_url ?? '', 'visa')
    await browser.post(method, { method: 'ACH', quote: quoteId ?? '', checkout: checkoutId ?? '' })
    const { name, value } = (await browser.get(bank)).data.entry.agreed
    await till.fault({ kind: 'down', on: 'query', times: 1 })
    const response = await browser.post(bank, { ...bankAccount, [name]: value })
    const { form = '' } = response.data.fields
    expect([response.status, form]).toEqual([409, failedToInitializePayment])
    expect(findRefusalAdvice(form)?.means).toContain('please do not pay again')
    expect(findRefusalAdvice(form)?.means).not.toMatch(/not charged/i)
  },
)

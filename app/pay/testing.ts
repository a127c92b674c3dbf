/** Payers' browsers, checkouts, card pages, bank account and autopay, for tests. */

import { setAutopay } from '../../modules/leases/autopay-mandate.ts'
import { openCheckout } from '../../modules/payments/open/open-checkout.ts'
import { startCheckout } from '../../modules/payments/price-checkout.ts'
import type { CheckoutTerms } from '../../modules/payments/rules/checkout-terms.ts'
import { settlePayment } from '../../modules/payments/settle-payment.ts'
import { tokenHash } from '../../platform/encryption/token-hash.ts'
import type { Services } from '../../platform/operations/services.ts'
import { payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import type { TestCardName } from '../../sandbox/test-cards.ts'
import { addRecord } from '../../tests/support/rows.ts'
import { visitor } from '../../tests/support/small-operator.ts'
import { Browser, createSignInToken } from '../testing.ts'
import { type CheckoutPayer, payers } from './payer-page-addresses.ts'

export const cyDues: CheckoutTerms = {
  payer: 'tenant',
  locationCode: 'GA1',
  tenantId: 1002,
  leaseNumber: 10002,
  pays: 'dues',
  periods: 1,
  autopay: false,
}

export const signInTenantBrowser = async (services: Services, account: string): Promise<Browser> =>
  new Browser(services, { token: await createSignInToken(services, account) })

export const signInGuestBrowser = async (services: Services, tenantId: number): Promise<Browser> =>
  new Browser(services, { guestToken: await guestToken(services, tenantId) })

export async function guestToken(services: Services, tenantId: number, location_code = 'GA1'): Promise<string> {
  const token = services.random.hex(32)
  const now = services.clock.now()
  await addRecord(services, 'sign_ins', {
    token_hash: tokenHash(token),
    kind: 'guest',
    account_id: null,
    location_code,
    tenant_id: tenantId,
    agent: 'test browser',
    address: '198.51.100.7',
    created_at: now,
    expires_at: now + 86_400_000,
    ended_at: null,
  })
  return token
}

export const bankAccount = {
  routing_number: '061000104',
  account_number: '000123450000',
  confirm_account: '000123450000',
  account_name: 'Cy Dorn',
  account_type: 'Checking',
}

/** Turns on autopay by bank for a lease. */
export const autopayByBank = (services: Services, lease_number: number): Promise<unknown> =>
  services.db.transaction((tx) =>
    setAutopay(
      tx,
      services,
      { location_code: 'GA1', lease_number },
      {
        method: 'ACH',
        label: 'Checking ****0000',
        consentText: 'I agree',
        consentAt: 0,
        party: { name: 'Cy Dorn', routing: '061000104', account: '000123450000', type: 'Checking' },
      },
    ),
  )

export async function openTestCardPage(services: Services, terms: CheckoutTerms) {
  const outcome = await startCheckout(services, terms)
  if (!outcome.ok) throw new Error(outcome.message)
  const page = await openCheckout(services, outcome.checkout, visitor())
  if (!page.ok) throw new Error(page.why)
  return page
}

export async function payByTestCard(
  services: Services,
  terms: CheckoutTerms,
  card: TestCardName = 'visa',
): Promise<string> {
  const page = await openTestCardPage(services, terms)
  await payAtHostedPage(page.payPageUrl, card)
  await settlePayment(services, page.orderId)
  return page.orderId
}

export async function beginTestCheckout(browser: Browser, services: Services, terms: CheckoutTerms): Promise<string> {
  const guest = browser.ids.guestToken
  const outcome = await startCheckout(services, { ...terms, guest: guest && tokenHash(guest) })
  if (!outcome.ok) throw new Error(outcome.message)
  browser.ids.checkout = outcome.checkoutId
  return outcome.checkoutId
}

export const chooseCard = (browser: Browser, payer: CheckoutPayer, checkout = browser.ids.checkout ?? '') =>
  browser.post(payers[payer].method, { method: 'CC', checkout })

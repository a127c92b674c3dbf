import { expect, it } from 'vitest'
import { openCheckout } from '../modules/payments/open/open-checkout.ts'
import { decideReview, recordPaidByHand } from '../modules/payments/payment-reviews-and-failed-refunds.ts'
import { startCheckout } from '../modules/payments/price-checkout.ts'
import { processRefunds } from '../modules/payments/refund-unposted-payments.ts'
import type { CheckoutTerms } from '../modules/payments/rules/checkout-terms.ts'
import { settlePayment } from '../modules/payments/settle-payment.ts'
import { openPayingServices } from '../modules/payments/testing.ts'
import { sandboxForTests } from '../modules/payments/testing-card-provider.ts'
import { loadCheckout } from '../modules/payments/views/own-checkout.ts'
import { MAX_REFUND_ATTEMPTS } from '../modules/refunds/rules/max-refund-attempts.ts'
import { payAtHostedPage } from '../sandbox/submit-card-page-in-tests.ts'
import { openerForTests } from '../tests/support/databases.ts'
import { paymentCommands } from './billing-reconcile-and-personal-link-commands.ts'
import type { CommandContext, CommandOptions } from './command-definition.ts'

const { till, folder } = sandboxForTests('money-commands')
const open = openerForTests()

const cyDues: CheckoutTerms = {
  payer: 'tenant',
  locationCode: 'GA1',
  tenantId: 1002,
  leaseNumber: 10002,
  pays: 'dues',
  periods: 1,
  autopay: false,
}

it('lists the payer of each payment that awaits a staff member, from the review to a refund paid by hand', async () => {
  const services = await openPayingServices(await open(), till, folder)
  const command = async (name: string, words: string[] = [], options: CommandOptions = {}) => {
    const said: string[] = []
    const tools = {
      services: async () => services,
      clock: services.clock,
      say: (line: string) => void said.push(line),
      progress: () => {},
    }
    const answer = await paymentCommands[name]?.run(tools as unknown as CommandContext, words, options)
    return { said: said.join('\n'), answer }
  }
  const start = await startCheckout(services, cyDues)
  const checkout = start.ok ? await loadCheckout(services, start.checkoutId) : null
  const cardPage = checkout && (await openCheckout(services, checkout, { address: '', agent: '' }))
  if (!cardPage?.ok) throw new Error('no card page')
  await payAtHostedPage(cardPage.payPageUrl, 'differs')
  await settlePayment(services, cardPage.orderId)
  const payerDetails = {
    location_code: 'GA1',
    unit_number: '302',
    name: 'Cy Dorn',
    paid_with: expect.stringMatching(/ending/),
  }
  const review = await command('reconcile')
  expect(review.said).toMatch(/^review .*GA1 unit 302, Cy Dorn, \w+ ending \d{4}/m)
  expect(review.answer).toMatchObject({ review: [{ order_id: cardPage.orderId, ...payerDetails }] })

  await decideReview(services, cardPage.orderId, 'refund')
  services.cardProvider = {
    ...services.cardProvider,
    refund: async () => ({ done: false, responseCode: '041', responseDescription: 'Account closed' }),
  }
  for (let n = 0; n < MAX_REFUND_ATTEMPTS; n += 1) {
    services.later(86_400_000)
    await processRefunds(services)
  }
  const refunds = await command('reconcile')
  expect(refunds.said).toMatch(/GA1 unit 302, Cy Dorn, .* review_refused {2}12 tries {2}041 Account closed$/m)
  expect(refunds.answer).toMatchObject({ refunds: [{ state: 'failed', ...payerDetails }] })
  await services.db.transaction((tx) => recordPaidByHand(tx, services, cardPage.orderId, 'check 1042'))
  expect(await command('reconcile')).toMatchObject({ answer: { refunds: [], review: [] } })
})

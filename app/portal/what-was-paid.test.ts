/** The history says what was paid for, receipts list the dues, and a payment in review shows wherever its unit does. */
import { beforeEach, expect, it } from 'vitest'
import { signIn } from '../../modules/accounts/sessions.ts'
import { type CheckoutTerms, checkoutOf, startCheckout } from '../../modules/payments/checkout.ts'
import { openCheckout } from '../../modules/payments/open/checkout.ts'
import { settlePayment } from '../../modules/payments/settle.ts'
import { openPayingHouse, type PayingHouse, tillForTests } from '../../modules/payments/testing.ts'
import type { TestCardName } from '../../sandbox/cards.ts'
import { payAtHostedPage } from '../../sandbox/pay.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { visitor } from '../../tests/support/small-operator.ts'
import * as receipt from '../pay/receipt.tsx'
import * as unitLeaseDetails from '../portal/unit/page.tsx'
import { Browser, shown } from '../testing.ts'
import * as myUnits from './my-units.tsx'
import * as recentActivity from './recent-activity.tsx'

const { till, folder } = tillForTests('what-was-paid')
let services: PayingHouse

const cyDues: CheckoutTerms = {
  ...{ payer: 'tenant', locationCode: 'GA1', tenantId: 1002, leaseNumber: 10002 },
  ...{ pays: 'dues', periods: 1, autopay: false },
}

async function paid(terms: CheckoutTerms, card: TestCardName): Promise<string> {
  const started = await startCheckout(services, terms)
  const checkout = started.ok ? await checkoutOf(services, started.checkoutId) : null
  if (!checkout) throw new Error('There is nothing to pay')
  const page = await openCheckout(services, checkout, visitor())
  if (!page.ok) throw new Error(page.why)
  await payAtHostedPage(page.payPageUrl, card)
  await settlePayment(services, page.orderId)
  return page.orderId
}

const browserOf = async (account: string) =>
  new Browser(services, { token: await signIn(services.db.write, services, account, visitor()) })
const text = (page: { default: unknown }, data: unknown) =>
  shown(page, data)
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

describeOnBothEngines('What was paid', (open) => {
  beforeEach(async () => {
    services = await openPayingHouse(await open(), till, folder)
  })

  it('dues: the receipt on page and in the mail lists the charges, the history names them', async () => {
    const order = await paid(cyDues, 'visa')
    const cy = await browserOf('cy')
    const { data } = await cy.ask(receipt.loader, { path: `/receipt/${order}`, params: { orderId: order } })
    const labels = data.lines.map((line: { label: string }) => line.label)
    expect(labels).not.toContain('Current Balance Due')
    expect(data.lines.reduce((sum: number, line: { cents: number }) => sum + line.cents, 0)).toBe(data.total)
    const entries = await services.db.read
      .selectFrom('ledger_entries')
      .select(['description', 'kind'])
      .where('lease_number', '=', 10002)
      .where('cents', '>', 0)
      .where('kind', '!=', 'tax')
      .where('order_id', 'is', null)
      .execute()
    expect(entries.length).toBeGreaterThan(0)
    for (const { description } of entries) expect(labels.join(' | ')).toContain(description)
    await services.sendMail()
    const mails = await services.db.read.selectFrom('mailbox').select(['subject', 'text']).execute()
    const mail = mails.find((one) => one.subject.startsWith('Receipt'))?.text ?? ''
    for (const label of labels) expect(mail).toContain(label)
    const history = await cy.ask(recentActivity.loader, { path: '/recent-activity' })
    expect(history.data.payments[0]).toMatchObject({ orderId: order, inReview: false })
    expect(history.data.payments[0].whatFor).not.toBe('')
    expect(text(recentActivity, history.data)).toContain(history.data.payments[0].whatFor)
  })

  it('periods ahead are named in the history', async () => {
    const terms = { ...cyDues, tenantId: 1001, leaseNumber: 10001, pays: 'prepay' as const, periods: 2 }
    await paid(terms, 'visa')
    const { data } = await (await browserOf('ada')).ask(recentActivity.loader, { path: '/recent-activity' })
    expect(data.payments[0].whatFor).toMatch(/^2 periods ahead, \d\d\/\d\d\/\d{4} to \d\d\/\d\d\/\d{4}$/)
  })

  it('a payment in review shows on the unit’s card, its page and in the history', async () => {
    const order = await paid(cyDues, 'differs')
    const cy = await browserOf('cy')
    expect(text(myUnits, (await cy.ask(myUnits.loader, { path: '/my-units' })).data)).toContain('Payment in review')
    const unit = await cy.ask(unitLeaseDetails.loader, { path: '/unit-lease-details?lease=10002&at=GA1:1002' })
    expect(text(unitLeaseDetails, unit.data)).toContain('A payment is in review')
    expect(text(unitLeaseDetails, unit.data)).toContain(order)
    // No other payment would be taken meanwhile.
    expect(unit.data.offer).toBeNull()
    expect(text(unitLeaseDetails, unit.data)).not.toMatch(/Pay Now|Pay it|by phone/)
    const history = await cy.ask(recentActivity.loader, { path: '/recent-activity' })
    expect(text(recentActivity, history.data)).toContain('Payment in review')
    const ada = await browserOf('ada')
    const hers = await ada.ask(recentActivity.loader, { path: '/recent-activity' })
    expect(text(recentActivity, hers.data)).not.toContain('review')
  })
})

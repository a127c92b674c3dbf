/** The history says what was paid for, receipts list the dues, and a payment in review shows wherever its unit does. */
import { beforeEach, expect, it } from 'vitest'
import { openPayingHouse, type PayingHouse, tillForTests } from '../../modules/payments/testing.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import * as receipt from '../pay/receipt.tsx'
import { cyDues, paidByCard, tenantIn } from '../pay/testing.ts'
import * as unitLeaseDetails from '../portal/unit/page.tsx'
import { shown } from '../testing.ts'
import * as myUnits from './my-units.tsx'
import * as recentActivity from './recent-activity.tsx'

const { till, folder } = tillForTests('what-was-paid')
let services: PayingHouse

const text = (page: { default: unknown }, data: unknown) =>
  shown(page, data)
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

describeOnBothEngines('What was paid', (open) => {
  beforeEach(async () => {
    services = await openPayingHouse(await open(), till, folder)
  })

  it('dues: the receipt on page and in the mail lists the charges, the history names them', async () => {
    const order = await paidByCard(services, cyDues)
    const cy = await tenantIn(services, 'cy')
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
    await paidByCard(services, terms)
    const { data } = await (await tenantIn(services, 'ada')).ask(recentActivity.loader, { path: '/recent-activity' })
    expect(data.payments[0].whatFor).toMatch(/^2 periods ahead, \d\d\/\d\d\/\d{4} to \d\d\/\d\d\/\d{4}$/)
  })

  it('a payment in review shows on the unit’s card, its page and in the history', async () => {
    const order = await paidByCard(services, cyDues, 'differs')
    const cy = await tenantIn(services, 'cy')
    expect(text(myUnits, (await cy.ask(myUnits.loader, { path: '/my-units' })).data)).toContain('Payment in review')
    const unit = await cy.ask(unitLeaseDetails.loader, { path: '/unit-lease-details?lease=10002&at=GA1:1002' })
    expect(text(unitLeaseDetails, unit.data)).toContain('A payment is in review')
    expect(text(unitLeaseDetails, unit.data)).toContain(order)
    // No other payment would be taken meanwhile.
    expect(unit.data.offer).toBeNull()
    expect(text(unitLeaseDetails, unit.data)).not.toMatch(/Pay Now|Pay it|by phone/)
    const history = await cy.ask(recentActivity.loader, { path: '/recent-activity' })
    expect(text(recentActivity, history.data)).toContain('Payment in review')
    const ada = await tenantIn(services, 'ada')
    const hers = await ada.ask(recentActivity.loader, { path: '/recent-activity' })
    expect(text(recentActivity, hers.data)).not.toContain('review')
  })
})

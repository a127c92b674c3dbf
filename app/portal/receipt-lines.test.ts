import { beforeEach, expect, it } from 'vitest'
import { format } from '../../domain/money.ts'
import { officeCaller, openTestDrawer, receiveTestCheck } from '../../modules/cash-drawers/testing.ts'
import { payCheckoutByBank } from '../../modules/payments/bank/bank-debit.ts'
import {
  bankAccount,
  openPayingServices,
  type PayingServices,
  startTestCheckout,
  testSubmission,
} from '../../modules/payments/testing.ts'
import { sandboxForTests } from '../../modules/payments/testing-card-provider.ts'
import { RefundPayment } from '../../modules/refunds/operations/refund-payment.ts'
import { RefundedByHand } from '../../modules/refunds/operations/refunded-by-hand.ts'
import { reverseReturnedDebits } from '../../modules/refunds/reverse-payments-returned-by-bank.ts'
import { loadNewestEntry } from '../../modules/standing/add-staff-ledger-entries.ts'
import { perform } from '../../platform/operations/operation.ts'
import { payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { addRecord, change, recordOf } from '../../tests/support/rows.ts'
import { lease } from '../../tests/support/small-operator.ts'
import { addStaffCaller, type StaffCallers } from '../../tests/support/staff.ts'
import { chooseCard, cyDues, payByTestCard, signInTenantBrowser } from '../pay/testing.ts'
import type { Page } from '../testing.ts'

const { till, folder } = sandboxForTests('what-was-paid')
let services: PayingServices
let finance: StaffCallers

const text = (page: Page) =>
  page
    .html()
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

describeOnBothEngines('What was paid', (open) => {
  beforeEach(async () => {
    services = await openPayingServices(await open(), till, folder)
    finance = await addStaffCaller(services, 'finance')
  })

  it('dues: the receipt’s page and mail list the charges, and the history names them', async () => {
    const order = await payByTestCard(services, cyDues)
    const cy = await signInTenantBrowser(services, 'cy')
    const { data } = await cy.get(`/receipt/${order}`)
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
    await services.runDueJobs()
    const mails = await services.db.read.selectFrom('mailbox').select(['subject', 'text']).execute()
    const mail = mails.find((message) => message.subject.startsWith('Receipt'))?.text ?? ''
    for (const label of labels) expect(mail).toContain(label)
    const history = await cy.get('/recent-activity')
    expect(history.data.payments[0]).toMatchObject({ orderId: order, inReview: false })
    expect(history.data.payments[0].whatFor).not.toBe('')
    expect(text(history)).toContain(history.data.payments[0].whatFor)
  })

  it('dues of several units: receipt, mail and history list each unit’s periods, fees and tax', async () => {
    await addRecord(services, 'leases', lease({ lease_number: 10003, tenant_id: 1002, unit_id: 3, unit_number: '103' }))
    await change(services, 'units', { location_code: 'GA1', unit_id: 3 }, { status: 'rented' })
    const charges = [
      { kind: 'rent', description: 'Rent', cents: 80_00, period_start: '2026-11-01', period_end: '2026-11-30' },
      { kind: 'fee', description: 'Late Fee', cents: 20_00, period_start: null, period_end: null },
      { kind: 'tax', description: 'Tax on fees', cents: 1_40, period_start: null, period_end: null },
    ]
    for (const [index, charge] of charges.entries()) {
      const entry = {
        ...charge,
        entry_id: `e9${index}`,
        location_code: 'GA1',
        lease_number: 10003,
        once: `period:9:${index}`,
      }
      await addRecord(services, 'ledger_entries', {
        ...entry,
        order_id: null,
        posted_on: '2026-11-20',
        created_at: index,
      })
    }
    const cy = await signInTenantBrowser(services, 'cy')
    const boxes = new FormData()
    for (const leaseNumber of ['10002', '10003']) boxes.append('lease', leaseNumber)
    await cy.post(String((await cy.get('/my-units')).data.payAt), boxes)
    await chooseCard(cy, 'units')
    const { card } = (await cy.get('/pay-for-units/card')).data
    await payAtHostedPage(card.payPageUrl, 'visa')
    await cy.get(`/pay-for-units/completed?order=${card.orderId}`)
    const { data } = await cy.get(`/receipt/${card.orderId}`)
    const linesOf103 = [
      { label: 'Unit 103: Rent, 11/01/2026 to 11/30/2026', cents: 80_00 },
      { label: 'Unit 103: Late Fee', cents: 20_00 },
      { label: 'Unit 103: Tax', cents: 1_40 },
    ]
    expect(data.lines).toEqual(expect.arrayContaining(linesOf103))
    expect(data.lines.map(({ label }: { label: string }) => label)).not.toContain('Unit 103')
    expect(data.lines.reduce((sum: number, line: { cents: number }) => sum + line.cents, 0)).toBe(data.total)
    await services.runDueJobs()
    const mails = await services.db.read.selectFrom('mailbox').select(['subject', 'text']).execute()
    const mail = mails.find((message) => message.subject.startsWith('Receipt'))?.text ?? ''
    for (const { label } of linesOf103) expect(mail).toContain(label)
    const { payments } = (await cy.get('/recent-activity')).data
    const whatFor = (unit: string) =>
      payments.find((payment: { unitNumber: string }) => payment.unitNumber === unit)?.whatFor as string
    const together = 'Part of one payment for 302, 103'
    expect(whatFor('103')).toBe(`Rent 11/01/2026 to 11/30/2026, Late Fee. ${together}`)
    expect(whatFor('302')).toContain(`. ${together}`)
    expect(whatFor('302')).not.toContain('Late Fee')
  })

  it('dues paid in parts at the counter: a payment names the oldest unpaid charges if it completes them', async () => {
    await services.db.write.deleteFrom('ledger_entries').where('lease_number', '=', 10002).execute()
    const periods = [
      ['2026-09-01', '2026-09-30'],
      ['2026-10-01', '2026-10-31'],
      ['2026-11-01', '2026-11-30'],
    ] as const
    for (const [index, [period_start, period_end]] of periods.entries())
      for (const [kind, cents] of [
        ['rent', 100_00],
        ['tax', 18_00],
      ] as const)
        await addRecord(services, 'ledger_entries', {
          entry_id: `e9${index}${kind}`,
          location_code: 'GA1',
          lease_number: 10002,
          kind,
          cents,
          description: kind === 'rent' ? 'Rent' : 'Tax on rent',
          once: `period:${period_start}:${kind}`,
          order_id: null,
          period_start,
          period_end,
          posted_on: period_start,
          created_at: index,
        })
    await change(services, 'leases', { lease_number: 10002 }, { balance: 3 * 118_00 })
    const agent = officeCaller('agent')
    const drawer = await openTestDrawer(services, agent)
    const cy = await signInTenantBrowser(services, 'cy')
    const payAtCounter = async (cents: number, check: string) => {
      services.later(60_000)
      const receipt = await receiveTestCheck(services, agent, drawer, cents, check)
      const { lines } = (await cy.get(`/receipt/${receipt}`)).data
      const { payments } = (await cy.get('/recent-activity')).data
      return { lines, whatFor: payments.find(({ orderId }: { orderId: string }) => orderId === receipt)?.whatFor }
    }
    expect(await payAtCounter(118_00, '1')).toEqual({
      lines: [
        { label: 'Rent, 09/01/2026 to 09/30/2026', cents: 100_00 },
        { label: 'Tax', cents: 18_00 },
      ],
      whatFor: 'Rent 09/01/2026 to 09/30/2026',
    })
    // A payment of a part of a charge is not itemized; the payment of the rest lists that part as paid before.
    expect(await payAtCounter(50_00, '2')).toEqual({ lines: [{ label: 'Payment', cents: 50_00 }], whatFor: '' })
    expect(await payAtCounter(68_00, '3')).toEqual({
      lines: [
        { label: 'Rent, 10/01/2026 to 10/31/2026', cents: 100_00 },
        { label: 'Tax', cents: 18_00 },
        { label: 'Paid before', cents: -50_00 },
      ],
      whatFor: 'Rent 10/01/2026 to 10/31/2026',
    })
    expect(await payAtCounter(118_00, '4')).toMatchObject({ whatFor: 'Rent 11/01/2026 to 11/30/2026' })
    // Money beyond the dues pays none of the charges that were paid before.
    expect(await payAtCounter(118_00, '5')).toEqual({ lines: [{ label: 'Payment', cents: 118_00 }], whatFor: '' })
  })

  it('prepayment: the history names the periods', async () => {
    const terms = { ...cyDues, tenantId: 1001, leaseNumber: 10001, pays: 'prepay' as const, periods: 2 }
    await payByTestCard(services, terms)
    const { data } = await (await signInTenantBrowser(services, 'ada')).get('/recent-activity')
    expect(data.payments[0].whatFor).toMatch(/^2 periods ahead, \d\d\/\d\d\/\d{4} to \d\d\/\d\d\/\d{4}$/)
  })

  it('review: the unit’s card, its page and the history show the pending payment', async () => {
    const order = await payByTestCard(services, cyDues, 'differs')
    const cy = await signInTenantBrowser(services, 'cy')
    expect(text(await cy.get('/my-units'))).toContain('Payment in review')
    const unit = await cy.get('/unit-lease-details?lease=10002&at=GA1:1002')
    expect(text(unit)).toContain('A payment is in review')
    expect(text(unit)).toContain(order)
    expect(unit.data.offer).toBeNull()
    expect(text(unit)).not.toMatch(/Pay Now|Pay it|by phone/)
    const history = await cy.get('/recent-activity')
    expect(text(history)).toContain('Payment in review')
    const ada = await signInTenantBrowser(services, 'ada')
    const hers = await ada.get('/recent-activity')
    expect(text(hers)).not.toContain('review')
  })

  /** Refunds cents of an order of Cy, as a staff member does. */
  async function refundCy(order: string, cents: number, way: 'provider' | 'check'): Promise<void> {
    const { location_code, lease_number, tenant_id, balance } = await recordOf(services, 'leases', {
      lease_number: 10002,
    })
    const newest = await loadNewestEntry(services.db.read, { location_code, lease_number })
    const input = {
      location_code,
      lease_number,
      tenant_id,
      balance,
      newest_entry: newest?.entry_id ?? '',
      note: '',
      act_id: services.random.uuid(),
      order_id: order,
      cents,
      reason: 'charged-twice',
      way,
      afterwards: 'owed',
    }
    services.later(60_000)
    const outcome = await perform(services, RefundPayment, input, finance)
    expect(outcome).toMatchObject({ value: { result: 'done' } })
  }

  it('refund: the history and the payment’s receipt show the refund', async () => {
    const order = await payByTestCard(services, cyDues)
    const { amount } = await recordOf(services, 'payments', { order_id: order })
    await refundCy(order, amount, 'provider')
    const cy = await signInTenantBrowser(services, 'cy')
    const waiting = text(await cy.get(`/receipt/${order}`))
    expect(waiting).toContain(`On its way back ${format(amount)} to Visa ending 1111`)
    expect(waiting).toContain('Money of this payment is on its way back to you')
    expect(waiting).not.toMatch(/given back/i)
    await services.runDueJobs()
    const receipt = await cy.get(`/receipt/${order}`)
    expect(text(receipt)).toContain(`Given back ${format(amount)} on 11/20/2026 to Visa ending 1111`)
    expect(text(receipt)).not.toContain('On its way back')
    expect(text(receipt)).not.toContain('Current Balance Due')
    const history = text(await cy.get('/recent-activity'))
    // Only a payment that the bank reversed is marked as returned.
    expect(history).not.toContain('Returned')
    expect(history).toContain(`−\u2060${format(amount)}`)
    expect(history).toContain('Refund to Visa ending 1111')
  })

  it('refund by check: the receipt says that the check is to come, and by which check it came', async () => {
    const order = await payByTestCard(services, cyDues)
    await refundCy(order, 20_00, 'check')
    const cy = await signInTenantBrowser(services, 'cy')
    const loadReceiptText = async () => text(await cy.get(`/receipt/${order}`))
    expect(await loadReceiptText()).toContain('On its way back $20.00 by check')
    expect(await loadReceiptText()).not.toMatch(/given back/i)
    const { refund_id } = await recordOf(services, 'refunds')
    await perform(services, RefundedByHand, { location_code: 'GA1', refund: refund_id, how: 'check 9' }, finance)
    expect(await loadReceiptText()).toContain('Given back $20.00 on 11/20/2026 by check 9')
  })

  it('refund by check of a debit that the bank returned meanwhile: the money came back by the bank', async () => {
    await addRecord(services, 'settings', { name: 'bank_refund_days', value: '0', updated_at: 0 })
    services.bank = till.bank
    const checkout = await startTestCheckout(services, cyDues)
    await payCheckoutByBank(services, checkout, { account: bankAccount('3333'), by: testSubmission })
    const { order_id: order } = await recordOf(services, 'payments', { state: 'posted' })
    services.later(3 * 86_400_000)
    await refundCy(order, 40_00, 'check')
    await reverseReturnedDebits(services)
    expect(await recordOf(services, 'refunds')).toMatchObject({ state: 'returned' })
    const receipt = text(await (await signInTenantBrowser(services, 'cy')).get(`/receipt/${order}`))
    expect(receipt).toMatch(/Given back \$40\.00 on \d\d\/\d\d\/\d{4} by your bank/)
    expect(receipt).not.toContain('by check')
  })
})

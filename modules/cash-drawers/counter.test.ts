import { beforeEach, expect, it } from 'vitest'
import { perform } from '../../platform/operations/operation.ts'
import { runDueMessageJobs } from '../../tests/actors/run-due-message-jobs.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { addRecord, change, recordOf, recordsOf } from '../../tests/support/rows.ts'
import { lease, openTestServices, type TestServices, visitor } from '../../tests/support/small-operator.ts'
import { findBalanceMismatches } from '../ledger/load-and-repair-lease-balance.ts'
import { newPayment } from '../payments/payment-orders.ts'
import { settlePayment } from '../payments/settle-payment.ts'
import { loadPaymentPurposes } from '../payments/views/describe-what-payments-paid-for.ts'
import { CloseDrawer } from './operations/close-drawer.ts'
import { MatchDeposit } from './operations/match-deposit.ts'
import { OpenDrawer } from './operations/open-drawer.ts'
import { ReceivePayment } from './operations/receive-payment.ts'
import { ReturnCheck } from './operations/return-check.ts'
import { VoidReceipt } from './operations/void-receipt.ts'
import {
  checkInputForCy,
  counterPaymentShare,
  officeCaller,
  openTestDrawer,
  performOrThrow,
  receiveTestCheck,
} from './testing.ts'

const agent = officeCaller('agent')
const manager = officeCaller('manager')
const finance = officeCaller('finance')
const owed = 151_37

describeOnBothEngines('Payments at the desk', (open) => {
  let services: TestServices
  let drawer: string

  beforeEach(async () => {
    services = await openTestServices(await open())
    drawer = await openTestDrawer(services, agent)
  })

  const loadLease2 = () => recordOf(services, 'leases', { lease_number: 10002 })
  const loadReceipt = (receipt_id: string) => recordOf(services, 'counter_receipts', { receipt_id })
  const receive = async (input: object, callers = agent, key?: string) =>
    perform(services, ReceivePayment, input, callers, key)
  const voidReceipt = (receipt_id: string, callers = manager, more = {}) =>
    perform(services, VoidReceipt, { location_code: 'GA1', receipt_id, reason: 'wrong-amount', ...more }, callers)
  const returnCheck = (receipt_id: string, callers = finance, more = {}) =>
    perform(
      services,
      ReturnCheck,
      { location_code: 'GA1', receipt_id, bank_reason: 'nsf', fee: true, ...more },
      callers,
    )
  const countDrawer = (more: object, callers = agent, batch_id = drawer) =>
    perform(
      services,
      CloseDrawer,
      {
        location_code: 'GA1',
        batch_id,
        cash: 0,
        checks: 0,
        money_orders: 0,
        system: 0,
        receipts: 0,
        difference_reason: '',
        ...more,
      },
      callers,
    )
  const matchBank = (bank_cents: number, callers = finance, more = {}) =>
    perform(
      services,
      MatchDeposit,
      { location_code: 'GA1', batch_id: drawer, bank_cents, bank_day: '2026-11-23', ...more },
      callers,
    )
  /** Checks that each receipt equals its ledger entries, and that the stored balances equal the ledgers. */
  async function expectSumsAgree() {
    const receipts = await recordsOf(services, 'counter_receipts')
    for (const receipt of receipts) {
      const entries = await recordsOf(services, 'ledger_entries', { order_id: receipt.receipt_id })
      const expected = receipt.state === 'voided' || receipt.state === 'returned' ? 0 : -receipt.cents
      const sum = (kinds: string[]) =>
        entries.filter(({ kind }) => kinds.includes(kind)).reduce((all, { cents }) => all + cents, 0)
      expect(sum(['payment', 'reversal'])).toBe(expected)
    }
    expect(await findBalanceMismatches(services.db)).toEqual([])
  }

  it('receives a check as receipt, ledger entry, reason, mail and audit event, and updates the lease', async () => {
    await change(services, 'leases', { lease_number: 10002 }, { overlocked: 1, paid_through: '2026-10-31' })
    const input = await checkInputForCy(services, drawer, owed)
    const preview = await performOrThrow(services, ReceivePayment, { ...input, preview: true }, agent)
    expect(await recordsOf(services, 'counter_receipts')).toEqual([])
    const result = await receive(input)
    expect(result).toMatchObject({
      value: { result: 'done', done: { cents: owed, leases: [{ before: { balance: owed }, after: { balance: 0 } }] } },
    })
    // The preview equals what was written.
    expect(result).toMatchObject({ value: { done: { leases: preview.done?.leases } } })
    expect(await loadLease2()).toMatchObject({ balance: 0, overlocked: 0 })
    const [receipt] = await recordsOf(services, 'counter_receipts')
    expect(receipt).toMatchObject({
      state: 'held',
      cents: owed,
      method: 'check',
      check_number: '1042',
      received_by: 'agent',
      received_on: '2026-11-20',
    })
    const [entry] = await recordsOf(services, 'ledger_entries', { order_id: receipt?.receipt_id })
    expect(entry).toMatchObject({ kind: 'payment', cents: -owed, description: 'Check 1042', posted_on: '2026-11-20' })
    expect(await recordOf(services, 'entry_reasons')).toMatchObject({ reason: 'counter-payment', staff_id: 'agent' })
    expect(await recordsOf(services, 'jobs', { kind: 'counter_receipt' })).toHaveLength(1)
    expect(await recordsOf(services, 'payments')).toEqual([])
    const [event] = await recordsOf(services, 'audit_events', { kind: 'payment.received' })
    expect(event).toMatchObject({ subject: receipt?.receipt_id, cents: owed, tenant_id: 1002, location_code: 'GA1' })
    await expectSumsAgree()
  })

  it('pays several leases of a tenant by one money order, and keeps the rest as credit', async () => {
    await addRecord(services, 'leases', lease({ lease_number: 10003, tenant_id: 1002, unit_id: 3, unit_number: '103' }))
    const leases = [
      await counterPaymentShare(services, 10003, 50_00),
      await counterPaymentShare(services, 10002, owed + 10_00),
    ]
    const input = {
      ...(await checkInputForCy(services, drawer, 1)),
      method: 'money_order',
      check_number: '88213',
      leases,
    }
    expect(await receive(input)).toMatchObject({
      value: { done: { cents: owed + 60_00, leases: [{ unitNumber: '302' }, { unitNumber: '103' }] } },
    })
    expect(await loadLease2()).toMatchObject({ balance: -10_00 })
    expect(await recordOf(services, 'leases', { lease_number: 10003 })).toMatchObject({ balance: -50_00 })
    await expectSumsAgree()
  })

  it('names both units in the mails about a check for two units', async () => {
    await addRecord(services, 'leases', lease({ lease_number: 10003, tenant_id: 1002, unit_id: 3, unit_number: '103' }))
    const leases = [
      await counterPaymentShare(services, 10002, 50_00),
      await counterPaymentShare(services, 10003, 50_00),
    ]
    const input = { ...(await checkInputForCy(services, drawer, 1)), leases }
    const { done } = await performOrThrow(services, ReceivePayment, input, agent)
    const loadMails = async () => (await runDueMessageJobs(services)).map(({ subject, text }) => `${subject} ${text}`)
    expect(await loadMails()).toEqual([expect.stringMatching(/^Receipt \S+ for units 302 and 103 /)])
    await countDrawer({ system: 100_00, receipts: 1, checks: 100_00 })
    await returnCheck(done?.receiptId ?? '')
    const [returned] = await loadMails()
    expect(returned).toMatch(/^Your check 1042 for units 302 and 103 was returned /)
    expect(returned).toContain('over $100.00 for units 302 and 103 at')
  })

  it('mails where a returned check is to be paid: at the unit that owes, at all units, or by phone', async () => {
    await addRecord(services, 'leases', lease({ lease_number: 10003, tenant_id: 1002, unit_id: 3, unit_number: '103' }))
    const leases = [
      await counterPaymentShare(services, 10002, 50_00),
      await counterPaymentShare(services, 10003, 50_00),
    ]
    const input = { ...(await checkInputForCy(services, drawer, 1)), leases }
    const { done } = await performOrThrow(services, ReceivePayment, input, agent)
    await countDrawer({ system: 100_00, receipts: 1, checks: 100_00 })
    await runDueMessageJobs(services)
    expect(await returnCheck(done?.receiptId ?? '')).toMatchObject({ ok: true })
    const [job] = await recordsOf(services, 'jobs', { kind: 'check_returned' })
    const mailNow = async (...changes: [number, object][]) => {
      for (const [lease_number, columns] of changes) await change(services, 'leases', { lease_number }, columns)
      await change(services, 'jobs', { kind: 'check_returned' }, { ...job })
      return (await runDueMessageJobs(services))[0]?.text
    }
    expect(await mailNow([10002, { balance: 0 }], [10003, { balance: 20_00 }])).toContain('lease=10003')
    expect(await mailNow([10002, { balance: 10_00 }])).toMatch(/\/my-units\b/)
    expect(await mailNow([10002, { auction_prepped: 1 }])).toContain('lease=10003')
    const byPhone = await mailNow([10003, { auction_prepped: 1 }])
    expect(byPhone).toContain('Please contact customer service')
    expect(byPhone).not.toContain('Pay Now')
    await change(services, 'tenants', { tenant_id: 1002 }, { grant_online_access: 0 })
    expect(await mailNow([10002, { auction_prepped: 0 }], [10003, { auction_prepped: 0 }])).toContain(
      '/guest/find-email',
    )
  })

  it('keeps a check that came by post in the office’s drawer, and its receipt at the facility', async () => {
    const office = await openTestDrawer(services, agent, 'HQ')
    const receipt = await receiveTestCheck(services, finance, office, owed)
    expect(await loadReceipt(receipt)).toMatchObject({ location_code: 'GA1', batch_id: office, received_by: 'finance' })
    expect(await recordOf(services, 'cash_batches', { batch_id: office })).toMatchObject({ location_code: 'HQ' })
  })

  it('refuses invalid payments and callers without permission, and writes no receipt', async () => {
    const good = await checkInputForCy(services, drawer, owed)
    const with1 = (share: object) => ({ ...good, leases: [{ ...good.leases[0], ...share }] })
    const refusals: [object, number, string][] = [
      [{ ...good, check_number: '' }, 400, 'invalid_input'],
      [{ ...good, leases: [] }, 400, 'invalid_input'],
      [with1({ cents: 0 }), 400, 'invalid_input'],
      [with1({ cents: -1 }), 400, 'invalid_input'],
      [with1({ cents: 1.5 }), 400, 'invalid_input'],
      [with1({ cents: 100_000_01 }), 400, 'invalid_input'],
      [{ ...good, leases: [...good.leases, ...good.leases] }, 400, 'invalid_input'],
      [{ ...good, batch_id: 'DR00000000' }, 404, 'not_found'],
      [{ ...good, tenant_id: 1001 }, 404, 'not_found'],
      [with1({ lease_number: 10009 }), 404, 'not_found'],
      [with1({ balance: 1 }), 409, 'changed'],
      [with1({ newest_entry: 'another' }), 409, 'changed'],
    ]
    for (const [input, status, code] of refusals) expect(await receive(input), code).toMatchObject({ status, code })
    expect(await receive(good, officeCaller('agent', { at: ['HI1'] }))).toMatchObject({ status: 404 })
    expect(await receive(good, officeCaller('auditor'))).toMatchObject({ status: 403 })
    expect(await receive(good, visitor() as never)).toMatchObject({ status: 401 })
    // The drawer is at a facility that is not the staff member's.
    const office = await openTestDrawer(services, agent, 'HQ')
    const local = officeCaller('agent', { at: ['GA1'] })
    expect(await receive({ ...good, batch_id: office }, local)).toMatchObject({ status: 404 })
    // A unit that is prepared for sale takes no partial payment, an ended lease nothing above its balance.
    await change(services, 'leases', { lease_number: 10002 }, { auction_prepped: 1 })
    expect(await receive(with1({ cents: owed - 1 }))).toMatchObject({ status: 409, code: 'full_sum' })
    await change(services, 'leases', { lease_number: 10002 }, { auction_prepped: 0, status: 'Closed' })
    expect(await receive(with1({ cents: owed + 1 }))).toMatchObject({ status: 409, code: 'closed' })
    expect(await recordsOf(services, 'counter_receipts')).toEqual([])
  })

  it('refuses the same check, and receives the same form once', async () => {
    const input = await checkInputForCy(services, drawer, 50_00)
    const key = 'a7b1f0c2-5f0e-4d9a-8b0a-6f2f4f2f4f2f'
    const first = await receive(input, agent, key)
    const second = await receive(input, agent, key)
    expect(second).toMatchObject({ ok: true, value: (first as { value: object }).value, replayed: true })
    // Without the key, the ledger has changed since the form was rendered.
    expect(await receive(input)).toMatchObject({ code: 'changed' })
    expect(await receive(await checkInputForCy(services, drawer, 50_00))).toMatchObject({
      status: 409,
      code: 'check_known',
    })
    expect(await receive(await checkInputForCy(services, drawer, 50_00, '1043'))).toMatchObject({ ok: true })
    expect(await recordsOf(services, 'counter_receipts')).toHaveLength(2)
  })

  it('refuses to receive what a captured card payment pays, which is posted once', async () => {
    const order = { payer: 'tenant', subject: { locationCode: 'GA1', leaseNumbers: [10002] } } as const
    const payment = newPayment(services, 'LKCAPTURED01', {
      ...order,
      locationCode: 'GA1',
      tenantId: 1002,
      leaseNumber: 10002,
      amount: owed,
      autopay: false,
      quoteId: null,
      plan: JSON.stringify({ pays: 'dues', periods: 0, price: { lines: [] } }),
    })
    await addRecord(services, 'payments', { ...payment, state: 'captured', approved_amount: owed, captured_at: 1 })
    const input = await checkInputForCy(services, drawer, owed)
    const [posted, result] = await Promise.all([settlePayment(services, 'LKCAPTURED01'), receive(input)])
    expect(posted).toMatchObject({ state: 'posted' })
    expect(result).toMatchObject({ ok: false, status: 409 })
    expect(await loadLease2()).toMatchObject({ balance: 0 })
    expect(await recordsOf(services, 'counter_receipts')).toEqual([])
  })

  it('allow one open drawer per staff member and facility', async () => {
    const at = { location_code: 'GA1', float: 0 }
    const attempts = await Promise.all([1, 2].map(() => perform(services, OpenDrawer, at, manager)))
    expect(attempts.filter(({ ok }) => ok)).toHaveLength(1)
    expect(attempts.find(({ ok }) => !ok)).toMatchObject({ status: 409, code: 'open_already' })
    expect(await perform(services, OpenDrawer, { ...at, float: -1 }, agent)).toMatchObject({ status: 400 })
    expect(await perform(services, OpenDrawer, at, finance)).toMatchObject({ status: 403 })
  })

  it('require one count of a drawer, a reason for a difference, and a match by another staff member', async () => {
    const receipt = await receiveTestCheck(services, agent, drawer, 100_00)
    const countFields = { system: 100_00, receipts: 1, checks: 100_00 }
    expect(await countDrawer({ ...countFields, receipts: 0 })).toMatchObject({ status: 409, code: 'changed' })
    expect(await countDrawer(countFields, officeCaller('agent', { id: 'colleague' }))).toMatchObject({ status: 403 })
    expect(await countDrawer({ ...countFields, cash: 2_00 })).toMatchObject({
      fields: { difference_reason: expect.any(String) },
    })
    expect(await countDrawer({ ...countFields, cash: 2_00, difference_reason: 'other' })).toMatchObject({
      fields: { note: expect.any(String) },
    })
    expect(await matchBank(100_00)).toMatchObject({ status: 409, code: 'open' })
    const closed = await Promise.all([
      countDrawer({ ...countFields, cash: 2_00, difference_reason: 'found' }),
      countDrawer({ ...countFields, cash: 2_00, difference_reason: 'found' }, manager),
    ])
    expect(closed.filter(({ ok }) => ok)).toHaveLength(1)
    expect(closed.find(({ ok }) => !ok)).toMatchObject({ status: 409, code: 'drawer_closed' })
    expect(await loadReceipt(receipt)).toMatchObject({ state: 'deposited' })
    const { closed_by, ...batch } = await recordOf(services, 'cash_batches', { batch_id: drawer })
    expect(batch).toMatchObject({
      system_checks: 100_00,
      counted_cash: 2_00,
      deposit_cents: 102_00,
      difference_reason: 'found',
    })
    expect(await receive(await checkInputForCy(services, drawer, 10_00, '7'))).toMatchObject({ code: 'drawer_closed' })
    expect(await voidReceipt(receipt)).toMatchObject({ status: 409, code: 'deposited' })

    const whoCounted = officeCaller('finance', { id: closed_by ?? '' })
    expect(await matchBank(102_00, whoCounted)).toMatchObject({ status: 403, code: 'own_count' })
    expect(await matchBank(102_00, manager)).toMatchObject({ status: 403 })
    expect(await matchBank(101_00)).toMatchObject({ fields: { note: expect.any(String) } })
    const both = await Promise.all([matchBank(102_00), matchBank(102_00, officeCaller('finance', { id: 'other' }))])
    expect(both.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await loadReceipt(receipt)).toMatchObject({ state: 'matched' })
    expect(await matchBank(102_00)).toMatchObject({ status: 409, code: 'matched' })
  })

  it('counts and matches a drawer above a receipt’s limit, and audits no reason without a difference', async () => {
    await receiveTestCheck(services, agent, drawer, 60_000_00)
    await receiveTestCheck(services, agent, drawer, 60_000_00, '1043')
    expect(
      await countDrawer({ checks: 120_000_00, system: 120_000_00, receipts: 2, difference_reason: 'found' }),
    ).toMatchObject({ ok: true })
    const [closed] = await recordsOf(services, 'audit_events', { kind: 'drawer.closed' })
    expect(JSON.parse(closed?.details ?? '')).toMatchObject({ why: '' })
    expect(await matchBank(1_000_000_000_00)).toMatchObject({ fields: { bank_cents: expect.any(String) } })
    expect(await matchBank(120_000_00)).toMatchObject({ ok: true })
  })

  it('accepts only one of a count and a payment that arrive at the same time', async () => {
    await receiveTestCheck(services, agent, drawer, 10_00)
    const input = await checkInputForCy(services, drawer, 20_00, '2')
    const [payment, closed] = await Promise.all([
      receive(input, manager),
      countDrawer({ system: 10_00, receipts: 1, checks: 10_00 }),
    ])
    expect([payment.ok, closed.ok].filter(Boolean)).toHaveLength(1)
    const heldReceipts = await recordsOf(services, 'counter_receipts', { batch_id: drawer, state: 'held' })
    expect(heldReceipts).toHaveLength(closed.ok ? 0 : 2)
    await expectSumsAgree()
  })

  it('lets a manager void a receipt on its own day only, and then restores the lease', async () => {
    await change(services, 'leases', { lease_number: 10002 }, { overlocked: 0 })
    const before = await loadLease2()
    const receipt = await receiveTestCheck(services, agent, drawer, 60_00)
    expect(await voidReceipt(receipt, agent)).toMatchObject({ status: 403 })
    expect(await voidReceipt(receipt, manager, { reason: '' })).toMatchObject({
      fields: { reason: expect.any(String) },
    })
    expect(await voidReceipt(receipt, officeCaller('manager', { at: ['HI1'] }))).toMatchObject({ status: 404 })
    expect(await returnCheck(receipt)).toMatchObject({ status: 409, code: 'held' })
    expect(await voidReceipt(receipt, manager, { preview: true })).toMatchObject({
      value: { result: 'preview', done: { leases: [{ after: { balance: owed } }] } },
    })
    const both = await Promise.all([voidReceipt(receipt), voidReceipt(receipt, officeCaller('district'))])
    expect(both.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await voidReceipt(receipt)).toMatchObject({ status: 409, code: 'voided' })
    const { balance, status, paid_through, overlocked } = await loadLease2()
    expect({ balance, status, paid_through, overlocked }).toEqual({
      balance: before.balance,
      status: before.status,
      paid_through: before.paid_through,
      overlocked: before.overlocked,
    })
    const reversal = await recordOf(services, 'ledger_entries', { kind: 'reversal' })
    expect(reversal).toMatchObject({ cents: 60_00, order_id: receipt, description: 'Check 1042: receipt voided' })
    const paid = await recordOf(services, 'ledger_entries', { kind: 'payment', order_id: receipt })
    expect(await recordOf(services, 'entry_reasons', { entry_id: reversal.entry_id })).toMatchObject({
      reason: 'wrong-amount',
      staff_id: expect.any(String),
      corrects: paid.entry_id,
    })
    // The same check may be posted again.
    const again = await receiveTestCheck(services, agent, drawer, 60_00)
    services.clock.advance(24 * 3600_000)
    expect(await voidReceipt(again)).toMatchObject({ status: 409, code: 'another_day' })
    await expectSumsAgree()
  })

  it('keep the description of what was paid after the receipt is voided', async () => {
    const entry = { orderId: await receiveTestCheck(services, agent, drawer, owed), leaseNumber: 10002 }
    const loadPurpose = async () => (await loadPaymentPurposes(services, [entry]))(entry)
    const purpose = await loadPurpose()
    expect(purpose).not.toBe('')
    expect(await voidReceipt(entry.orderId)).toMatchObject({ ok: true })
    expect(await loadPurpose()).toBe(purpose)
  })

  it('makes a returned check owed again, with the fee and its tax', async () => {
    await addRecord(services, 'fees', {
      location_code: 'GA1',
      fee_id: 9,
      unit_type_id: null,
      description: 'Returned Payment Fee',
      amount: 30_00,
      charged: 'returned',
    })
    const receipt = await receiveTestCheck(services, agent, drawer, owed)
    await countDrawer({ system: owed, receipts: 1, checks: owed })
    expect(await returnCheck(receipt, manager)).toMatchObject({ status: 403 })
    expect(await returnCheck(receipt, officeCaller('finance', { at: ['HI1'] }))).toMatchObject({ status: 404 })
    const both = await Promise.all([returnCheck(receipt), returnCheck(receipt), voidReceipt(receipt)])
    expect(both.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await returnCheck(receipt)).toMatchObject({ status: 409, code: 'returned' })
    expect(await voidReceipt(receipt)).toMatchObject({ status: 409 })
    expect(await loadLease2()).toMatchObject({ balance: owed + 30_00 + 2_10 })
    expect(await recordsOf(services, 'jobs', { kind: 'check_returned' })).toHaveLength(1)
    expect(await loadReceipt(receipt)).toMatchObject({ state: 'returned', ended_by: 'finance', ended_reason: 'nsf' })
    await matchBank(owed)
    expect(await loadReceipt(receipt)).toMatchObject({ state: 'returned' })
    // From now on checks are refused and a money order is accepted.
    const next = await openTestDrawer(services, agent)
    const check = await checkInputForCy(services, next, 10_00, '1055')
    expect(await receive(check)).toMatchObject({ status: 409, code: 'no_checks' })
    expect(await receive({ ...check, method: 'money_order' })).toMatchObject({ ok: true })
    await expectSumsAgree()
  })
})

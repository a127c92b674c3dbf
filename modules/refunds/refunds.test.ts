import { beforeEach, expect, it } from 'vitest'
import { type Cents, format } from '../../domain/money.ts'
import { DatabaseUnavailable } from '../../platform/database/open.ts'
import { perform } from '../../platform/operations/operation.ts'
import { payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import { runDueMessageJobs } from '../../tests/actors/run-due-message-jobs.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { change, recordOf, recordsOf } from '../../tests/support/rows.ts'
import { visitor } from '../../tests/support/small-operator.ts'
import { addStaffCaller, type StaffCallers, withApprovals } from '../../tests/support/staff.ts'
import { CreditLease } from '../ledger/operations/credit-lease.ts'
import { payCheckoutByBank } from '../payments/bank/bank-debit.ts'
import { openCheckout } from '../payments/open/open-checkout.ts'
import { REPORTED_REFUND_ATTEMPT } from '../payments/refund-unposted-payments.ts'
import type { CheckoutTerms } from '../payments/rules/checkout-terms.ts'
import { settlePayment } from '../payments/settle-payment.ts'
import { reconcilePayments } from '../payments/settle-pending-payments.ts'
import {
  adaPrepays,
  bankAccount,
  cyDues,
  leaseOf,
  openPayingServices,
  type PayingServices,
  startTestCheckout,
  testSubmission,
} from '../payments/testing.ts'
import { bankDebits, sandboxForTests } from '../payments/testing-card-provider.ts'
import { mailsOf } from '../payments/testing-invariants.ts'
import { DecideApproval } from '../staff/operations/decide-approval.ts'
import { loadNewestEntry } from '../standing/add-staff-ledger-entries.ts'
import { RefundPayment } from './operations/refund-payment.ts'
import { RefundedByHand } from './operations/refunded-by-hand.ts'
import { RetryRefund } from './operations/retry-refund.ts'
import { reverseReturnedDebits } from './reverse-payments-returned-by-bank.ts'
import { MAX_REFUND_ATTEMPTS } from './rules/max-refund-attempts.ts'
import { sendRefund } from './send-refunds.ts'

const DAY = 86_400_000
const { till, folder } = sandboxForTests('refunds')

describeOnBothEngines('A refund', (open) => {
  let services: PayingServices
  let finance: StaffCallers
  let agent: StaffCallers

  beforeEach(async () => {
    services = withApprovals(await openPayingServices(await open(), till, folder))
    services.bank = till.bank
    finance = await addStaffCaller(services, 'finance')
    agent = await addStaffCaller(services, 'agent', ['GA1'])
  })

  async function paidByCard(terms: CheckoutTerms = cyDues): Promise<{ order: string; cents: Cents }> {
    const checkout = await startTestCheckout(services, terms)
    const page = await openCheckout(services, checkout, visitor())
    if (!page.ok) throw new Error(page.why)
    await payAtHostedPage(page.payPageUrl, 'visa')
    await settlePayment(services, page.orderId)
    const { amount, state } = await recordOf(services, 'payments', { order_id: page.orderId })
    expect(state).toBe('posted')
    return { order: page.orderId, cents: amount }
  }

  async function paidByBank(ending = '0000'): Promise<{ order: string; cents: Cents }> {
    const checkout = await startTestCheckout(services, cyDues)
    const paid = await payCheckoutByBank(services, checkout, { account: bankAccount(ending), by: testSubmission })
    if (!paid.ok) throw new Error(JSON.stringify(paid))
    const { order_id, amount } = await recordOf(services, 'payments', { state: 'posted' })
    return { order: order_id, cents: amount }
  }

  /** Returns the fields of a refund form that is opened now. */
  async function form(order: string, cents: Cents, more: object = {}, lease = 10002) {
    const { location_code, lease_number, tenant_id, balance } = await leaseOf(services, lease)
    const newest = await loadNewestEntry(services.db.read, { location_code, lease_number })
    return {
      location_code,
      lease_number,
      tenant_id,
      balance,
      newest_entry: newest?.entry_id ?? '',
      act_id: services.random.uuid(),
      note: '',
      order_id: order,
      cents,
      way: 'provider',
      afterwards: 'owed',
      reason: 'charged-twice',
      ...more,
    }
  }
  const refund = (who: StaffCallers, input: object, key?: string) => perform(services, RefundPayment, input, who, key)
  const decide = async (who: StaffCallers, decision: 'approve' | 'refuse' = 'approve') => {
    const { approval_id, location_code } = await recordOf(services, 'approvals', { state: 'open' })
    return perform(services, DecideApproval, { approval_id, location_code, decision, because: '' }, who)
  }
  const refunds = () => recordsOf(services, 'refunds')
  const kindsAudited = async () =>
    (await recordsOf(services, 'audit_events')).map(({ kind, outcome }) => `${kind} ${outcome}`)
  const openTasks = async () =>
    (await recordsOf(services, 'tasks', { state: 'open' })).map(({ kind, cents }) => [kind, cents])
  /** Checks that ledger, order, refunds and audit agree on the refunded amount, and that the provider returned `sent` cents. */
  async function expectAgreement(order: string, sent: Cents) {
    const payment = await recordOf(services, 'payments', { order_id: order })
    const entries = (await recordsOf(services, 'ledger_entries', { order_id: order })).filter(
      ({ kind }) => kind === 'refund',
    )
    const promised = entries.reduce((sum, { cents }) => sum + cents, 0)
    expect(payment.refunded_cents).toBe(promised)
    expect(promised).toBeLessThanOrEqual(payment.approved_amount ?? payment.amount)
    expect((await refunds()).reduce((sum, { cents }) => sum + cents, 0)).toBe(promised)
    const audited = (await recordsOf(services, 'audit_events', { kind: 'money.refunded' })).map(
      ({ cents }) => cents ?? 0,
    )
    expect(audited.reduce((sum, cents) => sum + cents, 0)).toBe(promised)
    const reasons = new Set((await recordsOf(services, 'entry_reasons')).map(({ entry_id }) => entry_id))
    expect(entries.every(({ entry_id }) => reasons.has(entry_id))).toBe(true)
    expect((await till.moved(order)).returned).toBe(sent)
  }

  it('of a whole order makes the charges owed again and is sent by a job, and the payer gets a mail', async () => {
    const before = (await leaseOf(services, 10002)).balance
    const { order, cents } = await paidByCard()
    expect(await refund(finance, await form(order, cents, { preview: true, reason: '' }))).toMatchObject({
      value: {
        result: 'preview',
        done: { leases: [{ entries: [{ kind: 'refund', cents }], before: { balance: 0 } }] },
      },
    })
    expect(await refunds()).toEqual([])
    expect(await refund(finance, await form(order, cents))).toMatchObject({
      value: { result: 'done', done: { leases: [{ after: { balance: cents, status: 'Past Due' } }] } },
    })
    expect(cents).toBeGreaterThanOrEqual(before)
    await expectAgreement(order, 0)
    await services.runDueJobs()
    await services.runDueJobs()
    await expectAgreement(order, cents)
    expect(await refunds()).toMatchObject([{ state: 'done', attempts: 1 }])
    const [mail] = await mailsOf(services, /refund/)
    expect(mail?.subject).toBe(`Your refund of ${format(cents)} is on its way`)
    expect(mail?.text).toContain(`${format(cents)} is due for unit 302`)
    expect(mail?.text).toContain('/unit-lease-details?lease=10002')
    // The payment stays posted.
    await reconcilePayments(services)
    expect((await recordOf(services, 'payments', { order_id: order })).state).toBe('posted')
    expect(await refund(finance, await form(order, 1))).toMatchObject({ status: 409, code: 'nothing_left' })
  })

  it('links to the guest pages for a payer without online access, and names customer service if the unit is in auction', async () => {
    await change(services, 'tenants', { tenant_id: 1002 }, { grant_online_access: 0 })
    const { order, cents } = await paidByCard()
    expect(await refund(finance, await form(order, cents))).toMatchObject({ ok: true })
    await services.runDueJobs()
    expect((await mailsOf(services, /refund/))[0]?.text).toContain('/guest/find-email')
    await change(services, 'leases', { lease_number: 10002 }, { auction_prepped: 1 })
    await change(services, 'jobs', { kind: 'refund_sent' }, { state: 'waiting', done_at: null, attempts: 0 })
    const [mail] = await runDueMessageJobs(services)
    const byPhone = mail?.text
    expect(byPhone).toContain('Please contact customer service')
    expect(byPhone).not.toContain('See your unit')
  })

  it('of a charge of two days ago is sent, and may forgive the paid charges', async () => {
    const { order, cents } = await paidByCard()
    services.later(2 * DAY)
    expect(await refund(finance, await form(order, cents, { afterwards: 'forgiven' }))).toMatchObject({
      value: { result: 'done', done: { leases: [{ after: { balance: 0, status: 'Current' } }] } },
    })
    await services.runDueJobs()
    await services.runDueJobs()
    await expectAgreement(order, cents)
    expect((await mailsOf(services, /refund/))[0]?.text).toContain('you owe nothing for it')
  })

  it('of a prepayment reverses the periods that have not begun', async () => {
    const { order, cents } = await paidByCard(adaPrepays)
    expect((await leaseOf(services, 10001)).status).toBe('Pre-Paid')
    expect(await refund(finance, await form(order, cents, {}, 10001))).toMatchObject({ value: { result: 'done' } })
    const { status, paid_through, balance } = await leaseOf(services, 10001)
    expect({ status, paid_through }).toEqual({
      status: balance > 0 ? 'Past Due' : 'Current',
      paid_through: '2026-11-30',
    })
    // The card fee belongs to no period, so it is not reversed.
    expect(balance).toBeLessThan(5_00)
  })

  it('reverses a credit once, together with the prepaid period that it was given for', async () => {
    const { order, cents } = await paidByCard(adaPrepays)
    const credit = { ...(await form(order, 20_00, {}, 10001)), reason: 'our-mistake', period_start: '2026-12-01' }
    expect(await perform(services, CreditLease, credit, finance)).toMatchObject({ ok: true })
    const before = await recordsOf(services, 'ledger_entries', { order_id: order, kind: 'fee' })
    const taxes = await recordsOf(services, 'ledger_entries', { order_id: order, kind: 'tax' })
    expect(await refund(finance, await form(order, cents, {}, 10001))).toMatchObject({ value: { result: 'done' } })
    // The card fee belongs to no period, so it is owed; nothing else is.
    const fee = [...before, ...taxes].reduce((sum, entry) => sum + entry.cents, 0)
    expect((await leaseOf(services, 10001)).balance).toBe(fee)
  })

  it('of a part is one request when two tabs and two staff members send it with the same amount', async () => {
    const { order } = await paidByCard()
    const part = async (cents: Cents, more: object = {}) => form(order, cents, { way: 'check', ...more })
    const first = await part(5_00)
    const second = await part(5_00, { reason: 'other', note: 'Rain' })
    const request = await refund(agent, first)
    expect(request).toMatchObject({ value: { result: 'asked' } })
    expect(await refund(agent, second)).toEqual(request)
    expect(await refund(await addStaffCaller(services, 'agent'), await part(5_00))).toEqual(request)
    expect(await refund(agent, await part(6_00))).not.toEqual(request)
    expect(await recordsOf(services, 'approvals', { state: 'open' })).toHaveLength(2)
  })

  it('requested by an agent and approved during an outage is sent after it', async () => {
    const { order, cents } = await paidByCard()
    const request = await refund(agent, await form(order, cents))
    expect(request).toMatchObject({ value: { result: 'asked' } })
    await expectAgreement(order, 0)
    expect(await refunds()).toEqual([])
    expect(await decide(agent)).toMatchObject({ status: 403 })
    // The lease may change between request and decision.
    services.later(60_000)
    await change(services, 'leases', { lease_number: 10002 }, { auction_prepped: 1 })
    await till.fault({ kind: 'down', on: 'query', times: 2 })
    expect(await decide(finance)).toMatchObject({ ok: true })
    expect(await decide(finance).catch(() => 'none waits')).toBe('none waits')
    await services.runDueJobs()
    expect(await refunds()).toMatchObject([{ state: 'open', attempts: 1 }])
    await expectAgreement(order, 0)
    services.later(31_000)
    await services.runDueJobs()
    expect(await refunds()).toMatchObject([{ state: 'open', attempts: 2 }])
    services.later(31_000)
    expect(await services.runDueJobs()).toBe(0)
    services.later(60_000)
    // The provider makes the void, but its response is lost.
    await till.fault({ kind: 'lost', on: 'void' })
    await services.runDueJobs()
    services.later(10 * 60_000)
    await services.runDueJobs()
    await services.runDueJobs()
    await expectAgreement(order, cents)
    expect((await till.moved(order)).returns).toBe(1)
    expect(await refunds()).toMatchObject([{ state: 'done' }])
    expect(await kindsAudited()).toEqual(
      expect.arrayContaining(['approval.asked asked', 'approval.approved approved', 'money.refunded approved']),
    )
    expect(await mailsOf(services, /refund/)).toHaveLength(1)
  })

  it('is refused for invalid input, callers without the right, other orders, and payments that are not posted', async () => {
    const { order, cents } = await paidByCard()
    const outcomeOf = async (input: object, who = finance) => {
      const outcome = await refund(who, input)
      return outcome.ok ? 'ok' : [outcome.status, outcome.code]
    }
    expect(await outcomeOf(await form(order, cents + 1))).toEqual([409, 'more_than_left'])
    expect(await outcomeOf(await form(order, cents - 1))).toEqual([409, 'part_of_order'])
    for (const invalid of [0, -1, 1.5, 1e16, 'ten', '12.345', Number.NaN])
      expect(await outcomeOf(await form(order, cents, { cents: invalid })), String(invalid)).toEqual([
        400,
        'invalid_input',
      ])
    expect(await outcomeOf(await form('LKFFFFFFFFFFFFFFFFFFFFFFFF', cents))).toEqual([404, 'not_found'])
    expect(await outcomeOf(await form(order, cents, {}, 10001))).toEqual([404, 'not_found'])
    expect(await outcomeOf(await form(order, cents, { reason: '' }))).toEqual([400, 'invalid_input'])
    expect(await outcomeOf(await form(order, cents, { reason: 'other' }))).toEqual([400, 'invalid_input'])
    const elsewhere = await addStaffCaller(services, 'finance', ['HI1'])
    expect(await outcomeOf(await form(order, cents), elsewhere)).toEqual([404, 'not_found'])
    const auditor = await addStaffCaller(services, 'auditor')
    expect(await outcomeOf(await form(order, cents), auditor)).toEqual([403, 'forbidden'])
    // The role was removed while the form was open, so the next request has no role.
    const former = { ...finance, staff: { ...finance.staff, roles: [] } }
    expect(await outcomeOf(await form(order, cents), former)).toEqual([403, 'forbidden'])
    const tired = { ...finance, staff: { ...finance.staff, provenAt: services.clock.now() - 11 * 60_000 } }
    expect(await outcomeOf(await form(order, cents), tired)).toEqual([403, 'factor_needed'])
    const stale = await form(order, cents)
    await change(services, 'payments', { order_id: order }, { state: 'review' })
    expect(await outcomeOf(stale)).toEqual([409, 'not_posted'])
    await change(services, 'payments', { order_id: order }, { state: 'posted' })
    expect(await outcomeOf({ ...stale, balance: stale.balance + 1 })).toEqual([409, 'changed'])
    expect(await refunds()).toEqual([])
    await expectAgreement(order, 0)
  })

  it('of a bank debit is refused until ten days after its posting', async () => {
    const { order, cents } = await paidByBank()
    services.later(9 * DAY)
    expect(await refund(finance, await form(order, cents))).toMatchObject({ status: 409, code: 'too_young' })
    services.later(DAY)
    expect(await refund(finance, await form(order, cents))).toMatchObject({ value: { result: 'done' } })
    await services.runDueJobs()
    expect((await bankDebits(till)).find((debit) => debit.order_id === order)?.credited_at).not.toBeNull()
    expect(await refunds()).toMatchObject([{ state: 'done' }])
  })

  it('is made once when it is sent twice, by two staff members, or approved by two at once', async () => {
    const { order, cents } = await paidByCard()
    const input = await form(order, cents)
    const both = await Promise.all([
      refund(finance, input, 'key-of-the-form-1'),
      refund(finance, input, 'key-of-the-form-1'),
    ])
    expect(both.filter(({ ok }) => ok).length).toBeGreaterThanOrEqual(1)
    await expectAgreement(order, 0)

    const second = await paidByCard(adaPrepays)
    const owner = await addStaffCaller(services, 'owner')
    const forms = [await form(second.order, second.cents, {}, 10001), await form(second.order, second.cents, {}, 10001)]
    const answers = await Promise.all([refund(finance, forms[0] as object), refund(owner, forms[1] as object)])
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)

    await services.runDueJobs()
    const third = await paidByCard()
    await refund(agent, await form(third.order, third.cents))
    const approvals = await Promise.all([decide(finance), decide(owner)])
    expect(approvals.filter(({ ok }) => ok)).toHaveLength(1)
    expect(approvals.find(({ ok }) => !ok)).toMatchObject({ status: 409 })
    await services.runDueJobs()
    for (const paid of [second, third])
      expect(await till.moved(paid.order)).toMatchObject({ returns: 1, returned: paid.cents })
    expect(await refunds()).toHaveLength(3)
  })

  it('of a part is paid by check: a task, completed by the staff member who writes the check', async () => {
    const { order, cents } = await paidByCard()
    expect(await refund(finance, await form(order, 50_00, { way: 'check' }))).toMatchObject({
      value: { result: 'done' },
    })
    expect(await openTasks()).toEqual([['refund', 50_00]])
    expect(await refund(finance, await form(order, cents - 50_00))).toMatchObject({ code: 'part_of_order' })
    expect(await refund(finance, await form(order, cents, { way: 'check' }))).toMatchObject({ code: 'more_than_left' })
    const [waiting] = await refunds()
    const paid = { location_code: 'GA1', refund: waiting?.refund_id, how: 'check 1042' }
    expect(await perform(services, RefundedByHand, paid, agent)).toMatchObject({ status: 403 })
    const elsewhere = { ...paid, location_code: 'HI1' }
    expect(await perform(services, RefundedByHand, elsewhere, finance)).toMatchObject({ status: 404 })
    const twice = await Promise.all([1, 2].map(() => perform(services, RefundedByHand, paid, finance)))
    expect(twice.filter(({ ok }) => ok)).toHaveLength(1)
    await services.runDueJobs()
    expect(await openTasks()).toEqual([])
    expect((await mailsOf(services, /refund/))[0]?.text).toContain('by check 1042')
    expect(await refund(finance, await form(order, cents - 50_00, { way: 'check' }))).toMatchObject({
      value: { result: 'done' },
    })
    await expectAgreement(order, 0)
  })

  it('fails after the last attempt and can be retried; once it is sent, it cannot be paid by hand', async () => {
    const { order, cents } = await paidByCard()
    await services.runDueJobs()
    await refund(finance, await form(order, cents))
    const fail = async () => {
      await till.fault({ kind: '500', on: 'query', times: MAX_REFUND_ATTEMPTS })
      for (let tries = 0; tries < MAX_REFUND_ATTEMPTS; tries += 1) {
        expect(await services.runDueJobs()).toBe(1)
        services.later(7 * 60 * 60_000)
      }
    }
    await fail()
    const [failed] = await refunds()
    expect(failed).toMatchObject({ state: 'failed', attempts: MAX_REFUND_ATTEMPTS })
    expect(await openTasks()).toEqual([['refund', cents]])
    expect(services.reported).toHaveLength(2)
    const key = { location_code: 'GA1', refund: failed?.refund_id }
    expect(await perform(services, RetryRefund, key, finance)).toMatchObject({ ok: true })
    expect(await perform(services, RetryRefund, key, finance)).toMatchObject({ status: 409 })
    expect(await openTasks()).toEqual([])
    await fail()
    expect(await openTasks()).toEqual([['refund', cents]])
    expect(await perform(services, RetryRefund, key, finance)).toMatchObject({ ok: true })
    await services.runDueJobs()
    await expectAgreement(order, cents)
    expect(await perform(services, RefundedByHand, { ...key, how: 'check 7' }, finance)).toMatchObject({ status: 409 })
  })

  it('that fails is reported once, even if the transaction of its attempt is repeated', async () => {
    const { order, cents } = await paidByCard()
    await refund(finance, await form(order, cents))
    await change(services, 'refunds', { order_id: order }, { attempts: REPORTED_REFUND_ATTEMPT - 1 })
    await till.fault({ kind: '500', on: 'query', times: 1 })
    const [{ refund_id } = { refund_id: '' }] = await refunds()
    const job = { jobId: 'j', kind: 'send_refund', once: 'o', payload: { refundId: refund_id }, attempt: 1 } as const
    const effect = await sendRefund(services)(job)
    if (typeof effect !== 'function') throw new Error('no effect')
    let attempts = 0
    await services.db.transaction(async (tx) => {
      await effect(tx)
      attempts += 1
      if (attempts < 3) throw new DatabaseUnavailable('busy', Object.assign(new Error('deadlock'), { code: '40P01' }))
    })
    expect(await refunds()).toMatchObject([{ attempts: REPORTED_REFUND_ATTEMPT }])
    expect(services.reported).toHaveLength(1)
  })

  it('of a debit that the bank returns later leaves the rest to reverse, and a task to collect the refund', async () => {
    await services.db.write
      .insertInto('settings')
      .values({ name: 'bank_refund_days', value: '0', updated_at: 0 })
      .execute()
    const { order, cents } = await paidByBank('3333')
    await refund(finance, await form(order, 40_00, { way: 'check' }))
    const [waiting] = await refunds()
    await perform(
      services,
      RefundedByHand,
      { location_code: 'GA1', refund: waiting?.refund_id, how: 'check 9' },
      finance,
    )
    services.later(3 * DAY)
    await reverseReturnedDebits(services)
    const entries = await recordsOf(services, 'ledger_entries', { order_id: order })
    expect(entries.filter(({ kind }) => kind === 'reversal')).toMatchObject([{ cents: cents - 40_00 }])
    expect(
      entries.reduce((sum, entry) => sum + (entry.kind === 'fee' || entry.kind === 'tax' ? 0 : entry.cents), 0),
    ).toBe(0)
    expect(await openTasks()).toEqual([['collect', 40_00]])
  })

  it('of a debit that the bank has returned first is not sent', async () => {
    await services.db.write
      .insertInto('settings')
      .values({ name: 'bank_refund_days', value: '0', updated_at: 0 })
      .execute()
    const { order, cents } = await paidByBank('3333')
    services.later(3 * DAY)
    const late = await form(order, cents)
    expect(await refund(finance, late)).toMatchObject({ value: { result: 'done' } })
    await reverseReturnedDebits(services)
    await services.runDueJobs()
    expect(await refunds()).toMatchObject([{ state: 'returned' }])
    expect((await bankDebits(till)).find((debit) => debit.order_id === order)?.credited_at).toBeNull()
    expect((await recordOf(services, 'payments', { order_id: order })).state).toBe('returned')
    const entries = await recordsOf(services, 'ledger_entries', { order_id: order })
    expect(entries.filter(({ kind }) => kind === 'reversal')).toEqual([])
    expect(await openTasks()).toEqual([])
    expect(await refund(finance, await form(order, cents))).toMatchObject({ code: 'not_posted' })
  })
})

import { beforeEach, describe, expect, it } from 'vitest'
import { addDays } from '../../domain/plain-date.ts'
import type { Callers } from '../../platform/operations/callers.ts'
import { perform } from '../../platform/operations/operation.ts'
import { cancelAtHostedPage, payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { addRecord, change } from '../../tests/support/rows.ts'
import { asAda, asCy, lease, today, visitor } from '../../tests/support/small-operator.ts'
import { addStaffCaller } from '../../tests/support/staff.ts'
import { runBilling } from '../billing/run-billing.ts'
import { loadGateAccess } from '../gate/assign-and-activate-gate-codes.ts'
import { CancelScheduleMoveOut } from '../move-outs/operations/cancel-scheduled-move-out.ts'
import { ScheduleMoveOut } from '../move-outs/operations/schedule-move-out.ts'
import { expireUnpaidHolds } from '../payments/expire-unpaid-holds.ts'
import { openCheckout } from '../payments/open/open-checkout.ts'
import { settlePayment } from '../payments/settle-payment.ts'
import {
  adaPrepays,
  chargeNextPeriod,
  leaseOf,
  openPayingServices,
  type PayingServices,
  payAtCounter,
  recordOf,
  recordsOf,
  startTestCheckout,
} from '../payments/testing.ts'
import { sandboxForTests } from '../payments/testing-card-provider.ts'
import { expectInvariants, mailsOf } from '../payments/testing-invariants.ts'
import {
  openTestCardPage,
  plainAnswers,
  reloadDraft,
  saveTestAnswers,
  signTestLease,
} from '../payments/testing-rent-until-card-page.ts'
import { RefundPayment } from '../refunds/operations/refund-payment.ts'
import { loadNewestEntry } from '../standing/add-staff-ledger-entries.ts'
import { postCharge } from '../standing/post-entries.ts'
import { CancelTransfer } from './operations/cancel-transfer.ts'
import { QuoteTransfer } from './operations/quote-transfer.ts'
import { TransferUnit } from './operations/start-transfer-by-tenant-or-staff.ts'

const { till, folder } = sandboxForTests('transfers')
const DAY = 86_400_000
const ada = { location_code: 'GA1', tenant_id: 1001, lease_number: 10001 }

describeOnBothEngines('A change to another unit', (open) => {
  let services: PayingServices
  beforeEach(async () => {
    services = await openPayingServices(await open(), till, folder)
  })

  const requestTransfer = async (more: object = {}, by: Callers = asAda, key?: string) =>
    perform(
      services,
      TransferUnit,
      { ...ada, unit_type_id: 2, balance: (await leaseOf(services, 10001)).balance, reason: 'Needs room', ...more },
      by,
      key,
    )
  const quote = (more: object = {}, by: Callers = asAda) => perform(services, QuoteTransfer, { ...ada, ...more }, by)
  const transfers = () => recordsOf(services, 'transfers')
  const unit = (unit_number: string) => recordOf(services, 'units', { location_code: 'GA1', unit_number })
  const entries = async (lease_number: number) =>
    (await recordsOf(services, 'ledger_entries', { location_code: 'GA1', lease_number })).map(
      ({ kind, cents, once }) => ({
        kind,
        cents,
        once,
      }),
    )
  const loadMovedEntries = async (lease_number: number) =>
    (await entries(lease_number)).filter(({ once }) => once.startsWith('transfer:'))
  const sum = (rows: { cents: number }[]) => rows.reduce((all, row) => all + row.cents, 0)

  /** Charges and pays Ada's period of December. */
  async function payPeriod() {
    services.later(11 * DAY)
    const cents = await chargeNextPeriod(services, 10001)
    await payAtCounter(services, 10001, cents)
    return cents
  }

  async function loadTransferSigningDraft() {
    const [transfer] = await transfers()
    const { draft_id } = await recordOf(services, 'rental_drafts', {
      reservation_code: transfer?.reservation_code ?? '',
    })
    return reloadDraft(services, draft_id)
  }

  async function sign(answers: object = {}) {
    const draft = await signTestLease(
      services,
      await saveTestAnswers(services, await loadTransferSigningDraft(), { ...plainAnswers, ...answers }),
    )
    return openTestCardPage(services, draft)
  }

  async function signAndPay() {
    const page = await sign()
    await payAtHostedPage(page.payPageUrl, 'visa')
    expect((await settlePayment(services, page.orderId)).state).toBe('posted')
    return page
  }

  const nextDay = async (days = 1) => {
    services.later(days * DAY)
    await runBilling(services)
  }

  it('without overlap moves the tenant and the money for unused days in the payment’s transaction', async () => {
    const period = await payPeriod()
    const day = addDays(today, 11)
    const quoted = await quote({ unit_type_id: 2 })
    const result = await requestTransfer()
    expect(result).toMatchObject({ ok: true, value: { unit_number: '201' }, grants: { draftId: expect.any(String) } })
    expect(await unit('201')).toMatchObject({ status: 'held' })
    expect(await leaseOf(services, 10001)).toMatchObject({ status: 'Current', scheduled_move_out: null })
    await signAndPay()
    const moved = Math.floor((period * 29) / 30)
    expect(await leaseOf(services, 10001)).toMatchObject({ status: 'Closed', closed_on: day, balance: 0 })
    const next = await leaseOf(services, 10003)
    expect(next).toMatchObject({ unit_number: '201', status: 'Current', balance: -moved, gate_code: '482917' })
    expect(await unit('301')).toMatchObject({ status: 'off' })
    expect(await unit('201')).toMatchObject({ status: 'rented' })
    const old = await loadMovedEntries(10001)
    const onto = await loadMovedEntries(10003)
    expect(sum(old)).toBe(0)
    expect(sum([...old, ...onto].filter(({ once }) => /:(off|onto)$/.test(once)))).toBe(0)
    expect(onto).toMatchObject([{ kind: 'credit', cents: -moved }])
    expect(await transfers()).toMatchObject([{ state: 'done', moved_cents: moved, to_lease: 10003, ends_on: day }])
    // The preview equals what was written.
    if (!quoted.ok || !quoted.value.preview) throw new Error('not shown')
    const summarize = (rows: { kind: string; cents: number }[]) =>
      rows.map(({ kind, cents }) => `${kind} ${cents}`).sort()
    expect(summarize(quoted.value.preview.leases[0].entries)).toEqual(summarize(old))
    expect(summarize(quoted.value.preview.leases[1].entries)).toEqual(summarize(await entries(10003)))
    expect(quoted.value.preview).toMatchObject({ moved, endsOn: day, startsOn: day })
    await services.runDueJobs()
    expect(await mailsOf(services, /^You have moved from unit 301 to unit 201/)).toHaveLength(1)
    expect(
      (await loadGateAccess(services.db.read, 'GA1', services.clock.now())).find((row) => row.tenantId === 1001),
    ).toMatchObject({
      code: '482917',
      units: ['201'],
    })
    // The next bill exceeds the moved credit.
    const paid = new Set((await entries(10003)).map(({ once }) => once))
    await nextDay(30)
    const charged = (await entries(10003)).filter(({ once }) => !paid.has(once))
    expect(charged.map(({ once }) => once.split(':')[0])).toContain('period')
    expect(sum(charged)).toBeGreaterThan(moved)
    expect((await leaseOf(services, 10003)).balance).toBe(sum(charged) - moved)
    expect(sum(await entries(10001))).toBe(0)
  })

  it('begins on the requested day, and ends the old lease once after the overlap, moving the money for days unused by then', async () => {
    const period = await payPeriod()
    const day = addDays(today, 11)
    const starts = addDays(day, 2)
    await requestTransfer({ transfer_date: starts, overlap_days: '3' })
    await signAndPay()
    const ends = addDays(starts, 3)
    expect(await leaseOf(services, 10003)).toMatchObject({ move_in_date: starts, paid_through: addDays(starts, 29) })
    expect(await leaseOf(services, 10001)).toMatchObject({ status: 'Current', scheduled_move_out: ends, autopay: 0 })
    expect(await transfers()).toMatchObject([{ state: 'moving', ends_on: ends }])
    expect(
      (await loadGateAccess(services.db.read, 'GA1', services.clock.now())).find((row) => row.tenantId === 1001)?.units,
    ).toEqual(['201', '301'])
    await services.runDueJobs()
    expect(await mailsOf(services, /^Your move from unit 301/)).toHaveLength(1)
    await expectInvariants(services, till)
    for (let at = 0; at < 7; at += 1) await nextDay()
    await runBilling(services, { again: true })
    const moved = Math.floor((period * 24) / 30)
    expect(await leaseOf(services, 10001)).toMatchObject({ status: 'Closed', closed_on: ends, balance: 0 })
    expect(await leaseOf(services, 10003)).toMatchObject({ balance: -moved, status: 'Current' })
    expect(await transfers()).toMatchObject([{ state: 'done', moved_cents: moved }])
    expect(await loadMovedEntries(10003)).toHaveLength(1)
  })

  it('charges a period that begins during the overlap once, and moves its remaining days', async () => {
    await payPeriod()
    services.later(28 * DAY)
    await runBilling(services)
    await requestTransfer({ overlap_days: '5' })
    await signAndPay()
    for (let at = 0; at < 3; at += 1) await nextDay()
    const owed = (await leaseOf(services, 10001)).balance
    expect(owed).toBeGreaterThan(0)
    await payAtCounter(services, 10001, owed, 'COUNTER0002')
    for (let at = 0; at < 5; at += 1) await nextDay()
    expect(await leaseOf(services, 10001)).toMatchObject({ status: 'Closed', balance: 0 })
    const { moved_cents } = await recordOf(services, 'transfers', {})
    expect(moved_cents).toBe(Math.floor((owed * 26) / 30))
    const rents = (await recordsOf(services, 'ledger_entries', { lease_number: 10001, kind: 'rent' })).map(
      (row) => row.period_start,
    )
    expect(new Set(rents).size).toBe(rents.length)
  })

  it('moves days that were paid before the import, at the lease’s rent', async () => {
    await requestTransfer()
    await signAndPay()
    const lease = await leaseOf(services, 10001)
    expect(lease).toMatchObject({ status: 'Closed', balance: 0 })
    expect((await transfers())[0]?.moved_cents).toBe(Math.floor((lease.rent * 10) / 30))
  })

  async function prepay() {
    const page = await openCheckout(services, await startTestCheckout(services, adaPrepays), visitor())
    if (!page.ok) throw new Error(page.why)
    await payAtHostedPage(page.payPageUrl, 'visa')
    await settlePayment(services, page.orderId)
    return page
  }

  it('moves days that were paid before the import, and those of a period prepaid since', async () => {
    const page = await prepay()
    const { amount } = await recordOf(services, 'payments', { order_id: page.orderId })
    await requestTransfer()
    await signAndPay()
    const lease = await leaseOf(services, 10001)
    expect(lease).toMatchObject({ status: 'Closed', balance: 0 })
    const cardFeeWithTax = 2_14
    expect((await transfers())[0]?.moved_cents).toBe(Math.floor((lease.rent * 10) / 30) + amount - cardFeeWithTax)
  })

  it('makes the old lease owe a refunded prepayment, and reverses no period', async () => {
    await payPeriod()
    const page = await prepay()
    await requestTransfer()
    await signAndPay()
    const { amount } = await recordOf(services, 'payments', { order_id: page.orderId })
    const newest = await loadNewestEntry(services.db.read, { location_code: 'GA1', lease_number: 10001 })
    const form = { ...ada, balance: 0, newest_entry: newest?.entry_id ?? '', act_id: services.random.uuid(), note: '' }
    const refund = {
      order_id: page.orderId,
      cents: amount,
      way: 'provider',
      afterwards: 'owed',
      reason: 'charged-twice',
    }
    const refunded = await perform(
      services,
      RefundPayment,
      { ...form, ...refund },
      await addStaffCaller(services, 'finance'),
    )
    expect(refunded).toMatchObject({ ok: true, value: { result: 'done' } })
    expect(await leaseOf(services, 10001)).toMatchObject({ status: 'Closed', balance: amount })
    const rents = await recordsOf(services, 'ledger_entries', { lease_number: 10001, kind: 'rent' })
    expect(rents.filter(({ cents }) => cents < 0)).toEqual([])
  })

  it('leaves the old lease open and moves no money if the move-out is cancelled during the overlap', async () => {
    await payPeriod()
    await requestTransfer({ overlap_days: '4' })
    await signAndPay()
    const cancellation = await perform(services, CancelScheduleMoveOut, { ...ada, restore_autopay: '0' }, asAda)
    expect(cancellation).toMatchObject({ value: { SaveSuccessful: 'True' } })
    expect(await transfers()).toMatchObject([{ state: 'cancelled' }])
    for (let at = 0; at < 7; at += 1) await nextDay()
    expect(await leaseOf(services, 10001)).toMatchObject({ status: 'Current', scheduled_move_out: null })
    expect([...(await loadMovedEntries(10001)), ...(await loadMovedEntries(10003))]).toEqual([])
  })

  describe('is refused', () => {
    const code = async (more: object = {}, by: Callers = asAda) => {
      const result = await requestTransfer(more, by)
      return result.ok ? 'done' : `${result.status} ${result.code}`
    }

    it('for tenants and agents while dues are open; a manager may transfer, and the dues stay on the old lease', async () => {
      services.later(11 * DAY)
      const owed = await chargeNextPeriod(services, 10001)
      expect(await code()).toBe('409 owing')
      expect(await code({}, await addStaffCaller(services, 'agent'))).toBe('409 owing')
      expect(await code({}, await addStaffCaller(services, 'manager'))).toBe('done')
      await signAndPay()
      expect(await leaseOf(services, 10001)).toMatchObject({ status: 'Closed', balance: owed })
      expect(await leaseOf(services, 10003)).toMatchObject({ balance: 0 })
      expect(await recordsOf(services, 'audit_events', { kind: 'transfer.offered' })).toMatchObject([
        { tenant_id: 1001, lease_number: 10001, reason: 'Needs room' },
      ])
    })

    it('for a wrong or outdated form, and for a lease of another tenant, moving out, unsigned, to auction, or in a transfer', async () => {
      expect(await code({}, asCy)).toBe('403 forbidden')
      expect(await code({ tenant_id: 1002, lease_number: 10001 }, asCy)).toBe('404 lease_not_found')
      expect(await code({}, await addStaffCaller(services, 'agent', ['HI1']))).toBe('404 not_found')
      expect(await code({ balance: 5 })).toBe('409 changed')
      expect(await code({ transfer_date: '2027-11-23' })).toBe('400 invalid_input')
      expect(await code({ overlap_days: '15' })).toBe('400 invalid_input')
      expect(await code({ reason: '' }, await addStaffCaller(services, 'agent'))).toBe('400 invalid_input')
      const set = (values: object) =>
        services.db.write.updateTable('leases').set(values).where('lease_number', '=', 10001).execute()
      await set({ terms_required: 1 })
      expect(await code()).toBe('409 unsigned')
      await set({ terms_required: 0, auction_prepped: 1 })
      expect(await code()).toBe('409 auction')
      await set({ auction_prepped: 0 })
      await perform(services, ScheduleMoveOut, { ...ada }, asAda)
      expect(await code()).toBe('409 leaving')
      await perform(services, CancelScheduleMoveOut, { ...ada, restore_autopay: '0' }, asAda)
      expect(await code()).toBe('done')
      expect(await code({ unit_type_id: 1 })).toBe('409 offered')
      expect(await quote()).toMatchObject({ value: { block: 'offered', open: { state: 'offered' } } })
    })

    it('for a unit that has just been taken', async () => {
      expect(await code({ unit_id: 6 })).toBe('409 taken')
      const [first, second] = await Promise.all([
        requestTransfer({ unit_id: 4 }),
        perform(
          services,
          TransferUnit,
          { location_code: 'GA1', tenant_id: 1002, lease_number: 10002, unit_id: 4, balance: 15137, reason: 'Room' },
          await addStaffCaller(services, 'manager'),
        ),
      ])
      const refusals = [first, second].flatMap((result) => (result.ok ? [] : [result.code]))
      expect(refusals).toEqual(['taken'])
      expect(await transfers()).toHaveLength(1)
    })
  })

  it('frees the unit when cancelled or expired; the lease continues and may transfer again', async () => {
    const result = await requestTransfer()
    if (!result.ok) throw new Error(result.message)
    const cancel = (by: Callers) =>
      perform(services, CancelTransfer, { ...ada, transfer_id: result.value.transfer_id }, by)
    expect(await cancel(asCy)).toMatchObject({ status: 403 })
    expect(await cancel(asAda)).toMatchObject({ ok: true })
    expect(await cancel(asAda)).toMatchObject({ status: 409 })
    expect(await unit('201')).toMatchObject({ status: 'free' })
    await requestTransfer({ overlap_days: '2' })
    services.later(3 * DAY)
    await expireUnpaidHolds(services)
    expect(await unit('201')).toMatchObject({ status: 'free' })
    expect(await quote()).toMatchObject({ value: { block: '', open: null } })
    expect(await requestTransfer()).toMatchObject({ ok: true })
    expect((await transfers()).map(({ state }) => state).sort()).toEqual(['cancelled', 'expired', 'offered'])
  })

  it('is opened once under one key, and is not cancelled while it is being paid', async () => {
    const key = services.random.uuid()
    const [first, second] = await Promise.all([requestTransfer({}, asAda, key), requestTransfer({}, asAda, key)])
    const again = await requestTransfer({}, asAda, key)
    expect([first, second, again].filter((result) => result.ok).length).toBeGreaterThanOrEqual(2)
    expect(await transfers()).toHaveLength(1)
    await sign()
    const { transfer_id } = await recordOf(services, 'transfers', {})
    expect(
      await perform(
        services,
        CancelTransfer,
        { ...ada, transfer_id, reason: '' },
        await addStaffCaller(services, 'agent'),
      ),
    ).toMatchObject({
      status: 409,
      code: 'paying',
    })
  })

  it('is made once when its payment is settled twice, during billing and another payment', async () => {
    await payPeriod()
    await requestTransfer()
    const page = await sign()
    await payAtHostedPage(page.payPageUrl, 'visa')
    await Promise.all([
      settlePayment(services, page.orderId),
      settlePayment(services, page.orderId),
      runBilling(services),
      payAtCounter(services, 10001, 5_00, 'COUNTER0003'),
      runBilling(services, { again: true }),
    ])
    await settlePayment(services, page.orderId)
    const old = await leaseOf(services, 10001)
    const next = await leaseOf(services, 10003)
    expect(old.status).toBe('Closed')
    expect(await loadMovedEntries(10003)).toHaveLength(1)
    // Payments from before the transfer have moved to the new lease; later payments stay on the old lease.
    const { moved_cents } = await recordOf(services, 'transfers', {})
    expect([old.balance, next.balance + moved_cents]).toEqual([old.balance === 0 ? 0 : -5_00, 0])
    expect(sum([...(await entries(10001)), ...(await entries(10003))])).toBe(old.balance + next.balance)
  })

  it('is done while a payment for several units including the old one settles, which is posted or refunded whole', async () => {
    await payPeriod()
    await addRecord(services, 'leases', lease({ lease_number: 10009, tenant_id: 1001, unit_id: 3, unit_number: '103' }))
    await change(services, 'units', { location_code: 'GA1', unit_number: '103' }, { status: 'rented' })
    for (const leaseNumber of [10001, 10009])
      await services.db.transaction((tx) =>
        postCharge(tx, services, {
          locationCode: 'GA1',
          leaseNumber,
          kind: 'fee',
          cents: 24_00,
          description: 'Fee',
          once: 'fee',
        }),
      )
    const both = { ...adaPrepays, pays: 'dues', payer: 'units', leaseNumbers: [10001, 10009] } as const
    const cardPage = async () => {
      const checkout = await openCheckout(services, await startTestCheckout(services, both), visitor())
      if (!checkout.ok) throw new Error(checkout.why)
      return checkout
    }
    const manager = await addStaffCaller(services, 'manager')
    const left = await cardPage()
    expect(await requestTransfer({}, manager)).toMatchObject({ status: 409, code: 'money_on_its_way' })
    await cancelAtHostedPage(left.payPageUrl)
    await settlePayment(services, left.orderId)
    expect((await requestTransfer({}, manager)).ok).toBe(true)
    const together = await cardPage()
    await payAtHostedPage(together.payPageUrl, 'visa')
    const page = await sign()
    await payAtHostedPage(page.payPageUrl, 'visa')
    const settled = await Promise.all([
      settlePayment(services, together.orderId),
      settlePayment(services, page.orderId),
    ])
    for (const orderId of [together.orderId, page.orderId]) await settlePayment(services, orderId)
    expect(settled[1].state).toBe('posted')
    expect(await transfers()).toMatchObject([{ state: 'done' }])
    const paid = await recordsOf(services, 'ledger_entries', { order_id: together.orderId, kind: 'payment' })
    const { state, amount } = await recordOf(services, 'payments', { order_id: together.orderId })
    expect([state, paid.length, sum(paid)]).toEqual(state === 'posted' ? ['posted', 2, -amount] : ['refund_due', 0, 0])
    for (const { lease_number, balance } of await recordsOf(services, 'leases', { tenant_id: 1001 }))
      expect(sum(await entries(lease_number))).toBe(balance)
  })

  it('becomes an independent rental if the old lease has ended meanwhile', async () => {
    await payPeriod()
    await requestTransfer({ transfer_date: addDays(today, 14) })
    const page = await sign()
    await perform(services, ScheduleMoveOut, { ...ada, move_out_date: addDays(today, 12) }, asAda)
    await payAtHostedPage(page.payPageUrl, 'visa')
    await nextDay(2)
    expect(await leaseOf(services, 10001)).toMatchObject({ status: 'Closed' })
    await settlePayment(services, page.orderId)
    expect(await leaseOf(services, 10003)).toMatchObject({ unit_number: '201', balance: 0 })
    expect(await transfers()).toMatchObject([{ state: 'cancelled', moved_cents: 0 }])
  })
})

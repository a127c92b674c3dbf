import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { onlyOwnRequestWithdrawn } from '../../domain/texts/office-refusals.ts'
import { exportFolder } from '../../operator/export-importable-business-files.ts'
import { type InternalOperation, perform } from '../../platform/operations/operation.ts'
import type { Mail } from '../../ports/mail/mail.ts'
import { describeOnBothEngines, temporaryFolder } from '../../tests/support/databases.ts'
import { addRecord, change, recordOf, recordsOf } from '../../tests/support/rows.ts'
import { asAda, lease, openTestServices, type TestServices, visitor } from '../../tests/support/small-operator.ts'
import { addStaffCaller, type StaffCallers, withApprovals } from '../../tests/support/staff.ts'
import { runBilling } from '../billing/run-billing.ts'
import { messageJobHandlers } from '../messages/message-handlers.ts'
import { DecideApproval } from '../staff/operations/decide-approval.ts'
import { WithdrawApproval } from '../staff/operations/withdraw-approval.ts'
import type { LedgerAnswer } from '../standing/rules/ledger-operation-result-types.ts'
import { updateStanding } from '../standing/update-standing.ts'
import { addEntries } from './build-and-insert-entries.ts'
import { AddCharge } from './operations/add-charge.ts'
import { CreditLease } from './operations/credit-lease.ts'
import { MoveBalance } from './operations/move-balance.ts'
import { WaiveCharge } from './operations/waive-charge.ts'
import { WriteOffBalance } from './operations/write-off-balance.ts'
import { unpaidByPeriod } from './rules/ledger.ts'

const DAY = 86_400_000
const key = { location_code: 'GA1', lease_number: 10001 }

describeOnBothEngines('Manual ledger operations', (open) => {
  let services: TestServices
  let manager: StaffCallers

  beforeEach(async () => {
    services = withApprovals(await openTestServices(await open()))
    manager = await addStaffCaller(services, 'manager')
    await addRecord(services, 'fees', {
      location_code: 'GA1',
      fee_id: 9,
      unit_type_id: null,
      description: 'Late Fee',
      amount: 20_00,
      charged: 'late',
    })
  })

  const ledger = (lease_number = 10001) => recordsOf(services, 'ledger_entries', { location_code: 'GA1', lease_number })
  const leaseNow = (lease_number = 10001) => recordOf(services, 'leases', { location_code: 'GA1', lease_number })
  const owed = async () =>
    unpaidByPeriod(
      (await ledger()).map((entry) => ({
        kind: entry.kind,
        cents: entry.cents,
        postedOn: entry.posted_on,
        periodStart: entry.period_start,
        periodEnd: entry.period_end,
      })),
    )
      .filter((entry) => entry.owed !== 0)
      .map(({ start, end, owed }) => [start, end === null ? 'fee' : 'period', owed])

  /** Returns the fields of a form opened now. */
  async function form(lease_number = 10001, act_id: string = services.random.uuid()) {
    const entries = (await ledger(lease_number)).sort((a, b) => {
      const order = (entry: typeof a) => `${entry.posted_on} ${entry.created_at} ${entry.entry_id}`
      return order(a) < order(b) ? 1 : -1
    })
    const { balance, tenant_id } = await leaseNow(lease_number)
    const newest_entry = entries[0]?.entry_id ?? ''
    return { location_code: 'GA1', tenant_id, lease_number, balance, newest_entry, act_id, reason: '', note: '' }
  }

  // biome-ignore lint/suspicious/noExplicitAny: operations of every input
  type AnyOperation = InternalOperation<any, LedgerAnswer>
  const act = async (operation: AnyOperation, by: StaffCallers, own: object, idempotencyKey?: string) =>
    perform(services, operation, { ...(await form()), ...own }, by, idempotencyKey)

  /** Bills until December's rent is ten days late: rent 139 and tax 12.37, late fee 20 and tax 1.40. */
  async function billUntilLateFee() {
    for (const day of ['10', '11']) {
      services.clock.set(Date.parse(`2026-12-${day}T17:00:00Z`))
      await runBilling(services)
    }
    const fee = (await ledger()).find((entry) => entry.once === 'late:2026-12-01:fee')
    if (!fee) throw new Error('No late fee')
    return fee
  }

  const postFee = (cents: number, once: string, lease_number = 10001) =>
    services.db.transaction(async (tx) => {
      const leaseKey = { location_code: 'GA1', lease_number }
      await addEntries(tx, services, leaseKey, '2026-11-20', [{ kind: 'fee', cents, description: 'Fee', once }])
      await updateStanding(tx, services, leaseKey)
    })
  const feeId = async (once: string, lease_number = 10001) =>
    (await recordOf(services, 'ledger_entries', { once, lease_number })).entry_id

  it('waive a late fee with its tax: the rent stays owed, and billing does not charge the fee again', async () => {
    const fee = await billUntilLateFee()
    expect(await leaseNow()).toMatchObject({ balance: 172_77, status: 'Past Due', overlocked: 1 })
    const before = await ledger()
    const request = { entry_id: fee.entry_id, reason: 'first-time', note: 'called on Friday' }
    const done = await act(WaiveCharge, manager, request)
    expect(done).toMatchObject({
      ok: true,
      value: {
        result: 'done',
        done: {
          leases: [
            {
              leaseNumber: 10001,
              unitNumber: '301',
              entries: [
                { kind: 'fee', cents: -20_00, description: 'Late Fee waived', periodStart: '2026-12-11' },
                { kind: 'tax', cents: -1_40, description: 'Tax on fees waived', periodStart: '2026-12-11' },
              ],
              before: { balance: 172_77, status: 'Past Due' },
              after: { balance: 151_37, status: 'Past Due', overlocked: true },
            },
          ],
        },
      },
    })
    expect(await owed()).toEqual([['2026-12-01', 'period', 151_37]])
    const added = (await ledger()).filter((entry) => !before.some(({ entry_id }) => entry_id === entry.entry_id))
    const tax = before.find((entry) => entry.once === 'late:2026-12-01:tax')
    expect(added).toHaveLength(2)
    for (const entry of added)
      expect(entry).toMatchObject({ period_end: null, posted_on: '2026-12-11', order_id: null })
    // The other entries are unchanged.
    expect((await ledger()).filter((entry) => !added.includes(entry))).toEqual(expect.arrayContaining(before))
    const reasons = await recordsOf(services, 'entry_reasons')
    expect(
      reasons.map(({ entry_id: _, ...rest }) => rest).sort((a, _b) => (a.corrects === fee.entry_id ? -1 : 1)),
    ).toEqual(
      [fee.entry_id, tax?.entry_id].map((corrects) => ({
        act: 'waive',
        reason: 'first-time',
        note: 'called on Friday',
        staff_id: manager.staff.staffId,
        corrects,
      })),
    )
    const events = await recordsOf(services, 'audit_events', { kind: 'charge.waived' })
    expect(events).toMatchObject([
      {
        cents: 20_00,
        outcome: 'done',
        permission: 'fee.waive',
        location_code: 'GA1',
        tenant_id: 1001,
        lease_number: 10001,
        subject: fee.entry_id,
        reason: 'First time late: called on Friday',
      },
    ])
    expect(JSON.parse(events[0]?.details as string)).toEqual({ what: 'Late Fee of Dec 11', unit: '301' })
    for (let day = 0; day < 20; day += 1) {
      services.clock.advance(DAY)
      await runBilling(services)
    }
    expect(
      (await ledger())
        .filter((entry) => entry.kind === 'fee')
        .map((entry) => entry.cents)
        .sort(),
    ).toEqual([-20_00, 20_00])
  })

  it('make the lease current when only the waived fee was owed', async () => {
    const fee = await billUntilLateFee()
    await services.db.transaction(async (tx) => {
      const paid = { kind: 'payment' as const, cents: -151_37, description: 'Card', once: 'order:x:payment' }
      await addEntries(tx, services, key, '2026-12-11', [paid])
      await updateStanding(tx, services, key)
    })
    expect(await leaseNow()).toMatchObject({ balance: 21_40, status: 'Past Due', paid_through: '2026-12-30' })
    await act(WaiveCharge, manager, { entry_id: fee.entry_id, reason: 'courtesy' })
    expect(await leaseNow()).toMatchObject({ balance: 0, status: 'Current', overlocked: 0 })
  })

  it('waive nothing but a single fee, and only once', async () => {
    const fee = await billUntilLateFee()
    const waive = (entry_id: string) => act(WaiveCharge, manager, { entry_id, reason: 'courtesy' })
    for (const once of ['late:2026-12-01:tax', 'period:2026-12-01:rent'])
      expect(await waive(await feeId(once)), once).toMatchObject({ status: 409, code: 'not_a_fee' })
    expect(await waive('none-such')).toMatchObject({ status: 404 })
    // An entry of another lease is not found, though the staff member may see that lease.
    await postFee(5_00, 'fee:of-cy', 10002)
    expect(await waive(await feeId('fee:of-cy', 10002))).toMatchObject({ status: 404 })
    // A fee that belongs to a period is credited, not waived.
    await services.db.transaction(async (tx) => {
      const period = { start: '2026-12-01', end: '2026-12-30' }
      const power = { kind: 'fee' as const, cents: 15_00, description: 'Shore Power', once: 'period:x:fee:4', period }
      await addEntries(tx, services, key, '2026-12-01', [power])
      await updateStanding(tx, services, key)
    })
    expect(await waive(await feeId('period:x:fee:4'))).toMatchObject({ status: 409, code: 'not_a_fee' })
    expect(await waive(fee.entry_id)).toMatchObject({ ok: true })
    expect(await waive(fee.entry_id)).toMatchObject({ status: 409, code: 'waived' })
    const waiver = await feeId(`waive:${fee.entry_id}`)
    expect(await waive(waiver)).toMatchObject({ status: 409, code: 'not_a_fee' })
    expect(await recordsOf(services, 'entry_reasons')).toHaveLength(2)
  })

  it('refuse a stale form and name the change, and refuse a missing reason, or “other” without a note', async () => {
    const fee = await billUntilLateFee()
    const opened = { ...(await form()), entry_id: fee.entry_id, reason: 'courtesy' }
    await postFee(7_00, 'fee:later')
    const stale = await perform(services, WaiveCharge, opened, manager)
    expect(stale).toMatchObject({ status: 409, code: 'changed' })
    expect((stale as { message: string }).message).toContain('Fee $7.00')
    expect((stale as { message: string }).message).toContain('$179.77')
    const waiveWith = (own: object) => act(WaiveCharge, manager, { entry_id: fee.entry_id, ...own })
    expect(await waiveWith({ reason: '' })).toMatchObject({ status: 400, fields: { reason: expect.any(String) } })
    expect(await waiveWith({ reason: 'nonsense' })).toMatchObject({
      status: 400,
      fields: { reason: expect.any(String) },
    })
    expect(await waiveWith({ reason: 'damage' })).toMatchObject({ status: 400, fields: { reason: expect.any(String) } })
    expect(await waiveWith({ reason: 'other' })).toMatchObject({ status: 400, fields: { note: expect.any(String) } })
    expect(await recordsOf(services, 'entry_reasons')).toHaveLength(0)
  })

  it('run once when the same form is sent twice, or by two staff members at once', async () => {
    const fee = await billUntilLateFee()
    const input = { ...(await form()), entry_id: fee.entry_id, reason: 'courtesy' }
    const twice = await Promise.all([1, 2].map(() => perform(services, WaiveCharge, input, manager, input.act_id)))
    expect(twice.some(({ ok }) => ok)).toBe(true)
    expect(await perform(services, WaiveCharge, input, manager, input.act_id)).toMatchObject({
      ok: true,
      replayed: true,
    })
    // Also without the idempotency key nothing is written again: the entry exists and the form is stale.
    expect(await perform(services, WaiveCharge, input, manager)).toMatchObject({ status: 409 })
    await postFee(5_00, 'fee:two')
    const other = await addStaffCaller(services, 'agent')
    const second = { ...(await form()), entry_id: await feeId('fee:two'), reason: 'courtesy' }
    const both = await Promise.all([manager, other].map((by) => perform(services, WaiveCharge, second, by)))
    expect(both.map((result) => (result.ok ? 200 : result.status)).sort()).toEqual([200, 409])
    expect((await ledger()).filter((entry) => entry.once.startsWith('waive:'))).toHaveLength(3)
    // A form's charge is written once, even if the form is sent again with the current balance: its `act_id` is the key.
    const charge = { fee_id: 9, reason: 'missed-charge', act_id: services.random.uuid() }
    expect(await act(AddCharge, manager, charge)).toMatchObject({ ok: true })
    expect(await act(AddCharge, manager, charge)).toMatchObject({ status: 409, code: 'written' })
  })

  it('are refused to callers without the permission; at another facility or for another tenant, the lease is not found', async () => {
    const fee = await billUntilLateFee()
    const input = { ...(await form()), entry_id: fee.entry_id, reason: 'courtesy' }
    const by = (callers: Parameters<typeof perform>[3]) => perform(services, WaiveCharge, input, callers)
    expect(await by(await addStaffCaller(services, 'manager', ['HI1']))).toMatchObject({ status: 404 })
    expect(await by(await addStaffCaller(services, 'field'))).toMatchObject({ status: 403 })
    expect(await by(await addStaffCaller(services, 'auditor'))).toMatchObject({ status: 403 })
    expect(await by(asAda)).toMatchObject({ status: 403 })
    expect(await by(visitor())).toMatchObject({ status: 401 })
    const cys = { ...input, tenant_id: 1002 }
    expect(await perform(services, WaiveCharge, cys, manager)).toMatchObject({ status: 404 })
    expect(await recordsOf(services, 'entry_reasons')).toHaveLength(0)
  })

  it('preview exactly the entries that they then write, without writing them', async () => {
    const fee = await billUntilLateFee()
    const agent = await addStaffCaller(services, 'agent')
    const input = { ...(await form()), entry_id: fee.entry_id }
    const before = [await ledger(), await leaseNow(), await recordsOf(services, 'audit_events')]
    const preview = await perform(services, WaiveCharge, { ...input, preview: true }, agent)
    expect([await ledger(), await leaseNow(), await recordsOf(services, 'audit_events')]).toEqual(before)
    expect(await recordsOf(services, 'entry_reasons')).toHaveLength(0)
    const done = await perform(services, WaiveCharge, { ...input, reason: 'courtesy' }, agent)
    if (!preview.ok || !done.ok) throw new Error('refused')
    expect(preview.value).toMatchObject({
      result: 'preview',
      alone: true,
      allowance: { act: 25_00, day: 100_00, spent: 0 },
    })
    expect(preview.value.done).toEqual(done.value.done)
  })

  describe('limits', () => {
    const waiveFees = async (by: StaffCallers, amounts: number[]) => {
      const results: string[] = []
      for (const cents of amounts) {
        const once = `fee:${services.random.uuid()}`
        await postFee(cents, once)
        const done = await act(WaiveCharge, by, { entry_id: await feeId(once), reason: 'courtesy' })
        results.push(done.ok ? done.value.result : done.code)
      }
      return results
    }

    it('apply to the cent, for each operation and for the day', async () => {
      const agent = await addStaffCaller(services, 'agent')
      expect(await waiveFees(agent, [25_01, 25_00, 25_00, 25_00, 24_99])).toEqual([
        'asked',
        'done',
        'done',
        'done',
        'done',
      ])
      expect(await waiveFees(agent, [2, 1, 1])).toEqual(['asked', 'done', 'asked'])
      services.clock.advance(DAY)
      expect(await waiveFees(agent, [25_00])).toEqual(['done'])
      expect(await waiveFees(manager, [100_00, 100_01])).toEqual(['done', 'asked'])
      const finance = await addStaffCaller(services, 'finance')
      expect(await waiveFees(finance, [1000_00, 1000_01])).toEqual(['done', 'asked'])
      await addRecord(services, 'settings', {
        name: 'office_limits',
        value: JSON.stringify({ agent: { 'fee.waive': { act: 5_00, day: 6_00 } } }),
        updated_at: 0,
      })
      services.clock.advance(DAY)
      expect(await waiveFees(agent, [5_01, 5_00, 1_01, 1_00])).toEqual(['asked', 'done', 'asked', 'done'])
    })

    it('count ten concurrent waivers of $25 as $250', async () => {
      const agent = await addStaffCaller(services, 'agent')
      const leases = Array.from({ length: 10 }, (_, at) => 20_001 + at)
      await addRecord(
        services,
        'leases',
        leases.map((lease_number) =>
          lease({ lease_number, tenant_id: 1001, unit_id: 6, unit_number: `${lease_number}`, status: 'Closed' }),
        ),
      )
      const inputs = []
      for (const number of leases) {
        await postFee(25_00, `fee:${number}`, number)
        const entry_id = await feeId(`fee:${number}`, number)
        inputs.push({ ...(await form(number)), entry_id, reason: 'courtesy' })
      }
      const answers = await Promise.all(inputs.map((input) => perform(services, WaiveCharge, input, agent)))
      const results = answers.map((answer) => (answer.ok ? answer.value.result : answer.code)).sort()
      expect(results).toEqual([...Array(6).fill('asked'), ...Array(4).fill('done')])
      expect(await recordsOf(services, 'approvals')).toHaveLength(6)
    })
  })

  describe('approvals', () => {
    const decide = (by: StaffCallers, approval_id: string, decision: 'approve' | 'refuse', location_code = 'GA1') =>
      perform(services, DecideApproval, { approval_id, location_code, decision, because: 'Seen' }, by)

    /** Charges December unless the ledger has entries, then requests a credit as `by` or as a new agent. */
    async function requestCredit(cents: number, by?: StaffCallers) {
      const agent = by ?? (await addStaffCaller(services, 'agent'))
      if ((await ledger()).length === 0) {
        services.clock.set(Date.parse('2026-12-02T17:00:00Z'))
        await runBilling(services)
      }
      const input = { ...(await form()), cents, period_start: '2026-12-01', reason: 'service-problem', note: 'roof' }
      const result = await perform(services, CreditLease, input, agent, input.act_id)
      if (!result.ok || result.value.result !== 'asked') throw new Error(JSON.stringify(result))
      return { agent, input, id: result.value.approval_id }
    }

    it('run the operation once, after a second staff member has approved it', async () => {
      const { agent, input, id } = await requestCredit(50_00)
      // Submitting the same form again finds the same request.
      expect(await perform(services, CreditLease, input, agent, input.act_id)).toMatchObject({
        value: { result: 'asked', approval_id: id },
      })
      expect(await recordsOf(services, 'approvals')).toMatchObject([
        { operation: 'CreditLease', cents: 50_00, state: 'open', reason: 'Problem with the unit or site: roof' },
      ])
      expect(await leaseNow()).toMatchObject({ balance: 151_37 })
      expect(await decide(agent, id, 'approve')).toMatchObject({ status: 403 })
      expect(await decide(await addStaffCaller(services, 'manager', ['HI1']), id, 'approve')).toMatchObject({
        status: 404,
      })
      expect(await decide(manager, id, 'approve', 'HI1')).toMatchObject({ status: 404 })
      const decisions = await Promise.all([
        decide(manager, id, 'approve'),
        decide(await addStaffCaller(services, 'finance'), id, 'approve'),
      ])
      expect(decisions.map((answer) => (answer.ok ? 200 : answer.status)).sort()).toEqual([200, 409])
      expect(await leaseNow()).toMatchObject({ balance: 151_37 - 50_00 - 4_45 })
      const events = await recordsOf(services, 'audit_events', { tenant_id: 1001 })
      expect(events.map(({ kind, outcome }) => `${kind} ${outcome}`).sort()).toEqual([
        'approval.approved approved',
        'approval.asked asked',
        'lease.credited approved',
      ])
      // Requester and approver both appear in the audit.
      expect(new Set(events.map(({ staff_id }) => staff_id)).size).toBe(2)
      expect(await decide(manager, id, 'refuse')).toMatchObject({ status: 409 })
    })

    it('stop at the approver’s limit; more than $1,000 goes to the owner', async () => {
      await change(services, 'leases', key, { rent: 3000_00 })
      const district = await addStaffCaller(services, 'district')
      const finance = await addStaffCaller(services, 'finance')
      const { id } = await requestCredit(100_01)
      expect(await decide(manager, id, 'approve')).toMatchObject({ status: 403, code: 'above_limit' })
      expect(await decide(district, id, 'approve')).toMatchObject({ ok: true })
      // Finance requests too and cannot decide its own request.
      const large = await requestCredit(1000_01, finance)
      expect(await decide(finance, large.id, 'approve')).toMatchObject({ status: 403, code: 'own_request' })
      expect(await decide(district, large.id, 'approve')).toMatchObject({ status: 403, code: 'above_limit' })
      expect(await decide(await addStaffCaller(services, 'owner'), large.id, 'approve')).toMatchObject({ ok: true })
    })

    it('are refused when the ledger has changed since, with a message, and stay open', async () => {
      const { agent, id } = await requestCredit(50_00)
      await postFee(7_00, 'fee:meanwhile')
      const stale = await decide(manager, id, 'approve')
      expect(stale).toMatchObject({ status: 409, code: 'changed' })
      expect((stale as { message: string }).message).toMatch(/Fee \$7\.00.*Open the request/)
      expect(await recordsOf(services, 'entry_reasons')).toHaveLength(0)
      expect(await recordsOf(services, 'approvals')).toMatchObject([{ state: 'open' }])
      expect(await decide(manager, id, 'refuse')).toMatchObject({ ok: true })
      expect(await recordsOf(services, 'approvals')).toMatchObject([{ state: 'refused', decided_because: 'Seen' }])
      const second = await requestCredit(50_00, agent)
      const withdraw = (by: StaffCallers) =>
        perform(services, WithdrawApproval, { approval_id: second.id, location_code: 'GA1' }, by)
      expect(await withdraw(manager)).toMatchObject({ status: 403, message: onlyOwnRequestWithdrawn })
      expect(await withdraw(agent)).toMatchObject({ ok: true })
      expect(await recordsOf(services, 'audit_events', { kind: 'approval.withdrawn' })).toMatchObject([
        { outcome: 'done' },
      ])
      expect(await decide(manager, second.id, 'approve')).toMatchObject({ status: 409 })
    })

    it('are not decided by a staff member whose role was removed or whose factor is too old', async () => {
      const { id } = await requestCredit(50_00)
      const old = { ...manager, staff: { ...manager.staff, provenAt: 0 } }
      expect(await decide(old, id, 'approve')).toMatchObject({ status: 403, code: 'factor_needed' })
      const none = { ...manager, staff: { ...manager.staff, roles: [] } }
      expect(await decide(none, id, 'approve')).toMatchObject({ status: 403 })
    })
  })

  it('credit part of a period or all of it, with its tax, and billing charges no period again', async () => {
    services.clock.set(Date.parse('2026-12-02T17:00:00Z'))
    await runBilling(services)
    const finance = await addStaffCaller(services, 'finance')
    const credit = (cents: unknown, period_start = '2026-12-01') =>
      act(CreditLease, finance, { cents, period_start, reason: 'our-mistake' })
    for (const cents of [0, -5_00, 12.5, Number.NaN, 1e11, '25.00', null])
      expect(await credit(cents)).toMatchObject({ status: 400, fields: { cents: expect.any(String) } })
    expect(await credit(1_00, '2026-12-02')).toMatchObject({
      status: 409,
      fields: { period_start: expect.any(String) },
    })
    expect(await credit(139_01)).toMatchObject({
      status: 409,
      fields: { cents: 'At most $139.00 is left of this period.' },
    })
    expect(await credit(46_33)).toMatchObject({ ok: true })
    expect(await leaseNow()).toMatchObject({ balance: 151_37 - 46_33 - 4_12 })
    expect(await credit(92_68)).toMatchObject({ status: 409 })
    // Crediting the rest also credits the rest of the tax, to the cent.
    expect(await credit(92_67)).toMatchObject({ ok: true })
    expect(await leaseNow()).toMatchObject({ balance: 0, status: 'Current', paid_through: '2026-12-30' })
    expect(await credit(1)).toMatchObject({ status: 409 })
    const rent = () => ledger().then((all) => all.filter((entry) => entry.kind === 'rent'))
    expect(await rent()).toHaveLength(1)
    services.clock.advance(DAY)
    await runBilling(services)
    expect(await rent()).toHaveLength(1)
    expect((await ledger()).every((entry) => entry.kind !== 'rent' || entry.cents > 0)).toBe(true)
  })

  it('charge a listed fee with its tax, no other fee, and nothing to a closed lease', async () => {
    const charge = (fee_id: number) => act(AddCharge, manager, { fee_id, reason: 'lock-cut' })
    expect(await charge(1)).toMatchObject({ ok: true })
    expect(await leaseNow()).toMatchObject({ balance: 29_00 + 2_03, status: 'Past Due' })
    // A fee of another unit type and an unknown fee are refused.
    for (const fee_id of [4, 77]) expect(await charge(fee_id)).toMatchObject({ status: 409, code: 'fee_retired' })
    const fee = (await ledger()).find((entry) => entry.kind === 'fee')
    expect(await act(WaiveCharge, manager, { entry_id: fee?.entry_id, reason: 'our-mistake' })).toMatchObject({
      ok: true,
    })
    expect(await leaseNow()).toMatchObject({ balance: 0, status: 'Current' })
    await change(services, 'leases', key, { status: 'Closed', closed_on: '2026-11-20' })
    expect(await charge(1)).toMatchObject({ status: 409, code: 'lease_closed' })
  })

  it('write off the balance of a closed lease, but not while a payment is pending', async () => {
    await postFee(40_00, 'fee:old')
    const district = await addStaffCaller(services, 'district')
    const writeOff = () => act(WriteOffBalance, district, { reason: 'uncollectible' })
    expect(await writeOff()).toMatchObject({ status: 409, code: 'lease_open' })
    await change(services, 'leases', key, { status: 'Closed', closed_on: '2026-11-20' })
    const order = {
      order_id: 'LK0000000001',
      location_code: 'GA1',
      payer: 'tenant',
      tenant_id: 1001,
      lease_number: 10001,
      state: 'captured',
      amount: 40_00,
      plan: '',
      method: 'CC',
      autopay: 0,
      created_at: 0,
      updated_at: 0,
    }
    await addRecord(services, 'payments', order)
    expect(await writeOff()).toMatchObject({ status: 409, code: 'money_on_its_way' })
    await change(services, 'payments', { order_id: order.order_id }, { state: 'declined' })
    expect(await writeOff()).toMatchObject({ ok: true })
    expect(await leaseNow()).toMatchObject({ balance: 0, status: 'Closed' })
    expect((await recordsOf(services, 'entry_reasons'))[0]).toMatchObject({ act: 'write-off', reason: 'uncollectible' })
    expect(await writeOff()).toMatchObject({ status: 409, code: 'nothing_owed' })
  })

  it('move debts and credits between the leases of one tenant, whose sum stays the same', async () => {
    const finance = await addStaffCaller(services, 'finance')
    await addRecord(services, 'leases', lease({ lease_number: 10003, tenant_id: 1001, unit_id: 5, unit_number: 'P1' }))
    await postFee(40_00, 'fee:one')
    const moveInput = async (cents: number, to = 10003, from = 10001) => {
      const other = await form(to)
      const onto = { to_lease: to, to_balance: other.balance, to_newest_entry: other.newest_entry }
      return { ...(await form(from)), cents, reason: 'wrong-lease', ...onto }
    }
    const move = async (...request: Parameters<typeof moveInput>) =>
      perform(services, MoveBalance, await moveInput(...request), finance)
    expect(await move(40_01)).toMatchObject({ status: 409, fields: { cents: expect.any(String) } })
    expect(await move(1_00, 10001)).toMatchObject({ status: 409, code: 'same_lease' })
    expect(await move(1_00, 10002)).toMatchObject({ status: 404 })
    expect(await move(10_00)).toMatchObject({ ok: true })
    expect([(await leaseNow()).balance, (await leaseNow(10003)).balance]).toEqual([30_00, 10_00])
    expect(await perform(services, MoveBalance, await moveInput(5_00), manager)).toMatchObject({ status: 403 })
    // Moves both ways at once do not deadlock, and one of them is stale.
    const both = [await moveInput(1_00), await moveInput(1_00, 10001, 10003)]
    const answers = await Promise.all(both.map((input) => perform(services, MoveBalance, input, finance)))
    expect(answers.map((answer) => (answer.ok ? 200 : answer.status)).sort()).toEqual([200, 409])
    expect((await leaseNow()).balance + (await leaseNow(10003)).balance).toBe(40_00)
    // A debt cannot be moved onto a closed lease. A closed lease's credit may move to an open one.
    await change(services, 'leases', { location_code: 'GA1', lease_number: 10003 }, { status: 'Closed' })
    expect(await move(1_00)).toMatchObject({ status: 409, code: 'lease_closed' })
    await services.db.transaction(async (tx) => {
      const paid = { kind: 'payment' as const, cents: -50_00, description: 'Card', once: 'order:y:payment' }
      await addEntries(tx, services, { location_code: 'GA1', lease_number: 10003 }, '2026-11-20', [paid])
    })
    const credit = -(await leaseNow(10003)).balance
    expect(await move(credit, 10001, 10003)).toMatchObject({ ok: true })
    expect(await leaseNow(10003)).toMatchObject({ balance: 0 })
    expect((await leaseNow()).balance).toBe(40_00 - 50_00)
    const moved = (await recordsOf(services, 'entry_reasons', { act: 'move' })).length
    expect(moved).toBe(6)
  })

  it('mail the tenant once about a waiver, and leave the exported balance right', async () => {
    const fee = await billUntilLateFee()
    await act(WaiveCharge, manager, { entry_id: fee.entry_id, preview: true })
    expect(await recordsOf(services, 'jobs', { kind: 'ledger_changed' })).toHaveLength(0)
    await act(WaiveCharge, manager, { entry_id: fee.entry_id, reason: 'courtesy', note: 'not for the tenant' })
    const [job, ...more] = await recordsOf(services, 'jobs', { kind: 'ledger_changed' })
    expect(more).toEqual([])
    const sent: Parameters<Mail['send']>[0][] = []
    const handlers = messageJobHandlers(services, {
      mail: { send: async (message) => void sent.push(message) },
      from: 'Latchkey <desk@latchkey.example>',
    })
    await handlers.ledger_changed?.({ ...(job as object), payload: JSON.parse(job?.payload ?? '{}') } as never)
    expect(sent).toMatchObject([{ to: 'ada@example.com', subject: 'We waived a fee for unit 301' }])
    expect(sent[0]?.text).toContain('Late Fee waived: -$20.00')
    expect(sent[0]?.text).toContain('$151.37 is due for unit 301.')
    expect(sent[0]?.text).not.toContain('not for the tenant')

    const folder = temporaryFolder()
    await exportFolder(services.db, folder)
    const balances = readFileSync(join(folder, 'balances.csv'), 'utf8').trim().split('\n')
    expect(balances.filter((line) => line.startsWith('GA1,10001'))).toEqual([
      expect.stringMatching(/^GA1,10001,151\.37,.*2026-12-01|^GA1,10001,151\.37,.*12\/01\/2026/),
    ])
  })

  it('store a reason that the database refuses to change or delete', async () => {
    const fee = await billUntilLateFee()
    await act(WaiveCharge, manager, { entry_id: fee.entry_id, reason: 'courtesy' })
    for (const change of ["update entry_reasons set note = 'x'", 'delete from entry_reasons'])
      await expect(sql.raw(change).execute(services.db.write)).rejects.toThrow('append-only')
  })
})

/**
 * Tests which roles may move money by hand, at and above each limit for one operation and for a day, and which roles
 * may decide requests for approval. The limits are written here independently of the product's.
 */
import { beforeEach, describe, expect, it } from 'vitest'
import { officeOperations } from '../api/catalogue.ts'
import { type OfficeRole, officeRoles } from '../domain/office/roles-and-permissions.ts'
import { addEntries } from '../modules/ledger/build-and-insert-entries.ts'
import type { LimitedPermission } from '../modules/staff/rules/approval-limits.ts'
import { loadNewestEntry } from '../modules/standing/add-staff-ledger-entries.ts'
import { postCharge } from '../modules/standing/post-entries.ts'
import { updateStanding } from '../modules/standing/update-standing.ts'
import { staffActor, writeAuditEvent } from '../platform/audit/audit.ts'
import { perform } from '../platform/operations/operation.ts'
import { openerForTests } from './support/databases.ts'
import { addRecord, change, recordOf, recordsOf } from './support/rows.ts'
import { lease, openTestServices, type TestServices } from './support/small-operator.ts'
import { addStaffCaller, type StaffCallers, withApprovals } from './support/staff.ts'

/** A role's limits in dollars for one operation and for a day; 'asks' if the role may only request approval. */
type Cell = { act: number; day: number } | 'asks'
const byRole = (manager: Cell, district: Cell, finance: Cell, owner: Cell, agent?: Cell) =>
  ({ manager, district, finance, owner, ...(agent && { agent }) }) as Partial<Record<OfficeRole, Cell>>
const unlimited = 1_000_000
const upTo = (act: number, day: number): Cell => ({ act, day })
const usual = [upTo(100, 500), upTo(500, 2500), upTo(1000, 10_000), upTo(1000, 10_000)] as const

const limits: Readonly<Record<string, Partial<Record<OfficeRole, Cell>>>> = {
  WaiveCharge: byRole(upTo(100, 500), upTo(500, 2500), upTo(1000, unlimited), upTo(1000, unlimited), upTo(25, 100)),
  AddCharge: byRole(...usual, 'asks'),
  CreditLease: byRole(...usual, 'asks'),
  RefundPayment: byRole(...usual, 'asks'),
  OfferSettlement: byRole(...usual, 'asks'),
  WriteOffBalance: { district: usual[1], finance: usual[2], owner: usual[3] },
}

const permissionOf: Readonly<Record<string, LimitedPermission>> = {
  WaiveCharge: 'fee.waive',
  AddCharge: 'charge.add',
  CreditLease: 'lease.credit',
  RefundPayment: 'money.refund',
  OfferSettlement: 'balance.settle',
  WriteOffBalance: 'balance.write-off',
}

/** Operations with a preview but no limit: they move a balance between leases, or enter, void or return a payment. */
const withoutLimit = ['MoveBalance', 'ReceivePayment', 'VoidReceipt', 'ReturnCheck']

/** Operations that are limited like a refund. Their money comes from a lien case (modules/liens). */
const limitedAsRefunds = ['PaySurplus']

const orderId = 'LKLIMITS0000000000000000000'

describe('Money by hand', () => {
  const open = openerForTests()
  let services: TestServices

  beforeEach(async () => {
    services = withApprovals(await openTestServices(await open()))
    await change(services, 'locations', { location_code: 'GA1' }, { fee_tax_rate: 0, rent_tax_rate: 0 })
    await addRecord(
      services,
      'leases',
      lease({
        lease_number: 10003,
        tenant_id: 1002,
        unit_id: 7,
        unit_number: '302',
        status: 'Closed',
        closed_on: '2026-11-19',
      }),
    )
    await services.db.transaction(async (tx) => {
      const leaseKey = { location_code: 'GA1', lease_number: 10002 }
      const rent = { kind: 'rent' as const, cents: 90_000_00, description: 'Rent', once: 'period:2026-11-20:rent' }
      const payment = { kind: 'payment' as const, cents: -90_000_00, description: 'Card', orderId }
      await addEntries(tx, services, leaseKey, '2026-11-20', [
        { ...rent, period: { start: '2026-11-20', end: '2026-12-19' } },
        { ...payment, once: `order:${orderId}:payment` },
      ])
      await updateStanding(tx, services, leaseKey)
    })
    await addRecord(services, 'payments', {
      order_id: orderId,
      location_code: 'GA1',
      tenant_id: 1002,
      lease_number: 10002,
      payer: 'tenant',
      state: 'posted',
      method: 'CC',
      amount: 90_000_00,
      approved_amount: 90_000_00,
      autopay: 0,
      plan: '{}',
      draft_id: null,
      quote_id: null,
      session_token: null,
      pay_page_url: null,
      transaction_id: 'T1',
      response_code: '000',
      response_text: 'Approved',
      card_brand: 'VI',
      masked_card: '************1111',
      created_at: 1,
      updated_at: 1,
      captured_at: 1,
      posted_at: services.clock.now(),
    })
  })

  async function form(lease_number = 10002) {
    const { balance, tenant_id } = await recordOf(services, 'leases', { lease_number })
    const newest = await loadNewestEntry(services.db.read, { location_code: 'GA1', lease_number })
    return {
      location_code: 'GA1',
      tenant_id,
      lease_number,
      balance,
      newest_entry: newest?.entry_id ?? '',
      act_id: services.random.uuid(),
      note: 'As agreed',
      reason: 'other',
    }
  }

  const post = (leaseNumber: number, cents: number, once: string) =>
    services.db.transaction((tx) =>
      postCharge(tx, services, { locationCode: 'GA1', leaseNumber, kind: 'fee', cents, description: 'Fee', once }),
    )

  /** By operation: returns an input of exactly this many cents, after adding the records that it needs. */
  const inputs: Readonly<Record<string, (cents: number) => Promise<object>>> = {
    async WaiveCharge(cents) {
      const once = `fee:${services.random.uuid()}`
      await post(10002, cents, once)
      return { ...(await form()), entry_id: (await recordOf(services, 'ledger_entries', { once })).entry_id }
    },
    async AddCharge(amount) {
      const fee = { location_code: 'GA1', unit_type_id: null, fee_id: 90, description: 'A fee', charged: 'on_choice' }
      if ((await recordsOf(services, 'fees', { fee_id: 90 })).length === 0)
        await addRecord(services, 'fees', { ...fee, amount })
      await change(services, 'fees', { fee_id: 90 }, { amount })
      return { ...(await form()), fee_id: 90 }
    },
    CreditLease: async (cents) => ({ ...(await form()), cents, period_start: '2026-11-20' }),
    RefundPayment: async (cents) => ({
      ...(await form()),
      order_id: orderId,
      cents,
      way: 'check',
      afterwards: 'owed',
    }),
    async OfferSettlement(forgone) {
      await post(10002, forgone + 10_00, services.random.uuid())
      const { act_id: _, ...input } = await form()
      return { ...input, cents: input.balance - forgone }
    },
    async WriteOffBalance(cents) {
      const { balance } = await recordOf(services, 'leases', { lease_number: 10003 })
      if (cents > balance) await post(10003, cents - balance, services.random.uuid())
      else if (cents < balance)
        await services.db.transaction((tx) =>
          postCharge(tx, services, {
            locationCode: 'GA1',
            leaseNumber: 10003,
            kind: 'credit',
            cents: cents - balance,
            description: 'Less',
            once: services.random.uuid(),
          }),
        )
      return form(10003)
    },
  }

  const operationOf = (name: string) => {
    const operation = officeOperations.find((officeOperation) => officeOperation.name === name)
    if (!operation) throw new Error(name)
    return operation
  }

  async function act(name: string, by: StaffCallers, cents: number, more: object = {}) {
    const input = await inputs[name]?.(cents)
    return perform(services, operationOf(name), { ...input, ...more }, by)
  }

  /**
   * Previews an operation on the records of `inputs`.
   * @returns 'alone' when it needs no approval, 'asks' when it needs one, or the HTTP status of the refusal
   */
  async function preview(name: string, by: StaffCallers, cents: number) {
    const outcome = await act(name, by, cents, { preview: true })
    if (!outcome.ok) return outcome.status
    return (outcome.value as { alone: boolean }).alone ? 'alone' : 'asks'
  }

  const spend = (name: string, by: StaffCallers, cents: number) =>
    services.db.transaction((tx) =>
      writeAuditEvent(tx, services, staffActor(by), {
        kind: 'charge.waived',
        details: { what: 'Fee', unit: '302' },
        permission: permissionOf[name] ?? 'fee.waive',
        locationCode: 'GA1',
        cents,
      }),
    )

  it('covers every operation that previews its entries', () => {
    const previewing = officeOperations.filter(
      ({ input }) => 'preview' in ((input as { entries?: object }).entries ?? {}),
    )
    const covered = [...Object.keys(limits), ...withoutLimit, ...limitedAsRefunds]
    expect(previewing.map(({ name }) => name).sort()).toEqual(covered.sort())
  })

  it('lets only staff members who may perform an operation refuse a request for it', async () => {
    const requester = await addStaffCaller(services, 'district')
    await spend('WriteOffBalance', requester, 2500_00)
    const request = await act('WriteOffBalance', requester, 50_00)
    expect(request).toMatchObject({ ok: true, value: { result: 'asked' } })
    const { approval_id } = await recordOf(services, 'approvals', {})
    const input = { approval_id, location_code: 'GA1', decision: 'refuse', because: 'No' }
    const manager = await addStaffCaller(services, 'manager')
    expect(await perform(services, operationOf('DecideApproval'), input, manager)).toMatchObject({ status: 403 })
    const event = await recordOf(services, 'audit_events', { kind: 'act.refused' })
    expect(event).toMatchObject({ outcome: 'refused', details: '{"what":"Decide approval"}' })
    const second = await addStaffCaller(services, 'district')
    expect(await perform(services, operationOf('DecideApproval'), input, second)).toMatchObject({ ok: true })
  })

  describe.each(Object.entries(limits))('%s', (name, roles) => {
    it.each(officeRoles)('keeps the limits of role %s for one operation and for a day', async (role) => {
      const by = await addStaffCaller(services, role)
      const cell = roles[role]
      if (cell === undefined) return expect(await preview(name, by, 1)).toBe(403)
      if (cell === 'asks') return expect(await preview(name, by, 1)).toBe('asks')
      const limit = cell.act * 100
      const day = cell.day * 100
      expect([await preview(name, by, limit), await preview(name, by, limit + 1)]).toEqual(['alone', 'asks'])
      if (cell.day === unlimited) {
        await spend(name, by, 900_000_00)
        return expect(await preview(name, by, limit)).toBe('alone')
      }
      await spend(name, by, day - limit)
      expect(await preview(name, by, limit)).toBe('alone')
      await spend(name, by, limit - 1)
      expect([await preview(name, by, 1), await preview(name, by, 2)]).toEqual(['alone', 'asks'])
      // Another staff member's daily limit is separate.
      expect(await preview(name, await addStaffCaller(services, role), limit)).toBe('alone')
      services.clock.advance(86_400_001)
      expect(await preview(name, by, limit)).toBe('alone')
    })

    it('is refused alike to staff members of other facilities, whether or not the lease exists', async () => {
      for (const role of officeRoles) {
        const by = await addStaffCaller(services, role, ['HI1'])
        const expected = roles[role] === undefined ? 403 : 404
        const existing = await act(name, by, 100)
        const missing = await act(name, by, 100, { lease_number: 99_999, tenant_id: 99_999 })
        expect(existing).toMatchObject({ ok: false, status: expected })
        expect(missing).toEqual(existing)
      }
    })

    it('is decided by finance, an owner, or a manager or district within their limit, never by the requester', async () => {
      const requester = await addStaffCaller(services, roles.agent ? 'agent' : 'district')
      for (const cents of [100_00, 100_01, 500_00, 500_01, 1000_00, 1000_01]) {
        const own = roles.agent ? roles.agent : usual[1]
        if (own !== 'asks' && cents <= own.act * 100) continue
        for (const role of officeRoles) {
          const decider = await addStaffCaller(services, role)
          const request = await act(name, requester, cents)
          expect(request).toMatchObject({ ok: true, value: { result: 'asked' } })
          const { approval_id } = (request as { value: { approval_id: string } }).value
          const decide = (by: StaffCallers) =>
            perform(
              services,
              operationOf('DecideApproval'),
              { approval_id, location_code: 'GA1', decision: 'refuse', because: 'No' },
              by,
            )
          const cell = roles[role]
          const decidesAll = role === 'finance' || role === 'owner'
          const mayDecide =
            decidesAll ||
            (['manager', 'district'].includes(role) && typeof cell === 'object' && cents <= cell.act * 100)
          expect((await decide(requester)).ok, `${name} ${cents} by who asked`).toBe(false)
          const decided = await decide(decider)
          expect(decided.ok, `${name} over ${cents} decided by ${role}`).toBe(mayDecide)
          if (!mayDecide) expect(decided).toMatchObject({ status: 403 })
          const withdraw = (by: StaffCallers) =>
            perform(services, operationOf('WithdrawApproval'), { approval_id, location_code: 'GA1' }, by)
          expect((await withdraw(decider)).ok, 'withdrawn by another').toBe(false)
          expect((await withdraw(requester)).ok).toBe(!mayDecide)
        }
      }
    })
  })
})

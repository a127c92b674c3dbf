/**
 * Office operations with forms, under bad conditions: pressed three times at once, stale, with an invalid amount, after
 * the staff member lost the role, at another facility.
 */
import { beforeEach, expect, it } from 'vitest'
import { officeOperations } from '../../api/catalogue.ts'
import type { OfficeRole } from '../../domain/office/roles-and-permissions.ts'
import { officeCaller } from '../../modules/cash-drawers/testing.ts'
import { loadCase } from '../../modules/liens/load-lien-cases.ts'
import { workCase } from '../../modules/liens/testing-cases.ts'
import { moveToFictionalState, pdf } from '../../modules/liens/testing-lien-rules.ts'
import { completeMoveOut } from '../../modules/move-outs/vacate.ts'
import { postCharge } from '../../modules/standing/post-entries.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { memoryFiles } from '../../tests/support/memory-files.ts'
import { lease, openTestServices, type TestServices, today } from '../../tests/support/small-operator.ts'
import { withApprovals } from '../../tests/support/staff.ts'
import { type Answer, add, change, row, rows } from '../testing.ts'
import { type StaffBrowser, signedInStaff } from './testing.ts'

const file = '/office/tenants/GA1/1002'
const leasePage = `${file}/leases/10002`
const order = 'LKBADDAYS000000000000000000'

type Fields = Record<string, string>
/** Fields of a receipt that pay nothing on the tenant's other leases. */
const none = { 'amount-10003': '0', 'amount-10004': '0' }

interface Act {
  role: OfficeRole
  path: string | (() => string)
  /** Kind of the audit event that the operation must write once. */
  event: string
  typed?: Fields
  /** Set for a money panel: the name of its operation, which is previewed before it runs. */
  money?: string
  /** Returns the hidden fields of a plain form from its page's data. */
  hidden?: (data: Answer['data']) => Fields
  /** Name of the amount field, if any. */
  amount?: string
  /** Sets up state that only this operation needs. */
  prepare?: () => Promise<unknown>
  /** File to upload with the form. */
  file?: Uint8Array
}

describeOnBothEngines('The office on its bad days', (open, engine) => {
  /** Runs a test on SQLite only, since its outcome does not depend on the engine's locks. */
  const oneEngine = it.skipIf(engine === 'postgres')
  let services: TestServices
  const people = new Map<OfficeRole, StaffBrowser>()
  let drawer = ''
  let receipt = ''

  /** Number of calls of `upToSale`, each of which ends all sign-ins; part of the names of new staff members. */
  let days = 0
  const personOf = async (role: OfficeRole) => {
    const name = `${role}${days || ''}`
    const person = people.get(role) ?? (await signedInStaff(services, role, { scope: { facility: 'GA1' }, name }))
    people.set(role, person)
    return person
  }
  const charged = (cents: number, once: string, leaseNumber = 10002) =>
    services.db.transaction((tx) =>
      postCharge(tx, services, { locationCode: 'GA1', leaseNumber, kind: 'fee', cents, description: 'Late Fee', once }),
    )

  beforeEach(async () => {
    services = withApprovals({ ...(await openTestServices(await open())), allowsAnyFactor: true as const })
    services.files = memoryFiles()
    people.clear()
    days = 0
    await add(services, 'fees', {
      location_code: 'GA1',
      unit_type_id: null,
      fee_id: 9,
      description: 'Lock Cut Fee',
      amount: 45_00,
      charged: 'on_choice',
    })
    await add(services, 'leases', [
      lease({
        lease_number: 10003,
        tenant_id: 1002,
        unit_id: 3,
        unit_number: '103',
        status: 'Closed',
        closed_on: today,
      }),
      lease({ lease_number: 10004, tenant_id: 1002, unit_id: 2, unit_number: '102' }),
    ])
    await charged(20_00, 'late:2026-11-10:fee')
    await add(services, 'ledger_entries', {
      entry_id: 'november',
      location_code: 'GA1',
      lease_number: 10002,
      kind: 'rent',
      cents: 139_00,
      description: 'Rent',
      once: 'period:2026-11-01:rent',
      order_id: null,
      billing_run: null,
      created_at: 1,
      period_start: '2026-11-01',
      period_end: '2026-11-30',
      posted_on: '2026-11-01',
    })
    await charged(40_00, 'damage', 10003)
    await add(services, 'payments', {
      order_id: order,
      location_code: 'GA1',
      tenant_id: 1002,
      lease_number: 10002,
      payer: 'tenant',
      state: 'posted',
      method: 'CC',
      amount: 30_00,
      approved_amount: 30_00,
      autopay: 0,
      card_brand: 'VI',
      plan: JSON.stringify({ sealed: services.sealer.seal('{}', `payment:${order}:plan`) }),
      masked_card: '************1111',
      created_at: 1,
      updated_at: 1,
      captured_at: 1,
      posted_at: 2,
    })
    const agent = await personOf('agent')
    const { data } = await agent.get('/office/receipts')
    const { to } = await agent.post('/office/receipts', { place: 'GA1', float: '100', key: data.formKey })
    drawer = new URL(to, 'https://rent.example').searchParams.get('drawer') ?? ''
    await pressed({ ...acts['a check received'], typed: { ...none, 'amount-10002': '10', check_number: '7' } })
    receipt = (await row(services, 'counter_receipts')).receipt_id
  })

  const acts = {
    'a waiver': {
      role: 'agent',
      path: `${leasePage}/waive`,
      money: 'WaiveCharge',
      event: 'charge.waived',
      typed: { reason: 'courtesy' },
    },
    'a fee': {
      role: 'manager',
      path: `${leasePage}/charge`,
      money: 'AddCharge',
      event: 'charge.added',
      typed: { fee_id: '9', reason: 'missed-charge' },
    },
    'a credit': {
      role: 'manager',
      path: `${leasePage}/credit`,
      money: 'CreditLease',
      event: 'lease.credited',
      amount: 'amount',
      typed: { amount: '12', reason: 'courtesy' },
    },
    'a refund': {
      role: 'manager',
      path: `${leasePage}/refund`,
      money: 'RefundPayment',
      event: 'money.refunded',
      amount: 'amount',
      typed: { reason: 'charged-twice' },
    },
    'a moved balance': {
      role: 'finance',
      path: `${leasePage}/move-balance`,
      money: 'MoveBalance',
      event: 'balance.moved',
      amount: 'amount',
      typed: { reason: 'wrong-lease' },
    },
    'a write-off': {
      role: 'finance',
      path: `${file}/leases/10003/write-off`,
      money: 'WriteOffBalance',
      event: 'balance.written-off',
      typed: { reason: 'uncollectible' },
    },
    'a check received': {
      role: 'agent',
      path: `${file}/receive`,
      money: 'ReceivePayment',
      event: 'payment.received',
      amount: 'amount-10002',
      typed: { ...none, 'amount-10002': '15', check_number: '8' },
    },
    'a receipt voided': {
      role: 'manager',
      path: () => `/office/receipts/${receipt}/void`,
      money: 'VoidReceipt',
      event: 'receipt.voided',
      typed: { reason: 'wrong-amount' },
    },
    'a drawer counted': {
      role: 'agent',
      path: () => `/office/day-close/${drawer}`,
      event: 'drawer.closed',
      amount: 'cash',
      hidden: (data) => ({ ...data, intent: 'close', system: '1000', receipts: '1' }),
      typed: { cash: '0', checks: '10', money_orders: '0' },
    },
    'another gate code': {
      role: 'agent',
      path: `${file}/gate`,
      event: 'gate.code_changed',
      hidden: ({ mark = '' }) => ({ made_from: mark, intent: 'code', gate_code: '' }),
      typed: { reason: 'Lost' },
    },
    'a gate closed': {
      role: 'manager',
      path: `${file}/gate`,
      event: 'gate.suspended',
      hidden: ({ mark = '' }) => ({ made_from: mark, intent: 'suspend' }),
      typed: { reason: 'Lost', until: today },
    },
    'a move-out': {
      role: 'agent',
      path: `${leasePage}/move-out`,
      event: 'move_out.scheduled',
      hidden: () => ({ intent: 'schedule' }),
      typed: { move_out_date: '2026-11-25', reason: 'Called' },
    },
    'a desk move-in': {
      role: 'agent',
      path: '/office/units/GA1/move-in?unit=4',
      event: 'move_in.offered',
      hidden: ({ chosen }) => ({ intent: 'hold', unit_id: '4', move_in_date: today, quote: chosen.price.quoteId }),
      typed: { first: 'Rae', last: 'Ortiz', email: 'rae@example.com', cell_phone: '4045550147' },
    },
    'a unit out of service': {
      role: 'manager',
      path: '/office/units/GA1/5',
      event: 'unit.out_of_service',
      hidden: () => ({ intent: 'off' }),
      typed: { reason: 'Door spring', back_on: '2026-12-01' },
    },
    'a rent': {
      role: 'manager',
      path: `${leasePage}/rent`,
      event: 'rent.proposed',
      amount: 'rent',
      hidden: () => ({ intent: 'propose', rent_before: '13900' }),
      typed: { rent: '149', reason: 'Yearly' },
    },
    'a note': {
      role: 'agent',
      path: file,
      event: 'note.added',
      hidden: () => ({ intent: 'note' }),
      typed: { note: 'Pays Friday' },
    },
  } satisfies Record<string, Act>
  const all = Object.entries(acts) as [string, Act][]

  let lienCase = ''
  const casePage = () => `/office/liens/${lienCase}`
  const ready = async () => {
    await moveToFictionalState(services)
    await change(services, 'leases', { lease_number: 10002 }, { paid_through: '2026-08-31' })
  }
  const opened = async () => {
    await ready()
    await pressed(seldom['a lien case'])
    lienCase = (await row(services, 'lien_cases')).case_id
  }
  const upToSale = async () => {
    await opened()
    const goTo = (day: string) => services.clock.set(Date.parse(`${day}T17:00:00Z`))
    await workCase(services, lienCase, 'sale', {
      manager: officeCaller('manager'),
      field: officeCaller('field'),
      goTo,
    })
    goTo((await loadCase(services, lienCase))?.next?.earliest ?? '')
    days += 1
    people.clear()
  }
  const ofCase = (data: { form?: unknown }) => {
    const { key, madeFrom } = data.form as { key: string; madeFrom: string }
    return { key, made_from: madeFrom }
  }

  /** Further operations. Most of them need a state that `prepare` sets up. */
  const seldom = {
    'a lien case': {
      role: 'manager',
      path: `${leasePage}/lien`,
      event: 'lien.opened',
      prepare: ready,
      hidden: ({ madeFrom, key }) => ({ ...(madeFrom as unknown as Fields), key: key ?? '', intent: 'open' }),
    },
    'a step of a lien case': {
      role: 'manager',
      path: casePage,
      event: 'lien.recorded',
      prepare: opened,
      file: pdf(),
      hidden: (data) => ({ ...ofCase(data), intent: 'record', step: 'military' }),
      typed: { way: 'not serving' },
    },
    'a sale': {
      role: 'district',
      path: casePage,
      event: 'lien.recorded',
      prepare: upToSale,
      amount: 'amount',
      hidden: (data) => ({ ...ofCase(data), intent: 'sale', step: 'sale' }),
      typed: { name: 'Otis Brandt', email: 'otis@example.com', amount: '200' },
    },
    'the end of a lien case': {
      role: 'manager',
      path: casePage,
      event: 'lien.stopped',
      prepare: opened,
      hidden: (data) => ({ ...ofCase(data), intent: 'stop' }),
      typed: { reason: 'Agreed on payments' },
    },
    'a returned check': {
      role: 'finance',
      path: () => `/office/receipts/${receipt}/return`,
      money: 'ReturnCheck',
      event: 'check.returned',
      prepare: () => change(services, 'counter_receipts', { receipt_id: receipt }, { state: 'deposited' }),
      typed: { reason: 'nsf' },
    },
    'a transfer': {
      role: 'manager',
      path: `${leasePage}/transfer?unit_id=4&overlap_days=0`,
      event: 'transfer.offered',
      hidden: ({ values, balance }) => ({
        ...(values as unknown as Fields),
        balance: String(balance),
        intent: 'offer',
      }),
      typed: { reason: 'Called' },
    },
    'an erasure': {
      role: 'district',
      path: '/office/tenants/GA1/1001/erase',
      event: 'approval.asked',
      prepare: () => change(services, 'leases', { lease_number: 10001 }, { status: 'Closed', closed_on: '2026-05-04' }),
      hidden: ({ madeFrom = '', key = '' }) => ({ made_from: madeFrom, key, intent: 'erase' }),
      typed: { reason: 'Asked in writing' },
    },
  } satisfies Record<string, Act>
  const allSeldom = Object.entries(seldom) as [string, Act][]

  const addressOf = ({ path }: Act) => (typeof path === 'string' ? path : path())

  /** Returns a filled-in form's fields: from the opened page, typed and, in a money panel, from its preview. */
  async function filled(by: StaffBrowser, act: Act): Promise<Fields> {
    const path = addressOf(act)
    const { data } = await by.get(path)
    if (!act.money) return { key: data.formKey ?? services.random.uuid(), ...act.hidden?.(data), ...act.typed }
    const form = data.form ?? data.receive.form
    const fields = { ...form.madeFrom, ...form.values, ...(data.receive && { drawer }), ...act.typed }
    const seen = await by.post(path, { ...fields, key: form.key, previewed: form.previewed, intent: 'preview' })
    expect(seen.data.fields, path).toEqual({})
    return { ...fields, key: seen.data.key, previewed: seen.data.previewed, intent: 'act' }
  }
  const send = (by: StaffBrowser, act: Act, fields: Fields) => {
    if (!act.file) return by.post(addressOf(act), fields)
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append('file', new Blob([act.file as Uint8Array<ArrayBuffer>]), 'proof.pdf')
    return by.post(addressOf(act), form)
  }
  async function pressed(act: Act) {
    const by = await personOf(act.role)
    return send(by, act, await filled(by, act))
  }
  const events = async (kind: string) =>
    (await rows(services, 'audit_events', { kind: kind as 'note.added' })).filter(
      ({ outcome }) => outcome !== 'refused',
    ).length
  const entries = async () => (await rows(services, 'ledger_entries')).length

  async function pressedThreeTimes(act: Act) {
    await act.prepare?.()
    const by = await personOf(act.role)
    const fields = await filled(by, act)
    const before = await events(act.event)
    const answers = await Promise.all([1, 2, 3].map(() => send(by, act, fields)))
    const isDone = (answer: { status: number; data: { shown?: unknown[] } | null }) =>
      answer.status === 302 || Boolean(answer.data?.shown?.length)
    expect(answers.some(isDone)).toBe(true)
    // A submission of the same form that overlaps the first one may be refused with 409.
    for (const answer of answers.filter((candidate) => !isDone(candidate))) expect(answer.status).toBe(409)
    const written = await entries()
    expect(isDone(await send(by, act, fields))).toBe(true)
    expect([await events(act.event), await entries()]).toEqual([before + 1, written])
  }

  oneEngine('covers each operation of a money panel', () => {
    // These are previewed only on the page of an approval request, not in a money panel.
    const withoutMoneyPanel = ['OfferSettlement', 'PaySurplus']
    const withPreview = officeOperations.flatMap(({ name, input }) =>
      'entries' in input && 'preview' in (input.entries as object) ? [name] : [],
    )
    const covered = [...all, ...allSeldom].flatMap(([, { money }]) => money ?? [])
    expect([...covered, ...withoutMoneyPanel].sort()).toEqual(withPreview.sort())
  })

  it.each(all)('%s: takes effect once when pressed three times and later again', (_, act) => pressedThreeTimes(act))
  it.skipIf(engine === 'sqlite').each(allSeldom)('%s: takes effect once when pressed three times', (_, act) =>
    pressedThreeTimes(act),
  )

  oneEngine.each(all.filter(([, { money }]) => money))(
    '%s: names the entries written since the form was opened, if they outdate it',
    async (_, act) => {
      const by = await personOf(act.role)
      const fields = await filled(by, act)
      services.clock.advance(1)
      for (const number of [10002, 10003]) await charged(5_00, `since:${number}`, number)
      const before = [await events(act.event), await entries()]
      const answer = await by.post(addressOf(act), fields)
      // The form that voids a receipt holds no ledger state, so later entries do not outdate it.
      if (act.event === 'receipt.voided') return expect(answer.status).toBe(302)
      expect(answer.status).toBe(409)
      expect(Object.values(answer.data.fields).join()).toMatch(/Late Fee \$5\.00/)
      expect([await events(act.event), await entries()]).toEqual(before)
    },
  )

  oneEngine.each([...all, ...allSeldom].filter(([, { amount }]) => amount))(
    '%s: refuses an invalid amount with a sentence',
    async (_, act) => {
      await act.prepare?.()
      const by = await personOf(act.role)
      const fields = await filled(by, act)
      const before = [await events(act.event), await entries()]
      const zero = act.event === 'drawer.closed' ? [] : ['0', '0.00']
      for (const amount of [...zero, '-5', '1e9', '1000000000', '12.345', ',', 'ten', '$', '10 20']) {
        const given = { ...fields, [act.amount ?? '']: amount, key: services.random.uuid() }
        const answer = await send(by, act, given)
        expect(answer.status, amount).toBeGreaterThanOrEqual(400)
        expect(answer.status, amount).toBeLessThan(500)
        expect(Object.values(answer.data.fields).join(), amount).toMatch(/\w{3,} /)
      }
      expect([await events(act.event), await entries()]).toEqual(before)
    },
  )

  async function losesTheRole(act: Act) {
    const by = await personOf(act.role)
    const fields = await filled(by, act)
    const before = [await events(act.event), await entries()]
    const { staffId } = await by.caller()
    await change(services, 'staff_roles', { staff_id: staffId }, { role: 'auditor' })
    const gone = await send(by, act, fields)
    expect([403, 404]).toContain(gone.status)
    await change(services, 'staff_roles', { staff_id: staffId }, { role: act.role, scope: 'facility:HI1' })
    const elsewhere = await send(by, act, fields)
    expect(elsewhere.status).toBe(404)
    expect([await events(act.event), await entries()]).toEqual(before)
    await change(services, 'staff_roles', { staff_id: staffId }, { scope: 'facility:GA1' })
  }

  oneEngine.each(all)('%s: does nothing for a staff member who has lost the role', (_, act) => losesTheRole(act))
  oneEngine('further operations do nothing for a staff member who has lost the role', async () => {
    for (const name of ['a transfer', 'an erasure'] as const) {
      await (seldom[name] as Act).prepare?.()
      await losesTheRole(seldom[name])
    }
    await upToSale()
    for (const name of ['a sale', 'the end of a lien case'] as const) await losesTheRole(seldom[name])
  })

  oneEngine('staff members of other facilities get the same response whether or not the record exists', async () => {
    await services.db.transaction(async (tx) => {
      const left = await tx.selectFrom('leases').selectAll().where('lease_number', '=', 10004).executeTakeFirstOrThrow()
      await completeMoveOut(tx, services, left, today)
    })
    const elsewhere = await signedInStaff(services, 'owner', { scope: { facility: 'HI1' }, name: 'elsewhere' })
    const known = [...new Set(all.map(([, act]) => addressOf(act))), '/office/field/GA1/10004', '/office/setup/GA1']
    for (const path of known) {
      const nothing = path
        .replace('1002', '999999')
        .replace(/leases\/\d+/, 'leases/999999')
        .replace(/RC\w+/, 'RC00000000FF')
        .replace(/DR\w+/, 'DR00000000FF')
        .replace(/GA1\/(\d+|10004)$/, 'GA1/999999')
      const there = await elsewhere.get(path)
      const absent = await elsewhere.get(nothing)
      expect(there.status, path).toBe(404)
      expect(await there.response?.text(), path).toBe(await absent.response?.text())
      const act = await elsewhere.post(path, { intent: 'act' })
      const none = await elsewhere.post(nothing, { intent: 'act' })
      // A form may be refused before its record is looked up.
      expect([act.status, none.status], path).toEqual(act.status === 400 ? [400, 400] : [404, 404])
    }
  })
})

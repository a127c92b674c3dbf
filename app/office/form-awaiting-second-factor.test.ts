import { beforeEach, expect, it } from 'vitest'
import { officeOperations } from '../../api/catalogue.ts'
import type { OfficeRole } from '../../domain/office/roles-and-permissions.ts'
import { officeCaller, performOrThrow } from '../../modules/cash-drawers/testing.ts'
import { setGate } from '../../modules/gate/set-gate-kind-and-hours.ts'
import { loadCase } from '../../modules/liens/load-lien-cases.ts'
import { OpenLienCase } from '../../modules/liens/operations/open-lien-case.ts'
import { CloseSale } from '../../modules/liens/operations/record-sale.ts'
import { formOfCase, saleForm, workCase } from '../../modules/liens/testing-cases.ts'
import { moveToFictionalState } from '../../modules/liens/testing-lien-rules.ts'
import { encryptPlan } from '../../modules/payments/order-terms-encryption.ts'
import { approvalContext } from '../../modules/staff/approvals.ts'
import { deleteExpiredForms } from '../../modules/staff/delete-expired-forms.ts'
import { makeMachineKey } from '../../modules/staff/machine-keys.ts'
import { loadNewestEntry } from '../../modules/standing/add-staff-ledger-entries.ts'
import { openerForTests } from '../../tests/support/databases.ts'
import { memoryFiles } from '../../tests/support/memory-files.ts'
import { openTestServices, type TestServices } from '../../tests/support/small-operator.ts'
import { add, change, row, rows } from '../testing.ts'
import { type StaffBrowser, signedInStaff } from './testing.ts'

const open = openerForTests()
const MINUTE = 60_000
const ORDER = 'LK0000000000000000000000AA'
const ID = '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c15'
const refundPath = '/office/tenants/GA1/1002/leases/10002/refund'
let services: TestServices

beforeEach(async () => {
  services = { ...(await openTestServices(await open())), allowsAnyFactor: true as const }
  services.files = memoryFiles()
})

const goTo = (day: string) => services.clock.set(Date.parse(`${day}T17:00:00Z`))

/** A filled-in form whose operation needs a fresh second factor. */
interface Filled {
  path: string
  form: Record<string, string>
  /** Names of fields that are typed or chosen. */
  typed: string[]
  role?: OfficeRole
  /** Page of the form, when it posts to another address. */
  page?: string
}

async function colleague(): Promise<string> {
  const { staffId } = await (await signedInStaff(services, 'agent', { name: 'Bo' })).caller()
  return `/office/staff/${staffId}`
}

async function lienCase(step: 'check' | 'sale'): Promise<{ path: string; id: string }> {
  await moveToFictionalState(services)
  await change(services, 'leases', { lease_number: 10002 }, { paid_through: '2026-08-31' })
  const { balance } = await row(services, 'leases', { lease_number: 10002 })
  const leaseInput = { location_code: 'GA1', tenant_id: 1002, lease_number: 10002, balance, newest_entry: '' }
  await performOrThrow(services, OpenLienCase, { ...leaseInput, newest_entry: await newest() }, officeCaller('manager'))
  const id = (await row(services, 'lien_cases')).case_id
  await workCase(services, id, step, { manager: officeCaller('manager'), field: officeCaller('field'), goTo })
  goTo((await loadCase(services, id))?.next?.earliest ?? '')
  return { path: `/office/liens/${id}`, id }
}

const newest = async () =>
  (await loadNewestEntry(services.db.read, { location_code: 'GA1', lease_number: 10002 }))?.entry_id ?? ''

const ofCase = async (id: string) => ({ made_from: (await formOfCase(services, id)).made_from })

/** Adds a card payment of $100.00. */
async function payment(): Promise<void> {
  await add(services, 'payments', {
    order_id: ORDER,
    location_code: 'GA1',
    payer: 'tenant',
    tenant_id: 1002,
    lease_number: 10002,
    amount: 100_00,
    state: 'posted',
    plan: encryptPlan(services, ORDER, '{"pays":"dues"}'),
    autopay: 0,
    method: 'CC',
    approved_amount: 100_00,
    transaction_id: 't',
    card_brand: 'Visa',
    masked_card: '************1111',
    created_at: 1,
    updated_at: 1,
    posted_at: services.clock.now(),
  })
}

/** Refunds part of a payment by check. @returns the id of the refund, which waits in the queue until it is paid */
async function refundWaiting(): Promise<string> {
  await payment()
  const finance = await signedInStaff(services, 'finance', { name: 'Fi' })
  const { data } = await finance.get(refundPath)
  const given = { amount: '40.00', way: 'check', afterwards: 'owed', reason: 'charged-twice', note: '' }
  const fields = { ...data.form.madeFrom, ...given, key: data.form.key, intent: 'preview' }
  const seen = await finance.post(refundPath, fields)
  await finance.post(refundPath, { ...fields, key: seen.data.key, previewed: seen.data.previewed, intent: 'act' })
  const [waiting] = (await finance.get('/office/queue')).data.rows
  expect(waiting).toMatchObject({ kind: 'refund' })
  return waiting.id
}

const byQueue = (kind: string, id: string, intent: string, text = ''): Filled => ({
  path: `/office/queue/${kind}/${id}`,
  form: { kind, id, location: 'GA1', tenant: '1002', lease: '10002', task: '', intent, text },
  typed: text ? ['text'] : [],
  role: 'finance',
})

async function review(): Promise<string> {
  await payment()
  await change(services, 'payments', { order_id: ORDER }, { state: 'review', posted_at: null })
  return ORDER
}

async function approval(): Promise<Filled> {
  const asker = await (await signedInStaff(services, 'agent', { name: 'Bo' })).caller()
  await add(services, 'approvals', {
    approval_id: ID,
    operation: 'EraseTenant',
    permission: 'tenant.erase',
    location_code: 'GA1',
    cents: 0,
    input_sealed: services.sealer.seal('{}', approvalContext(ID)),
    summary: 'Erase',
    reason: 'Asked',
    asked_by: asker.staffId,
    asked_at: 1,
    state: 'open',
    decided_because: '',
    tenant_id: 1002,
    lease_number: null,
  })
  const form = { location_code: 'GA1', intent: 'refuse', because: 'Not by telephone' }
  return { path: `/office/queue/${ID}`, form, typed: ['because'] }
}

/** Creates a machine key. @returns the path of the key's page */
async function machineKey(): Promise<string> {
  const created = await services.db.transaction((tx) =>
    makeMachineKey(tx, services, 'test', {
      name: `Gate ${services.random.hex(3)}`,
      role: 'gate',
      scopes: [{ all: true }],
      pii: false,
      perMinute: 60,
      expiresAt: null,
    }),
  )
  return `/office/setup/keys/${created?.keyId}`
}

/** Forms by operation, submitted when the second factor is more than ten minutes old. */
const forms: Record<string, () => Promise<Filled>> = {
  InviteStaff: async () => ({
    path: '/office/staff',
    form: { name: 'Ina New', email: 'ina@office.example', role: 'field', scope: 'facility:GA1' },
    typed: ['name', 'email', 'role', 'scope'],
  }),
  SetRoles: async () => ({
    path: await colleague(),
    form: { intent: 'roles', before: 'x', role: 'manager', scope: 'facility:GA1', reason: 'Runs Decatur' },
    typed: ['role', 'scope', 'reason'],
  }),
  EndStaff: async () => ({
    path: await colleague(),
    form: { intent: 'end', reason: 'Left on Friday' },
    typed: ['reason'],
  }),
  ResetStaffFactors: async () => ({
    path: await colleague(),
    form: { intent: 'reset', reason: 'Lost the telephone' },
    typed: ['reason'],
  }),
  InviteStaffAgain: async () => {
    const path = await colleague()
    await change(services, 'staff', { staff_id: path.split('/').at(-1) as string }, { ended_at: services.clock.now() })
    return { path, form: { intent: 'invite', reason: 'Back for the season' }, typed: ['reason'] }
  },
  SetLimits: async () => {
    const path = '/office/setup/limits'
    const html = (await (await signedInStaff(services, 'owner', { name: 'Opener' })).get(path)).html()
    const [, of = '', was = ''] = /name="was-([\w-]+)" value="([\d ]+)"/.exec(html) ?? []
    const form = { [`act-${of}`]: '12.34', [`day-${of}`]: '56.78', [`was-${of}`]: was, reason: 'Less' }
    return { path, form, typed: [`act-${of}`, `day-${of}`, 'reason'] }
  },
  MakeMachineKey: async () => ({
    path: '/office/setup/keys',
    form: {
      name: 'Main gate',
      role: 'tenants',
      scope: 'facility:GA1',
      calls: '90',
      ends: '90',
      reason: 'New controller',
    },
    typed: ['name', 'role', 'scope', 'calls', 'ends', 'reason'],
  }),
  RotateMachineKey: async () => ({
    path: await machineKey(),
    form: { intent: 'rotate', reason: 'Yearly' },
    typed: ['reason'],
  }),
  RevokeMachineKey: async () => ({
    path: await machineKey(),
    form: { intent: 'revoke', reason: 'Stolen with the controller' },
    typed: ['reason'],
  }),
  RemoveFactor: async () => ({ path: '/office/me', form: { intent: 'remove', factor: ID }, typed: [] }),
  NewRecoveryCodes: async () => ({ path: '/office/me', form: { intent: 'codes' }, typed: [] }),
  DecideApproval: approval,
  SignOffLienRules: async () => {
    await moveToFictionalState(services, 'GA1', false)
    const form = { intent: 'sign', version: 'ZZ-2026-01', digest: 'x', reason: 'Counsel of Nowhere' }
    return { path: '/office/liens/rules', form, typed: ['reason'] }
  },
  DecideLienStep: async () => {
    const { path, id } = await lienCase('sale')
    await performOrThrow(
      services,
      CloseSale,
      { ...(await formOfCase(services, id)), ...saleForm },
      officeCaller('district'),
    )
    const step_id = (await loadCase(services, id))?.waiting?.step_id ?? ''
    return {
      path,
      form: { intent: 'refuse', step_id, ...(await ofCase(id)), reason: 'No such winner' },
      typed: ['reason'],
    }
  },
  CloseSale: async () => {
    const { path, id } = await lienCase('sale')
    const sale = { name: 'Otis Brandt', email: 'otis@example.com', city: 'Atlanta', zip: '30318', amount: '420.50' }
    return {
      path,
      form: { intent: 'sale', step: 'sale', ...(await ofCase(id)), ...sale },
      typed: Object.keys(sale),
    }
  },
  PaySurplus: async () => {
    const { path, id } = await lienCase('sale')
    await change(
      services,
      'lien_cases',
      { case_id: id },
      { state: 'surplus', surplus: 5_00, surplus_until: '2027-11-20' },
    )
    await change(services, 'leases', { lease_number: 10002 }, { balance: -5_00 })
    return {
      path,
      form: { intent: 'surplus', ...(await ofCase(id)), to: 'state', how: 'check 1042' },
      typed: ['to', 'how'],
      role: 'finance',
    }
  },
  RefundPayment: async () => {
    await payment()
    const form = { order_id: ORDER, balance: '0', newest_entry: 'x', amount: '33.30', way: 'check' }
    return {
      path: refundPath,
      form: {
        ...form,
        afterwards: 'forgiven',
        reason: 'charged-twice',
        note: 'By telephone',
        key: ID,
        intent: 'act',
        previewed: 'with | 33.30 | check | forgiven',
      },
      typed: ['amount', 'way', 'afterwards', 'reason', 'note'],
      role: 'finance',
    }
  },
  RetryRefund: async () => byQueue('refund', await refundWaiting(), 'retry'),
  RefundedByHand: async () => byQueue('refund', await refundWaiting(), 'by-hand', 'check 1042'),
  DecideReview: async () => byQueue('review', await review(), 'refund'),
  ExportAudit: async () => ({
    path: '/office/audit/file?group=files',
    page: '/office/audit?group=files',
    form: {},
    typed: [],
  }),
  ExportTenant: async () => {
    const page = '/office/tenants/GA1/1001/export'
    return { path: `${page}/archive`, page, form: {}, typed: [] }
  },
  ExportGateList: async () => {
    await services.db.transaction((tx) => setGate(tx, services, 'GA1', { kind: 'none', week: null }))
    const page = '/office/setup/GA1/gate'
    return { path: `${page}/list.csv`, page, form: { reason: 'The gate is offline' }, typed: ['reason'] }
  },
  EraseTenant: async () => {
    const leave = { status: 'Closed', closed_on: '2026-05-04' } as const
    await change(services, 'leases', { lease_number: 10001 }, leave)
    const form = { intent: 'erase', made_from: 'x', reason: 'Asked for in writing' }
    return { path: '/office/tenants/GA1/1001/erase', form, typed: ['reason'] }
  },
}

const asks = officeOperations.flatMap(({ name, freshFactor }) => (freshFactor ? [name] : []))
/** Operations started by a link, without typed fields. */
const byLink = ['ExportReport', 'ExportRents']

it('covers each office operation that requires a fresh factor, except those started by a link', () => {
  expect(Object.keys(forms).sort()).toEqual(asks.filter((name) => !byLink.includes(name)).sort())
})

/** Returns whether a field of the page holds the value or has it chosen. */
const chosen = (html: string, name: string, value: string): boolean =>
  new RegExp(`<input(?=[^>]*name="${name}")(?=[^>]*type="radio")(?=[^>]*checked)[^>]*value="${value}"`).test(html) ||
  new RegExp(`<input(?=[^>]*name="${name}")(?![^>]*type="(?:radio|hidden)")[^>]*value="${value}"`).test(html) ||
  new RegExp(`<select[^>]*name="${name}"(?:(?!</select>).)*<option value="${value}" selected`).test(html)

async function oldFactor(role: OfficeRole): Promise<StaffBrowser> {
  const person = await signedInStaff(services, role, { name: 'Olivia' })
  services.clock.advance(11 * MINUTE)
  return person
}

it.each(Object.entries(forms))(
  'the form of %s is restored after the second factor, before the operation has run',
  async (_, fill) => {
    const { path, page = path, form, typed, role = 'owner' } = await fill()
    const person = await oldFactor(role)
    const opened = await person.get(page)
    expect(opened.status).toBe(200)
    for (const name of typed) expect(chosen(opened.html(), name, form[name] ?? ''), name).toBe(false)
    const loadEvents = () => rows(services, 'audit_events')
    const audited = new Set((await loadEvents()).map(({ event_id }) => event_id))

    const redirected = await person.post(path, form)
    expect(redirected).toMatchObject({ status: 302, to: expect.stringMatching(/^\/office\/second-factor\?next=/) })
    for (const name of typed) expect(decodeURIComponent(redirected.to), name).not.toContain(form[name])
    const confirmed = await person.giveCode(person.code(), 'totp', redirected.to.slice(redirected.to.indexOf('?')))
    expect(confirmed.to.replace(/[?&]kept=.*/, '')).toBe(page)

    const back = await person.get(confirmed.to)
    expect(back.status).toBe(200)
    const html = back.html()
    for (const name of typed) expect(chosen(html, name, form[name] ?? ''), name).toBe(true)
    if (page === path) expect(html).toContain('Nothing has been done yet')
    expect(html).not.toContain('enctype="multipart')
    const since = (await loadEvents()).filter(({ event_id }) => !audited.has(event_id))
    expect(since.map(({ kind }) => kind)).toEqual(['staff.factor_proven'])

    const pressed = await person.post(confirmed.to.replace(page, path), form)
    expect(pressed.to).not.toContain('second-factor')
  },
)

it('shows a stored form only to its session, on its page, for an hour', async () => {
  const person = await oldFactor('owner')
  const form = { name: 'Ina New', email: 'ina@office.example', role: 'field', scope: 'all' }
  const { to } = await person.post('/office/staff', form)
  const confirmed = await person.giveCode(person.code(), 'totp', to.slice(to.indexOf('?')))
  const filled = async (who: StaffBrowser, path = confirmed.to) => (await who.get(path)).html().includes('Ina New')
  expect(await filled(person)).toBe(true)
  expect(await filled(await signedInStaff(services, 'owner', { name: 'Other' }))).toBe(false)
  expect(await filled(person, confirmed.to.replace('?', '?kind=app&').replace('/staff', '/add-factor'))).toBe(false)
  expect((await row(services, 'kept_forms')).fields_sealed).not.toContain('Ina')
  services.clock.advance(29 * MINUTE)
  expect(await filled(person)).toBe(true)
  expect(await deleteExpiredForms(services)).toBe(0)
  services.clock.advance(29 * MINUTE)
  expect(await filled(person)).toBe(true)
  services.clock.advance(3 * MINUTE)
  expect(await filled(person)).toBe(false)
  expect(await deleteExpiredForms(services)).toBe(1)
})

it('deletes a stored form once its operation is done', async () => {
  const person = await oldFactor('owner')
  const form = { name: 'Ina New', email: 'ina@office.example', role: 'field', scope: 'all' }
  const { to } = await person.post('/office/staff', form)
  const confirmed = await person.giveCode(person.code(), 'totp', to.slice(to.indexOf('?')))
  expect(await person.post(confirmed.to, form)).toMatchObject({ status: 302, to: '/office/staff?done=invited' })
  expect((await person.get('/office/staff?done=invited')).html()).toContain('The invitation is on its way by mail.')
  expect(await rows(services, 'kept_forms')).toEqual([])
})

it('returns from a report’s file to the report', async () => {
  const person = await oldFactor('owner')
  const { to } = await person.get('/office/reports/rent-roll.csv?at=GA1')
  expect(to).toBe(`/office/second-factor?next=${encodeURIComponent('/office/reports/rent-roll?at=GA1')}`)
})

it('stores the name of a new factor but never its secret', async () => {
  const person = await oldFactor('owner')
  const path = '/office/add-factor?kind=app'
  const form = { intent: 'totp', secret: 'JBSWY3DPEHPK3PXP', code: '123456', name: 'Work telephone' }
  const { to } = await person.post(path, form)
  const kept = JSON.stringify(await rows(services, 'kept_forms'))
  expect(kept).toContain('form_id')
  const confirmed = await person.giveCode(person.code(), 'totp', to.slice(to.indexOf('?')))
  const html = (await person.get(confirmed.to)).html()
  expect(html).toContain('value="Work telephone"')
  expect(html).toContain('It is a new picture')
  expect(html).not.toContain('JBSWY3DPEHPK3PXP')
})

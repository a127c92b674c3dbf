import { beforeEach, expect, it } from 'vitest'
import { officeCaller, performOrThrow } from '../../../modules/cash-drawers/testing.ts'
import { handleGateContact } from '../../../modules/gate/answer-gate-list-pull.ts'
import { storeGateEvents } from '../../../modules/gate/gate-events.ts'
import { setGate } from '../../../modules/gate/set-gate-kind-and-hours.ts'
import { loadCase } from '../../../modules/liens/load-lien-cases.ts'
import { OpenLienCase } from '../../../modules/liens/operations/open-lien-case.ts'
import { CloseSale } from '../../../modules/liens/operations/record-sale.ts'
import { formOfCase, saleForm, workCase } from '../../../modules/liens/testing-cases.ts'
import { moveToFictionalState, pdf } from '../../../modules/liens/testing-lien-rules.ts'
import { loadNewestEntry } from '../../../modules/standing/add-staff-ledger-entries.ts'
import { perform } from '../../../platform/operations/operation.ts'
import { openerForTests } from '../../../tests/support/databases.ts'
import { memoryFiles } from '../../../tests/support/memory-files.ts'
import { openTestServices, type TestServices } from '../../../tests/support/small-operator.ts'
import { add, change, row } from '../../testing.ts'
import { type StaffBrowser, signedInStaff } from '../testing.ts'

const open = openerForTests()
let services: TestServices
let path = ''
const id = () => path.slice('/office/liens/'.length)

const goTo = (day: string) => services.clock.set(Date.parse(`${day}T17:00:00Z`))
const staff = (role: 'manager' | 'field' | 'district', name: string): Promise<StaffBrowser> =>
  signedInStaff(services, role, { scope: { facility: 'GA1' }, name })
/** Completes the case's steps before the given one, and moves the clock to the first day of the given one. */
async function upTo(step: 'check' | 'sale') {
  await workCase(services, id(), step, { manager: officeCaller('manager'), field: officeCaller('field'), goTo })
  goTo((await loadCase(services, id()))?.next?.earliest ?? '')
}

beforeEach(async () => {
  services = { ...(await openTestServices(await open())), allowsAnyFactor: true as const }
  services.files = memoryFiles()
  await moveToFictionalState(services)
  await change(services, 'leases', { lease_number: 10002 }, { paid_through: '2026-08-31' })
  const { balance } = await row(services, 'leases', { lease_number: 10002 })
  const newest = await loadNewestEntry(services.db.read, { location_code: 'GA1', lease_number: 10002 })
  const leaseInput = { location_code: 'GA1', tenant_id: 1002, lease_number: 10002, balance }
  const form = { ...leaseInput, newest_entry: newest?.entry_id ?? '' }
  await perform(services, OpenLienCase, form, officeCaller('manager'))
  path = `/office/liens/${(await row(services, 'lien_cases')).case_id}`
})

it('shows the opening, the next step and the planned steps', async () => {
  const html = (await (await staff('manager', 'Mo')).get(path)).html()
  for (const text of ['Opened', 'Next: ', 'Not before', 'office-planned', 'Stop the case', ' owed'])
    expect(html).toContain(text)
})

it('lists a due step in the queue although 500 older cases have none, and lists all cases', async () => {
  const lienCase = await row(services, 'lien_cases')
  for (let index = 0; index < 500; index += 1)
    await add(services, 'lien_cases', {
      ...lienCase,
      case_id: `sold-${index}`,
      state: 'surplus',
      surplus: 1,
      surplus_until: '2030-01-01',
      opened_at: 1,
    })
  goTo((await loadCase(services, id()))?.next?.earliest ?? '')
  const manager = await staff('manager', 'Mo')
  const { rows } = (await manager.get('/office/queue?kind=lien')).data
  expect(rows).toMatchObject([{ id: id() }])
  expect((await manager.get('/office/liens')).data.cases).toHaveLength(501)
})

it('does not send the browser the values from which the loader builds addresses and times', async () => {
  const { data } = await (await staff('manager', 'Mo')).get(path)
  for (const name of ['locationCode', 'tenantId', 'leaseNumber', 'today']) expect(data).not.toHaveProperty(name)
})

it('shows when the gate last opened or refused the tenant’s code, whatever else it reported since', async () => {
  await services.db.transaction((tx) =>
    setGate(tx, services, 'GA1', { kind: 'pull', week: Array.from({ length: 7 }, () => ['05:00', '21:00'] as const) }),
  )
  const list = (await handleGateContact(services, 'GA1', '', 'k'))?.news?.list.codes
  const code_id = list?.find(({ tenantId }) => tenantId === 1002)?.codeId
  const reports = (id: string, at: string, what: string) =>
    storeGateEvents(services, 'GA1', [{ id, at: `2026-11-20T${at}:00Z`, what, code_id }])
  const manager = await staff('manager', 'Mo')
  await reports('a', '15:00', 'fault')
  expect((await manager.get(path)).html()).not.toContain('last at the gate')
  await reports('b', '16:00', 'opened')
  expect((await manager.get(path)).html()).toContain('last at the gate Nov 20 11:00 AM</p>')
  await reports('c', '16:30', 'refused')
  await reports('d', '16:40', 'forced')
  expect((await manager.get(path)).html()).toContain('last at the gate Nov 20 11:30 AM, refused</p>')
})

it('refuses an empty or invalid form or too large a file, and changes nothing', async () => {
  const manager = await staff('manager', 'Mo')
  expect(await manager.post(path)).toMatchObject({ status: 400, data: { fields: { form: 'Choose what to do.' } } })
  const large = new FormData()
  large.set('intent', 'record')
  large.set('file', new Blob([new Uint8Array(12 * 1024 * 1024)], { type: 'application/pdf' }), 'proof.pdf')
  expect((await manager.post(path, large)).status).toBe(413)
  const bare = new FormData()
  bare.set('intent', 'record')
  bare.set('file', new Blob([pdf() as BlobPart], { type: 'application/pdf' }), 'proof.pdf')
  expect((await manager.post(path, bare)).status).toBeGreaterThanOrEqual(400)
  expect((await loadCase(services, id()))?.steps).toEqual([])
})

it('lets a second person refuse a recorded step, but not the one who recorded it', async () => {
  await upTo('check')
  const field = await staff('field', 'Fay')
  const manager = await staff('manager', 'Mo')
  const district = await staff('district', 'Di')
  const { made_from } = await formOfCase(services, id())
  const form = new FormData()
  const values = { intent: 'record', step: 'check', made_from, key: services.random.uuid() }
  for (const [name, value] of Object.entries(values)) form.set(name, value)
  for (const line of ['door', 'bankruptcy', 'status']) form.append('ticks', line)
  form.set('file', new Blob([new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])], { type: 'image/jpeg' }), 'door.jpg')
  expect(await manager.post(path, form)).toMatchObject({ to: `${path}?done=recorded` })
  expect((await manager.get(path)).html()).toContain('You recorded it, so another staff member has to confirm it.')
  const waiting = (await loadCase(services, id()))?.waiting?.step_id ?? ''
  const refusal = { intent: 'refuse', step_id: waiting, ...(await formOfCase(services, id())) }
  expect((await manager.post(path, { ...refusal, key: services.random.uuid() })).status).toBeGreaterThanOrEqual(400)
  expect((await district.get(path)).html()).toContain('waits for a second person')
  expect(await district.post(path, { ...refusal, key: services.random.uuid() })).toMatchObject({
    to: `${path}?done=not-confirmed`,
  })
  expect((await district.get(path)).html()).toContain('(does not count)')
  expect((await field.get(path)).html()).not.toContain('Stop the case')
})

it('shows a refused stop, and its reason, only in the form that stops the case', async () => {
  await upTo('check')
  const { made_from } = await formOfCase(services, id())
  const check = new FormData()
  const values = { intent: 'record', step: 'check', made_from, key: services.random.uuid() }
  for (const [name, value] of Object.entries(values)) check.set(name, value)
  for (const line of ['door', 'bankruptcy', 'status']) check.append('ticks', line)
  check.set('file', new Blob([new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])], { type: 'image/jpeg' }), 'door.jpg')
  expect((await (await staff('manager', 'Mo')).post(path, check)).status).toBe(302)
  const district = await staff('district', 'Di')
  const stop = { intent: 'stop', ...(await formOfCase(services, id())), key: services.random.uuid() }
  const unsaid = await district.post(path, { ...stop, reason: ' ' })
  expect(unsaid.data.fields).toEqual({ 'reason-stop': 'Say why.' })
  const html = (await district.get(path)).html(unsaid.data)
  expect(html).toContain('href="#reason-stop"')
  expect(html.match(/ id="reason-stop"/g)).toHaveLength(1)
  expect(html.match(/aria-invalid="true"/g)).toHaveLength(1)
  const outdated = await district.post(path, { ...stop, made_from: 'open:', reason: 'Paid in cash' })
  expect(outdated.status).toBe(409)
  expect((await district.get(path)).html(outdated.data).match(/value="Paid in cash"/g)).toHaveLength(1)
})

it('shows the winner’s link after a sale, and why and by whom a case was stopped', async () => {
  await upTo('sale')
  await performOrThrow(
    services,
    CloseSale,
    { ...(await formOfCase(services, id())), ...saleForm },
    officeCaller('district'),
  )
  const manager = await staff('manager', 'Mo')
  const step_id = (await loadCase(services, id()))?.waiting?.step_id ?? ''
  const confirm = { intent: 'confirm', step_id, ...(await formOfCase(services, id())), key: services.random.uuid() }
  expect(await manager.post(path, confirm)).toMatchObject({ to: `${path}?done=seconded` })
  expect((await manager.get(path)).html()).toContain('/auction-winner/')
  const stop = { intent: 'stop', ...(await formOfCase(services, id())), key: services.random.uuid() }
  const unsaid = await manager.post(path, { ...stop, reason: '' })
  expect(unsaid.data.fields).toHaveProperty('reason-stop')
  expect((await manager.get(path)).html(unsaid.data)).toMatch(/<details[^>]* open/)
  expect(await manager.post(path, { ...stop, reason: 'Paid in cash' })).toMatchObject({ to: `${path}?done=stopped` })
  expect((await manager.get(path)).html()).toMatch(/Ended .*Mo.*Paid in cash/)
})

it('closes a case whose surplus was used up by charges since the sale, without a payout', async () => {
  const surplus = { state: 'surplus', surplus: 50_00, surplus_until: '2026-11-01', ended_on: '2025-11-01' } as const
  await change(services, 'lien_cases', { case_id: id() }, surplus)
  const finance = await signedInStaff(services, 'finance', { scope: { facility: 'GA1' }, name: 'Fi' })
  const form = { intent: 'surplus', ...(await formOfCase(services, id())) }
  await change(services, 'leases', { lease_number: 10002 }, { balance: -20_00 })
  expect((await finance.get(path)).html()).toContain('Charges since the sale leave $20.00 of it.')
  const unsaid = await finance.post(path, { ...form, key: services.random.uuid() })
  expect(unsaid).toMatchObject({ status: 400, data: { fields: { to: 'Choose whom.' } } })
  const withoutMeans = await finance.post(path, { ...form, to: 'tenant', how: ' ', key: services.random.uuid() })
  expect(withoutMeans).toMatchObject({ status: 400, data: { fields: { how: 'How is required.' } } })
  const closing = { ...form, to: 'none', how: '' }
  expect((await finance.post(path, { ...closing, key: services.random.uuid() })).status).toBe(409)
  await change(services, 'leases', { lease_number: 10002 }, { balance: 5_00 })
  const payout = { ...form, to: 'tenant', how: 'check 1042', key: services.random.uuid() }
  expect(await finance.post(path, payout)).toMatchObject({
    status: 409,
    data: { fields: { form: 'Nothing is left of the surplus.' } },
  })
  const html = (await finance.get(path)).html()
  expect(html).toContain('Charges since the sale leave nothing of it.')
  expect(html).toContain('Close the case')
  expect(html).not.toContain('name="how"')
  expect(await finance.post(path, { ...closing, key: services.random.uuid() })).toMatchObject({
    to: `${path}?done=recorded`,
  })
  expect(await row(services, 'lien_cases', { case_id: id() })).toMatchObject({ state: 'closed' })
  expect((await finance.get(path)).html()).toContain('Nothing is left of the surplus.')
  expect((await finance.get('/office/queue?kind=lien')).data.rows).toEqual([])
})

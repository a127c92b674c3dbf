import { beforeEach, expect, it } from 'vitest'
import { completeMoveOut } from '../../modules/move-outs/vacate.ts'
import { recordTextConsent } from '../../modules/tenants/sms-consent.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { openTestServices, type TestServices, today } from '../../tests/support/small-operator.ts'
import { add, change, row, rows } from '../testing.ts'
import { type StaffBrowser, signedInStaff } from './testing.ts'

const file = '/office/tenants/GA1/1002'

describeOnBothEngines('The office’s pages of gates, units and doors', (open) => {
  let services: TestServices
  let agent: StaffBrowser
  let manager: StaffBrowser
  let fay: StaffBrowser

  beforeEach(async () => {
    services = { ...(await openTestServices(await open())), allowsAnyFactor: true }
    const scope = { facility: 'GA1' }
    agent = await signedInStaff(services, 'agent', { scope })
    manager = await signedInStaff(services, 'manager', { scope })
    fay = await signedInStaff(services, 'field', { scope })
  })

  const forms = (data: { mark: string; formKey: string }, more: Record<string, string>) => ({
    made_from: data.mark,
    key: data.formKey,
    reason: 'Asked on the phone',
    ...more,
  })

  it('change a gate code and show it once', async () => {
    const gateData = (await agent.get(`${file}/gate`)).data
    expect(gateData).toMatchObject({
      opens: true,
      sentence: expect.stringContaining('The gate opens'),
      overrides: false,
    })
    const form = forms(gateData, { intent: 'code', gate_code: '' })
    const done = await agent.post(`${file}/gate`, form)
    const code = (await row(services, 'leases', { lease_number: 10002 })).gate_code
    expect(done).toMatchObject({ status: 200, data: { shown: [['Gate code', code]] } })
    const again = await agent.get(`${file}/gate`)
    expect(again.html(done.data)).toContain(`${code.slice(0, 3)} ${code.slice(3)}`)
    expect(again.html()).not.toContain(code.slice(3))
    services.clock.advance(1000)
    expect(await agent.post(`${file}/gate`, { ...form, key: 'other' })).toMatchObject({
      status: 409,
      data: { fields: { form: expect.stringContaining('changed') } },
    })
    expect(await agent.get('/office/tenants/HI1/1002/gate')).toMatchObject({ status: 404 })
    expect(await fay.get(`${file}/gate`)).toMatchObject({ status: 404 })
  })

  it('open and close a gate until a given day', async () => {
    await change(services, 'leases', { lease_number: 10002 }, { overlocked: 1 })
    const gateData = (await manager.get(`${file}/gate`)).data
    expect(gateData).toMatchObject({ opens: false, sentence: 'The gate refuses: unit 302 is overlocked.' })
    const lift = forms(gateData, { intent: 'lift 10002', until: '2026-11-23' })
    expect(await agent.post(`${file}/gate`, lift)).toMatchObject({ status: 403 })
    const far = await manager.post(`${file}/gate`, { ...lift, until: '2027-11-23' })
    expect(far).toMatchObject({ status: 400, data: { fields: { until: expect.any(String) } } })
    expect(await manager.post(`${file}/gate`, { ...lift, key: far.data.key })).toMatchObject({
      status: 302,
      to: `${file}/gate`,
    })
    const lifted = (await manager.get(`${file}/gate`)).data
    expect(lifted).toMatchObject({ opens: true, sentence: expect.stringContaining('lifted through Nov 23') })
    const suspend = forms(lifted, { intent: 'suspend', until: today })
    expect(await manager.post(`${file}/gate`, suspend)).toMatchObject({ status: 302 })
    const page = await manager.get(`${file}/gate`)
    expect(page.html()).toContain('suspended through Nov\u00a020')
    const end = forms(page.data, { intent: `end ${page.data.suspended.id}` })
    expect(await manager.post(`${file}/gate`, end)).toMatchObject({ status: 302 })
  })

  it('schedule a move-out and cancel it', async () => {
    const path = `${file}/leases/10002/move-out`
    const form = { intent: 'schedule', key: 'k1', move_out_date: '2020-01-01', reason: '' }
    expect(await agent.post(path, form)).toMatchObject({
      status: 400,
      data: { fields: { reason: expect.any(String) } },
    })
    const right = { ...form, key: 'k2', move_out_date: today, reason: 'Called' }
    expect(await agent.post(path, right)).toMatchObject({ status: 302 })
    expect((await agent.get(path)).html()).toContain('Moves out on Friday, November 20, 2026')
    const cancel = { intent: 'cancel', key: 'k3', move_out_date: today, reason: 'Stays' }
    expect(await agent.post(path, cancel)).toMatchObject({ status: 302 })
    expect((await row(services, 'leases', { lease_number: 10002 })).scheduled_move_out).toBeNull()
  })

  it('offer and send only links that apply to the tenant', async () => {
    const { data } = await agent.get(`${file}/link`)
    expect(data.offered.map(({ value }: { value: string }) => value)).toEqual(['pay 10002'])
    const send = (value: string) => agent.post(`${file}/link`, { intent: 'send', key: value, link: value })
    expect(await send('pay 10002')).toMatchObject({ status: 302, to: `${file}/link?done=sent` })
    expect(await send('register')).toMatchObject({ status: 409 })
    expect(await send('nonsense')).toMatchObject({ status: 400, data: { fields: { link: expect.any(String) } } })
    expect(await rows(services, 'jobs', { kind: 'payment_due' })).toHaveLength(1)
  })

  it('list a reservation link that was sent again in the tenant’s timeline', async () => {
    const desk = '/office/units/GA1/move-in?unit=1&tenant=1002'
    const { data } = await agent.get(desk)
    const held = { intent: 'hold', key: data.formKey, unit_id: '1', tenant_id: '1002', move_in_date: today }
    expect(await agent.post(desk, { ...held, quote: data.chosen.price.quoteId })).toMatchObject({ status: 302 })
    services.clock.advance(5 * 60_000)
    const again = { intent: 'send', key: 'again', link: 'reservation' }
    expect(await agent.post(`${file}/link`, again)).toMatchObject({ status: 302, to: `${file}/link?done=sent` })
    const { timeline } = (await agent.get(file)).data
    const mails = timeline.filter(({ kind }: { kind: string }) => kind === 'mail')
    const text = 'Mail: Link to the reservation, by text message'
    const confirmation = 'Mail: Reservation confirmed'
    expect(mails.map((item: { text: string }) => item.text).sort()).toEqual([text, text, confirmation, confirmation])
  })

  it('list units by status and hide tenants from field staff', async () => {
    const units = '/office/units/GA1'
    const { data } = await agent.get(units)
    expect(data.rows.map((row: { unit: string }) => row.unit)).toEqual(['101', '102', '103', '201', '301', '302', 'P1'])
    expect(data.rows.at(-2)).toMatchObject({ state: 'rented', tenant: { name: 'Cy Dorn' }, note: 'owes $151.37' })
    expect((await agent.get(`${units}?state=rented`)).html()).not.toContain('>101<')
    expect((await fay.get(units)).html()).not.toMatch(/Dorn|151/)
    expect(JSON.stringify((await fay.get(units)).data)).not.toMatch(/1001|1002/)
    expect((await agent.get(`${units}?view=appointments`)).html()).toContain('No appointment is ahead')
    const ordered = async (sort: string, by = agent) =>
      (await by.get(`${units}?sort=${sort}`)).data.rows.map((row: { unit: string }) => row.unit)
    expect(await ordered('unit')).toEqual(['101', '102', '103', '201', '301', '302', 'P1'])
    expect(await ordered('-unit')).toEqual(['P1', '302', '301', '201', '103', '102', '101'])
    expect((await ordered('-size')).slice(0, 2)).toEqual(['P1', '201'])
    expect((await ordered('rent')).slice(0, 2).sort()).toEqual(['301', '302'])
    expect((await fay.get(`${units}?sort=rent`)).html()).toContain('Units in walking order')
    expect((await agent.get(`${units}?sort=-size`)).html()).toMatch(
      /aria-sort="descending"[^>]*><a href="[^"]*sort=size"/,
    )
    expect(await agent.get('/office/units/HI1')).toMatchObject({ status: 404 })
    expect(await agent.get('/office/units')).toMatchObject({ to: '/office/units/GA1' })
  })

  it('show the waiting list of a sold-out size and remove an address', async () => {
    const path = '/office/units/GA1?view=waiting'
    const wait = { location_code: 'GA1', unit_type_id: 1, told_at: null, told_unit: null, mailed_at: null }
    await add(services, 'waitlist', [
      { ...wait, waitlist_id: 'w1', email: 'rae@example.com', created_at: 1 },
      { ...wait, waitlist_id: 'w2', email: 'bo@example.com', created_at: 2, told_at: 3, told_unit: 1 },
    ])
    const { data } = await agent.get(path)
    expect(data.waits).toMatchObject([
      { id: 'w1', email: 'rae@example.com', told: '' },
      { id: 'w2', told: expect.stringContaining('unit 101') },
    ])
    expect((await fay.get(path)).html()).not.toMatch(/rae@|Take off/)
    const form = { key: data.waits[0].key, waitlist_id: 'w1' }
    expect(await fay.post(path, form)).toMatchObject({ status: 403 })
    const [refused] = await rows(services, 'audit_events', { kind: 'act.refused' })
    expect(refused).toMatchObject({ outcome: 'refused', location_code: 'GA1', tenant_id: null })
    expect(refused?.details).toContain('wait')
    const elsewhere = await signedInStaff(services, 'agent', { scope: { facility: 'HI1' }, name: 'away' })
    expect(await elsewhere.post(path, form)).toMatchObject({ status: 404 })
    for (const _ of ['once', 'again'])
      expect(await agent.post(path, form)).toMatchObject({ status: 302, to: `${path}&done=wait-ended` })
    expect((await rows(services, 'waitlist')).map(({ email }) => email)).toEqual(['bo@example.com'])
    const events = await rows(services, 'audit_events', { kind: 'wait.ended' })
    expect(events).toHaveLength(1)
    expect(JSON.stringify(events)).not.toContain('rae@')
    expect(await agent.post(path, { ...form, key: services.random.uuid() })).toMatchObject({ status: 404 })
  })

  it('take a unit out of service and return it', async () => {
    const path = '/office/units/GA1/4'
    const off = { intent: 'off', key: 'o1', reason: 'Door spring', back_on: '2026-12-01' }
    expect(await agent.post(path, off)).toMatchObject({ status: 404 })
    expect(await manager.post(path, { ...off, reason: '' })).toMatchObject({ status: 400 })
    expect(await manager.post(path, { ...off, key: 'o2' })).toMatchObject({ status: 302 })
    const shown = (await manager.get(path)).html()
    expect(shown).toContain('Door spring')
    expect(shown).toContain('Let it again')
    expect(await manager.post(path, { intent: 'back', key: 'o3' })).toMatchObject({ status: 302 })
    expect(await manager.get('/office/units/GA1/99')).toMatchObject({ status: 404 })
  })

  it('hold a unit for a caller on the phone', async () => {
    const path = '/office/units/GA1/move-in?unit=2'
    const { data } = await agent.get(path)
    expect(data).toMatchObject({ chosen: { id: '2', price: { quoteId: expect.any(String) } }, tenant: null })
    expect(data.units).toHaveLength(5)
    const form = {
      intent: 'hold',
      key: data.formKey,
      quote: data.chosen.price.quoteId,
      unit_id: '2',
      move_in_date: today,
      first: 'Rae',
      last: 'Ortiz',
      email: 'rae@',
      cell_phone: '4045550147',
    }
    const refused = await agent.post(path, form)
    expect(refused).toMatchObject({ status: 400, data: { fields: { email: expect.any(String) } } })
    expect(await agent.post(path, { ...form, key: refused.data.key, email: 'rae@example.com' })).toMatchObject({
      status: 302,
      to: '/office/units/GA1/2?done=held',
    })
    const held = async () => (await agent.get('/office/units/GA1/2?done=held')).html()
    expect(await held()).toContain('the link is on its way to Rae Ortiz by mail.')
    // No text message goes to a number without consent.
    const agreed = { phone: '4045550147', askedAt: 'desk' as const, wording: 'Text me' }
    await services.db.transaction((tx) => recordTextConsent(tx, services, agreed))
    expect(await held()).toContain('the link is on its way to Rae Ortiz by mail and text.')
    const known = await agent.get('/office/units/GA1/move-in?unit=1&tenant=1001')
    expect(known.data.tenant).toMatchObject({ name: 'Ada Byrne' })
  })

  it('show field staff their round and record an inspected unit and a lock', async () => {
    await change(services, 'leases', { lease_number: 10001 }, { overlocked: 1 })
    const left = await row(services, 'leases', { lease_number: 10002 })
    await services.db.transaction((tx) => completeMoveOut(tx, services, left, today))
    const task = '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c12'
    await add(services, 'tasks', {
      task_id: task,
      kind: 'lamp',
      once: 'x',
      location_code: 'GA1',
      tenant_id: null,
      lease_number: null,
      subject: null,
      note: 'Lamp at the gate',
      cents: null,
      assigned_to: (await fay.caller()).staffId,
      due_on: today,
      created_by: null,
      created_at: 0,
      state: 'open',
      ended_by: null,
      ended_at: null,
    })
    const html = (await fay.get('/office/field')).html()
    expect(html.indexOf('Set our lock')).toBeLessThan(html.indexOf('Look at the empty unit'))
    expect(html).toContain('Lamp at the gate')
    expect(await fay.post('/office/field', { task })).toMatchObject({ status: 200 })
    expect(await fay.post('/office/field', { task })).toMatchObject({ status: 409 })

    const door = '/office/field/GA1/10002'
    await add(services, 'locks_seen', {
      location_code: 'GA1',
      lease_number: 10002,
      unit_number: '302',
      state: 'on',
      note: '',
      staff_id: (await fay.caller()).staffId,
      seen_at: 0,
    })
    expect((await fay.get('/office/field')).html()).not.toContain('Look at the empty unit')
    expect((await fay.get(door)).html()).toContain('The lock is off')
    expect(await fay.post(door, { intent: 'off', key: 'l2' })).toMatchObject({ status: 302 })
    expect((await fay.get(door)).html()).toContain('Empty and clean')
    const form = { intent: 'verify', key: 'v1', found: 'clean', note: '', back_on: '' }
    expect(await fay.post(door, { ...form, found: '' })).toMatchObject({ status: 400 })
    expect(await fay.post(door, { ...form, key: 'v2' })).toMatchObject({ status: 302, to: '/office/field' })
    expect((await row(services, 'units', { location_code: 'GA1', unit_number: '302' })).status).toBe('free')
    expect((await fay.get(door)).html()).toContain('Nothing is to be done at this door')
    expect(await fay.post('/office/field/GA1/10001', { intent: 'on', key: 'l1' })).toMatchObject({ status: 302 })
    expect((await row(services, 'locks_seen', { lease_number: 10001 })).state).toBe('on')
    expect(await agent.get('/office/field')).toMatchObject({ status: 404 })
  })

  it('list each task of the round from its day at its own facility', async () => {
    // Ten minutes before midnight in Hawaii it is morning in Georgia.
    services.clock.set(Date.parse('2026-11-21T09:50:00Z'))
    const id = '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c0'
    const field = await signedInStaff(services, 'field', { name: 'everywhere' })
    const { staffId } = await field.caller()
    const dueTomorrow = {
      kind: 'call',
      tenant_id: null,
      lease_number: null,
      subject: null,
      cents: null,
      assigned_to: staffId,
      due_on: '2026-11-21',
      created_by: null,
      created_at: 0,
      state: 'open',
      ended_by: null,
      ended_at: null,
    } as const
    await add(services, 'tasks', [
      { ...dueTomorrow, task_id: `${id}1`, once: 'a', location_code: 'GA1', note: 'Lamp in Georgia' },
      { ...dueTomorrow, task_id: `${id}2`, once: 'b', location_code: 'HI1', note: 'Lamp in Hawaii' },
    ])
    const round = async (query = '') => {
      const { data } = await field.get(`/office/field${query}`)
      return { today: data.today, tasks: data.tasks.map(({ what }: { what: string }) => what) }
    }
    expect(await round()).toEqual({ today: 'Nov 21', tasks: ['Lamp in Georgia'] })
    expect(await round('?at=HI1')).toEqual({ today: 'Nov 20', tasks: ['Lamp in Georgia'] })
    services.clock.set(Date.parse('2026-11-21T10:00:00Z'))
    expect((await round()).tasks).toEqual(['Lamp in Georgia', 'Lamp in Hawaii'])
  })
})

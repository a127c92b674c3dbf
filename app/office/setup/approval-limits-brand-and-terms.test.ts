import { beforeEach, expect, it } from 'vitest'
import { ProposeAppointment } from '../../../modules/appointments/operations/propose-appointment.ts'
import { loadBrand, setSetting } from '../../../modules/facilities/operator-settings-and-brand.ts'
import { RequireTerms } from '../../../modules/leases/operations/require-terms.ts'
import { checkLimits } from '../../../modules/staff/check-approval-limits.ts'
import { perform } from '../../../platform/operations/operation.ts'
import { describeOnBothEngines } from '../../../tests/support/databases.ts'
import { openTestServices, type TestServices } from '../../../tests/support/small-operator.ts'
import { change, row, rows } from '../../testing.ts'
import { type StaffBrowser, signedInStaff } from '../testing.ts'

describeOnBothEngines('Setup of the whole business', (open) => {
  let services: TestServices
  let owner: StaffBrowser
  let district: StaffBrowser

  beforeEach(async () => {
    services = { ...(await openTestServices(await open())), allowsAnyFactor: true }
    owner = await signedInStaff(services, 'owner')
    district = await signedInStaff(services, 'district')
  })

  const changesOf = async (kind: string) =>
    (await rows(services, 'audit_events', { kind })).map(({ changes }) => JSON.parse(changes ?? '{}'))

  it('sets what one role may do, within bounds, and refuses a stale form', async () => {
    const at = '/office/setup/limits'
    const manager = await signedInStaff(services, 'manager')
    const caller = await manager.caller()
    const may = async (cents: number) =>
      services.db.transaction(async (tx) => {
        const act = { permission: 'fee.waive' as const, locationCode: 'GA1', cents }
        return (await checkLimits(tx, services, caller, act)).alone
      })
    const limit = (act: string, day: string, was = '10000 50000') => ({
      'act-manager-fee-waive': act,
      'day-manager-fee-waive': day,
      'was-manager-fee-waive': was,
      reason: 'Busy season',
      key: services.random.uuid(),
    })
    const page = await owner.get(at)
    expect(page.html()).not.toContain('at first')
    expect(page.html()).toContain('always asks')
    expect([await may(100_00), await may(100_01)]).toEqual([true, false])
    const form = limit('$150', '600.00')
    expect((await owner.post(at, form)).to).toBe(`${at}?done=limits`)
    expect((await owner.post(at, form)).to).toBe(`${at}?done=limits`)
    expect((await owner.get(at)).html()).toMatch(/at first \$100[^$]+\$500</)
    expect([await may(150_00), await may(150_01)]).toEqual([true, false])
    expect(await changesOf('limits.changed')).toEqual([
      { 'Waive a fee, Manager': ['$100.00 an act, $500.00 in 24 hours', '$150.00 an act, $600.00 in 24 hours'] },
    ])

    for (const [act, day, field] of [
      ['-1', '600', 'act'],
      ['12.345', '600', 'act'],
      [',', '600', 'act'],
      ['1000.01', '2000', 'act'],
      ['150', '1e9', 'day'],
      ['150', '1000000.01', 'day'],
      ['150', '149.99', 'day'],
    ] as const) {
      const refused = await owner.post(at, limit(act, day, '15000 60000'))
      expect([act, day, refused.status]).toEqual([act, day, 400])
      expect(Object.keys(refused.data.fields)).toEqual([`${field}-manager-fee-waive`])
    }
    const stale = await owner.post(at, limit('200', '700'))
    expect(stale).toMatchObject({
      status: 409,
      data: { fields: { 'act-manager-fee-waive': expect.stringContaining('$150.00 an act, $600.00') } },
    })
    expect((await owner.post(at, limit('150', '600', '15000 60000'))).data.fields).toEqual({
      form: 'Nothing is different from what it was.',
    })
    const was = '15000 60000'
    const two = await Promise.all([owner.post(at, limit('160', '600', was)), owner.post(at, limit('170', '600', was))])
    expect(two.map(({ status }) => status).sort()).toEqual([302, 409])
    // With limits of zero a manager waives no fee without approval.
    const now = await row(services, 'settings', { name: 'office_limits' })
    const { act, day } = JSON.parse(now.value).manager['fee.waive']
    expect((await owner.post(at, limit('0', '0', `${act} ${day}`))).status).toBe(302)
    expect(await may(1)).toBe(false)
    // Agents have no limit for charges, since theirs always need approval; and only an owner sets limits.
    const agent = { 'act-agent-charge-add': '5', 'day-agent-charge-add': '5', 'was-agent-charge-add': '0 0' }
    expect((await owner.post(at, { ...agent, reason: 'No', key: services.random.uuid() })).status).toBe(400)
    expect((await district.get(at)).status).toBe(404)
    expect((await district.post(at, limit('1', '1'))).status).toBe(404)
  })

  it('sets names, texts and colors of the brand field by field', async () => {
    const at = '/office/setup/brand'
    const forms = async () =>
      Object.fromEntries(
        (await district.get(at)).data.forms.map(
          (form: { form: string; fields: { name: string; before: string }[] }) => [
            form.form,
            Object.fromEntries(form.fields.map(({ name, before }) => [name, before])),
          ],
        ),
      )
    const first = await forms()
    const save = async (form: string, typed: Record<string, string>, made?: Record<string, Record<string, string>>) => {
      const shown = made ?? (await forms())
      return district.post(at, {
        intent: form,
        key: services.random.uuid(),
        ...Object.fromEntries(Object.entries(typed).map(([name, text]) => [`is-${name}`, text])),
        ...Object.fromEntries(Object.keys(typed).map((name) => [`was-${name}`, shown[form]?.[name] ?? ''])),
      })
    }
    await services.db.transaction((tx) => setSetting(tx, 'brand', '{"logo":"data:image/png;base64,AAAA"}', 0))
    const names = {
      name: 'Stow',
      phone: '(888) 555-0100',
      city: 'Macon',
      hours: 'Mon–Fri: 9 to 5\r\nSat: 9 to 1; not in May\r\n',
    }
    expect((await save('names', names)).to).toBe(`${at}?done=saved#names`)
    expect(await loadBrand(services)).toMatchObject({
      name: 'Stow',
      phone: '8885550100',
      address: { street: '', city: 'Macon' },
      hours: [
        { days: 'Mon–Fri', hours: '9 to 5' },
        { days: 'Sat', hours: '9 to 1; not in May' },
      ],
      logo: 'data:image/png;base64,AAAA',
    })
    expect((await district.get(at)).html()).toContain('Mon–Fri: 9 to 5\nSat: 9 to 1; not in May</textarea>')
    expect((await save('texts', { hero: 'Stow it.', why: 'No visit: Sign online.' })).status).toBe(302)
    expect((await loadBrand(services)).texts).toMatchObject({
      hero: 'Stow it.',
      why: [{ title: 'No visit', text: 'Sign online.' }],
    })
    const green = { light_door: '#0f7658', light_doorEdge: '#0B5A43', light_onDoor: '#FFFFFF' }
    expect((await save('light', green)).status).toBe(302)
    expect((await loadBrand(services)).colors.light).toEqual({
      door: '#0F7658',
      doorEdge: '#0B5A43',
      onDoor: '#FFFFFF',
    })
    expect((await save('light', { light_doorEdge: '' })).status).toBe(302)
    expect((await loadBrand(services)).colors.light).not.toHaveProperty('doorEdge')
    expect(await changesOf('setting.saved')).toHaveLength(4)

    for (const [form, typed, field] of [
      ['names', { name: '' }, 'name'],
      ['names', { phone: '12' }, 'phone'],
      ['names', { email: 'nobody' }, 'email'],
      ['names', { hours: 'always' }, 'hours'],
      ['texts', { why: 'us' }, 'why'],
      ['texts', { footer: 'x'.repeat(2001) }, 'footer'],
      ['light', { light_ink: 'red' }, 'light_ink'],
      ['light', { light_onDoor: '#0F7658' }, 'light_onDoor'],
      ['dark', { dark_paper: '#FFFFFF' }, 'dark_paper'],
    ] as const) {
      const refused = await save(form, typed)
      expect([form, field, refused.status]).toEqual([form, field, 400])
      expect(refused.data.fields).toHaveProperty(`${form}-${field}`)
    }
    expect(await save('names', { name: 'Other' }, first)).toMatchObject({
      status: 409,
      data: { fields: { 'names-name': expect.stringContaining('Stow') } },
    })
    expect((await save('names', { name: 'Stow' })).data.fields).toEqual({
      form: 'Nothing is different from what it was.',
    })
    expect((await district.post(at, { intent: 'logo' })).status).toBe(404)
    const here = await signedInStaff(services, 'district', { scope: { facility: 'GA1' }, name: 'here' })
    expect((await here.get(at)).status).toBe(404)
  })

  it('requests acceptance of updated terms for one lease, a facility or all, and stops the request', async () => {
    const at = '/office/setup/GA1/terms'
    const asked = async (location_code: string) =>
      (await rows(services, 'leases', { location_code, terms_required: 1 })).map(({ lease_number }) => lease_number)
    const ask = (intent: string, lease_number = '', path = at) =>
      district.post(path, { intent, lease_number, reason: 'New rules', key: services.random.uuid() })
    await change(services, 'leases', { location_code: 'GA1', lease_number: 10002 }, { status: 'Closed' })
    expect((await ask('one', '10001')).to).toBe(`${at}?done=terms`)
    expect(await asked('GA1')).toEqual([10001])
    expect((await district.get(at)).html()).toContain('1 of ')
    for (const number of ['', '10002', '99999', 'A1']) expect((await ask('one', number)).status).toBeGreaterThan(399)
    expect(await asked('GA1')).toEqual([10001])
    expect((await district.post(at, { intent: 'all', reason: '', key: 'k' })).data.fields).toEqual({
      'reason-all': 'Say why.',
    })
    const everywhere = '/office/setup/terms'
    const unsaid = await district.post(everywhere, { intent: 'all', reason: ' ', key: services.random.uuid() })
    expect(unsaid.data.fields).toEqual({ 'reason-all': 'Say why.' })
    const refused = (await district.get(everywhere)).html(unsaid.data)
    expect(refused).toContain('href="#reason-all"')
    expect(refused.match(/aria-invalid="true"/g)).toHaveLength(1)
    expect((await ask('all')).status).toBe(302)
    expect(await asked('GA1')).not.toContain(10002)
    expect((await asked('GA1')).length).toBe((await district.get(at)).data.open)
    await services.db.write.updateTable('leases').set({ terms_required: 0 }).execute()
    expect((await ask('all', '', '/office/setup/terms')).to).toBe('/office/setup/terms?done=terms')
    expect((await asked('GA1')).length).toBeGreaterThan(0)
    // The page for all facilities counts the open leases, and those that wait for acceptance, at all facilities.
    await change(services, 'leases', { lease_number: 10002 }, { status: 'Current', terms_required: 1 })
    const all = await district.get('/office/setup/terms')
    const { open, waiting } = all.data as { open: number; waiting: number }
    const leases = (await rows(services, 'leases')).filter(({ status }) => status !== 'Closed')
    expect([open, waiting]).toEqual([leases.length, leases.length])
    expect(all.html()).toContain(`Stop for ${open} open leases at `)
    await change(services, 'leases', { lease_number: 10001 }, { terms_required: 0, terms_accepted_at: 5 })
    // Stopping the request keeps an acceptance that a tenant has given.
    expect((await ask('stop', '', `${at}`)).to).toBe(`${at}?done=terms-stopped`)
    expect(await asked('GA1')).toEqual([])
    expect((await row(services, 'leases', { lease_number: 10001 })).terms_accepted_at).toBe(5)
    expect((await ask('stop', '', at)).status).toBe(409)
    expect((await district.get('/office/setup/terms')).data.waiting).toBe(0)
    expect((await ask('stop', '', '/office/setup/terms')).status).toBe(409)
    const here = await signedInStaff(services, 'district', { scope: { facility: 'HI1' }, name: 'here' })
    const caller = { address: '', agent: '', staff: await here.caller() }
    expect(await perform(services, RequireTerms, { location_code: 'GA1', reason: 'x' }, caller)).toMatchObject({
      status: 404,
    })
    expect((await rows(services, 'audit_events', { kind: 'terms.required' })).length).toBeGreaterThan(2)
  })

  it('proposes an appointment once, in the facility’s time', async () => {
    const agent = await signedInStaff(services, 'agent')
    const at = '/office/units/GA1/appointment'
    const form = (more: Record<string, string> = {}) => ({
      intent: 'propose',
      key: services.random.uuid(),
      name: 'Ada Reyes',
      email: 'ada@mail.example',
      phone: '(404) 555-0142',
      day: '2026-12-01',
      time: '10:00',
      ...more,
    })
    const first = form()
    for (let turn = 0; turn < 2; turn += 1)
      expect((await agent.post(at, first)).to).toBe('/office/units/GA1?view=appointments&done=appointment-proposed')
    const appointments = await rows(services, 'appointments', {})
    expect(appointments).toMatchObject([{ location_code: 'GA1', phone: '4045550142', state: 'proposed' }])
    expect(appointments[0]?.starts_at).toBe(Date.parse('2026-12-01T10:00:00-05:00'))
    expect((await agent.get('/office/units/GA1?view=appointments')).html()).toContain('Ada Reyes')
    for (const [typed, field] of [
      [{ name: ' ' }, 'name'],
      [{ email: 'ada' }, 'email'],
      [{ phone: '12' }, 'phone'],
      [{ day: '2026-02-30' }, 'day'],
      [{ day: '2026-01-01' }, 'day'],
      [{ time: '25:00' }, 'time'],
      [{ day: '2027-03-14', time: '02:30' }, 'time'],
    ] as const)
      expect((await agent.post(at, form(typed))).data.fields).toHaveProperty(field)
    expect(await rows(services, 'appointments', {})).toHaveLength(1)
    const [event] = await rows(services, 'audit_events', { kind: 'appointment.proposed' })
    expect(JSON.stringify(event)).not.toContain('Ada')
    // When another system keeps appointments, none is made here.
    services.propertyManagement = { ...services.propertyManagement, elsewhere: true }
    expect((await agent.get('/office/units/GA1?view=appointments')).html()).not.toContain('Propose an appointment')
    const caller = { address: '', agent: '', staff: await agent.caller() }
    const { key: _, intent: __, ...input } = form()
    expect(await perform(services, ProposeAppointment, { ...input, location_code: 'GA1' }, caller)).toMatchObject({
      status: 409,
    })
  })
})

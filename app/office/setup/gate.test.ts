import { beforeEach, expect, it } from 'vitest'
import { handleGateContact } from '../../../modules/gate/answer-gate-list-pull.ts'
import { describeOnBothEngines } from '../../../tests/support/databases.ts'
import { openTestServices, type TestServices } from '../../../tests/support/small-operator.ts'
import { change, row, rows } from '../../testing.ts'
import { type StaffBrowser, signedInStaff } from '../testing.ts'

describeOnBothEngines('Setup of a gate', (open) => {
  let services: TestServices
  let district: StaffBrowser
  const page = '/office/setup/GA1/gate'

  beforeEach(async () => {
    services = { ...(await openTestServices(await open())), allowsAnyFactor: true }
    district = await signedInStaff(services, 'district')
    await services.db.write.updateTable('locations').set({ gate_hours: '5 AM to 9 PM every day' }).execute()
  })

  const days = (hours: string, more: Record<string, string> = {}) => ({
    ...Object.fromEntries(Array.from({ length: 7 }, (_, day) => [`day-${day}`, hours])),
    ...more,
  })
  const form = async (fields: Record<string, string>) => ({
    intent: 'save',
    key: services.random.uuid(),
    before: (await district.get(page)).data.before,
    reason: 'New controller',
    ...fields,
  })

  it('proposes the facility’s gate hours and selects nothing by default', async () => {
    const { data } = await district.get(page)
    expect(data).toMatchObject({ kind: '', confirmed: false, days: Array(7).fill('5 AM to 9 PM'), state: null })
    expect(await rows(services, 'gates')).toEqual([])
    expect((await district.post(page, await form(days('5 AM to 9 PM')))).status).toBe(400)
    expect(await rows(services, 'gates')).toEqual([])
  })

  it('connects a gate with its confirmed weekly hours and shows its status', async () => {
    const sent = await form({ kind: 'pull', ...days('5 AM to 9 PM', { 'day-5': '24 hours', 'day-6': 'Closed' }) })
    expect((await district.post(page, sent)).to).toBe(`${page}?done=gate`)
    const gate = await row(services, 'gates', { location_code: 'GA1' })
    expect(JSON.parse(gate.week).slice(4)).toEqual([['05:00', '21:00'], ['00:00', '24:00'], null])
    expect(await rows(services, 'gate_wanted')).toHaveLength(2)
    const [event, ...more] = await rows(services, 'audit_events', { kind: 'gate.connected' })
    expect(more).toEqual([])
    expect(event).toMatchObject({ location_code: 'GA1', reason: 'New controller' })
    expect((await district.get(page)).data.state).toMatchObject({ heard: '', taken: '' })
    expect((await district.get(page)).html()).toContain('which the week below does not say')
    const contact = await handleGateContact(services, 'GA1', '', 'k')
    await handleGateContact(services, 'GA1', `"${contact?.etag}"`, 'k')
    expect((await district.get(page)).data.state).toMatchObject({
      address: 'https://rent.example/api/gate/GA1/state',
      heard: '11/20/2026 12:00 PM',
      taken: '11/20/2026 12:00 PM',
      behind: 0,
    })
  })

  it('connects a gate that opens until midnight', async () => {
    const typed = days('5 AM to 12 AM', { 'day-6': '12 AM to midnight' })
    expect((await district.post(page, await form({ kind: 'pull', ...typed }))).to).toBe(`${page}?done=gate`)
    const gate = await row(services, 'gates', { location_code: 'GA1' })
    expect(JSON.parse(gate.week).slice(5)).toEqual([
      ['05:00', '24:00'],
      ['00:00', '24:00'],
    ])
    expect((await district.get(page)).data.days.slice(5)).toEqual(['5 AM to 12 AM', '24 hours'])
  })

  it('requires the gate to be disconnected before its facility is retired', async () => {
    const letting = '/office/setup/GA1/letting'
    const retire = () => district.post(letting, { intent: 'retire', reason: 'Sold', key: services.random.uuid() })
    await change(services, 'units', { location_code: 'GA1' }, { status: 'free', held_by: null, held_until: null })
    const connection = await form({ kind: 'pull', ...days('5 AM to 9 PM') })
    expect((await district.post(page, connection)).to).toBe(`${page}?done=gate`)
    const { retired_on } = await row(services, 'locations', { location_code: 'GA1' })
    expect((await district.get(letting)).html()).toContain(
      `<a href="${page}" data-discover="true">gate</a> is connected`,
    )
    expect(await retire()).toMatchObject({
      status: 409,
      data: {
        fields: {
          form: 'A gate is connected here. Disconnect it first: Setup, the facility, Gate, “No gate is connected”.',
        },
      },
    })
    expect(await row(services, 'locations', { location_code: 'GA1' })).toMatchObject({ retired_on })
    // A unit type can be retired while the gate is connected.
    const type = `${letting}/unit_type/3`
    expect((await district.post(type, { intent: 'retire', reason: 'Sold', key: services.random.uuid() })).to).toBe(type)
    expect((await district.post(page, await form({ kind: 'none', ...days('') }))).to).toBe(`${page}?done=gate`)
    expect((await retire()).to).toBe(letting)
    expect(await row(services, 'locations', { location_code: 'GA1' })).toMatchObject({ retired_on: '2026-11-20' })
  })

  it('refuses invalid hours, stale or unchanged forms and staff without the permission', async () => {
    const wrong = await district.post(page, await form({ kind: 'pull', ...days('5 AM to 9 PM', { 'day-2': 'late' }) }))
    expect([wrong.status, Object.keys(wrong.data.fields)]).toEqual([400, ['day-2']])
    const stale = await form({ kind: 'pull', ...days('5 AM to 9 PM') })
    await district.post(page, await form({ kind: 'none', ...days('') }))
    expect((await district.post(page, stale)).status).toBe(409)
    expect((await district.post(page, await form({ kind: 'none', ...days('') }))).status).toBe(409)
    expect(await row(services, 'gates', { location_code: 'GA1' })).toMatchObject({ kind: 'none', week: '' })
    const agent = await signedInStaff(services, 'agent')
    expect((await agent.get(page)).status).toBeGreaterThanOrEqual(400)
  })
})

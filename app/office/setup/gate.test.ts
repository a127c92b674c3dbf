import { beforeEach, expect, it } from 'vitest'
import { handleGateContact } from '../../../modules/gate/handle-gate-contact.ts'
import { describeOnBothEngines } from '../../../tests/support/databases.ts'
import { openTestServices, type TestServices } from '../../../tests/support/small-operator.ts'
import { row, rows } from '../../testing.ts'
import { type OfficePerson, signedInStaff } from '../testing.ts'

describeOnBothEngines('Setup of a gate', (open) => {
  let services: TestServices
  let district: OfficePerson
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

  it('proposes the opening hours and selects nothing by default', async () => {
    const { data } = await district.get(page)
    expect(data).toMatchObject({ kind: '', confirmed: false, days: Array(7).fill('5 AM to 9 PM'), state: null })
    expect(await rows(services, 'gates')).toEqual([])
    expect((await district.post(page, await form(days('5 AM to 9 PM')))).status).toBe(400)
    expect(await rows(services, 'gates')).toEqual([])
  })

  it('connects a gate with its confirmed weekly hours once and shows its status', async () => {
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
    const told = await handleGateContact(services, 'GA1', '', 'k')
    await handleGateContact(services, 'GA1', `"${told?.etag}"`, 'k')
    expect((await district.get(page)).data.state).toMatchObject({
      address: 'https://rent.example/api/gate/GA1/state',
      heard: '11/20/2026 12:00 PM',
      taken: '11/20/2026 12:00 PM',
      behind: 0,
    })
  })

  it('refuses invalid hours, stale or unchanged forms and other facilities’ staff', async () => {
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

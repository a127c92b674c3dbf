import { beforeEach, expect, it } from 'vitest'
import { handleGateContact } from '../../modules/gate/answer-gate-list-pull.ts'
import { deleteOldGateRecords, storeGateEvents } from '../../modules/gate/gate-events.ts'
import { setGate } from '../../modules/gate/set-gate-kind-and-hours.ts'
import { countHeldRows } from '../../modules/privacy/export-tenant.ts'
import { loadTenantKeys } from '../../modules/privacy/tenant-record-ids.ts'
import { makeMachineKey } from '../../modules/staff/machine-keys.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { createTestSite } from '../../tests/support/site.ts'
import { openTestServices, type TestServices } from '../../tests/support/small-operator.ts'
import { Browser, createSignInToken, row, rows } from '../testing.ts'
import { type StaffBrowser, signedInStaff } from './testing.ts'

const week = Array.from({ length: 7 }, () => ['05:00', '21:00'] as const)

describeOnBothEngines('The office at a gate', (open) => {
  let services: TestServices
  let agent: StaffBrowser
  const page = '/office/tenants/GA1/1001/gate'

  beforeEach(async () => {
    services = { ...(await openTestServices(await open())), allowsAnyFactor: true }
    agent = await signedInStaff(services, 'agent')
    await services.db.transaction((tx) => setGate(tx, services, 'GA1', { kind: 'pull', week }))
  })

  const contact = (etag = '') => handleGateContact(services, 'GA1', etag, 'k')
  const form = (more: Record<string, string> = {}) => ({
    intent: 'open',
    key: services.random.uuid(),
    reason: 'Called from the gate',
    ...more,
  })

  it('opens the gate remotely once while it is connected, and an event confirms it', async () => {
    expect((await agent.post(page, form())).status).toBe(409)
    await contact()
    const sent = form()
    expect((await agent.post(page, sent)).status).toBe(302)
    expect((await agent.post(page, sent)).status).toBe(302)
    const first = await contact()
    expect(first?.news?.commands).toMatchObject([{ point: 'main' }])
    // A waiting command is sent although the gate has the list already.
    const second = await contact(`"${first?.etag}"`)
    expect(second?.news?.commands).toHaveLength(1)
    const event = { id: 'e', at: '2026-11-20T17:00:00Z', what: 'opened', command: first?.news?.commands[0]?.id }
    expect(await storeGateEvents(services, 'GA1', [event])).toMatchObject({ taken: 1 })
    expect(await contact(`"${first?.etag}"`)).toMatchObject({ news: null })
    expect(await row(services, 'gate_commands', {})).toMatchObject({ answer: 'opened', reason: 'Called from the gate' })
    const [audited, ...more] = await rows(services, 'audit_events', { kind: 'gate.opened' })
    expect([audited?.tenant_id, audited?.reason, more]).toEqual([1001, 'Called from the gate', []])
  })

  it('shows the result of a remote opening in the tenant’s file, and counts openings among the tenant’s data', async () => {
    const file = async () => (await agent.get('/office/tenants/GA1/1001')).html()
    const opens = async (what: string | null) => {
      await contact()
      await agent.post(page, form())
      const [command] = (await contact())?.news?.commands ?? []
      services.clock.advance(10_000)
      const at = new Date(services.clock.now()).toISOString()
      if (what) await storeGateEvents(services, 'GA1', [{ id: what, at, what, command: command?.id }])
      services.clock.advance(10_000)
    }
    await opens('opened')
    expect(await file()).toContain('Opened when the office asked (main)')
    await opens('fault')
    expect(await file()).toContain('Did not open when the office asked (main)')
    await opens(null)
    expect(await file()).not.toContain('Did not answer')
    services.clock.advance(10_000)
    expect(await file()).toContain('Did not answer when the office asked it to open (main)')
    expect((await agent.get('/office/tenants/GA1/1002')).html()).not.toContain('when the office asked')
    const keys = await loadTenantKeys(services.db.read, { locationCode: 'GA1', tenantId: 1001 })
    const held = keys ? await countHeldRows(services, keys) : []
    expect(held.find(({ table }) => table.file === 'gate-openings')?.rows).toBe(3)
  })

  it('lists each remote opening on a page of the timeline, also one that lapsed after later ones were answered', async () => {
    const begin = services.clock.now()
    const opening = (second: number, answeredAfter: number | null) => ({
      command_id: `o${second}`,
      location_code: 'GA1',
      tenant_id: 1001,
      point: 'main',
      staff_id: 's',
      reason: 'Locked out',
      created_at: begin + second * 1000,
      lapses_at: begin + second * 1000 + 30_000,
      done_at: answeredAfter === null ? null : begin + (second + answeredAfter) * 1000,
      answer: answeredAfter === null ? ('' as const) : ('opened' as const),
    })
    const later = Array.from({ length: 49 }, (_, index) => opening(100 + index, 1))
    await services.db.write
      .insertInto('gate_commands')
      .values([opening(0, null), opening(5, 1), opening(7, 1), ...later])
      .execute()
    services.clock.advance(300_000)
    const listed: string[] = []
    let before: number | null = null
    do {
      const { data } = await agent.get(`/office/tenants/GA1/1001${before === null ? '' : `?before=${before}`}`)
      listed.push(
        ...data.timeline.flatMap(({ id, text }: { id: string; text: string }) => (/asked/.test(text) ? [id] : [])),
      )
      before = data.older
    } while (before !== null)
    expect(listed).toHaveLength(52)
  })

  it('suspends the code of a tenant with hundreds of units', async () => {
    const manager = await signedInStaff(services, 'manager')
    const { balance: _, ...first } = await row(services, 'leases', { lease_number: 10001 })
    const more = Array.from({ length: 250 }, (_, at) => ({
      ...first,
      lease_number: 20_000 + at,
      unit_id: 1000 + at,
      unit_number: `B${at}`,
      overlocked: 1 as const,
    }))
    const unit = await row(services, 'units', { unit_id: first.unit_id })
    const units = more.map(({ unit_id, unit_number }) => ({ ...unit, unit_id, unit_number }))
    await services.db.write.insertInto('units').values(units).execute()
    await services.db.write.insertInto('leases').values(more).execute()
    const html = (await manager.get(page)).html()
    const made_from = /name="made_from"[^>]* value="([^"]*)"/.exec(html)?.[1] ?? ''
    const until = /name="until"[^>]* value="([^"]*)"/.exec(html)?.[1] ?? ''
    const sent = { intent: 'suspend', key: services.random.uuid(), made_from, until, reason: 'Asked on the phone' }
    expect((await manager.post(page, sent)).status).toBe(302)
    expect(await rows(services, 'gate_overrides', { tenant_id: 1001 })).toMatchObject([{ kind: 'suspended' }])
  })

  it('does not open a gate remotely whose bridge last asked for the flat file, which has no openings', async () => {
    const key = await services.db.transaction((tx) =>
      makeMachineKey(tx, services, 'test', {
        name: 'bridge',
        role: 'gate',
        scopes: [{ facility: 'GA1' }],
        pii: false,
        perMinute: 6000,
        expiresAt: null,
      }),
    )
    const app = createTestSite(services)
    const ask = (query: string) =>
      app.request(`http://localhost:3000/api/gate/GA1/state${query}`, {
        headers: { authorization: `Bearer ${key?.token}` },
      })
    await ask('?format=flat')
    const refused = await agent.post(page, form())
    expect([refused.status, JSON.stringify(refused.data)]).toEqual([
      409,
      expect.stringContaining('The gate is connected by a file, which cannot ask it to open. Open it by hand.'),
    ])
    expect(await rows(services, 'gate_commands')).toEqual([])
    await ask('')
    expect((await agent.post(page, form())).status).toBe(302)
  })

  it('lets a remote opening expire after thirty seconds, allows twenty per hour and refuses finance staff', async () => {
    await contact()
    for (let time = 0; time < 20; time += 1) expect((await agent.post(page, form())).status).toBe(302)
    expect((await agent.post(page, form())).status).toBe(429)
    services.clock.advance(30_000)
    expect((await contact())?.news?.commands).toEqual([])
    expect((await agent.post(page, form())).status).toBe(429)
    services.clock.advance(3_600_000)
    await contact()
    expect((await agent.post(page, form())).status).toBe(302)
    const finance = await signedInStaff(services, 'finance')
    expect((await finance.post(page, form())).status).toBeGreaterThanOrEqual(400)
  })

  it('shows gate events on the unit page and in the office’s timeline until their retention ends', async () => {
    const list = await contact()
    const code = list?.news?.list.codes.find(({ tenantId }) => tenantId === 1001)?.codeId
    await storeGateEvents(services, 'GA1', [
      { id: 'a', at: '2026-11-20T16:00:00Z', what: 'opened', code_id: code },
      { id: 'b', at: '2026-11-20T16:30:00Z', what: 'refused', code_id: code, why: 'hours' },
      { id: 'c', at: '2026-11-20T16:40:00Z', what: 'fault', code_id: code },
    ])
    const ada = new Browser(services, { token: await createSignInToken(services, 'ada') })
    const { data } = await ada.get('/unit-lease-details?lease=10001')
    expect(data.rows).toContainEqual({
      icon: 'key',
      label: 'Last at the gate',
      text: '11/20/2026, 11:30 AM, refused',
    })
    const file = await agent.get('/office/tenants/GA1/1001')
    expect(file.html()).toContain('Refused at the gate (main)')
    expect(file.html()).toContain('Opened the gate (main)')
    expect((await agent.get('/office/tenants/GA1/1002')).html()).not.toContain('at the gate (main)')
    expect(await deleteOldGateRecords(services, () => false)).toBe(0)
    services.clock.advance(181 * 86_400_000)
    expect(await deleteOldGateRecords(services, () => false)).toBe(3)
    expect(await rows(services, 'gate_events')).toEqual([])
  })

  it('exports the code list after a fresh second factor and audits the export', async () => {
    const district = await signedInStaff(services, 'district')
    const file = '/office/setup/GA1/gate/list.csv'
    const { response } = await district.post(file, { reason: 'The gate is offline', key: services.random.uuid() })
    expect(await response?.text()).toBe(
      'code,gate,hours,units,why not\r\n482917,opens,gate hours,301,\r\n591734,opens,gate hours,302,\r\n',
    )
    expect(await rows(services, 'audit_events', { kind: 'gate.list_exported' })).toMatchObject([
      { location_code: 'GA1', reason: 'The gate is offline' },
    ])
    services.clock.advance(660_000)
    const late = await district.post(file, { reason: 'Again', key: services.random.uuid() })
    expect([late.status, late.to]).toEqual([302, expect.stringContaining('/office/second-factor')])
  })
})

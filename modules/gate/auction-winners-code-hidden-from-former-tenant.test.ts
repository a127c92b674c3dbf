import { beforeEach, expect, it } from 'vitest'
import type { WebApp } from '../../server/web/app.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { openTestSite } from '../../tests/support/site.ts'
import type { TestServices } from '../../tests/support/small-operator.ts'
import { countHeldRows } from '../privacy/export-tenant.ts'
import { loadTenantKeys } from '../privacy/tenant-record-ids.ts'
import { makeMachineKey } from '../staff/machine-keys.ts'
import { syncGates } from './refresh-stored-gate-lists.ts'
import { setGate } from './set-gate-kind-and-hours.ts'
import { watchGates } from './watch-gates.ts'

const week = Array.from({ length: 7 }, () => ['00:00', '24:00'] as const)

describeOnBothEngines('The gate code of an auction winner', (open) => {
  let services: TestServices
  let app: WebApp
  let token: string
  let winner: string

  /** Cy's unit 302 was sold to Wynn, whose code 603718 is recorded under Cy, its former tenant. */
  beforeEach(async () => {
    ;({ app, services } = await openTestSite(await open()))
    await services.db.write
      .insertInto('auction_winners')
      .values({
        auction_winner_id: 1,
        uuid: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c14',
        location_code: 'GA1',
        lease_number: 10002,
        unit_number: '302',
        facility_name: 'Depot',
        facility_balance: 0,
        name: 'Wynn',
        email: '',
        city: '',
        zip: '',
        gate_code: '603718',
        combo_code: '0000',
        state: 'paid',
        order_id: null,
        created_at: 0,
        paid_at: 0,
      })
      .execute()
    const code = { location_code: 'GA1', gate_code: '603718', time_zone_name: 'standard' as const, active: 1 as const }
    await services.db.write
      .insertInto('gate_codes')
      .values({ ...code, tenant_id: 1002, lease_number: 10002, created_at: 0 })
      .execute()
    await services.db.transaction((tx) => setGate(tx, services, 'GA1', { kind: 'pull', week }))
    const key = await services.db.transaction((tx) =>
      makeMachineKey(tx, services, 'test', {
        name: 'gate',
        role: 'gate',
        scopes: [{ facility: 'GA1' }],
        pii: true,
        perMinute: 6000,
        expiresAt: null,
      }),
    )
    token = key?.token ?? ''
    const list = await (await request('state')).json()
    winner = list.codes.find((listed: { code: string }) => listed.code === '603718').id
  })
  const request = (path: string, init: RequestInit = {}) =>
    app.request(`http://localhost:3000/api/gate/GA1/${path}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...init.headers },
    })
  const post = (body: object) => request('events', { method: 'POST', body: JSON.stringify(body) })
  const opened = (id: string) =>
    post({ events: [{ id, at: new Date(services.clock.now()).toISOString(), what: 'opened', code_id: winner }] })
  const tenantsOfEvents = async () =>
    (await services.db.read.selectFrom('gate_events').select('tenant_id').execute()).map(({ tenant_id }) => tenant_id)

  it('leaves no event with the former tenant, also once it has ended', async () => {
    await opened('a')
    await services.db.write.updateTable('leases').set({ status: 'Closed' }).where('lease_number', '=', 10002).execute()
    await services.db.write.updateTable('gate_codes').set({ active: 0 }).where('gate_code', '=', '603718').execute()
    await request('state')
    await opened('b')
    expect(await tenantsOfEvents()).toEqual([null, null])
  })

  it('is not in the former tenant’s data, and the flat file has no name for it', async () => {
    const keys = await loadTenantKeys(services.db.read, { locationCode: 'GA1', tenantId: 1002 })
    const heldRows = keys ? await countHeldRows(services, keys) : []
    const rows = heldRows
      .filter(({ table }) => table.file.startsWith('gate'))
      .map(({ table, rows }) => [table.file, rows])
    expect(rows.sort()).toEqual([
      ['gate-codes', 1],
      ['gate-list', 1],
    ])
    const flat = (await (await request('state?format=flat')).text()).split('\r\n')
    expect(flat.find((line) => line.startsWith('   302'))?.slice(0, 35)).toBe('   302    603718                   ')
  })

  it('raises a task to open the gate by hand while the gate refuses it, as no operation gives the winner another one', async () => {
    await post({ events: [], refused: [{ id: winner, why: 'no room' }] })
    await watchGates(services, () => false)
    const tasks = await services.db.read.selectFrom('tasks').select(['kind', 'note']).execute()
    expect(tasks).toEqual([
      { kind: 'gate refused', note: 'The gate refuses the code of 302: no room. Open it for who calls.' },
    ])
  })

  it('mails the former tenant nothing when it was late, and its task is not about them', async () => {
    // A code that is late, not refused, is marked for a mail only if it has changed since the gate was connected.
    services.clock.advance(1)
    await services.db.write.updateTable('gate_codes').set({ time_zone_name: '24-hour' }).execute()
    await syncGates(services, () => false)
    services.clock.advance(90_001)
    await watchGates(services, () => false)
    await post({ events: [], refused: [{ id: winner, why: 'no room' }] })
    await watchGates(services, () => false)
    await post({ events: [], refused: [] })
    const etag = (await request('state')).headers.get('etag') ?? ''
    await request('state', { headers: { 'if-none-match': etag } })
    await watchGates(services, () => false)
    const mails = await services.db.read.selectFrom('jobs').select('payload').where('kind', '=', 'gate_ready').execute()
    expect(mails.map(({ payload }) => JSON.parse(payload).tenantId)).toEqual([1001])
    const tasks = await services.db.read.selectFrom('tasks').select(['kind', 'tenant_id']).orderBy('kind').execute()
    expect(tasks).toEqual([
      { kind: 'gate late', tenant_id: null },
      { kind: 'gate refused', tenant_id: null },
    ])
  })
})

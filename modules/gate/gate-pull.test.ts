import { beforeEach, expect, it } from 'vitest'
import type { Database } from '../../platform/database/open.ts'
import { RateLimits } from '../../platform/rate-limit-counters.ts'
import type { WebApp } from '../../server/web/app.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { observeServices } from '../../tests/support/fault-points.ts'
import { createTestSite, openTestSite } from '../../tests/support/site.ts'
import type { TestServices } from '../../tests/support/small-operator.ts'
import { lockFacility, recordFacilityChange } from '../facilities/lock-facility-for-setup.ts'
import { makeMachineKey, revokeMachineKey } from '../staff/machine-keys.ts'
import { changeGateCode } from './change-tenant-gate-code.ts'
import { compareGates, syncGates } from './refresh-stored-gate-lists.ts'
import { startGateEpochs } from './restart-gate-list.ts'
import { setGate } from './set-gate-kind-and-hours.ts'
import { watchGates } from './watch-gates.ts'

const week = Array.from({ length: 7 }, () => ['05:00', '21:00'] as const)

describeOnBothEngines('A gate that pulls its list', (open) => {
  let db: Database
  let services: TestServices
  let app: WebApp
  let token: string

  const keyFor = async (scope: string, pii = false) => {
    const key = await services.db.transaction((tx) =>
      makeMachineKey(tx, services, 'test', {
        name: services.random.hex(4),
        role: 'gate',
        scopes: [{ facility: scope }],
        pii,
        perMinute: 6000,
        expiresAt: null,
      }),
    )
    if (!key) throw new Error('The name is taken')
    return key
  }
  beforeEach(async () => {
    db = await open()
    ;({ app, services } = await openTestSite(db))
    token = (await keyFor('GA1')).token
    await connect()
  })
  const connect = () =>
    services.db.transaction(async (tx) => {
      await lockFacility(tx, 'GA1')
      await setGate(tx, services, 'GA1', { kind: 'pull', week })
    })
  const request = (path: string, init: RequestInit = {}, bearer = token) =>
    app.request(`http://localhost:3000/api/gate/${path}`, {
      ...init,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', ...init.headers },
    })
  const state = async (etag = '', bearer = token) => {
    const answer = await request('GA1/state', { headers: etag === '' ? {} : { 'if-none-match': etag } }, bearer)
    const text = await answer.text()
    return {
      status: answer.status,
      etag: answer.headers.get('etag') ?? '',
      body: text === '' ? null : JSON.parse(text),
    }
  }
  const codes = (body: { codes: { code: string; opens: boolean }[] }) =>
    body.codes.map(({ code, opens }) => `${code} ${opens ? 'opens' : 'shut'}`)
  const overlock = (on: 0 | 1) =>
    services.db.write.updateTable('leases').set({ overlocked: on }).where('lease_number', '=', 10002).execute()
  const gate = () =>
    services.db.read.selectFrom('gates').selectAll().where('location_code', '=', 'GA1').executeTakeFirstOrThrow()
  /** Copies the gate, its list and the overlocks. Returns a function that sets all three back, as a restore would. */
  const backUpGate = async () => {
    const row = await gate()
    const listed = await services.db.read.selectFrom('gate_wanted').selectAll().execute()
    const leases = await services.db.read.selectFrom('leases').select(['lease_number', 'overlocked']).execute()
    return async () => {
      const { write } = services.db
      await write.deleteFrom('gate_wanted').execute()
      for (const { lease_number, overlocked } of leases)
        await write.updateTable('leases').set({ overlocked }).where('lease_number', '=', lease_number).execute()
      await write.deleteFrom('gate_marks').execute()
      await write.updateTable('gates').set(row).where('location_code', '=', 'GA1').execute()
      await write.insertInto('gate_wanted').values(listed).execute()
    }
  }
  const events = async (list: unknown[]) => {
    const answer = await request('GA1/events', { method: 'POST', body: JSON.stringify({ events: list }) })
    return { status: answer.status, body: await answer.json() }
  }

  it('receives the access list at its first contact and after each change, and its acknowledgement is stored', async () => {
    const first = await state()
    expect(first).toMatchObject({ status: 200, body: { facility: 'GA1', poll_s: 2, week, open: [] } })
    expect(codes(first.body)).toEqual(['482917 opens', '591734 opens'])
    expect(first.body.codes[0]).toMatchObject({ hours: 'week', units: ['301'] })
    expect((await gate()).applied_version).toBe(0)
    for (const etag of [first.etag, `W/${first.etag}`, first.etag.replaceAll('"', '')])
      expect(await state(etag)).toEqual({ status: 304, etag: first.etag, body: null })
    expect(await gate()).toMatchObject({ applied_version: first.body.version, heard_at: services.clock.now() })

    await overlock(1)
    const second = await state(first.etag)
    expect(codes(second.body)).toEqual(['482917 opens', '591734 shut'])
    expect(second.etag).not.toBe(first.etag)
    await overlock(0)
    expect(codes((await state(second.etag)).body)).toEqual(['482917 opens', '591734 opens'])
    // A change that does not concern the gate makes no new version.
    const { etag } = await state()
    await services.db.write.updateTable('leases').set({ status: 'Current' }).where('lease_number', '=', 10002).execute()
    expect(await state(etag)).toMatchObject({ status: 304 })
  })

  it('is refreshed by the chore and at the end of an override, and is repaired where it differs without a mark', async () => {
    await overlock(1)
    expect(await syncGates(services, () => false)).toBe(1)
    expect(await syncGates(services, () => false)).toBe(0)
    const until = services.clock.now() + 60_000
    await services.db.write
      .insertInto('gate_overrides')
      .values({
        override_id: 'o1',
        location_code: 'GA1',
        tenant_id: 1002,
        lease_number: 10002,
        kind: 'lifted',
        holds_until: until,
        reason: 'Asked',
        staff_id: 's',
        created_at: 0,
        ended_at: null,
      })
      .execute()
    expect(codes((await state()).body)).toEqual(['482917 opens', '591734 opens'])
    services.clock.set(until)
    expect(await syncGates(services, () => false)).toBe(1)
    expect(codes((await state()).body)).toEqual(['482917 opens', '591734 shut'])

    const reported: unknown[] = []
    services.errors = { report: (error) => void reported.push(error) }
    expect(await compareGates(services, () => false)).toBe(0)
    await services.db.write.updateTable('gate_wanted').set({ opens: 1 }).where('gate_code', '=', '591734').execute()
    expect(await compareGates(services, () => false)).toBe(1)
    expect(reported).toMatchObject([{ message: 'The gate of GA1 differed from the records without a mark' }])
    expect(codes((await state()).body)).toEqual(['482917 opens', '591734 shut'])
  })

  it('is not refreshed at the end of an override once no gate is connected', async () => {
    await services.db.write
      .insertInto('gate_overrides')
      .values({
        override_id: 'o1',
        location_code: 'GA1',
        tenant_id: 1002,
        lease_number: null,
        kind: 'suspended',
        holds_until: services.clock.now() + 60_000,
        reason: 'Asked',
        staff_id: 's',
        created_at: 0,
        ended_at: null,
      })
      .execute()
    await state()
    expect((await gate()).next_change_at).toBe(services.clock.now() + 60_000)
    await services.db.transaction((tx) => setGate(tx, services, 'GA1', { kind: 'none', week: null }))
    expect((await gate()).next_change_at).toBe(null)
    // In a database of an earlier release, a gate that is not connected may still have the time of its next change.
    await services.db.write.updateTable('gates').set({ next_change_at: services.clock.now() }).execute()
    const moments: string[] = []
    const observed = observeServices(services, ({ at }) => moments.push(at))
    await syncGates(observed, () => false)
    expect(moments).toEqual([])
  })

  it('is marked only by changes that concern its list, and by none while it is not connected', async () => {
    const marks = async () => (await services.db.read.selectFrom('gate_marks').selectAll().execute()).length
    await services.db.write.updateTable('leases').set({ paid_through: '2026-12-01' }).execute()
    expect(await marks()).toBe(0)
    await overlock(1)
    expect(await marks()).toBe(1)
    await overlock(1)
    expect(await marks()).toBe(1)
    await services.db.transaction((tx) => setGate(tx, services, 'GA1', { kind: 'none', week: null }))
    await overlock(0)
    expect(await marks()).toBe(0)
    expect(await state()).toMatchObject({ status: 404, body: { error: { code: 'no_gate' } } })
    await connect()
    expect(codes((await state()).body)).toEqual(['482917 opens', '591734 opens'])
  })

  it('gets a new epoch after a restore, even if no command started it', async () => {
    const first = await state()
    await state(first.etag)
    services.clock.advance(1000)
    await services.db.transaction((tx) => startGateEpochs(tx, services.clock.now()))
    const second = await state(first.etag)
    expect(second.status).toBe(200)
    expect(second.body.epoch).not.toBe(first.body.epoch)
    expect(await gate()).toMatchObject({ applied_version: 0 })
    services.clock.advance(1000)
    const early = await state(`"${second.body.epoch}-99999999999"`)
    expect([early.status, early.etag, (await gate()).applied_version]).toEqual([200, second.etag, 0])
    // Nothing of this epoch was acknowledged, so the next one may begin only an hour after this one began.
    services.clock.advance(60_000)
    expect((await state(`"${second.body.epoch}-99999999999"`)).etag).toBe(second.etag)
    services.clock.advance(3_600_000)
    const third = await state(`"${second.body.epoch}-99999999999"`)
    expect(third.status).toBe(200)
    expect(third.body.epoch).not.toBe(second.body.epoch)
    services.mayBeRestored = async () => true
    expect(await state(third.etag)).toMatchObject({ status: 503, body: { error: { code: 'held' } } })
  })

  it('gets the list after an unnoticed restore, whatever versions were issued before it', async () => {
    const overlockLease = (lease: number, on: 0 | 1) =>
      services.db.write.updateTable('leases').set({ overlocked: on }).where('lease_number', '=', lease).execute()
    /** Changes the list twice, one second apart, and returns the controller's last ETag. */
    const changeTwice = async () => {
      services.clock.advance(1000)
      await overlockLease(10001, 1)
      await state()
      services.clock.advance(1000)
      await overlockLease(10002, 1)
      const { etag } = await state()
      await state(etag)
      return etag
    }
    for (const isNewEpoch of [false, true]) {
      if (isNewEpoch) await services.db.transaction((tx) => startGateEpochs(tx, services.clock.now()))
      const { etag } = await state()
      await state(etag)
      const goBack = await backUpGate()
      const lost = await changeTwice()
      await goBack()
      services.clock.advance(60_000)
      // As many changes as were lost, but others.
      await overlockLease(10001, 1)
      await syncGates(services, () => false)
      await overlockLease(10001, 0)
      await syncGates(services, () => false)
      const after = await state(lost)
      expect([after.status, after.body && codes(after.body)]).toEqual([200, ['482917 opens', '591734 opens']])
      expect(await state(after.etag)).toMatchObject({ status: 304 })
    }
  })

  it('gets hours that are saved after an unnoticed restore, though it acknowledged others before the restore', async () => {
    const setDay = (from: string) =>
      services.db.transaction(async (tx) => {
        await lockFacility(tx, 'GA1')
        await setGate(tx, services, 'GA1', { kind: 'pull', week: week.with(0, [from, '21:00'] as never) })
      })
    const { etag } = await state()
    await state(etag)
    const goBack = await backUpGate()
    services.clock.advance(1000)
    await setDay('06:00')
    const lost = await state(etag)
    await state(lost.etag)
    await goBack()
    services.clock.advance(60_000)
    await setDay('07:00')
    expect(await state(lost.etag)).toMatchObject({
      status: 200,
      body: { week: [['07:00', '21:00'], ...week.slice(1)] },
    })
  })

  it('gets a new epoch at each connection, even within one second', async () => {
    const epochs: string[] = []
    for (let time = 0; time < 4; time += 1) {
      epochs.push((await state()).body.epoch)
      await services.db.transaction((tx) => setGate(tx, services, 'GA1', { kind: 'none', week: null }))
      await connect()
    }
    expect(new Set(epochs).size).toBe(4)
  })

  it('refuses a wrong or revoked key and another facility’s key', async () => {
    expect(await state('', `${token.slice(0, -2)}xx`)).toMatchObject({ status: 401 })
    const other = await keyFor('HI1')
    expect(await state('', other.token)).toMatchObject({ status: 404 })
    const ended = await keyFor('GA1')
    await services.db.transaction((tx) => revokeMachineKey(tx, ended.keyId, services.clock.now()))
    expect(await state('', ended.token)).toMatchObject({ status: 401, body: { error: { code: 'key_ended' } } })
    expect((await request('GA1/events', { method: 'POST', body: '{"events":[]}' }, other.token)).status).toBe(404)
  })

  it('records each event once, reports a malformed event and accepts the others', async () => {
    const { body } = await state()
    const event = (id: string) => ({ id, at: '2026-11-20T16:59:58Z', what: 'opened', code_id: body.codes[0].id })
    const sent = [
      event('a'),
      { ...event('b'), what: 'sneezed' },
      'no event',
      { id: 'e', what: 'opened' },
      event('c'),
      { ...event('d'), at: '2027-01-01T00:00:00Z' },
    ]
    expect(await events(sent)).toEqual({
      status: 200,
      body: {
        taken: 2,
        known: 0,
        unread: [
          { place: 1, why: expect.stringContaining('what') },
          { place: 2, why: expect.any(String) },
          { place: 3, why: 'at: is required' },
          { place: 5, why: 'at: lies ahead of our clock' },
        ],
      },
    })
    expect((await events(sent)).body).toMatchObject({ taken: 0, known: 2 })
    const stored = await services.db.read.selectFrom('gate_events').selectAll().orderBy('event_id').execute()
    expect(stored).toMatchObject([
      { event_id: 'a', tenant_id: 1001, what: 'opened', point: 'main' },
      { event_id: 'c', tenant_id: 1001 },
    ])
    const many = Array.from({ length: 500 }, (_, at) => ({ ...event(`m-${at}`), point: 'main', command: '', why: '' }))
    const broken = many.with(250, { ...event('m-250'), what: 'sneezed', point: 'main', command: '', why: '' })
    expect(await events(broken)).toMatchObject({ status: 200, body: { taken: 499, unread: [{ place: 250 }] } })
    expect(await events(many)).toMatchObject({ status: 200, body: { taken: 1, known: 499 } })
    expect(await events([...many, event('more')])).toMatchObject({ status: 400 })
    const large = many.map((each) => ({ ...each, why: 'x'.repeat(600) }))
    expect((await request('GA1/events', { method: 'POST', body: JSON.stringify({ events: large }) })).status).toBe(413)
  })

  it('learns which events have an id that was used for another event, as when its controller counts from 1', async () => {
    const event = (id: string, at: string, what: string) => ({ id, at: `2026-11-20T16:${at}Z`, what })
    const first = [event('1', '00:00', 'opened'), event('2', '01:00', 'opened')]
    expect((await events(first)).body).toEqual({ taken: 2, known: 0, unread: [] })
    services.clock.advance(1000)
    const another = 'id: was used for another event'
    const sent = [
      event('1', '30:00', 'forced'),
      'no event',
      // The same instant, written in another way, is a repetition.
      { id: '2', at: '2026-11-20T11:01:00.000-05:00', what: 'opened', point: 'main' },
      event('3', '31:00', 'opened'),
      event('3', '31:00', 'refused'),
      event('2', '01:00', 'refused'),
    ]
    for (const [taken, known] of [
      [1, 1],
      [0, 2],
    ])
      expect((await events(sent)).body).toEqual({
        taken,
        known,
        unread: [
          { place: 0, why: another },
          { place: 1, why: expect.any(String) },
          { place: 4, why: another },
          { place: 5, why: another },
        ],
      })
    const stored = await services.db.read.selectFrom('gate_events').select(['event_id', 'what']).execute()
    expect(stored.map(({ event_id, what }) => `${event_id} ${what}`).sort()).toEqual([
      '1 opened',
      '2 opened',
      '3 opened',
    ])
    expect(await services.db.read.selectFrom('tasks').select(['kind', 'note']).execute()).toEqual([
      {
        kind: 'gate report',
        note: 'The gate sends events under ids that were used before, as a new controller that counts from 1 does: they are not taken. Have its installer give its events other ids.',
      },
    ])
    expect((await events(first)).body).toEqual({ taken: 0, known: 2, unread: [] })
  })

  it('says which codes it cannot store until it can, or until the tenant has another code', async () => {
    const reportRefused = async (refused: unknown) => {
      const answer = await request('GA1/events', { method: 'POST', body: JSON.stringify({ events: [], refused }) })
      await watchGates(services, () => false)
      return answer.status
    }
    const stored = async () => {
      const rows = await services.db.read
        .selectFrom('gate_wanted')
        .select(['gate_code', 'refused', 'refused_at'])
        .where('refused', 'is not', null)
        .where('gone', '=', 0)
        .execute()
      return rows.map((row) => `${row.gate_code}: ${row.refused}`)
    }
    const tasks = async () => {
      const rows = await services.db.read.selectFrom('tasks').selectAll().orderBy('created_at').execute()
      return rows.map(({ kind, state, note }) => `${kind}, ${state}: ${note}`)
    }
    const { body, etag } = await state()
    await state(etag)
    const [{ id }] = body.codes
    expect(await reportRefused([{ id, why: 'no room' }, { id: 'unknown' }])).toBe(200)
    expect([await stored(), await tasks()]).toEqual([
      ['482917: no room'],
      ['gate refused, open: The gate refuses the code of 301: no room. Give another one.'],
    ])
    // Events without the field, or a list that cannot be read, leave the refused codes as they are.
    await events([{ id: 'a', at: '2026-11-20T16:59:58Z', what: 'opened', code_id: id }])
    expect(await reportRefused([{ why: 'no room' }])).toBe(400)
    expect(await stored()).toEqual(['482917: no room'])
    services.clock.advance(1000)
    expect(await reportRefused([])).toBe(200)
    expect([await stored(), await tasks()]).toEqual([[], [expect.stringMatching(/^gate refused, done/)]])
    services.clock.advance(1000)
    expect(await reportRefused([{ id }])).toBe(200)
    expect([await stored(), await tasks()]).toEqual([
      ['482917: not said'],
      [expect.stringMatching(/^gate refused, done/), expect.stringMatching(/^gate refused, open/)],
    ])
    const tenantKey = { locationCode: 'GA1', tenantId: 1001 }
    await services.db.transaction((tx) => changeGateCode(tx, services, tenantKey, '770011'))
    await state()
    await watchGates(services, () => false)
    expect([await stored(), (await tasks()).map((task) => task.slice(0, 18))]).toEqual([
      [],
      ['gate refused, done', 'gate refused, done'],
    ])
  })

  it('exports 236 columns per unit, with names only where the key may read them', async () => {
    await overlock(1)
    const file = async (bearer: string) => {
      const answer = await request('GA1/state?format=flat', {}, bearer)
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
      const lines = (await answer.text()).split('\r\n').filter(Boolean)
      for (const line of lines) expect(line).toHaveLength(236)
      return lines.map((line) => [line.slice(0, 35), line.slice(213, 215), line.slice(229)].join('|'))
    }
    const lines = await file(token)
    expect(lines).toHaveLength(7)
    expect(lines.slice(-3)).toEqual(
      ['   302    591734                   |01|2000000', '    P1                             |00|0000000'].toSpliced(
        0,
        0,
        '   301    482917                   |01|1000000',
      ),
    )
    expect((await file((await keyFor('GA1', true)).token))[4]).toBe('   301    482917Byrne Ada          |01|1000000')
  })

  it('gets no units in the flat file that six columns cannot tell apart, and a task is raised', async () => {
    const names = { '301': 'A-10123', '302': 'A-10124', P1: 'LOCKER-7' }
    for (const [unit_number, to] of Object.entries(names))
      for (const table of ['units', 'leases'] as const)
        await services.db.write
          .updateTable(table as 'units')
          .set({ unit_number: to })
          .where('location_code', '=', 'GA1')
          .where('unit_number', '=', unit_number)
          .execute()
    const flat = async () => (await request('GA1/state?format=flat')).text()
    const units = (await flat()).split('\r\n').map((record) => record.slice(0, 6))
    expect(units).not.toContain('A-1012')
    expect(units).toContain('LOCKER')
    await flat()
    expect(await services.db.read.selectFrom('tasks').select(['kind', 'note']).execute()).toEqual([
      {
        kind: 'gate file',
        note: 'The flat file of this gate has six characters for a unit, which are alike for A-10123, A-10124. These units are not in it, and their codes do not open: give them other numbers.',
      },
    ])
    const listed = services.db.read.selectFrom('gate_wanted').select(['units', 'refused']).where('gone', '=', 0)
    const refused = (await listed.execute()).filter((row) => row.refused !== null)
    expect(refused.map((row) => row.units).sort()).toEqual(['["A-10123"]', '["A-10124"]'])
    expect(refused[0]?.refused).toBe('its unit is not in the flat file')
  })

  it('gets a new flat file once a vacant unit that looked like a rented one is retired or has another number', async () => {
    const changeUnit = (unit_number: string, to: { unit_number: string } | { retired_on: string | null }) =>
      services.db.transaction(async (tx) => {
        await tx
          .updateTable('units')
          .set(to)
          .where((eb) => eb.and({ location_code: 'GA1', unit_number }))
          .execute()
        // As Setup does with each change.
        await recordFacilityChange(tx, services, 'GA1')
      })
    const flat = async (etag = '') => {
      const headers: Record<string, string> = etag === '' ? {} : { 'if-none-match': etag }
      const answer = await request('GA1/state?format=flat', { headers })
      const units = (await answer.text()).split('\r\n').map((line) => line.slice(0, 6).trim())
      return { status: answer.status, etag: answer.headers.get('etag') ?? '', units }
    }
    const openTasks = async () =>
      (await services.db.read.selectFrom('tasks').select('kind').where('state', '=', 'open').execute()).length
    const countRefused = async () =>
      (await services.db.read.selectFrom('gate_wanted').select('code_id').where('refused', 'is not', null).execute())
        .length
    await changeUnit('301', { unit_number: 'A-10123' })
    await services.db.write
      .updateTable('leases')
      .set({ unit_number: 'A-10123' })
      .where((eb) => eb.and({ location_code: 'GA1', unit_number: '301' }))
      .execute()
    await changeUnit('P1', { unit_number: 'A-10124' })
    const first = await flat()
    expect([first.units.includes('A-1012'), await openTasks(), await countRefused()]).toEqual([false, 1, 1])
    expect(await flat(first.etag)).toMatchObject({ status: 304, etag: first.etag })

    await changeUnit('A-10124', { retired_on: '2026-11-20' })
    const second = await flat(first.etag)
    expect(second).toMatchObject({ status: 200, units: expect.arrayContaining(['A-1012']) })
    expect([await openTasks(), await countRefused()]).toEqual([0, 0])
    expect(await flat(second.etag.replace(/"$/, '-gzip"'))).toMatchObject({ status: 304, etag: second.etag })
    expect(await gate()).toMatchObject({ applied_version: (await gate()).version })

    await changeUnit('A-10124', { retired_on: null })
    expect(await flat(second.etag)).toMatchObject({ status: 200, units: expect.not.arrayContaining(['A-1012']) })
    await changeUnit('A-10124', { unit_number: 'P1' })
    expect(await flat(second.etag)).toMatchObject({ status: 200, units: expect.arrayContaining(['A-1012', 'P1']) })
    expect([await openTasks(), await countRefused()]).toEqual([0, 0])
  })

  it('may poll as often as its key allows', async () => {
    const key = await services.db.transaction((tx) =>
      makeMachineKey(tx, services, 'test', {
        name: 'slow',
        role: 'gate',
        scopes: [{ facility: 'GA1' }],
        pii: false,
        perMinute: 2,
        expiresAt: null,
      }),
    )
    services.limits = new RateLimits({ db, clock: services.clock })
    const limited = createTestSite(services)
    const requestList = async () =>
      (
        await limited.request('http://localhost:3000/api/gate/GA1/state', {
          headers: { authorization: `Bearer ${key?.token}` },
        })
      ).status
    expect([await requestList(), await requestList(), await requestList()]).toEqual([200, 200, 429])
  })
})

import type { KyselyPlugin } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { addLeasesWithGateCodes } from '../../tests/support/add-leases-with-gate-codes.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { openTestServices, type TestServices } from '../../tests/support/small-operator.ts'
import { handleGateContact } from './answer-gate-list-pull.ts'
import { loadGateHours } from './load-and-lock-facility-gate.ts'
import { syncGates } from './refresh-stored-gate-lists.ts'
import { startGateEpochs } from './restart-gate-list.ts'
import type { GateWeek } from './rules/gate-hours.ts'
import { setGate } from './set-gate-kind-and-hours.ts'
import { storeCodesRefusedByController } from './store-codes-refused-by-controller.ts'
import { loadGateHealth, watchGates } from './watch-gates.ts'

const week = Array.from({ length: 7 }, () => ['05:00', '21:00'] as const)
const MINUTE = 60_000

describeOnBothEngines('The monitoring of a gate', (open) => {
  let services: TestServices

  beforeEach(async () => {
    services = await openTestServices(await open())
    await services.db.transaction((tx) => setGate(tx, services, 'GA1', { kind: 'pull', week }))
  })

  const watch = () => watchGates(services, () => false)
  const contact = (etag = '') => handleGateContact(services, 'GA1', etag, 'k')
  const takesAll = async () => void (await contact(`"${(await contact())?.etag}"`))
  const tasks = async () => {
    const rows = await services.db.read.selectFrom('tasks').selectAll().orderBy('kind').execute()
    return rows.map(({ kind, state, note }) => `${kind}, ${state}: ${note}`)
  }
  const mails = async () => {
    const rows = await services.db.read.selectFrom('jobs').selectAll().where('kind', '=', 'gate_ready').execute()
    return rows.map(({ payload }) => JSON.parse(payload).tenantId).sort()
  }
  const overlock = (overlocked: 0 | 1) =>
    services.db.write.updateTable('leases').set({ overlocked }).where('lease_number', '=', 10002).execute()

  it('raises one task while a new gate accepts no code, and mails no tenant once it does', async () => {
    await contact()
    expect([await watch(), await tasks()]).toEqual([0, []])
    services.clock.advance(MINUTE + 1)
    await contact()
    await watch()
    await watch()
    expect(await tasks()).toEqual([
      'gate late, open: The gate has not taken the codes of: 301, 302. Open it for who calls.',
    ])
    expect(await loadGateHealth(services)).toEqual({ connected: 1, silent: 0, late: 2, lateHours: 0, refused: 0 })
    await takesAll()
    expect(await watch()).toBe(0)
    expect(await mails()).toEqual([])
    expect(await tasks()).toEqual([expect.stringMatching(/^gate late, done/)])
    expect(await loadGateHealth(services)).toEqual({ connected: 1, silent: 0, late: 0, lateHours: 0, refused: 0 })
  })

  it('raises a task after ten minutes without contact, with the units for whose closed codes the gate still opens', async () => {
    await takesAll()
    await overlock(1)
    services.clock.advance(10 * MINUTE)
    await syncGates(services, () => false)
    await watch()
    expect(await tasks()).toEqual([])
    services.clock.advance(1)
    await watch()
    expect(await tasks()).toEqual([
      'gate silent, open: The gate was heard last Nov 20 12:00 PM. It goes on by its last list. It still opens, although it should not, for: 302.',
    ])
    expect(await loadGateHealth(services, ['GA1'])).toMatchObject({ silent: 1 })
    expect(await loadGateHealth(services, ['HI1'])).toMatchObject({ connected: 0, silent: 0 })
    await contact()
    await watch()
    expect(await tasks()).toEqual([expect.stringMatching(/^gate silent, done/)])
    // No tenant waits for a code: the only change closed one.
    expect(await mails()).toEqual([])
  })

  /** Makes the gate ask while it keeps the list that it had. */
  const keepsList = async (etag: string) => void (await contact(`"${etag}"`))

  it('mails a tenant once whose code opened again while the gate took no list', async () => {
    await overlock(1)
    const etag = (await contact())?.etag ?? ''
    await keepsList(etag)
    services.clock.advance(MINUTE)
    await overlock(0)
    await syncGates(services, () => false)
    services.clock.advance(MINUTE + 1)
    await keepsList(etag)
    await watch()
    expect(await tasks()).toEqual(['gate late, open: The gate has not taken the codes of: 302. Open it for who calls.'])
    await takesAll()
    expect(await watch()).toBe(1)
    expect(await mails()).toEqual([1002])
  })

  it('mails no tenant and counts no code as late because of a new epoch', async () => {
    const etag = (await contact())?.etag ?? ''
    await keepsList(etag)
    services.clock.advance(60 * MINUTE)
    for (let time = 0; time < 3; time += 1) {
      await keepsList(etag.replace(/-.*$/, '-99999999999'))
      await watch()
      expect(await loadGateHealth(services)).toMatchObject({ late: 0 })
      services.clock.advance(MINUTE + 1)
      await contact()
      await watch()
      await takesAll()
      expect(await watch()).toBe(0)
    }
    expect(await mails()).toEqual([])
  })

  it('raises a task again for the same cause, and keeps the note of an open one up to date', async () => {
    await overlock(1)
    const etag = (await contact())?.etag ?? ''
    await keepsList(etag)
    const late = async () => (await tasks()).filter((task) => task.startsWith('gate late, open'))
    await overlock(0)
    await syncGates(services, () => false)
    services.clock.advance(MINUTE + 1)
    await keepsList(etag)
    await watch()
    expect(await late()).toHaveLength(1)
    await overlock(1)
    await syncGates(services, () => false)
    await watch()
    expect(await late()).toEqual([])
    await overlock(0)
    await syncGates(services, () => false)
    services.clock.advance(MINUTE + 1)
    await keepsList(etag)
    await watch()
    expect(await late()).toHaveLength(1)
    await services.db.write.updateTable('gate_codes').set({ time_zone_name: '24-hour' }).execute()
    await syncGates(services, () => false)
    services.clock.advance(MINUTE + 1)
    await keepsList(etag)
    await watch()
    expect(await late()).toEqual([
      'gate late, open: The gate has not taken the codes of: 301, 302. Open it for who calls.',
    ])
    // A task that a staff member has ended is not added again until its note changes.
    await services.db.write
      .updateTable('tasks')
      .set({ state: 'done', ended_by: 's', ended_at: services.clock.now() })
      .execute()
    await watch()
    expect(await late()).toEqual([])
  })

  it('adds codes closed later to the task about a silent gate, and none that the gate never opened', async () => {
    await overlock(1)
    await takesAll()
    services.clock.advance(10 * MINUTE + 1)
    await watch()
    const heard = 'gate silent, open: The gate was heard last Nov 20 12:00 PM. It goes on by its last list.'
    expect(await tasks()).toEqual([heard])
    await services.db.write.updateTable('leases').set({ overlocked: 1 }).where('lease_number', '=', 10001).execute()
    await syncGates(services, () => false)
    await watch()
    expect(await tasks()).toEqual([`${heard} It still opens, although it should not, for: 301.`])
    await services.db.transaction((tx) => startGateEpochs(tx, services.clock.now()))
    await watch()
    expect(await tasks()).toEqual([`${heard} It still opens, although it should not, for: 301.`])
  })

  it('lists no code in the task about a silent gate that the gate closed before a restore', async () => {
    await takesAll()
    await services.db.write.updateTable('leases').set({ overlocked: 1 }).where('lease_number', '=', 10001).execute()
    await syncGates(services, () => false)
    await takesAll()
    await services.db.transaction((tx) => startGateEpochs(tx, services.clock.now()))
    services.clock.advance(10 * MINUTE + 1)
    await watch()
    expect((await tasks()).filter((task) => task.startsWith('gate silent'))).toEqual([
      'gate silent, open: The gate was heard last Nov 20 12:00 PM. It goes on by its last list.',
    ])
  })

  it('raises a task about a gate that was never heard, which says that what it opens is not known', async () => {
    await overlock(1)
    await syncGates(services, () => false)
    services.clock.advance(10 * MINUTE + 1)
    await watch()
    expect((await tasks()).filter((task) => task.startsWith('gate silent'))).toEqual([
      'gate silent, open: The gate has not been heard since it was connected Nov 20 12:00 PM. What it opens is not known.',
    ])
  })

  it('counts changed hours as late, and pages show the earlier hours until the gate has acknowledged them', async () => {
    const etag = (await contact())?.etag ?? ''
    await keepsList(etag)
    const hoursOnPages = () => loadGateHours(services.db.read, { location_code: 'GA1', gate_hours: '' })
    expect(await hoursOnPages()).toBe('5 AM to 9 PM every day')
    const later = Array.from({ length: 7 }, () => ['07:00', '18:00'] as const)
    await services.db.transaction((tx) => setGate(tx, services, 'GA1', { kind: 'pull', week: later }))
    expect(await hoursOnPages()).toBe('5 AM to 9 PM every day')
    services.clock.advance(MINUTE + 1)
    await keepsList(etag)
    await watch()
    expect(await tasks()).toEqual([
      'gate late, open: The gate has not taken its new hours: it opens and shuts by the earlier ones.',
    ])
    expect(await loadGateHealth(services)).toMatchObject({ late: 0, lateHours: 1 })
    await takesAll()
    await watch()
    expect(await hoursOnPages()).toBe('7 AM to 6 PM every day')
    expect(await tasks()).toEqual([expect.stringMatching(/^gate late, done/)])
    // A new epoch changes nothing at the keypad.
    await services.db.transaction((tx) => startGateEpochs(tx, services.clock.now()))
    expect(await hoursOnPages()).toBe('7 AM to 6 PM every day')
  })

  it('does not take hours for acknowledged that a gate may have exchanged for others meanwhile', async () => {
    const etag = (await contact())?.etag ?? ''
    await keepsList(etag)
    const hoursOnPages = () => loadGateHours(services.db.read, { location_code: 'GA1', gate_hours: '' })
    const set = (hours: GateWeek) =>
      services.db.transaction((tx) => setGate(tx, services, 'GA1', { kind: 'pull', week: hours }))
    await set(Array.from({ length: 7 }, () => ['07:00', '18:00'] as const))
    services.clock.advance(1000)
    await contact()
    await set(week)
    expect(await hoursOnPages()).toBe('7 AM to 6 PM every day')
    services.clock.advance(MINUTE + 1)
    await keepsList(etag)
    expect(await loadGateHealth(services)).toMatchObject({ lateHours: 1 })
    await takesAll()
    expect([await hoursOnPages(), await loadGateHealth(services)]).toMatchObject([
      '5 AM to 9 PM every day',
      { lateHours: 0 },
    ])
  })

  it('ignores a delayed request that names an older list, unless no other contact has come for a while', async () => {
    const first = (await contact())?.etag ?? ''
    await keepsList(first)
    await overlock(1)
    await takesAll()
    const second = (await contact())?.etag ?? ''
    const versionOf = (etag: string) => Number(/(\d+)"?$/.exec(etag)?.[1])
    const applied = async () =>
      (await services.db.read.selectFrom('gates').select('applied_version').executeTakeFirstOrThrow()).applied_version
    expect(await applied()).toBe(versionOf(second))
    await keepsList(first)
    expect(await applied()).toBe(versionOf(second))
    services.clock.advance(MINUTE)
    await keepsList(first)
    expect(await applied()).toBe(versionOf(first))
  })

  it('raises a task for each code that the gate rejects', async () => {
    await takesAll()
    await services.db.write
      .updateTable('gate_wanted')
      .set({ refused: 'in use' })
      .where('tenant_id', '=', 1001)
      .execute()
    await watch()
    expect(await tasks()).toEqual(['gate refused, open: The gate refuses the code of 301: in use. Give another one.'])
    expect(await loadGateHealth(services)).toMatchObject({ refused: 1, late: 0 })
    await services.db.write.updateTable('gate_wanted').set({ refused: null }).execute()
    expect(await watch()).toBe(1)
    expect(await tasks()).toEqual([expect.stringMatching(/^gate refused, done/)])
    expect(await mails()).toEqual([1001])
  })

  it('locks a gate with many late, refused or taken codes for only a few statements', async () => {
    await takesAll()
    const keptEtag = (await contact())?.etag ?? ''
    services.clock.advance(1000)
    await services.db.transaction((tx) => addLeasesWithGateCodes(tx, 1200))
    await syncGates(services, () => false)
    services.clock.advance(95_000)
    let statements = 0
    const countStatements: KyselyPlugin = {
      transformQuery({ node }) {
        statements += 1
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const transaction: TestServices['db']['transaction'] = (work) =>
      services.db.transaction((tx) => work(tx.withPlugin(countStatements)))
    const counted = { ...services, db: { ...services.db, transaction } }
    /** Returns the number of statements in the transactions of one run of the chore. */
    const countTurn = async () => {
      statements = 0
      await watchGates(counted, () => false)
      return statements
    }
    const listed = () =>
      services.db.read
        .selectFrom('gate_wanted')
        .select(['code_id', 'late_at'])
        .where('gate_code', 'like', '32%')
        .execute()
    const lateCodes = async () => (await listed()).filter(({ late_at }) => late_at !== null).length
    const openRefusals = async () => (await tasks()).filter((task) => task.startsWith('gate refused, open')).length
    const refuse = async (ids: readonly string[]) => {
      const refused = ids.map((id) => ({ id, why: 'no room' }))
      statements = 0
      await counted.db.transaction((tx) =>
        storeCodesRefusedByController(tx, services, { locationCode: 'GA1' }, refused),
      )
      expect(statements).toBeLessThan(10)
    }
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await countTurn()).toBeLessThan(20)
      expect(await lateCodes()).toBe(1200)
    }
    await keepsList(keptEtag)
    await refuse((await listed()).map(({ code_id }) => code_id))
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await countTurn()).toBeLessThan(20)
      expect(await openRefusals()).toBe(1200)
    }
    await refuse([])
    await takesAll()
    expect(await countTurn()).toBeLessThan(20)
    expect([await lateCodes(), await openRefusals(), await mails()]).toEqual([0, 0, [1001]])
    expect(await countTurn()).toBeLessThan(10)
  })

  it('ends its tasks, and says nothing more, once no gate is connected', async () => {
    await contact()
    services.clock.advance(11 * MINUTE)
    await services.db.write
      .updateTable('gate_wanted')
      .set({ refused: 'in use', refused_at: services.clock.now() })
      .where('tenant_id', '=', 1001)
      .execute()
    await watch()
    expect((await tasks()).map((task) => task.split(':')[0])).toEqual([
      'gate late, open',
      'gate refused, open',
      'gate silent, open',
    ])
    const connect = (kind: 'none' | 'pull') =>
      services.db.transaction((tx) => setGate(tx, services, 'GA1', { kind, week: kind === 'none' ? null : [...week] }))
    await connect('none')
    await watch()
    expect((await tasks()).map((task) => task.split(':')[0])).toEqual([
      'gate late, done',
      'gate refused, done',
      'gate silent, done',
    ])
    await connect('pull')
    await takesAll()
    expect([await watch(), await mails()]).toEqual([0, []])
    expect((await tasks()).filter((task) => task.includes('open'))).toEqual([])
    expect(await loadGateHealth(services)).toEqual({ connected: 1, silent: 0, late: 0, lateHours: 0, refused: 0 })
  })

  it('raises one task for a remote opening that the gate has not answered in time', async () => {
    const now = services.clock.now()
    await services.db.write
      .insertInto('gate_commands')
      .values({
        command_id: 'o1',
        location_code: 'GA1',
        point: 'main',
        staff_id: 's',
        reason: 'Locked out',
        created_at: now,
        lapses_at: now + 30_000,
        done_at: null,
        answer: '',
      })
      .execute()
    await takesAll()
    await watch()
    expect(await tasks()).toEqual([])
    services.clock.advance(30_000)
    await takesAll()
    await watch()
    await watch()
    expect(await tasks()).toEqual(['gate report, open: The main gate did not answer when the office asked it to open.'])
  })
})

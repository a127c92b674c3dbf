import { beforeEach, expect, it } from 'vitest'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { openTestServices, type TestServices } from '../../tests/support/small-operator.ts'
import { handleGateContact } from './gate-contact.ts'
import { setGate, syncGates } from './gates.ts'
import { gateHealth, watchGates } from './watch-gates.ts'

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

  it('raises one task while the gate accepts no code, and mails its tenants once it does', async () => {
    await contact()
    expect([await watch(), await tasks()]).toEqual([0, []])
    services.clock.advance(MINUTE + 1)
    await contact()
    await watch()
    await watch()
    expect(await tasks()).toEqual([
      'gate late, open: The gate has not taken the codes of: 301, 302. Open it for who calls.',
    ])
    expect(await gateHealth(services)).toEqual({ connected: 1, silent: 0, late: 2, refused: 0 })
    await takesAll()
    expect(await watch()).toBe(2)
    expect(await watch()).toBe(0)
    expect(await mails()).toEqual([1001, 1002])
    expect(await tasks()).toEqual([expect.stringMatching(/^gate late, done/)])
    expect(await gateHealth(services)).toEqual({ connected: 1, silent: 0, late: 0, refused: 0 })
  })

  it('raises a task after ten minutes without contact, and lists codes that it still accepts against the leases', async () => {
    await takesAll()
    await overlock(1)
    services.clock.advance(10 * MINUTE)
    await syncGates(services, () => false)
    await watch()
    expect(await tasks()).toEqual([])
    services.clock.advance(1)
    await watch()
    expect(await tasks()).toEqual([
      'gate silent, open: The gate was heard last Nov 20 12:00 PM. It goes on by its last list. It still opens, though the books have closed it, for: 302.',
    ])
    expect(await gateHealth(services, ['GA1'])).toMatchObject({ silent: 1 })
    expect(await gateHealth(services, ['HI1'])).toMatchObject({ connected: 0, silent: 0 })
    await contact()
    await watch()
    expect(await tasks()).toEqual([expect.stringMatching(/^gate silent, done/)])
    // No tenant read 'not yet': the only change was a code that does not open.
    expect(await mails()).toEqual([])
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
    expect(await gateHealth(services)).toMatchObject({ refused: 1, late: 0 })
    await services.db.write.updateTable('gate_wanted').set({ refused: null }).execute()
    expect(await watch()).toBe(1)
    expect(await tasks()).toEqual([expect.stringMatching(/^gate refused, done/)])
    expect(await mails()).toEqual([1001])
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
    expect(await gateHealth(services)).toEqual({ connected: 1, silent: 0, late: 0, refused: 0 })
  })

  it('raises one task for a remote opening that it has not answered in time', async () => {
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

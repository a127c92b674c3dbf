import { sql } from 'kysely'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../platform/database/open.ts'
import { perform } from '../../platform/operations/operation.ts'
import type { GateBridge } from '../../ports/gate/gate.ts'
import { addLeasesWithGateCodes } from '../../tests/support/add-leases-with-gate-codes.ts'
import { describeOnBothEngines, placeOf } from '../../tests/support/databases.ts'
import { observeServices } from '../../tests/support/fault-points.ts'
import { countLockWaits, holdTransaction } from '../../tests/support/held-transactions.ts'
import { ModelController } from '../../tests/support/model-gate-controller.ts'
import { openTestServices, type TestServices, visitor } from '../../tests/support/small-operator.ts'
import { addStaffCaller } from '../../tests/support/staff.ts'
import { handleGateContact, loadPendingCommands } from './answer-gate-list-pull.ts'
import { loadGateAccess } from './assign-and-activate-gate-codes.ts'
import { storeGateEvents } from './gate-events.ts'
import type { GateAnswer } from './gate-list-message.ts'
import { endOverrides, setOverride } from './gate-overrides.ts'
import { loadGate } from './load-and-lock-facility-gate.ts'
import { getGateState } from './operations/get-gate-list-for-controller.ts'
import { OpenGate } from './operations/open-gate-by-staff.ts'
import { pushGate } from './push-gates.ts'
import { compareGates, syncGates } from './refresh-stored-gate-lists.ts'
import { startGateEpochs } from './restart-gate-list.ts'
import { setGate } from './set-gate-kind-and-hours.ts'
import { storeCodesRefusedByController } from './store-codes-refused-by-controller.ts'
import { watchGates } from './watch-gates.ts'

const week = Array.from({ length: 7 }, () => ['05:00', '21:00'] as const)
const noon = 12 * 60
const machine = { keyId: 'k', name: 'k', role: 'gate', facilities: 'all', pii: false, perMinute: 1e9 } as const

const DEATH = 'The process has died'
const expectDeath = (error: unknown) => expect(String(error)).toContain(DEATH)

describeOnBothEngines('A gate under faults', (open, engine) => {
  let services: TestServices
  let controller: ModelController

  beforeEach(async () => {
    services = await openTestServices(await open())
    controller = new ModelController()
    await connect('GA1')
  })

  const connect = (facility: string) =>
    services.db.transaction((tx) => setGate(tx, services, facility, { kind: 'pull', week }))
  const contact = async (by: TestServices = services, facility = 'GA1', at = controller) => {
    const input = { facility, if_none_match: at.etag }
    const response = await perform(by, getGateState, input, { ...visitor(), machine })
    if (!response.ok) throw new Error(response.code)
    if (typeof response.value !== 'string') at.receive(response.value)
  }
  const expectAgreed = async (facility = 'GA1', at = controller) => {
    const access = await loadGateAccess(services.db.read, facility, services.clock.now())
    expect(at.findDifferingCodes(access, 0, noon)).toEqual([])
  }
  const overlock = (overlocked: 0 | 1) =>
    services.db.write.updateTable('leases').set({ overlocked }).where('lease_number', '=', 10002).execute()

  /** Records that the gate refuses the codes at these places of its list. */
  async function refuseCodes(by: TestServices, places: readonly number[]): Promise<void> {
    const listed = await services.db.read
      .selectFrom('gate_wanted')
      .select('code_id')
      .where('location_code', '=', 'GA1')
      .where('gone', '=', 0)
      .orderBy('gate_code')
      .execute()
    const refused = places.flatMap((place) => listed[place]?.code_id ?? []).map((id) => ({ id, why: 'full' }))
    await by.db.transaction((tx) => storeCodesRefusedByController(tx, by, { locationCode: 'GA1' }, refused))
  }

  /** Returns the services of a process that dies at its nth step, and whether it has died. */
  function dyingAt(step: number) {
    let steps = 0
    let died = false
    const dying = observeServices(services, () => {
      if (died || steps++ !== step) return
      died = true
      throw new Error(DEATH)
    })
    return { dying, died: () => died }
  }

  /** Work during which its process may die. */
  interface Work {
    name: string
    /** Prepares the work; by default changes the overlock of unit 302. */
    before?(step: number): Promise<unknown>
    run(by: TestServices, step: number): Promise<unknown>
    /** Whether another process does the work after the death, as the next turn of a chore does. */
    isRepeated?: true
    /** Expects what holds before the gate's next contact. */
    holds?(step: number): Promise<void>
  }

  const read = () => services.db.read
  const openTasks = async (kind: string) =>
    (await read().selectFrom('tasks').select('subject').where('kind', '=', kind).where('state', '=', 'open').execute())
      .length
  const mails = async () =>
    (await read().selectFrom('jobs').select('job_id').where('kind', '=', 'gate_ready').execute()).length
  const lateCodes = async () =>
    (await read().selectFrom('gate_wanted').select('gate_code').where('late_at', 'is not', null).execute()).map(
      ({ gate_code }) => gate_code,
    )
  const epochs = async () =>
    (await read().selectFrom('gates').select('epoch').orderBy('location_code').execute()).map(({ epoch }) => epoch)
  const watch = (by: TestServices = services) => watchGates(by, () => false)

  /** Opens the code of unit 302 again, and lets more than a minute pass in which the gate takes no list. */
  async function becomesLate(): Promise<void> {
    await overlock(1)
    await contact()
    await contact()
    services.clock.advance(1000)
    await overlock(0)
    await syncGates(services, () => false)
    services.clock.advance(61_000)
    await handleGateContact(services, 'GA1', controller.etag, 'k')
  }

  /** Returns a bridge whose gate refuses the codes at these places of its list. */
  const bridgeRefusing = (refused: readonly number[]): GateBridge => ({
    async send(list) {
      const sent = list as GateAnswer
      const ids = refused.flatMap((place) => sent.codes[place]?.id ?? [])
      controller.receive(sent)
      return { version: sent.version, refused: ids.map((id) => ({ id, why: 'full' })) }
    },
  })
  const refusedCodes = async () =>
    (
      await read()
        .selectFrom('gate_wanted')
        .select('gate_code')
        .where('refused', 'is not', null)
        .orderBy('gate_code')
        .execute()
    ).map(({ gate_code }) => gate_code)

  it('agrees with the records after a process has died between any two statements', async () => {
    const ada = { locationCode: 'GA1', tenantId: 1001, leaseNumber: null, kind: 'suspended' as const }
    const office = await addStaffCaller(services, 'owner')
    const codes = ['482917', '591734']
    /** Places of the codes that the gate refuses in a step: both, or none. */
    const refusedIn = (step: number) => (step % 2 === 0 ? [0, 1] : [])
    let mailed = 0
    let before: string[] = []
    const works: Work[] = [
      { name: 'contact', run: (by) => contact(by) },
      { name: 'sync', run: (by) => syncGates(by, () => false) },
      {
        name: 'suspend',
        run(by, step) {
          const until = by.clock.now() + 3_600_000 + step
          return by.db.transaction((tx) => setOverride(tx, by, { ...ada, until, reason: 'Asked', staffId: 's' }))
        },
      },
      { name: 'resume', run: (by) => by.db.transaction((tx) => endOverrides(tx, ada, by.clock.now())) },
      { name: 'connect', run: (by) => by.db.transaction((tx) => setGate(tx, by, 'GA1', { kind: 'pull', week })) },
      {
        name: 'watch a code that is late',
        before: becomesLate,
        run: watch,
        isRepeated: true,
        async holds() {
          expect([await openTasks('gate late'), await lateCodes()]).toEqual([1, ['591734']])
        },
      },
      {
        name: 'watch a code that was late',
        async before() {
          await becomesLate()
          await watch()
          await contact()
          await contact()
          mailed = await mails()
        },
        run: watch,
        isRepeated: true,
        async holds() {
          expect([await mails(), await openTasks('gate late'), await lateCodes()]).toEqual([mailed + 1, 0, []])
        },
      },
      {
        name: 'ask the gate to open',
        async before() {
          services.clock.advance(3_600_000)
          await contact()
        },
        run: (by) => perform(by, OpenGate, { location_code: 'GA1', tenant_id: 1001, reason: 'Called' }, office),
        async holds() {
          const pending = await loadPendingCommands(services, 'GA1')
          expect(pending.length).toBeLessThanOrEqual(1)
          const commands = await read().selectFrom('gate_commands').select('command_id').execute()
          const audited = await read()
            .selectFrom('audit_events')
            .select('kind')
            .where('kind', '=', 'gate.opened')
            .execute()
          expect(audited).toHaveLength(commands.length)
        },
      },
      {
        name: 'begin new epochs',
        async before() {
          await connect('HI1')
          before = await epochs()
        },
        run: (by) => by.db.transaction((tx) => startGateEpochs(tx, by.clock.now())),
        async holds() {
          // New epochs have begun at all gates or at none.
          expect([0, 2]).toContain((await epochs()).filter((epoch, place) => epoch !== before[place]).length)
        },
      },
      {
        name: 'refuse codes',
        run: (by, step) => refuseCodes(by, refusedIn(step)),
        isRepeated: true,
        async holds(step) {
          expect(await refusedCodes()).toEqual(codes.filter((_, place) => refusedIn(step).includes(place)))
        },
      },
      {
        name: 'push',
        async before(step) {
          // Lets remote openings lapse, since a waiting one is a reason to push.
          services.clock.advance(60_000)
          await services.db.transaction((tx) => setGate(tx, services, 'GA1', { kind: 'push', week }))
          await overlock(step % 2 === 0 ? 1 : 0)
        },
        run: (by, step) => pushGate(by, 'GA1', bridgeRefusing(refusedIn(step))),
        isRepeated: true,
        async holds(step) {
          expect(await refusedCodes()).toEqual(codes.filter((_, place) => refusedIn(step).includes(place)))
          const gate = await loadGate(read(), 'GA1')
          expect([gate?.applied_version, controller.etag]).toEqual([gate?.version, `"${gate?.epoch}-${gate?.version}"`])
          await expectAgreed()
        },
      },
    ]
    const steps = new Map<string, number>()
    let overlocked: 0 | 1 = 0
    for (const work of works)
      for (let step = 0; ; step += 1) {
        overlocked = overlocked === 1 ? 0 : 1
        await (work.before ? work.before(step) : overlock(overlocked))
        const { dying, died } = dyingAt(step)
        await work.run(dying, step).catch(expectDeath)
        if (work.isRepeated) await work.run(services, step)
        await work.holds?.(step)
        await contact()
        await expectAgreed()
        if (!died()) break
        steps.set(work.name, step + 1)
      }
    expect(works.filter(({ name }) => (steps.get(name) ?? 0) < 3).map(({ name }) => name)).toEqual([])
    const reported: unknown[] = []
    services.errors = { report: (error) => void reported.push(error) }
    expect([await compareGates(services, () => false), reported]).toEqual([0, []])
  })

  // Only PostgreSQL has transactions beside the comparison's.
  it.runIf(engine === 'postgres')('is compared without a report while a change is committed', async () => {
    await contact()
    const reported: unknown[] = []
    services.errors = { report: (error) => void reported.push(error) }
    const commit = await holdTransaction(services.db, async (tx) => {
      // The comparison has read the marks when it waits for the leases.
      await sql`lock table leases in access exclusive mode`.execute(tx)
      await tx.updateTable('leases').set({ overlocked: 1 }).where('lease_number', '=', 10002).execute()
    })
    const comparing = compareGates(services, () => false)
    await expect
      .poll(() => countLockWaits(services.db), { timeout: 10_000 })
      .toBe(1)
      .finally(commit)
    expect([await comparing, reported]).toEqual([1, []])
    await contact()
    await expectAgreed()
  })

  it('gets one version of a change that several processes refresh at once', async () => {
    // Another process has connections of its own.
    const db = await openDatabase(placeOf(services.db))
    onTestFinished(() => db.close())
    const other: TestServices = { ...services, db }
    await contact()
    for (const on of [1, 0, 1] as const) {
      const { version = 0 } = (await loadGate(services.db.read, 'GA1')) ?? {}
      await overlock(on)
      const controllers = [new ModelController(), new ModelController()]
      await Promise.all([
        syncGates(services, () => false),
        ...controllers.map((model, place) => contact(place === 0 ? other : services, 'GA1', model)),
        syncGates(other, () => false),
      ])
      expect((await loadGate(services.db.read, 'GA1'))?.version).toBe(version + 1)
      for (const model of controllers) await expectAgreed('GA1', model)
    }
  })

  it('agrees at its next contact after an import of 12,000 units', async () => {
    await contact()
    await services.db.transaction((tx) => addLeasesWithGateCodes(tx, 12_000))
    await contact()
    await expectAgreed()
    expect(await loadGateAccess(services.db.read, 'GA1', services.clock.now())).toHaveLength(12_002)
    expect(await services.db.read.selectFrom('gate_marks').select('mark').execute()).toEqual([])
  }, 120_000)

  it('opens by the leases of its own facility where two facilities share the digits of a code', async () => {
    const { balance: _, ...lease } = await services.db.read
      .selectFrom('leases')
      .selectAll()
      .where('lease_number', '=', 10002)
      .executeTakeFirstOrThrow()
    const tenant = await services.db.read
      .selectFrom('tenants')
      .selectAll()
      .where('location_code', '=', 'GA1')
      .where('tenant_id', '=', lease.tenant_id)
      .executeTakeFirstOrThrow()
    const unit = await services.db.read
      .selectFrom('units')
      .select(['unit_id', 'unit_type_id', 'unit_number'])
      .where('location_code', '=', 'HI1')
      .executeTakeFirstOrThrow()
    const tenantKey = { location_code: 'HI1', tenant_id: 5001 }
    const leaseKey = { ...tenantKey, lease_number: 50_001 }
    await services.db.write
      .insertInto('tenants')
      .values({ ...tenant, ...tenantKey, email: '', email_key: '' })
      .execute()
    await services.db.write
      .insertInto('leases')
      .values({
        ...lease,
        ...leaseKey,
        ...unit,
        reservation_code: 'R50001',
        document_id: null,
        order_id: null,
      })
      .execute()
    await services.db.write
      .insertInto('gate_codes')
      .values({ ...leaseKey, gate_code: lease.gate_code, time_zone_name: 'standard', active: 1, created_at: 0 })
      .execute()
    await connect('HI1')
    const other = new ModelController()
    const both = async () => {
      await contact()
      await contact(services, 'HI1', other)
      return [controller, other].map((model) => model.opens(lease.gate_code, 0, noon))
    }
    expect(await both()).toEqual([true, true])
    await overlock(1)
    expect(await both()).toEqual([false, true])
    await services.db.write.updateTable('leases').set({ status: 'Closed' }).where('location_code', '=', 'HI1').execute()
    await overlock(0)
    expect(await both()).toEqual([true, false])
    // The other facility's gate cannot say anything of a tenant here.
    const { code_id } = await services.db.read
      .selectFrom('gate_wanted')
      .select('code_id')
      .where('location_code', '=', 'GA1')
      .where('gate_code', '=', lease.gate_code)
      .executeTakeFirstOrThrow()
    await storeGateEvents(services, 'HI1', [{ id: 'e', at: '2026-11-20T16:00:00Z', what: 'opened', code_id }])
    expect(await services.db.read.selectFrom('gate_events').select(['location_code', 'tenant_id']).execute()).toEqual([
      { location_code: 'HI1', tenant_id: null },
    ])
  })

  it('raises one task a day while its clock is ahead', async () => {
    const event = (id: string, minutes: number) => ({
      id,
      at: new Date(services.clock.now() + minutes * 60_000).toISOString(),
      what: 'refused',
    })
    const tasks = async () =>
      (await services.db.read.selectFrom('tasks').select(['kind', 'note']).orderBy('due_on').execute()).map(
        ({ kind, note }) => `${kind}: ${note}`,
      )
    await storeGateEvents(services, 'GA1', [event('a', 1), event('b', -600)])
    expect(await tasks()).toEqual([])
    await storeGateEvents(services, 'GA1', [event('c', 0), event('d', 7)])
    await storeGateEvents(services, 'GA1', [event('d', 7)])
    const note =
      'gate clock: The clock of the gate runs 7 minutes ahead: the gate opens and shuts too early. Set it right.'
    expect(await tasks()).toEqual([note])
    services.clock.advance(24 * 3_600_000)
    await storeGateEvents(services, 'GA1', [event('e', 7)])
    expect(await tasks()).toEqual([note, note])
  })

  it('takes no event that is older than the retention period, and raises a task about its clock', async () => {
    const event = (id: string, at: number) => ({ id, at: new Date(at).toISOString(), what: 'opened' })
    const term = 180 * 24 * 3_600_000
    const now = services.clock.now()
    expect(
      await storeGateEvents(services, 'GA1', [event('a', 0), event('b', now - term - 1), event('c', now - term)]),
    ).toEqual({
      taken: 1,
      known: 0,
      unread: [
        { place: 0, why: 'at: lies more than 180 days back' },
        { place: 1, why: 'at: lies more than 180 days back' },
      ],
    })
    expect(await services.db.read.selectFrom('tasks').select(['kind', 'note']).execute()).toEqual([
      {
        kind: 'gate clock',
        note: 'The clock of the gate runs 20778 days behind: the gate opens and shuts too late. Set it right.',
      },
    ])
  })

  it('raises a task where a remote opening is answered with a time before it was asked for', async () => {
    const openings = { o1: 0, o2: 11 }
    for (const [command_id, behind] of Object.entries(openings)) {
      const now = services.clock.now()
      await services.db.write
        .insertInto('gate_commands')
        .values({
          command_id,
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
      const at = new Date(now - behind * 60_000).toISOString()
      await storeGateEvents(services, 'GA1', [{ id: command_id, at, what: 'opened', command: command_id }])
    }
    const tasks = await services.db.read.selectFrom('tasks').select(['kind', 'note']).execute()
    expect(tasks).toEqual([
      {
        kind: 'gate clock',
        note: 'The clock of the gate runs 11 minutes behind: the gate opens and shuts too late. Set it right.',
      },
    ])
  })

  it('raises a task for a forced door and one for a fault, and keeps an event with a long reason', async () => {
    const at = new Date(services.clock.now()).toISOString()
    const events = [
      { id: 'a', at, what: 'forced', point: 'side' },
      { id: 'b', at, what: 'fault', why: 'x'.repeat(300) },
      { id: 'c', at, what: 'refused', why: 'hours' },
    ]
    for (let time = 0; time < 2; time += 1)
      expect(await storeGateEvents(services, 'GA1', events)).toMatchObject({ taken: time === 0 ? 3 : 0, unread: [] })
    const tasks = await services.db.read.selectFrom('tasks').select(['kind', 'note']).orderBy('note').execute()
    expect(tasks).toEqual([
      { kind: 'gate report', note: `The main gate reports a fault: ${'x'.repeat(200)}` },
      { kind: 'gate report', note: 'The side gate was forced open.' },
    ])
  })

  it('raises the task of a forced door although a process has died between any two statements', async () => {
    const at = new Date(services.clock.now()).toISOString()
    for (let step = 0; ; step += 1) {
      const forced = [{ id: `e${step}`, at, what: 'forced', point: `door ${step}` }]
      const { dying, died } = dyingAt(step)
      await storeGateEvents(dying, 'GA1', forced).catch(() => undefined)
      await storeGateEvents(services, 'GA1', forced)
      const tasks = await services.db.read.selectFrom('tasks').select('note').execute()
      expect(tasks.map(({ note }) => note)).toContain(`The door ${step} gate was forced open.`)
      expect(tasks).toHaveLength(step + 1)
      if (!died()) break
    }
  })

  it('raises one task for many reports of a point, in as few statements as for one', async () => {
    const at = new Date(services.clock.now()).toISOString()
    const statements = async (count: number, point: string) => {
      let steps = 0
      const events = Array.from({ length: count }, (_, id) => ({ id: `${point} ${id}`, at, what: 'forced', point }))
      const counted = observeServices(services, () => {
        steps += 1
      })
      await storeGateEvents(counted, 'GA1', events)
      return steps
    }
    expect(await statements(500, 'side')).toBe(await statements(1, 'main'))
    expect(await services.db.read.selectFrom('tasks').select('note').orderBy('note').execute()).toEqual([
      { note: 'The main gate was forced open.' },
      { note: 'The side gate was forced open.' },
    ])
  })

  it('raises another task for a door that is forced after the task of the day was done', async () => {
    const forced = async (id: string) => {
      const at = new Date(services.clock.now()).toISOString()
      await storeGateEvents(services, 'GA1', [{ id, at, what: 'forced' }])
      return (await services.db.read.selectFrom('tasks').select('state').orderBy('state').execute()).map(
        ({ state }) => state,
      )
    }
    expect([await forced('a'), await forced('b')]).toEqual([['open'], ['open']])
    await services.db.write.updateTable('tasks').set({ state: 'done' }).execute()
    expect([await forced('c'), await forced('d')]).toEqual([
      ['done', 'open'],
      ['done', 'open'],
    ])
  })

  it('ends the task of a remote opening that is answered after it has lapsed', async () => {
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
    services.clock.advance(31_000)
    await watchGates(services, () => false)
    const open = async () =>
      (await services.db.read.selectFrom('tasks').select('note').where('state', '=', 'open').execute()).map(
        ({ note }) => note,
      )
    expect(await open()).toEqual(['The main gate did not answer when the office asked it to open.'])
    const at = new Date(now + 5000).toISOString()
    await storeGateEvents(services, 'GA1', [{ id: 'a', at, what: 'opened', command: 'o1' }])
    expect(await open()).toEqual([])
  })

  it('raises a task while two keys ask for its list, and none when one key follows the other', async () => {
    const requestList = (keyId: string) => handleGateContact(services, 'GA1', '', keyId)
    const tasks = () => services.db.read.selectFrom('tasks').select('kind').execute()
    await requestList('old')
    services.clock.advance(60_000)
    await requestList('new')
    expect(await tasks()).toEqual([])
    services.clock.advance(2000)
    await requestList('old')
    await requestList('new')
    expect(await tasks()).toEqual([{ kind: 'gate keys' }])
  })
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { beforeEach, expect, it } from 'vitest'
import { DAY } from '../../domain/durations.ts'
import { perform } from '../../platform/operations/operation.ts'
import type { UnitStatus } from '../../platform/schema/narrowed-column-types.ts'
import { describeOnBothEngines, placeOf, temporaryFolder } from '../../tests/support/databases.ts'
import { addRecord, recordsOf } from '../../tests/support/rows.ts'
import { noon, openTestServices, type TestServices, visitor } from '../../tests/support/small-operator.ts'
import { deleteOldWaitlistEntries, mailWaitlist, markWaitlistEntryMailed } from '../reservations/mail-waitlist.ts'
import { JoinWaitlist } from '../reservations/operations/join-waitlist.ts'

const program = fileURLToPath(new URL('./fixtures/sending-process.ts', import.meta.url))
const type = { location_code: 'GA1', unit_type_id: 1 }

describeOnBothEngines('Waiting for a unit of a type that is sold out', (open, engine) => {
  let services: TestServices
  beforeEach(async () => {
    services = await openTestServices(await open())
    await setUnits('rented')
  })

  const setUnits = (status: UnitStatus, unit?: number) =>
    services.db.write
      .updateTable('units')
      .set({ status, held_by: null, held_until: null })
      .where((eb) => eb.and(type))
      .$if(unit !== undefined, (query) => query.where('unit_id', '=', unit as number))
      .execute()
  const units = async () =>
    (
      await services.db.read
        .selectFrom('units')
        .select('unit_id')
        .where((eb) => eb.and(type))
        .orderBy('unit_id')
        .execute()
    ).map(({ unit_id }) => unit_id)
  const join = (email: string, input: object = {}) =>
    perform(services, JoinWaitlist, { ...type, email, ...input }, visitor())
  const person = (number: number) => `person-${number}@example.com`
  const joinAll = async (people: number) => {
    for (let number = 1; number <= people; number += 1) {
      await join(person(number))
      services.clock.set(services.clock.now() + 1000)
    }
  }
  const mailedAddresses = async () =>
    (
      await services.db.read
        .selectFrom('waitlist')
        .select(['email', 'waitlist_id'])
        .where('told_at', 'is not', null)
        .orderBy('told_at')
        .orderBy('created_at')
        .execute()
    ).map(({ email }) => email)
  const markAllMailed = async () => {
    for (const { waitlist_id } of await services.db.read
      .selectFrom('waitlist')
      .select('waitlist_id')
      .where('told_at', 'is not', null)
      .execute())
      await markWaitlistEntryMailed(services, waitlist_id)
  }
  /** Runs the chore repeatedly, as the schedule does, and marks each mail as sent before the next run. */
  const runPasses = async (max: number) => {
    for (let pass = 0; pass < max; pass += 1) {
      await mailWaitlist(services)
      await markAllMailed()
    }
  }

  it('mails one person for each free unit, the first in line first, and holds no unit', async () => {
    const [first = 0, second = 0] = await units()
    await joinAll(3)
    await runPasses(2)
    expect(await mailedAddresses()).toEqual([])
    await setUnits('free', first)
    await runPasses(3)
    expect(await mailedAddresses()).toEqual([person(1)])
    // The first unit is rented and another is free, so the next person is mailed at once.
    await setUnits('rented', first)
    await setUnits('free', second)
    await runPasses(3)
    expect(await mailedAddresses()).toEqual([person(1), person(2)])
    const free = await services.db.read
      .selectFrom('units')
      .select('unit_id')
      .where('status', '=', 'free')
      .where((eb) => eb.and(type))
      .execute()
    expect(free).toEqual([{ unit_id: second }])
  })

  it('mails the next person if the unit is still free a day after the previous mail was enqueued', async () => {
    const [first = 0] = await units()
    await joinAll(2)
    await setUnits('free', first)
    await mailWaitlist(services)
    services.clock.set(services.clock.now() + DAY - 1000)
    await runPasses(2)
    expect(await mailedAddresses()).toEqual([person(1)])
    services.clock.set(services.clock.now() + 2000)
    await runPasses(2)
    expect(await mailedAddresses()).toEqual([person(1), person(2)])
  })

  it('stores an address once, whatever its case, and refuses an invalid address and an unknown unit type or facility', async () => {
    expect((await join('Ada@Example.com ')).ok && (await join('ada@example.com')).ok).toBe(true)
    expect(await services.db.read.selectFrom('waitlist').select('email').execute()).toEqual([
      { email: 'ada@example.com' },
    ])
    expect(await join('nonsense')).toMatchObject({ status: 400 })
    expect(await join('ada@example.com', { unit_type_id: 99 })).toMatchObject({ status: 404 })
    expect(await join('ada@example.com', { location_code: 'NONE' })).toMatchObject({ status: 404 })
  })

  it('limits an address to ten waiting entries, and keeps the place of a repeated request at the limit', async () => {
    const [unitType] = await recordsOf(services, 'unit_types', type)
    if (!unitType) throw new Error('no unit type')
    const [unit] = await recordsOf(services, 'units', type)
    for (let number = 100; number < 110; number += 1) {
      await addRecord(services, 'unit_types', { ...unitType, unit_type_id: number, unit_type_code: `T${number}` })
      await addRecord(services, 'units', {
        ...unit,
        unit_id: number * 10,
        unit_number: `T${number}`,
        unit_type_id: number,
        status: 'rented',
      })
    }
    for (let number = 100; number < 110; number += 1)
      expect(await join('ada@example.com', { unit_type_id: number })).toMatchObject({ ok: true })
    expect(await join('ada@example.com')).toMatchObject({ status: 429 })
    const before = await recordsOf(services, 'waitlist', { email: 'ada@example.com' })
    expect(await join('ada@example.com', { unit_type_id: 100 })).toMatchObject({ ok: true })
    expect(await recordsOf(services, 'waitlist', { email: 'ada@example.com' })).toEqual(before)
  })

  it('deletes an address two days after its mail, and one that has waited for a year', async () => {
    const [first = 0] = await units()
    await joinAll(2)
    await setUnits('free', first)
    await runPasses(1)
    await setUnits('rented')
    services.clock.set(services.clock.now() + 2 * DAY + 1000)
    expect(await deleteOldWaitlistEntries(services)).toBe(1)
    services.clock.set(services.clock.now() + 364 * DAY)
    expect(await deleteOldWaitlistEntries(services)).toBe(1)
  })

  // Only PostgreSQL is shared by several processes.
  it.runIf(engine === 'postgres')(
    'sends each person one mail, in order, by three processes at once, after others were killed at each point',
    async () => {
      const { length } = await units()
      const people = (max: number) => Array.from({ length: max }, (_, at) => person(at + 1))
      await joinAll(length + 2)
      await setUnits('free')
      const filesFolder = temporaryFolder()
      let offset = noon + 60_000 - Date.now()
      const begin = (waitAt: string) => {
        const task = { place: placeOf(services.db), filesFolder, offset, waitAt }
        return spawn(process.execPath, [program, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'inherit'] })
      }
      for (const point of ['told', 'sending', 'sent']) {
        const child = begin(point)
        const exit = once(child, 'exit')
        for await (const line of createInterface(child.stdout)) if (line === point) child.kill('SIGKILL')
        expect(await exit).toEqual([null, 'SIGKILL'])
        // The clock of the next process is two minutes later, when the job claim of the killed process has expired.
        offset += 120_000
      }
      const mails = async () =>
        (await services.db.read.selectFrom('mailbox').select('recipient').orderBy('created_at').execute()).map(
          ({ recipient }) => recipient,
        )
      const runTogether = async () => {
        const exits = await Promise.all(
          ['', '', ''].map(() => {
            const child = begin('')
            child.stdout.resume()
            return once(child, 'exit')
          }),
        )
        expect(exits).toEqual([
          [0, null],
          [0, null],
          [0, null],
        ])
      }
      await runTogether()
      expect(await mails()).toEqual(people(length))
      offset += DAY
      await runTogether()
      expect(await mails()).toEqual(people(length + 2))
    },
    120_000,
  )
})

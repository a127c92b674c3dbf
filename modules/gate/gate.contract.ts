import { beforeEach, describe, expect, test } from 'vitest'
import type { TestServices } from '../../tests/support/small-operator.ts'

/** Test setup of a gate: the site's records at one end and a door at the other, for any kind of connection. */
export interface GateBench {
  services: TestServices
  /** Exchanges messages between the site and the gate once. */
  meet(): Promise<void>
  /** Loses the gate's next acknowledgement, or the site's next answer. */
  loseNext(): void
  setAway(away: boolean): void
  /** Makes the gate refuse to store a code; '' makes it store all codes again. */
  refuse(code: string): void
  /** Reports an event with this id: the code was used at the door. */
  report(id: string, code: string): Promise<void>
  /** Returns whether the door opens for the code at noon. */
  opens(code: string): boolean
}

/**
 * Tests the contract of every way to connect a gate.
 * @param options.namesCodes false for a gate that gets no ids of codes, and so cannot say which it refuses
 */
export function gateContract(name: string, open: () => Promise<GateBench>, { namesCodes = true } = {}): void {
  describe(`Gate contract: ${name}`, () => {
    let bench: GateBench
    beforeEach(async () => {
      bench = await open()
    })
    const overlock = (overlocked: 0 | 1) =>
      bench.services.db.write.updateTable('leases').set({ overlocked }).where('lease_number', '=', 10002).execute()
    const gate = () =>
      bench.services.db.read
        .selectFrom('gates')
        .selectAll()
        .where('location_code', '=', 'GA1')
        .executeTakeFirstOrThrow()
    const isTaken = async () => {
      const { version, applied_version } = await gate()
      return version === applied_version
    }
    const later = (ms: number) => bench.services.clock.advance(ms)
    /**
     * Exchanges messages between the site and the gate until the gate has acknowledged a change. A gate that polls
     * acknowledges with its next request.
     */
    const agree = async () => {
      for (let time = 0; time < 3; time += 1) {
        await bench.meet()
        later(5000)
      }
    }
    const doors = () => [bench.opens('482917'), bench.opens('591734')]

    test('the gate opens for exactly the codes that the records allow, and acknowledges each change', async () => {
      expect(doors()).toEqual([false, false])
      await agree()
      expect([doors(), await isTaken()]).toEqual([[true, true], true])
      await overlock(1)
      await agree()
      expect([doors(), await isTaken()]).toEqual([[true, false], true])
      await overlock(0)
      await agree()
      expect([doors(), await isTaken()]).toEqual([[true, true], true])
    })

    test('further exchanges without a change keep the version of the list', async () => {
      await agree()
      const { version } = await gate()
      await agree()
      expect([doors(), (await gate()).version]).toEqual([[true, true], version])
    })

    test('a change whose answer was lost reaches the gate by a later exchange', async () => {
      await agree()
      await overlock(1)
      bench.loseNext()
      await bench.meet()
      later(60_000)
      await agree()
      expect([doors(), await isTaken()]).toEqual([[true, false], true])
    })

    test('out of contact, the gate keeps its last list; after 72 hours one exchange brings the new one', async () => {
      await agree()
      bench.setAway(true)
      await overlock(1)
      for (let time = 0; time < 3; time += 1) {
        await bench.meet()
        later(24 * 3_600_000)
      }
      expect([doors(), await isTaken()]).toEqual([[true, true], false])
      bench.setAway(false)
      await bench.meet()
      expect(doors()).toEqual([true, false])
      await agree()
      expect(await isTaken()).toBe(true)
    })

    test('an event that is reported twice is stored once', async () => {
      await agree()
      for (const id of ['a', 'b', 'a']) await bench.report(id, '482917')
      const stored = await bench.services.db.read.selectFrom('gate_events').select(['event_id', 'what']).execute()
      expect(stored.map(({ event_id, what }) => `${event_id} ${what}`).sort()).toEqual(['a opened', 'b opened'])
    })

    test.runIf(namesCodes)('a code that the gate refuses is recorded as refused until the gate takes it', async () => {
      const refused = async () =>
        (
          await bench.services.db.read
            .selectFrom('gate_wanted')
            .select('refused')
            .where('refused', 'is not', null)
            .execute()
        ).length
      bench.refuse('482917')
      await agree()
      expect([await refused(), doors()]).toEqual([1, [false, true]])
      bench.refuse('')
      await overlock(1)
      await agree()
      expect([await refused(), doors()]).toEqual([0, [true, false]])
    })
  })
}

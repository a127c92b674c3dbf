/**
 * Checks that response times do not reveal which records exist. Each pair differs only in whether the record exists,
 * both are refused with the same words, and 200 calls of each (or TIMING_CALLS) are timed alternately. Passwords are
 * hashed as in production.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { operations, resources } from '../api/catalogue.ts'
import { seedDemo } from '../demo/seed.ts'
import { openDatabase } from '../platform/database/open.ts'
import type { Callers } from '../platform/operations/callers.ts'
import { perform } from '../platform/operations/operation.ts'
import { passwords } from '../platform/passwords/hash-password.ts'
import type { RateLimits } from '../platform/rate-limit-counters.ts'
import { fixedClock, seededRandom } from '../ports/testing-clock-and-random.ts'
import { noon, sealer, servicesOn } from './support/seeded-demo-operator.ts'

/**
 * Inputs for an existing record and for a missing one, whose response times a test compares; `turn` makes each guess
 * different.
 */
interface Pair {
  name: string
  description: string
  existing: (turn: number) => Record<string, unknown>
  missing: (turn: number) => Record<string, unknown>
}

const digits = (turn: number) => String(1000 + (turn % 9000))

const pairs: Pair[] = [
  {
    name: 'login',
    description: 'wrong password of an account, or of none',
    existing: (turn) => ({ username: 'owen.strand@example.com', password: `wrong-password-${turn}` }),
    missing: (turn) => ({ username: 'owen.strang@example.com', password: `wrong-password-${turn}` }),
  },
  {
    name: 'GetActiveReservation',
    description: 'wrong digits of a name that has reserved, or has not',
    existing: (turn) => ({ location_code: 'ATL01', last_name: 'kessler', phone_last_four: digits(turn) }),
    missing: (turn) => ({ location_code: 'ATL01', last_name: 'kestler', phone_last_four: digits(turn) }),
  },
  {
    name: 'GetTenantInfo',
    description: 'a tenant that is not the caller’s, or not there',
    existing: () => ({ location_code: 'ATL01', tenant_id: 1001 }),
    missing: () => ({ location_code: 'ATL01', tenant_id: 987_654 }),
  },
  {
    name: 'tenant_lookup',
    description: 'wrong name and digits for a unit that is let, or that is not there',
    existing: (turn) => ({
      location_code: 'ATL01',
      unit_number: '1001',
      last_name: 'nobody',
      last_4_digits_of_phone_number: digits(turn),
    }),
    missing: (turn) => ({
      location_code: 'ATL01',
      unit_number: '99999',
      last_name: 'nobody',
      last_4_digits_of_phone_number: digits(turn),
    }),
  },
]

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number

/**
 * Returns the Mann-Whitney U statistic as a normal deviate, which says how surely two samples have different
 * distributions.
 */
function deviation(a: number[], b: number[]): number {
  const all = [...a.map((value) => ({ value, first: true })), ...b.map((value) => ({ value, first: false }))].sort(
    (x, y) => x.value - y.value,
  )
  const ranks = all.reduce((sum, entry, index) => sum + (entry.first ? index + 1 : 0), 0)
  const u = ranks - (a.length * (a.length + 1)) / 2
  const mean = (a.length * b.length) / 2
  return (u - mean) / Math.sqrt((a.length * b.length * (a.length + b.length + 1)) / 12)
}

/** Standard deviations above which two samples count as different. Equal ones exceed it once in a thousand times. */
const minDeviation = 3.29
/** Difference of the medians, in milliseconds, up to which two samples count as equal, whatever their deviation. */
const noticeableMs = 0.2

const calls = Number(process.env.TIMING_CALLS ?? 200)

it(`no refusal reveals by its time or words who exists, over ${calls} calls of each`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-timing-'))
  const db = await openDatabase({ dataDir: folder })
  try {
    await seedDemo(db, {
      clock: fixedClock(noon),
      random: seededRandom(11),
      hashPassword: passwords.hash,
      sealer,
    })
    // Rate limits are off, because they would refuse calls of both sides alike.
    const allowed = { allowed: true, retryAfterSeconds: 0 }
    const unlimited = {
      consume: async () => allowed,
      consumeFrom: async () => allowed,
      consumeAll: async () => allowed,
      consumeIn: async () => true,
      retryAfter: async () => 0,
      reset: async () => {},
    } as unknown as RateLimits
    const services = servicesOn(db, join(folder, 'files'), { passwords, limits: unlimited })
    const leaks: string[] = []
    for (const pair of pairs) {
      const declared = operations.get(pair.name) ?? resources.get(pair.name)
      if (!declared) throw new Error(`There is no ${pair.name}`)
      const stranger: Callers = {
        address: '198.51.100.7',
        agent: '',
        tenant: { accountId: 'another', tenants: [{ locationCode: 'HNL01', tenantId: 1 }] },
      }
      const times: [number[], number[]] = [[], []]
      const answers = [new Set<string>(), new Set<string>()]
      // The first twenty rounds warm up and are not measured.
      for (let round = -20; round < calls; round += 1) {
        // The order alternates, so that each side is first equally often.
        for (const side of round % 2 === 0 ? [0, 1] : [1, 0]) {
          await nextTurn()
          const input = (side === 0 ? pair.existing : pair.missing)(round + 20)
          const began = performance.now()
          const outcome = await perform(services, declared, input, stranger)
          const took = performance.now() - began
          if (round < 0) continue
          // An input that does not parse is refused before any look-up, so it would compare nothing.
          if (!outcome.ok && outcome.status === 400) throw new Error(`${pair.name}: ${JSON.stringify(outcome)}`)
          times[side as 0 | 1].push(took)
          answers[side]?.add(JSON.stringify(outcome))
        }
      }
      const existing = median(times[0])
      const missing = median(times[1])
      const timeDeviation = deviation(times[0], times[1])
      const byTime = Math.abs(timeDeviation) > minDeviation && Math.abs(existing - missing) > noticeableMs
      const byWords = [...(answers[0] ?? [])].join() !== [...(answers[1] ?? [])].join()
      if (byTime || byWords) leaks.push(`${pair.name} by its ${byTime ? 'time' : 'words'}`)
      console.log(
        `${pair.name.padEnd(22)} ${existing.toFixed(3)} ms there, ${missing.toFixed(3)} ms not; z = ${timeDeviation.toFixed(1)} (${pair.description})`,
      )
    }
    expect(leaks).toEqual([])
  } finally {
    await db.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { changeGateCode } from '../../modules/gate/change-gate-code.ts'
import { setGate } from '../../modules/gate/connect-gate.ts'
import { loadGateAccess } from '../../modules/gate/gate.ts'
import { endOverrides, setOverride } from '../../modules/gate/gate-overrides.ts'
import { makeMachineKey } from '../../modules/staff/machine-keys.ts'
import { openDatabase } from '../../platform/database/open.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { systemRandom } from '../../server/system-clock.ts'
import { freePort } from '../actors/free-port.ts'
import { addGateCodes } from '../support/gate-codes.ts'
import { type ControllerList, ModelController } from '../support/model-controller.ts'
import { createPostgresDatabase, setup, teardown, temporaryFolder } from '../support/postgres.ts'
import { openTestServices } from '../support/small-operator.ts'
import type { Drill } from './drill.ts'

const database = 'latchkey_gate'
const week = Array.from({ length: 7 }, () => ['00:00', '24:00'] as const)
const MOST_MEDIAN_MS = 2000
const MOST_P99_MS = 5000
const MOST_BACK_MS = 10_000

/** A controller that asks one process after the other, as behind a proxy. */
class PollingController {
  readonly doors = new ModelController()
  readonly #ports: number[]
  readonly #token: string
  #turn = 0
  constructor(ports: number[], token: string) {
    this.#ports = ports
    this.#token = token
  }

  async ask(): Promise<void> {
    this.#turn += 1
    const port = this.#ports[this.#turn % this.#ports.length]
    const headers: Record<string, string> = { authorization: `Bearer ${this.#token}` }
    if (this.doors.etag !== '') headers['if-none-match'] = this.doors.etag
    const answer = await fetch(`http://127.0.0.1:${port}/api/gate/GA1/state`, { headers })
    const text = await answer.text()
    if (answer.status === 200) this.doors.receive(JSON.parse(text) as ControllerList)
    // A process whose database is busy is asked again.
    else if (answer.status !== 304 && answer.status !== 503)
      throw new Error(`The gate was answered ${answer.status}: ${text}`)
  }
}

/** Whether each door opens exactly where the books open it. */
async function agrees(services: Services, { doors }: PollingController): Promise<boolean> {
  const access = await loadGateAccess(services.db.read, 'GA1', services.clock.now())
  return access.every((one) => doors.opens(one.code, 0, 720) === one.opens)
}

const leaseOf = (tx: Kysely<Tables>, number: number, to: { overlocked?: 0 | 1; status?: 'Closed' | 'Current' }) =>
  tx.updateTable('leases').set(to).where('location_code', '=', 'GA1').where('lease_number', '=', number).execute()

/** The changes whose way to the door is measured, each in a transaction of its own. */
function changesOf(services: Services): Record<string, () => Promise<unknown>> {
  const cy = { locationCode: 'GA1', tenantId: 1002 }
  const asked = { leaseNumber: null, until: services.clock.now() + 3_600_000, reason: 'Drill', staffId: 's' }
  const inTransaction = (work: (tx: Kysely<Tables>) => Promise<unknown>) => services.db.transaction(work)
  return {
    overlock: () => inTransaction((tx) => leaseOf(tx, 20_001, { overlocked: 1 })),
    pay: () => inTransaction((tx) => leaseOf(tx, 20_001, { overlocked: 0 })),
    suspend: () => inTransaction((tx) => setOverride(tx, services, { ...cy, ...asked, kind: 'suspended' })),
    'end the suspension': () =>
      inTransaction((tx) => endOverrides(tx, { ...cy, leaseNumber: null, kind: 'suspended' }, services.clock.now())),
    lift: () =>
      inTransaction(async (tx) => {
        await leaseOf(tx, 10_002, { overlocked: 1 })
        await setOverride(tx, services, { ...cy, ...asked, leaseNumber: 10_002, kind: 'lifted' })
      }),
    'end the lifting': () =>
      inTransaction((tx) => endOverrides(tx, { ...cy, leaseNumber: 10_002, kind: 'lifted' }, services.clock.now())),
    'pay what was lifted': () => inTransaction((tx) => leaseOf(tx, 10_002, { overlocked: 0 })),
    'change the code': () => inTransaction((tx) => changeGateCode(tx, services, cy, null)),
    'move out': () => inTransaction((tx) => leaseOf(tx, 20_002, { status: 'Closed' })),
    sign: () => inTransaction((tx) => leaseOf(tx, 20_002, { status: 'Current' })),
  }
}

/** Returns the median and the 99th percentile in whole milliseconds. */
function figuresOf(took: readonly number[]): { median: number; worst: number } {
  const sorted = took.map(Math.round).sort((a, b) => a - b)
  return { median: sorted[sorted.length >> 1] ?? 0, worst: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0 }
}

/** A drill in which the books change at random moments, and a controller asks three processes in turn. */
export default {
  about:
    'A gate agrees with the books two seconds after a change in the middle and five at worst, asking three processes.',
  needs: ['initdb'],
  options: { rounds: { type: 'string', default: '6' }, codes: { type: 'string', default: '1000' } },
  async run({ rounds, codes }, log) {
    setup()
    const children: ReturnType<typeof spawn>[] = []
    const violations: string[] = []
    try {
      const url = await createPostgresDatabase(database)
      const db = await openDatabase({ url, dataDir: temporaryFolder() })
      const services: Services = { ...(await openTestServices(db)), clock: Date, random: systemRandom }
      await db.transaction((tx) => setGate(tx, services, 'GA1', { kind: 'pull', week }))
      const key = await db.transaction((tx) =>
        makeMachineKey(tx, services, 'drill', {
          name: 'gate',
          role: 'gate',
          scopes: [{ facility: 'GA1' }],
          pii: false,
          perMinute: 6000,
          expiresAt: null,
        }),
      )
      const ports = [await freePort(), await freePort(), await freePort()]
      for (const port of ports) {
        const words = [join(import.meta.dirname, 'gate-process.ts'), url, temporaryFolder(), String(port)]
        const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
        children.push(child)
        await once(child.stdout, 'data')
      }
      const controller = new PollingController(ports, key?.token ?? '')
      await controller.ask()
      if (!(await agrees(services, controller))) violations.push('The first list is not what the books say')

      // An import: every code comes to a gate that is connected already.
      await services.db.transaction((tx) => addGateCodes(tx, Number(codes)))
      const brought = performance.now()
      while (!(await controller.ask().then(() => agrees(services, controller)))) await pause(2000)
      const importMs = performance.now() - brought
      log(`${codes} codes brought in agree after ${Math.round(importMs)} ms`)
      if (importMs > MOST_BACK_MS) violations.push(`${codes} codes brought in took ${Math.round(importMs)} ms`)

      const took: number[] = []
      const byChange = new Map<string, number[]>()
      for (let round = 0; round < Number(rounds); round += 1)
        for (const [name, change] of Object.entries(changesOf(services))) {
          await pause(services.random.integer(0, 2000))
          await change()
          const from = performance.now()
          // The controller's own turn: it asks every two seconds, whenever the change was.
          await pause(services.random.integer(0, 2000))
          while (!(await controller.ask().then(() => agrees(services, controller)))) await pause(2000)
          const ms = performance.now() - from
          took.push(ms)
          byChange.set(name, [...(byChange.get(name) ?? []), ms])
        }
      for (const [name, each] of [...byChange, ['all changes', took] as const]) {
        const { median, worst } = figuresOf(each)
        log(`${name}: median ${median} ms, 99th ${worst} ms of ${each.length}`)
        if (median > MOST_MEDIAN_MS) violations.push(`The median of ${name} was ${median} ms`)
        if (worst > MOST_P99_MS) violations.push(`The 99th of ${name} was ${worst} ms`)
      }

      // Simulates 72 hours away: no gate asks, and every code changes meanwhile.
      await db.write.updateTable('leases').set({ overlocked: 1 }).where('lease_number', '>=', 20_000).execute()
      await db.write
        .updateTable('gate_codes')
        .set({ time_zone_name: '24-hour' })
        .where('tenant_id', '=', 1001)
        .execute()
      const back = performance.now()
      await controller.ask()
      const ms = performance.now() - back
      if (!(await agrees(services, controller))) violations.push('After its absence the gate disagrees')
      log(`${codes} codes agree ${Math.round(ms)} ms after the gate is back`)
      if (ms > MOST_BACK_MS) violations.push(`${codes} codes took ${Math.round(ms)} ms`)

      const versions = await db.read.selectFrom('gates').select('version').executeTakeFirstOrThrow()
      const most = 4 + took.length * 2 + 2
      if (versions.version > most) violations.push(`${versions.version} versions for ${took.length} changes`)
      await db.close()
      return violations
    } finally {
      for (const child of children) child.kill('SIGKILL')
      await teardown()
    }
  },
} satisfies Drill

/** Measures what gates cost: an unchanged list answered with 304, and a refresh of a facility's list of codes. */
import { demoGateToken } from '../demo/gates.ts'
import { refreshGate } from '../modules/gate/refresh-stored-gate-lists.ts'
import { setGate } from '../modules/gate/set-gate-kind-and-hours.ts'
import type { Database } from '../platform/database/open.ts'
import { systemRandom } from '../server/system-clock-and-random.ts'
import { UNITS_PER_FACILITY } from './bench-data.ts'
import { lowest, ownCpuMs } from './cpu-and-memory-measurements.ts'

const week = Array.from({ length: 7 }, () => ['05:00', '21:00'] as const)
const gateServices = { clock: Date, random: systemRandom }

export const connectGate = (db: Database, locationCode: string, kind: 'none' | 'pull') =>
  db.transaction((tx) => setGate(tx, gateServices, locationCode, { kind, week }))

/** The first turns compile the code and do not count. */
const WARM_TURNS = 5
const TURNS = 12
const REQUESTS_PER_TURN = 300
const REFRESHES_PER_TURN = 20

/** CPU time in milliseconds. */
export interface SplitCost {
  server: number
  database: number
}

interface CpuClocks {
  /** Returns the CPU time of the process that runs the server's code, in milliseconds. */
  server(): number
  /** Returns the CPU time of the database's own processes, in milliseconds; 0 with SQLite. */
  database(): number
}

/** Returns the lowest cost of each side. */
const lowestCosts = (costs: readonly SplitCost[]): SplitCost => ({
  server: lowest(costs.map(({ server }) => server)),
  database: lowest(costs.map(({ database }) => database)),
})

/**
 * Measures a controller's request for a list that has not changed, 16 at a time.
 * @returns cost of one request
 * @throws Error if a response was not 304
 */
export async function unchangedListCost(siteUrl: string, locationCode: string, cpu: CpuClocks): Promise<SplitCost> {
  const url = `${siteUrl}/api/gate/${locationCode}/state`
  const headers = { authorization: `Bearer ${demoGateToken}` }
  const etag = (await fetch(url, { headers })).headers.get('etag') ?? ''
  const costs: SplitCost[] = []
  for (let turn = -WARM_TURNS; turn < TURNS; turn += 1) {
    const server = cpu.server()
    const database = cpu.database()
    let remaining = REQUESTS_PER_TURN
    const controller = async () => {
      while (remaining-- > 0) {
        const { status } = await fetch(url, { headers: { ...headers, 'if-none-match': etag } })
        if (status !== 304) throw new Error(`An unchanged list was answered with ${status}`)
      }
    }
    await Promise.all(Array.from({ length: 16 }, controller))
    const each = (spent: number) => spent / REQUESTS_PER_TURN
    if (turn >= 0) costs.push({ server: each(cpu.server() - server), database: each(cpu.database() - database) })
  }
  return lowestCosts(costs)
}

/**
 * Measures a refresh of a full facility's list after one code has changed. It runs in the transaction of the change, so
 * that the site's own refresh does not come first.
 * @returns cost of one refresh, converted to 1,000 codes
 * @throws Error if a refresh does not write exactly one change
 */
export async function refreshCost(
  db: Database,
  locationCode: string,
  databaseCpu: CpuClocks['database'],
): Promise<SplitCost> {
  const costs: SplitCost[] = []
  for (let turn = -WARM_TURNS; turn < TURNS; turn += 1) {
    const spent: SplitCost = { server: 0, database: 0 }
    for (let refresh = 0; refresh < REFRESHES_PER_TURN; refresh += 1)
      await db.transaction(async (tx) => {
        const overlocked = refresh % 2 === 0 ? 1 : 0
        await tx
          .updateTable('leases')
          .set({ overlocked })
          .where('location_code', '=', locationCode)
          .where('lease_number', '=', 1)
          .execute()
        const server = ownCpuMs()
        const database = databaseCpu()
        const { changes } = await refreshGate(tx, gateServices, locationCode)
        spent.server += ownCpuMs() - server
        spent.database += databaseCpu() - database
        if (changes !== 1) throw new Error(`A refresh after one change wrote ${changes}`)
      })
    const each = (total: number) => (total / REFRESHES_PER_TURN / UNITS_PER_FACILITY) * 1000
    if (turn >= 0) costs.push({ server: each(spent.server), database: each(spent.database) })
  }
  return lowestCosts(costs)
}

import { createPostgresDatabase, setup, teardown } from '../support/postgres.ts'
import type { Drill } from './drill-definition.ts'

const database = 'latchkey_scale'

/**
 * A drill in which kiosks rent and tenants pay at random processes, one of which is killed in each run. At the end all
 * processes bill and charge autopay at the same time.
 */
export default {
  about: 'Identical processes on one PostgreSQL, four by default, keep every invariant while one at a time is killed.',
  needs: ['initdb'],
  options: {
    processes: { type: 'string', default: '4' },
    runs: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
  },
  async run({ processes, runs, seed }, log) {
    const { runServerFaults } = await import('../faults/kill-competing-servers.ts')
    setup()
    try {
      const databaseUrl = await createPostgresDatabase(database)
      const options = { servers: Number(processes), runs: Number(runs), seed: Number(seed), night: true }
      const { violations, ...report } = await runServerFaults({ ...options, databaseUrl, log })
      log(JSON.stringify(report))
      return violations
    } finally {
      await teardown()
    }
  },
} satisfies Drill

/**
 * Kills processes and checks the invariants afterwards. Exits with 1 when one is violated.
 *
 *   npm run faults -- --runs 40 --seed 1 [--engine sqlite|postgres] [--kiosks 6]   the site while units are rented
 *   npm run faults -- --payers --minutes 5 [--seed 1] [--engine …]       the site, the nightly work and the card provider while
 *                                                                        all payers pay; on PostgreSQL the database too
 *   npm run faults -- --servers 3 --runs 20 [--seed 1]                   one of three processes on one PostgreSQL, then a billed night
 *   npm run faults -- --operator --imports 6 [--seed 1] [--engine …]     imports while the site is under load; exports, backs up, restores
 *   npm run faults -- --office [--engine …]                              office operations at each of their points, in one process and
 *                                                                        in one of three
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkNode, ensureBuild } from '../../server/build.mjs'
import { printUsage } from '../print-own-usage-on-help.mjs'

checkNode()
printUsage(import.meta.filename)
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    engine: { type: 'string', default: 'sqlite' },
    kiosks: { type: 'string', default: '6' },
    payers: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '5' },
    operator: { type: 'boolean', default: false },
    office: { type: 'boolean', default: false },
    servers: { type: 'string' },
    imports: { type: 'string', default: '6' },
  },
})
const positiveInteger = (name) => {
  const number = Number(values[name])
  if (Number.isInteger(number) && number > 0) return number
  console.error(`--${name} must be a whole number above 0, not '${values[name]}'.`)
  process.exit(2)
}
const runs = positiveInteger('runs')
const seed = positiveInteger('seed')
const kiosks = positiveInteger('kiosks')
const servers = values.servers === undefined ? 0 : positiveInteger('servers')
if (servers > 0) values.engine = 'postgres'
if (!['sqlite', 'postgres'].includes(values.engine)) {
  console.error(`--engine must be sqlite or postgres, not '${values.engine}'.`)
  process.exit(2)
}
if (values.office) {
  const engine = values.engine === 'postgres' ? 'PostgreSQL' : 'SQLite'
  const words = ['node_modules/vitest/vitest.mjs', 'run', 'tests/faults/office.test.ts', '-t', engine]
  // Skipped tests would not fail the run.
  const needs = values.engine === 'postgres' && { LATCHKEY_NEEDS_POSTGRES: 'yes' }
  const env = { ...process.env, LATCHKEY_OFFICE_FAULTS: 'every', ...needs }
  process.exit(spawnSync(process.execPath, words, { stdio: 'inherit', env }).status ?? 1)
}
ensureBuild()

const printViolations = (violations) => {
  for (const violation of violations) console.error(violation)
  console.log(violations.length > 0 ? `${violations.length} VIOLATIONS` : 'Every invariant holds.')
  return violations.length > 0
}
let postgres
let tidy = async () => {}
if (values.engine !== 'sqlite') {
  const { createPostgresDatabase, canUsePostgres, setup, teardown } = await import('../support/postgres.ts')
  setup()
  tidy = teardown
  if (!canUsePostgres()) process.exit(2)
  const url = await createPostgresDatabase('latchkey_faults')
  // The test server confirms a commit before it writes it, and a killed server must not lose what it confirmed.
  const { Client } = (await import('pg')).default
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('alter database latchkey_faults set synchronous_commit to on')
  await client.end()
  // A server from TEST_DATABASE_URL is not ours to kill.
  const clusterFolder = process.env.TEST_DATABASE_URL
    ? undefined
    : join(process.env.LATCHKEY_TEST_FOLDER ?? '', 'pg', 'data')
  postgres = { url, ...(clusterFolder ? { clusterFolder } : {}) }
}
const began = performance.now()
let failed = true
try {
  if (servers > 0) {
    const { runServerFaults } = await import('./kill-competing-servers.ts')
    const { violations, ...report } = await runServerFaults({
      servers,
      runs,
      seed,
      kiosks,
      night: true,
      databaseUrl: postgres.url,
      log: console.log,
    })
    console.log(JSON.stringify({ servers, seed, ...report }, null, 2))
    failed = printViolations(violations)
  } else if (values.operator) {
    const { runOperatorFaults } = await import('./operator-commands-under-load.ts')
    const options = { imports: positiveInteger('imports'), seed, kiosks, postgres, log: console.log }
    const { violations, ...report } = await runOperatorFaults(options)
    console.log(JSON.stringify({ engine: values.engine, seed, ...report }, null, 2))
    failed = printViolations(violations)
  } else if (values.payers) {
    const { runPayerFaults } = await import('./kill-processes-while-paying.ts')
    const options = { minutes: positiveInteger('minutes'), seed, postgres, log: console.log }
    const { violations, ...report } = await runPayerFaults(options)
    console.log(JSON.stringify({ engine: values.engine, seed, ...report }, null, 2))
    failed = printViolations(violations)
  } else {
    const { runFaults } = await import('./kill-site-while-renting.ts')
    const report = await runFaults({ runs, seed, kiosks, postgres, log: console.log })
    console.log(
      `\n${report.kills} kills on ${values.engine}, seed ${seed}: ${report.movedIn} moved in, ${report.refused} refused by the card, ${report.walkedAway} walked away, in ${((performance.now() - began) / 1000).toFixed(0)} s`,
    )
    failed = printViolations(report.violations)
  }
} finally {
  await tidy()
}
process.exit(failed ? 1 : 0)

/**
 * Long runs of some tests, each an npm script:
 *
 *   npm run fuzz -- --requests 100000 --seed 7 [--engine sqlite|postgres]   then measures how long a hostile request blocks the server
 *   npm run ledger -- --histories 1000000 [--seed S]
 *   npm run gate -- --histories 1000000 [--seed S]   then as many on each engine as --engines says (2000)
 *   npm run simulate -- --seed N --payments P | --minutes M | --days D [--seeds K]   D days of the demo; seeds N to N+K-1
 *   npm run simulate -- --office 30 [--seed N]   a month of 30 facilities with 450 leases each, run through the office pages
 *   npm run outage -- --mails 10000   six hours without a mail server
 *   npm run timing -- --calls 200   whether response times reveal which records exist; needs a quiet machine
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkNode, ensureBuild, root } from '../server/build.mjs'
import { printUsage } from './print-own-usage-on-help.mjs'

/** Runs by name. An option such as `--seed` of `fuzz` is passed to the test as FUZZ_SEED. */
const runs = {
  fuzz: {
    test: ['tests/fuzz-operations.test.ts', 'tests/fuzz-office.test.ts'],
    numbers: { requests: '100000', seed: '1' },
  },
  ledger: {
    test: ['modules/ledger/rules/ledger.test.ts', 'modules/ledger/rules/manual-entries.test.ts'],
    numbers: { histories: '1000000', seed: '' },
  },
  gate: {
    test: ['modules/gate/rules/gate-access.test.ts', 'modules/gate/gate-follows-random-changes.test.ts'],
    numbers: { histories: '1000000', engines: '2000', seed: '' },
  },
  simulate: {
    test: 'tests/simulation/simulate-payments-under-faults.test.ts',
    numbers: { seed: '1', payments: '500', minutes: '', days: '', office: '', seeds: '1' },
  },
  outage: { test: 'modules/messages/outage.test.ts', numbers: { mails: '10000' } },
  timing: {
    test: 'tests/refusal-times-reveal-no-records.long.ts',
    numbers: { calls: '200' },
    more: ['--config', 'tests/long.config.ts'],
  },
}
const engines = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

function refuse(why) {
  console.error(why)
  process.exit(2)
}

function run(words, env = {}) {
  const { status } = spawnSync(process.execPath, words, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  return status === 0
}

checkNode()
printUsage(import.meta.filename)
const name = process.argv[2]
const { test, numbers, more = [] } = runs[name] ?? refuse(`One of ${Object.keys(runs).join(', ')}, not '${name}'.`)
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    ...Object.fromEntries(
      Object.entries(numbers).map(([option, value]) => [option, { type: 'string', default: value }]),
    ),
    ...(name === 'fuzz' && { engine: { type: 'string' } }),
  },
})
for (const option of Object.keys(numbers))
  if (values[option] !== '' && !(Number(values[option]) > 0))
    refuse(`--${option} must be a number above 0, not '${values[option]}'.`)
const engine =
  values.engine && (engines[values.engine] ?? refuse(`--engine: sqlite or postgres, not '${values.engine}'.`))

let failed = false
for (let index = 0; index < Number(values.seeds ?? 1); index += 1) {
  const seed = values.seed && String(Number(values.seed) + index)
  const env = Object.entries({ ...values, seed }).map(([option, value]) => [
    `${name}_${option}`.toUpperCase(),
    value ?? '',
  ])
  // Without PostgreSQL its tests would be skipped, which does not fail the run.
  if (values.engine === 'postgres') env.push(['LATCHKEY_NEEDS_POSTGRES', 'yes'])
  const tests = values.office ? 'tests/simulation/month.test.ts' : values.days ? 'tests/simulation/year.test.ts' : test
  const files = [tests].flat()
  const words = ['run', ...files, '--disable-console-intercept', ...more, ...(engine ? ['-t', engine] : [])]
  if (!run([join(root, 'node_modules/vitest/vitest.mjs'), ...words], Object.fromEntries(env))) failed = true
}
if (name === 'fuzz' && !failed) {
  ensureBuild()
  failed = !run([join(root, 'tests/fuzz-event-loop.ts')], { FUZZ_SEED: values.seed })
}
process.exit(failed ? 1 : 0)

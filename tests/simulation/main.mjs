/**
 * `npm run simulate -- --seed N --minutes M`: one seeded run of payments under faults, by time, or by number with
 * `--payments P`. `--seeds K` runs the seeds N to N+K-1. Prints what became of the payments; fails where an invariant broke.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '' },
    payments: { type: 'string', default: '500' },
  },
})
let failed = false
for (let at = 0; at < Number(values.seeds); at += 1) {
  const { status } = spawnSync('vitest', ['run', 'tests/simulation/simulate.test.ts', '--disable-console-intercept'], {
    stdio: 'inherit',
    env: {
      ...process.env,
      SIMULATE_SEED: String(Number(values.seed) + at),
      SIMULATE_MINUTES: values.minutes,
      SIMULATE_PAYMENTS: values.payments,
    },
  })
  if (status !== 0) failed = true
}
process.exit(failed ? 1 : 0)

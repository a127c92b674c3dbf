/**
 * `npm run simulate -- --seed N --minutes M`: one seeded run of payments under faults, by time, or by number with
 * `--payments P`. `--seeds K` runs the seeds N to N+K-1. `--days D` instead lives through so many days of the demo's business
 * (366: a leap year with both nights in which the clocks are changed). Prints what became of it; fails where an invariant broke.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '' },
    payments: { type: 'string', default: '500' },
    days: { type: 'string', default: '' },
  },
})
let failed = false
for (let at = 0; at < Number(values.seeds); at += 1) {
  const test = values.days ? 'tests/simulation/year.test.ts' : 'tests/simulation/simulate.test.ts'
  const { status } = spawnSync('vitest', ['run', test, '--disable-console-intercept'], {
    stdio: 'inherit',
    env: {
      ...process.env,
      SIMULATE_SEED: String(Number(values.seed) + at),
      SIMULATE_MINUTES: values.minutes,
      SIMULATE_PAYMENTS: values.payments,
      SIMULATE_DAYS: values.days,
    },
  })
  if (status !== 0) failed = true
}
process.exit(failed ? 1 : 0)

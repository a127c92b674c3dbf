/**
 * `npm run timing [-- --calls 200]`: whether the time of a refusal tells who exists. Not among the tests, since it takes a
 * minute and a quiet machine.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkNode, root } from '../server/build.mjs'

checkNode()
const { values } = parseArgs({ options: { calls: { type: 'string', default: '200' } } })
if (!/^[1-9]\d{1,5}$/.test(values.calls)) {
  console.error(`--calls must be a whole number from 10, not '${values.calls}'.`)
  process.exit(2)
}
const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', 'tests/long.config.ts', 'tests/timing.long.ts'],
  { cwd: root, stdio: 'inherit', env: { ...process.env, TIMING_CALLS: values.calls } },
)
process.exit(status ?? 1)

/**
 * `npm run fuzz -- --requests 100000 --seed 7 [--engine sqlite|postgres]`: the long run of tests/fuzz.test.ts. From 20,000
 * requests on it also measures that none keeps the others waiting for more than 50 ms.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkNode, root } from '../server/build.mjs'

checkNode()
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    engine: { type: 'string' },
  },
})
for (const name of ['requests', 'seed']) {
  if (!/^[1-9]\d{0,8}$/.test(values[name])) {
    console.error(`--${name} must be a whole number above 0, not '${values[name]}'.`)
    process.exit(2)
  }
}
const engines = { sqlite: 'SQLite', postgres: 'PostgreSQL' }
if (values.engine !== undefined && !engines[values.engine]) {
  console.error(`--engine must be sqlite or postgres, not '${values.engine}'.`)
  process.exit(2)
}
const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    'tests/fuzz.test.ts',
    ...(values.engine ? ['-t', engines[values.engine]] : []),
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, FUZZ_REQUESTS: values.requests, FUZZ_SEED: values.seed },
  },
)
process.exit(status ?? 1)

/**
 * `npm run fuzz -- --requests 100000 --seed 7 [--engine sqlite|postgres]`: the long run of tests/fuzz.test.ts.
 * Then tests/fuzz-hold.ts: none of some thousand hostile requests may hold the built server's event loop for more than 50 ms.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkNode, ensureBuild, root } from '../server/build.mjs'

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
if (status !== 0) process.exit(status ?? 1)
// How long the longest request holds the built server's event loop.
ensureBuild()
const hold = spawnSync(process.execPath, [join(root, 'tests/fuzz-hold.ts')], { cwd: root, stdio: 'inherit' })
process.exit(hold.status ?? 1)

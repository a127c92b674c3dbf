/**
 * `npm run ledger -- --histories 1000000 [--seed S]`: the long run of domain/ledger.test.ts: random histories of charges,
 * payments, credits, refunds and reversals, each held after every step against what a ledger must be.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkNode, root } from '../server/build.mjs'

checkNode()
const { values } = parseArgs({
  options: { histories: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '' } },
})
for (const [name, value] of Object.entries(values)) {
  if (value !== '' && !/^[1-9]\d{0,8}$/.test(value)) {
    console.error(`--${name} must be a whole number above 0, not '${value}'.`)
    process.exit(2)
  }
}
const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules/vitest/vitest.mjs'), 'run', 'domain/ledger.test.ts'],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, LEDGER_HISTORIES: values.histories, LEDGER_SEED: values.seed },
  },
)
process.exit(status ?? 1)

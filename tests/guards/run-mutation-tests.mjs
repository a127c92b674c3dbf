/**
 * npm run guards -- [--of once]
 *
 * Removes each guard of tests/guards/protective-code-mutations.ts in turn, in a copy of the sources, and runs the tests that should fail.
 * Exits with 1 when one of those tests passes without its guard. `--of` names a subject, whose guards alone are tried.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkNode, root } from '../../server/build.mjs'
import { printUsage } from '../print-own-usage-on-help.mjs'
import { guards } from './protective-code-mutations.ts'

checkNode()
printUsage(import.meta.filename)
const { values } = parseArgs({ options: { of: { type: 'string' } } })
const chosen = guards.filter(({ subject }) => values.of === undefined || subject === values.of)
if (chosen.length === 0) {
  console.error(
    `No guard of '${values.of}'. There are: ${[...new Set(guards.map(({ subject }) => subject))].join(', ')}.`,
  )
  process.exit(2)
}

const copy = copySources()
const unnoticed = []
try {
  const tests = [...new Set(chosen.flatMap((guard) => guard.tests))]
  if (!passes(tests, 'inherit')) throw new Error(`These fail with all guards in place: ${tests.join(' ')}`)
  for (const guard of chosen) {
    const noticed = withoutGuard(guard, () => guard.tests.filter((test) => !passes([test])))
    console.log(
      `${noticed.length > 0 ? 'noticed  ' : 'UNNOTICED'}  ${guard.subject}: ${guard.prevents} (${noticed.join(', ')})`,
    )
    if (noticed.length < guard.tests.length) unnoticed.push(guard)
  }
} finally {
  rmSync(copy, { recursive: true })
}
for (const { file, code, tests } of unnoticed)
  console.error(`NOT NOTICED: ${file} without \`${code}\`, by one of ${tests.join(', ')}`)
process.exit(unnoticed.length === 0 ? 0 : 1)

function copySources() {
  const folder = mkdtempSync(join(tmpdir(), 'guards-'))
  const listed = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  for (const file of listed.stdout.toString().split('\n').filter(Boolean)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    copyFileSync(join(root, file), join(folder, file))
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Calls `work` while the guard is removed from the copied sources, and restores them. Returns the work's result. */
function withoutGuard({ file, code, without }, work) {
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  try {
    writeFileSync(path, text.replaceAll(code, without))
    return work()
  } finally {
    writeFileSync(path, text)
  }
}

function passes(tests, stdio = 'ignore') {
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--bail', '1', ...tests]
  return spawnSync(process.execPath, args, { cwd: copy, stdio }).status === 0
}

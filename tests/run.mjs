/**
 * `npm test`: builds the site and runs types, lint, tests and browser journeys. On Debian as root it installs missing
 * programs (Chromium, Firefox, PostgreSQL, HAProxy, Prometheus); elsewhere it names them.
 *
 *   npm test -- --only unit|browser
 *   npm test -- deploy      only the test files whose path contains that word
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { findChromium, headlessShell } from '../e2e/chromium.mjs'
import { checkNode, ensureBuild, root } from '../server/build.mjs'
import { printUsage } from './print-own-usage-on-help.mjs'

checkNode()
// An older Node cannot load TypeScript, so this follows the check.
const { postgresProgramFolder } = await import('./support/executable-search-folders.ts')
printUsage(import.meta.filename)
const { values, positionals: words } = parseArgs({ options: { only: { type: 'string' } }, allowPositionals: true })
const only = words.length > 0 ? 'unit' : values.only
const binaries = join(root, 'node_modules', '.bin')
const environment = { ...process.env, PATH: `${binaries}:${process.env.PATH}`, NODE_ENV: 'test', FORCE_COLOR: '0' }
const scratch = mkdtempSync(join(tmpdir(), 'latchkey-tests-'))
const began = performance.now()

const isInstalled = (program) => spawnSync('sh', ['-c', `PATH=$PATH:/usr/sbin command -v ${program}`]).status === 0

function step(title, command, arguments_, options = {}) {
  const started = performance.now()
  console.log(`\n── ${title} ${'─'.repeat(Math.max(0, 90 - title.length))}`)
  const { status } = spawnSync(command, arguments_, { cwd: root, stdio: 'inherit', env: environment, ...options })
  console.log(
    `   ${title}: ${status === 0 ? 'ok' : 'FAILED'} in ${((performance.now() - started) / 1000).toFixed(1)} s`,
  )
  return status === 0
}

function installMissingPrograms() {
  const debian = existsSync('/usr/bin/apt-get') && process.getuid?.() === 0
  // Any Chromium will do, but where this script installs programs it prefers the headless shell, which is faster.
  const chromium = debian && !process.env.CHROMIUM ? existsSync(headlessShell) : findChromium()
  const missing = [
    ...(chromium ? [] : ['chromium-headless-shell']),
    ...(isInstalled('firefox-esr') ? [] : ['firefox-esr']),
    ...(postgresProgramFolder() ? [] : ['postgresql']),
    ...(isInstalled('haproxy') ? [] : ['haproxy']),
    ...(isInstalled('promtool') ? [] : ['prometheus']),
  ]
  if (missing.length === 0) return
  if (!debian) {
    console.error(
      `Missing for the tests: ${missing.join(', ')}. Install them with your system's packages (CHROMIUM names a browser elsewhere).`,
    )
    return
  }
  const quiet = { ...environment, DEBIAN_FRONTEND: 'noninteractive' }
  step(
    `install ${missing.join(' and ')}`,
    'sh',
    ['-c', `apt-get update -q && apt-get install -y -q --no-install-recommends ${missing.join(' ')}`],
    { env: quiet },
  )
}

const counts = { passed: 0, failed: 0, skipped: 0 }
/** Failed tests with the beginning of their message, printed again at the end. */
const failures = []
const report = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null)

function recordFailure(name, message = '', page = '') {
  failures.push({ name, message: message.split('\n').slice(0, 12).join('\n'), page })
}

/** Returns the content of the page where a journey failed, as Playwright keeps it beside the screenshot. */
function pageOfFailure(result) {
  const { path } = result.attachments.find((attachment) => attachment.name === 'error-context') ?? {}
  const content = path && existsSync(path) ? readFileSync(path, 'utf8').match(/```yaml\n(.*?)```/s)?.[1] : ''
  return (content ?? '').slice(0, 6000)
}

/** Runs a step without test results in parallel with the build, and counts it as one test. */
async function check(title, command, arguments_) {
  const child = spawn(command, arguments_, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: environment })
  const output = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk))
  const [status] = await once(child, 'close')
  console.log(`\n── ${title}: ${status === 0 ? 'ok' : 'FAILED'}\n${Buffer.concat(output)}`)
  counts[status === 0 ? 'passed' : 'failed'] += 1
  if (status !== 0) recordFailure(title)
  return status === 0
}

/** Yields the failed tests of a Playwright report, whose suites are nested. */
function* failedJourneys(suite) {
  for (const spec of suite.specs ?? [])
    if (!spec.ok) {
      const result = spec.tests.flatMap((test) => test.results).find((testResult) => testResult.error)
      yield {
        name: `${spec.file}:${spec.line} › ${spec.title}`,
        message: result?.error.message,
        page: result && pageOfFailure(result),
      }
    }
  for (const inner of suite.suites ?? []) yield* failedJourneys(inner)
}

installMissingPrograms()
let allPassed = true

const checks =
  only === 'browser' || words.length > 0
    ? []
    : [
        check('types', 'sh', ['-c', 'react-router typegen && tsc --noEmit']),
        check('lint', 'biome', ['check', '--error-on-warnings', '.']),
      ]
console.log('\n── build, types and lint')
ensureBuild()
if ((await Promise.all(checks)).includes(false)) allPassed = false

if (only !== 'browser') {
  const output = join(scratch, 'vitest.json')
  const ok = step('rules, requests, contracts', 'vitest', [
    'run',
    ...words,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${output}`,
  ])
  const result = report(output)
  counts.passed += result?.numPassedTests ?? 0
  counts.failed += (result?.numFailedTests ?? 0) + (result ? 0 : 1)
  counts.skipped += (result?.numPendingTests ?? 0) + (result?.numTodoTests ?? 0)
  for (const file of result?.testResults ?? []) {
    const tests = file.assertionResults.filter((test) => test.status === 'failed')
    for (const test of tests) recordFailure(`${relative(root, file.name)} › ${test.fullName}`, test.failureMessages[0])
    if (file.status === 'failed' && tests.length === 0) recordFailure(relative(root, file.name), file.message)
  }
  if (!ok && (result?.numFailedTests ?? 1) === 0) counts.failed += 1
  allPassed = ok && allPassed
}

if (only !== 'unit') {
  const chromium = findChromium()
  if (!chromium) {
    console.error('\nNo Chromium: the browser journeys CANNOT run.')
    counts.failed += 1
    allPassed = false
  } else {
    const output = join(scratch, 'playwright.json')
    const ok = step('browser journeys', 'playwright', ['test', '--config', 'e2e/playwright.config.ts'], {
      env: { ...environment, CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: output },
    })
    const journeys = report(output)
    for (const { name, message, page } of journeys ? failedJourneys(journeys) : []) recordFailure(name, message, page)
    const stats = journeys?.stats
    counts.passed += (stats?.expected ?? 0) + (stats?.flaky ?? 0)
    counts.failed += (stats?.unexpected ?? 0) + (stats ? 0 : 1)
    counts.skipped += stats?.skipped ?? 0
    allPassed = ok && allPassed
  }
}

rmSync(scratch, { recursive: true, force: true })
for (const { name, message, page } of failures)
  console.log(`\n${[`FAILED ${name}`, message, page && `The page was:\n${page}`].filter(Boolean).join('\n')}`)
console.log(`\nall of it in ${((performance.now() - began) / 60_000).toFixed(1)} min`)
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
process.exit(allPassed && counts.failed === 0 ? 0 : 1)

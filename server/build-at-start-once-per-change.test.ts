import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { temporaryFolder } from '../tests/support/databases.ts'
import { makeOnce, removeOld, scriptsIn } from './build.mjs'

let folder: string
let children: ChildProcess[] = []
beforeEach(() => {
  folder = temporaryFolder()
  mkdirSync(join(folder, 'built'))
})
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children = []
})

/** A program that calls `makeOnce`; its build step lasts until a line on standard input says how it ends. */
const program = `
import { readSync, writeFileSync } from 'node:fs'
import { makeOnce } from ${JSON.stringify(new URL('./build.mjs', import.meta.url).href)}
const [folder, changed] = process.argv.slice(1)
const say = (word) => process.stdout.write(word + '\\n')
say('asks')
makeOnce({
  lock: folder + '/state/lock',
  stamp: folder + '/built/stamp',
  changed,
  make() {
    say('builds')
    const answer = Buffer.alloc(8)
    readSync(0, answer)
    if (answer.toString().startsWith('fail')) process.exit(1)
    writeFileSync(folder + '/built/page-' + process.pid, '')
  },
})
say('runs')
`

function start(changed: string) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, folder, changed], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return {
    nextLine: async () => (await lines.next()).value as string | undefined,
    end: (how: 'well' | 'fail') => child.stdin.write(`${how}\n`),
    async kill() {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

const pages = () => readdirSync(join(folder, 'built')).filter((name) => name.startsWith('page-'))

it('one of several concurrent starts builds, and the others use its build', async () => {
  const starts = [start('1'), start('1'), start('1')]
  for (const start of starts) expect(await start.nextLine()).toBe('asks')
  const next = starts.map((start) => start.nextLine())
  const builder = await Promise.race(next.map(async (line, index) => ({ line: await line, index })))
  expect(builder.line).toBe('builds')
  starts[builder.index]?.end('well')
  expect(await starts[builder.index]?.nextLine()).toBe('runs')
  for (const [index, line] of next.entries()) if (index !== builder.index) expect(await line).toBe('runs')
  expect(pages()).toHaveLength(1)
})

it('a start that was killed or failed during its build leaves the build to the next one', async () => {
  const first = start('1')
  expect([await first.nextLine(), await first.nextLine()]).toEqual(['asks', 'builds'])
  const second = start('1')
  expect(await second.nextLine()).toBe('asks')
  await first.kill()
  expect(pages()).toEqual([])
  expect(await second.nextLine()).toBe('builds')
  second.end('fail')
  expect(await second.nextLine()).toBeUndefined()
  const third = start('1')
  expect([await third.nextLine(), await third.nextLine()]).toEqual(['asks', 'builds'])
  third.end('well')
  expect(await third.nextLine()).toBe('runs')
  expect(pages()).toHaveLength(1)
})

it('builds only if the sources have changed', () => {
  const builds: string[] = []
  const build = (changed: string) =>
    makeOnce({
      lock: join(folder, 'lock'),
      stamp: join(folder, 'built', 'stamp'),
      changed,
      make: () => builds.push(changed),
    })
  for (const changed of ['1', '1', '2', '2']) build(changed)
  expect(builds).toEqual(['1', '2'])
  expect(readFileSync(join(folder, 'built', 'stamp'), 'utf8')).toBe('2')
})

it('removes files that were last written before an instant, and keeps the others', () => {
  for (const [name, modifiedAt] of Object.entries({
    'page-old.js': 999,
    'page-before.js': 1000,
    'page-now.js': 2000,
  })) {
    writeFileSync(join(folder, 'built', name), '')
    utimesSync(join(folder, 'built', name), modifiedAt, modifiedAt)
  }
  removeOld(join(folder, 'built'), 1_000_000)
  expect(readdirSync(join(folder, 'built')).sort()).toEqual(['page-before.js', 'page-now.js'])
})

it('lists the scripts that pages load, each with its hash', () => {
  mkdirSync(join(folder, 'client', 'assets'), { recursive: true })
  writeFileSync(join(folder, 'client', 'reader.js'), '')
  writeFileSync(join(folder, 'client', 'assets', 'page-1.js'), 'alert(1)')
  writeFileSync(join(folder, 'client', 'assets', 'page-1.js.br'), 'packed')
  writeFileSync(join(folder, 'client', 'assets', 'page.css'), 'a{}')
  // The hashes are the output of `openssl dgst -sha384 -binary | base64`.
  const empty = 'OLBgp1GsljhM2TJ+sbHjaiH9txEUvgdDTAzHv2P24donTt6/529l+9Ua0vFImLlb'
  expect(scriptsIn(join(folder, 'client'))).toEqual([
    {
      address: '/assets/page-1.js',
      bytes: 8,
      integrity: 'sha384-HT2E9NfWiuQ/w1PRai+hTyqW16NIoCGA/m8VQDUopfAtcz6YQjtsMmQd5uRbVDpW',
    },
    { address: '/reader.js', bytes: 0, integrity: `sha384-${empty}` },
  ])
})

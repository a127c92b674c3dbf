import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../tests/support/databases.ts'
import { tightenDataDirectory } from './restrict-data-directory.ts'

const mode = (path: string) => (statSync(path).mode & 0o7777).toString(8)

it('removes other users’ permissions from the data folder and its content', () => {
  const folder = join(temporaryFolder(), 'data')
  mkdirSync(join(folder, 'files', 'insurance'), { recursive: true })
  for (const [name, initialMode] of [
    ['latchkey.sqlite', 0o644],
    ['latchkey.sqlite-wal', 0o664],
    ['keys.json', 0o666],
    ['files/insurance/proof.pdf', 0o644],
  ] as const) {
    writeFileSync(join(folder, name), 'x')
    chmodSync(join(folder, name), initialMode)
  }
  for (const name of ['', 'files', 'files/insurance']) chmodSync(join(folder, name), 0o755)
  expect(tightenDataDirectory(folder)).toEqual([])
  for (const name of ['', 'files', 'files/insurance']) expect([name, mode(join(folder, name))]).toEqual([name, '700'])
  for (const name of ['latchkey.sqlite', 'latchkey.sqlite-wal', 'keys.json', 'files/insurance/proof.pdf'])
    expect([name, mode(join(folder, name))]).toEqual([name, '600'])
})

it('leaves a shared folder unchanged', () => {
  const shared = join(temporaryFolder(), 'tmp')
  mkdirSync(shared)
  chmodSync(shared, 0o1777)
  tightenDataDirectory(shared)
  expect(mode(shared)).toBe('1777')
})

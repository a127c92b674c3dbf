import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSqliteFile, SqliteLog } from './sqlite.ts'

it('brings what came while the disk was busy to it at once, and not with what was under way', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-log-'))
  const file = join(folder, 'log.sqlite')
  const db = openSqliteFile(file, { readOnly: false })
  db.exec('create table notes (text text)')
  const ends: ((error: null) => void)[] = []
  const log = new SqliteLog(db, file, (_, end) => ends.push(end))
  const done: string[] = []
  const note = (text: string) => {
    db.prepare('insert into notes values (?)').run(text)
    return log.synced().then(() => done.push(text))
  }
  const first = note('first')
  await Promise.resolve()
  const others = [note('second'), note('third')]
  expect(ends).toHaveLength(1)
  ends.shift()?.(null)
  await first
  expect(done).toEqual(['first'])
  await Promise.resolve()
  expect(ends).toHaveLength(1)
  ends.shift()?.(null)
  await Promise.all(others)
  expect(done).toEqual(['first', 'second', 'third'])
  expect(ends).toHaveLength(0)
  log.close()
  db.close()
  rmSync(folder, { recursive: true })
})

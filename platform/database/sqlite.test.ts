import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { openDatabase } from './open.ts'
import { openSqliteFile, WalFlusher } from './sqlite.ts'

it('syncs commits that arrived during a sync together in the next one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-log-'))
  const file = join(folder, 'log.sqlite')
  const db = openSqliteFile(file, { readOnly: false })
  db.exec('create table notes (text text)')
  const ends: ((error: null) => void)[] = []
  const log = new WalFlusher(db, file, (_, end) => ends.push(end))
  const done: string[] = []
  const note = (text: string) => {
    db.prepare('insert into notes values (?)').run(text)
    return log.flush().then(() => done.push(text))
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

it('prepares a statement once, also where its text begins on a new line', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'prepared-'))
  const db = await openDatabase({ dataDir })
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare')
  for (let time = 0; time < 3; time++) {
    await sql`
      update settings set value = ${time} where name = 'none'`.execute(db.write)
    await sql`
      select ${time} as time`.execute(db.read)
  }
  expect(prepare.mock.calls).toHaveLength(2)
  prepare.mockRestore()
  await db.close()
  rmSync(dataDir, { recursive: true })
})

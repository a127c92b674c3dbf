import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, readdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Kysely } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openerForTests, placeOf, temporaryFolder } from '../../tests/support/databases.ts'
import { rowsOf } from '../../tests/support/rows.ts'
import type { Tables } from '../schema/tables.ts'
import { DataDirectoryInUse, lockDataDirectory } from './data-directory-lock.ts'
import { openDatabase, sqliteFile } from './open.ts'
import { backUp, restore } from './sqlite-backup-and-restore.ts'

const killedRestore = fileURLToPath(new URL('./fixtures/killed-restore.ts', import.meta.url))
const clock = { now: () => 77 }
const addSetting = (db: Pick<Kysely<Tables>, 'insertInto'>, name: string) =>
  db.insertInto('settings').values({ name, value: 'x', updated_at: 1 }).execute()

describe('A backup', () => {
  const open = openerForTests()

  it('holds every commit from before it, and can be restored', async () => {
    const db = await open()
    const { dataDir } = placeOf(db)
    const write = (name: string) => addSetting(db.write, name)
    const file = join(temporaryFolder(), 'kept', 'monday.sqlite')
    await write('before')
    await db.transaction(async (tx) => {
      await addSetting(tx, 'uncommitted')
      backUp(dataDir, file)
    })
    await write('after')
    expect(() => backUp(dataDir, file)).toThrow('exists already')
    await db.close()

    expect(await restore(file, dataDir, clock)).toEqual({ before: `${sqliteFile(dataDir)}.before-77` })
    const restored = await openDatabase({ dataDir })
    expect(await rowsOf(restored, 'settings', ['name'])).toEqual([{ name: 'before' }])
    await restored.close()

    const elsewhere = temporaryFolder()
    expect(await restore(`${sqliteFile(dataDir)}.before-77`, elsewhere, clock)).toEqual({ before: null })
    const undone = await openDatabase({ dataDir: elsewhere })
    const names = (await rowsOf(undone, 'settings', ['name'])).map(({ name }) => name)
    expect(names).toEqual(['after', 'before', 'uncommitted'])
    await undone.close()
  })

  it('leaves the old database, or the restored one beside a copy of the old one, wherever a restore is killed', async () => {
    const db = await open()
    const backup = join(temporaryFolder(), 'backup.sqlite')
    backUp(placeOf(db).dataDir, backup)
    await addSetting(db.write, 'newer')
    const namesIn = async (dataDir: string) => {
      const database = await openDatabase({ dataDir })
      const rows = await rowsOf(database, 'settings', ['name'])
      await database.close()
      return rows.map(({ name }) => name).join()
    }
    const states: string[] = []
    for (let killBefore = 1; ; killBefore += 1) {
      // The state after a killed server: the newest rows are only in the WAL.
      const dataDir = temporaryFolder()
      for (const ending of ['', '-wal'])
        copyFileSync(`${sqliteFile(placeOf(db).dataDir)}${ending}`, `${sqliteFile(dataDir)}${ending}`)
      const { signal, status } = spawnSync(process.execPath, [killedRestore, backup, dataDir, `${killBefore}`], {
        stdio: 'inherit',
      })
      if (status === 0) break
      expect(signal).toBe('SIGKILL')
      const left = temporaryFolder()
      cpSync(dataDir, left, { recursive: true })
      const before = `${sqliteFile(dataDir)}.before-77`
      const state = { isKept: existsSync(before), names: await namesIn(left) }
      if (state.isKept) {
        // The copy, and the old database if still in place, hold the newest rows without their WAL.
        const files = state.names === '' ? [before] : [before, sqliteFile(dataDir)]
        for (const file of files) {
          const alone = temporaryFolder()
          copyFileSync(file, sqliteFile(alone))
          expect(await namesIn(alone), file).toBe('newer')
        }
      }
      states.push(`${state.names || 'restored'}${state.isKept ? ', kept' : ''}`)
      expect(await restore(backup, dataDir, { now: () => 78 })).toEqual({ before: `${sqliteFile(dataDir)}.before-78` })
      expect(await namesIn(dataDir)).toBe('')
    }
    expect([...new Set(states)]).toEqual(['newer', 'newer, kept', 'restored, kept'])
  }, 60_000)

  it('is not restored if it is damaged, no backup, or a server is running', async () => {
    const db = await open()
    const { dataDir } = placeOf(db)
    const folder = temporaryFolder()
    const file = join(folder, 'copy.sqlite')
    backUp(dataDir, file)
    const lock = lockDataDirectory({ dataDir, address: 'http://localhost:3000', clock })
    await expect(restore(file, dataDir, clock)).rejects.toThrow(DataDirectoryInUse)
    lock.release()
    truncateSync(file, 8192)
    await expect(restore(file, dataDir, clock)).rejects.toThrow('not a sound copy')
    writeFileSync(join(folder, 'text'), 'hello')
    await expect(restore(join(folder, 'text'), dataDir, clock)).rejects.toThrow('not a sound copy')
    await db.ping()
    expect(existsSync(sqliteFile(dataDir))).toBe(true)
    expect(readdirSync(dataDir).filter((name) => name.includes('part'))).toEqual([])
  })
})

import { copyFileSync, existsSync, readdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openerForTests, placeOf, temporaryFolder } from '../../tests/support/databases.ts'
import { rowsOf } from '../../tests/support/rows.ts'
import type { Tables } from '../schema/tables.ts'
import { backUp, restore } from './backup.ts'
import { DataDirectoryInUse, lockDataDirectory } from './data-directory-lock.ts'
import { openDatabase, sqliteFile } from './open.ts'

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

  it('leaves the old database with its log when a restore is interrupted', async () => {
    const db = await open()
    const backup = join(temporaryFolder(), 'backup.sqlite')
    backUp(placeOf(db).dataDir, backup)
    await addSetting(db.write, 'newer')
    // The state after a killed server: the newest rows are only in the WAL.
    const dataDir = temporaryFolder()
    for (const ending of ['', '-wal'])
      copyFileSync(`${sqliteFile(placeOf(db).dataDir)}${ending}`, `${sqliteFile(dataDir)}${ending}`)
    const restoring = restore(backup, dataDir, clock, () => {
      throw new Error('the power is cut')
    })
    await expect(restoring).rejects.toThrow('the power is cut')
    for (const file of [sqliteFile(dataDir), `${sqliteFile(dataDir)}.before-77`]) {
      const alone = temporaryFolder()
      copyFileSync(file, sqliteFile(alone))
      const database = await openDatabase({ dataDir: alone })
      expect(await rowsOf(database, 'settings', ['name']), file).toEqual([{ name: 'newer' }])
      await database.close()
    }
    expect(await restore(backup, dataDir, { now: () => 78 })).toEqual({ before: `${sqliteFile(dataDir)}.before-78` })
    const restored = await openDatabase({ dataDir })
    expect(await rowsOf(restored, 'settings', ['name'])).toEqual([])
    await restored.close()
  })

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

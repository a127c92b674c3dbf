import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Instant } from '../../domain/dates.ts'
import { lockDataDirectory } from './data-directory-lock.ts'
import { sqliteFile } from './open.ts'
import { openSqliteFile } from './sqlite.ts'

/**
 * Copies the SQLite database of `dataDir` to `file` as it stands at this moment, beside a running server: its writers are
 * not kept waiting. Meant for the operator's process, which it blocks. The copy is checked, and appears under its name
 * only when complete. Signed leases and `keys.json` are files of their own and must be kept as well.
 * @throws Error where `file` exists, or the copy is not sound; DatabaseUnavailable
 */
export function backUp(dataDir: string, file: string): void {
  if (existsSync(file)) throw new Error(`${file} exists already; a backup overwrites nothing`)
  mkdirSync(dirname(file), { recursive: true })
  // Its own: another backup to the same name at the same time must not be written into.
  const part = `${file}.${process.pid}.part`
  rmSync(part, { force: true })
  const source = openSqliteFile(sqliteFile(dataDir), { readOnly: true })
  try {
    source.prepare('vacuum into ?').run(part)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  } finally {
    source.close()
  }
  try {
    // Names, addresses and telephone numbers leave the closed data folder here.
    chmodSync(part, 0o600)
    assertSound(part)
    sync(part)
    keepAlso(part, file)
  } finally {
    rmSync(part, { force: true })
  }
}

/**
 * Puts a backup in the place of the database of `dataDir`; no server may be running on it. What stood there is kept
 * beside it as `latchkey.sqlite.before-<instant>`. Answers that file's name, null where there was none. Interrupted, it
 * leaves what was there: a data folder without a database would be created empty at the next start.
 * @param crash called with what was there kept and still in its place; a test ends the restore there
 * @throws HeldByAnother; Error where the backup is not sound
 */
export async function restore(
  file: string,
  dataDir: string,
  clock: { now(): Instant },
  crash: () => void = () => {},
): Promise<{ before: string | null }> {
  const lock = lockDataDirectory({ dataDir, address: 'restore', clock })
  const target = sqliteFile(dataDir)
  const part = `${target}.part`
  try {
    await copyFile(file, part)
    assertSound(part)
    sync(part)
    const before = existsSync(target) ? `${target}.before-${clock.now()}` : null
    if (before) {
      foldLogIn(target)
      keepAlso(target, before)
    }
    crash()
    // A log that could not be folded in belongs to the old file; the new one must not meet it.
    for (const ending of ['-wal', '-shm']) {
      if (before && existsSync(`${target}${ending}`)) renameSync(`${target}${ending}`, `${before}${ending}`)
      else rmSync(`${target}${ending}`, { force: true })
    }
    renameSync(part, target)
    return { before }
  } finally {
    rmSync(part, { force: true })
    lock.release()
  }
}

/** Gives a file a second name, that nothing else may have. @throws Error with the code EEXIST */
function keepAlso(file: string, as: string): void {
  try {
    linkSync(file, as)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error
    // A file system without links.
    const part = `${as}.${process.pid}.part`
    copyFileSync(file, part)
    sync(part)
    renameSync(part, as)
  }
}

/** Brings what stands in a database's log alone into its file, which can then stand by itself. A damaged one stays as it is. */
function foldLogIn(file: string): void {
  let db: DatabaseSync | undefined
  try {
    db = openSqliteFile(file, { readOnly: false })
    db.exec('pragma wal_checkpoint(truncate)')
  } catch {
    // It is being replaced, perhaps for that very reason.
  } finally {
    db?.close()
  }
}

function assertSound(file: string): void {
  let db: DatabaseSync | undefined
  try {
    db = openSqliteFile(file, { readOnly: true })
    const answer = db.prepare('pragma integrity_check').all() as { integrity_check: string }[]
    const wrong = answer.filter((row) => row.integrity_check !== 'ok')
    const orphans = db.prepare('pragma foreign_key_check').all()
    const ours = db.prepare("select 1 from sqlite_schema where name = 'kysely_migration'").get()
    if (wrong.length > 0 || orphans.length > 0 || !ours)
      throw new Error(wrong[0]?.integrity_check ?? 'rows do not fit together')
  } catch (error) {
    throw new Error(`${file} is not a sound copy of our database: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    })
  } finally {
    db?.close()
  }
}

function sync(file: string): void {
  const descriptor = openSync(file, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

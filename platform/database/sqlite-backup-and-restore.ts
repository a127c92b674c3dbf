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
import type { Instant } from '../../domain/time-zone-dates.ts'
import { errorCode, errorMessage } from '../../ports/errors/error-code-and-message.ts'
import { lockDataDirectory } from './data-directory-lock.ts'
import { sqliteFile } from './open.ts'
import { openSqliteFile } from './sqlite.ts'

/**
 * Copies the live SQLite database of `dataDir` to `file`, which appears only once the copy has been checked. Blocks the
 * process. `deploy/backup.sh` deletes old backups.
 * @throws Error if `file` exists or the copy is damaged; DatabaseUnavailable
 */
export function backUp(dataDir: string, file: string): void {
  if (existsSync(file)) throw new Error(`${file} exists already; a backup overwrites nothing`)
  mkdirSync(dirname(file), { recursive: true })
  // The name is unique, since another backup to the same file may be running.
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
    // The copy leaves the private data folder, so only its owner may read it.
    chmodSync(part, 0o600)
    assertUndamaged(part)
    sync(part)
    addName(part, file)
  } finally {
    rmSync(part, { force: true })
  }
}

/**
 * Replaces the database of `dataDir` by a backup and keeps the old one beside it; no server may be running. Crash-safe:
 * the old file stays in place until the rename.
 * @returns `before`: path of the old database; null if there was none
 * @throws DataDirectoryInUse; Error if the backup is damaged
 */
export async function restore(
  file: string,
  dataDir: string,
  clock: { now(): Instant },
): Promise<{ before: string | null }> {
  const lock = lockDataDirectory({ dataDir, address: 'restore', clock })
  const target = sqliteFile(dataDir)
  const part = `${target}.part`
  try {
    await copyFile(file, part)
    assertUndamaged(part)
    replaceRestoreMarks(part, clock.now())
    sync(part)
    const before = existsSync(target) ? `${target}.before-${clock.now()}` : null
    if (before) {
      checkpointWal(target)
      addName(target, before)
    }
    // A WAL that could not be checkpointed belongs to the old file.
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

/** Adds a second name to a file, by a hard link or a copy. @throws Error with the code EEXIST if the name is taken */
function addName(file: string, newName: string): void {
  try {
    linkSync(file, newName)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw error
    // After any other error, such as of a file system without hard links, the file is copied.
    const part = `${newName}.${process.pid}.part`
    copyFileSync(file, part)
    sync(part)
    renameSync(part, newName)
  }
}

/** Checkpoints the WAL into the database file; ignores failures, such as of a damaged file. */
function checkpointWal(file: string): void {
  let db: DatabaseSync | undefined
  try {
    db = openSqliteFile(file, { readOnly: false })
    db.exec('pragma wal_checkpoint(truncate)')
  } catch {
    // The file is being replaced, perhaps because it is damaged.
  } finally {
    db?.close()
  }
}

function assertUndamaged(file: string): void {
  let db: DatabaseSync | undefined
  try {
    db = openSqliteFile(file, { readOnly: true })
    const rows = db.prepare('pragma integrity_check').all()
    const problems = rows.filter((row) => row.integrity_check !== 'ok')
    const orphans = db.prepare('pragma foreign_key_check').all()
    const migrationTable = db.prepare("select 1 from sqlite_schema where name = 'kysely_migration'").get()
    if (problems.length > 0 || orphans.length > 0 || !migrationTable)
      throw new Error(String(problems[0]?.integrity_check ?? 'rows do not fit together'))
  } catch (error) {
    throw new Error(`${file} is not a sound copy of our database: ${errorMessage(error)}`, {
      cause: error,
    })
  } finally {
    db?.close()
  }
}

/**
 * Replaces the restore marks by one that no file store has, so that `RestoreGuard` also detects a restore if the file
 * store was restored from the same day's backup (docs/decisions/one-database.md).
 */
function replaceRestoreMarks(file: string, now: Instant): void {
  const db = openSqliteFile(file, { readOnly: false })
  try {
    if (!db.prepare("select 1 from sqlite_schema where name = 'restore_marks'").get()) return
    // Marks dated ahead come from a wrong clock; they count only if there is no other mark.
    const newest =
      db
        .prepare(
          'select coalesce(max(case when made_at <= ? then made_at end), max(made_at), 0) as at from restore_marks',
        )
        .get(now)?.at ?? 0
    db.exec('delete from restore_marks')
    db.prepare('insert into restore_marks (mark, made_at, kept_at) values (?, ?, ?)').run('restored', newest, newest)
    db.exec('pragma wal_checkpoint(truncate)')
  } finally {
    db.close()
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

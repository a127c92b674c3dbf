import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { holdDataDirectory } from './holder-lock.ts'
import { sqliteFile } from './open.ts'
import { openSqliteFile } from './sqlite.ts'
import type { Instant } from './tables.ts'

/**
 * Copies the SQLite database of `dataDir` to `file` as it stands at this moment, beside a running server: its writers are
 * not kept waiting. Meant for the operator's process, which it blocks. The copy is checked, and appears under its name
 * only when complete. Signed leases and `keys.json` are files of their own and must be kept as well.
 * @throws Error where `file` exists, or the copy is not sound; DatabaseUnavailable
 */
export function backUp(dataDir: string, file: string): void {
  if (existsSync(file)) throw new Error(`${file} exists already; a backup overwrites nothing`)
  mkdirSync(dirname(file), { recursive: true })
  const part = `${file}.part`
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
    renameSync(part, file)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}

/**
 * Puts a backup in the place of the database of `dataDir`; no server may be running on it. What stood there is kept
 * beside it as `latchkey.sqlite.before-<instant>`. Answers that file's name, null where there was none.
 * @throws HeldByAnother; Error where the backup is not sound
 */
export async function restore(
  file: string,
  dataDir: string,
  clock: { now(): Instant },
): Promise<{ before: string | null }> {
  const lock = holdDataDirectory({ dataDir, address: 'restore', clock })
  const target = sqliteFile(dataDir)
  const part = `${target}.part`
  try {
    await copyFile(file, part)
    assertSound(part)
    sync(part)
    const before = existsSync(target) ? `${target}.before-${clock.now()}` : null
    // The log moves with its file, where it still counts; the new file must not meet it.
    for (const ending of ['', '-wal', '-shm']) {
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

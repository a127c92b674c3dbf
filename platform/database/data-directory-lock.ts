import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { hasFields, parseJson } from '../../domain/parse-json-and-check-shape.ts'
import type { Instant } from '../../domain/time-zone-dates.ts'
import { sqliteErrorCode } from '../../ports/errors/error-code-and-message.ts'

/** The process that uses a data directory. */
export interface DataDirectoryHolder {
  pid: number
  since: Instant
  /** URL of a server; name of an operator command, such as 'restore'. */
  address: string
}

/** Thrown when another process has locked the data directory. The message is for the terminal. */
export class DataDirectoryInUse extends Error {
  readonly holder: DataDirectoryHolder | null
  constructor(dataDir: string, holder: DataDirectoryHolder | null) {
    const holderText = holder
      ? ` (${holder.pid}, since ${new Date(holder.since).toISOString().replace('T', ' ').slice(0, 19)} UTC, at ${holder.address})`
      : ''
    super(
      `Another process${holderText} already uses the data in ${dataDir}. Stop it first, or set DATA_DIR to another folder.`,
    )
    this.name = 'DataDirectoryInUse'
    this.holder = holder
  }
}

/** References to open locks: the garbage collector would close an unreferenced connection and release its lock. */
const openLocks = new Set<DatabaseSync>()

export interface DataDirectoryLock {
  /** Releases the lock. The end of the process does the same, however it ends. */
  release(): void
}

/**
 * Makes this process the only server of a data directory, by an OS lock that ends with the process. Of the operator
 * commands, only those that replace or move the whole database take the lock.
 * @throws DataDirectoryInUse
 */
export function lockDataDirectory(parts: {
  dataDir: string
  address: string
  clock: { now(): Instant }
}): DataDirectoryLock {
  mkdirSync(parts.dataDir, { recursive: true, mode: 0o700 })
  // Only SQLite may open this file: closing another descriptor would release the lock.
  const lock = new DatabaseSync(join(parts.dataDir, 'holder.lock'), { timeout: 0 })
  const note = join(parts.dataDir, 'holder.json')
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive')
  } catch (error) {
    lock.close()
    // 5 is SQLITE_BUSY: another process has the lock.
    if (sqliteErrorCode(error) !== 5) throw error
    throw new DataDirectoryInUse(parts.dataDir, readNote(note))
  }
  openLocks.add(lock)
  const holder: DataDirectoryHolder = { pid: process.pid, since: parts.clock.now(), address: parts.address }
  writeFileSync(`${note}.new`, `${JSON.stringify(holder)}\n`)
  renameSync(`${note}.new`, note)
  return {
    release() {
      if (!lock.isOpen) return
      rmSync(note, { force: true })
      openLocks.delete(lock)
      lock.close()
    },
  }
}

function readNote(file: string): DataDirectoryHolder | null {
  try {
    const { pid, since, address } = parseJson(
      readFileSync(file, 'utf8'),
      hasFields<DataDirectoryHolder>('pid', 'since', 'address'),
    )
    return Number.isInteger(pid) && Number.isFinite(since) && typeof address === 'string'
      ? { pid, since, address }
      : null
  } catch {
    return null
  }
}

/** Explains startup failures in messages that say what the operator can do. */
import { DataDirectoryInUse } from '../platform/database/data-directory-lock.ts'
import { DatabaseUnavailable, sqliteFile, UnsafePooling } from '../platform/database/open.ts'
import { SchemaVersionMismatch } from '../platform/schema/migrations/migrate.ts'
import { errorCode, errorMessage, sqliteErrorCode } from '../ports/errors/error-code-and-message.ts'
import type { Files } from '../ports/files/files.ts'
import type { Mail } from '../ports/mail/mail.ts'
import { type Config, StartupError } from './config/config.ts'
import { damagedFile } from './readiness.ts'

/**
 * Runs a step of the start that needs the data folder, the database or the HTTP socket, and explains its failure.
 * @throws StartupError that says what to do, if the operator can correct the cause; else the original error
 */
export async function explainOpenErrors<T>(
  part: 'folder' | 'database' | 'socket',
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'host' | 'port'>,
  open: () => T | Promise<T>,
): Promise<T> {
  try {
    return await open()
  } catch (error) {
    const problem = { folder: folderProblem, database: databaseProblem, socket: socketProblem }[part](error, config)
    throw problem === null ? error : new StartupError([problem])
  }
}

/**
 * Writes and deletes a file, so that a wrong object store or folder is noticed before the first signature.
 * @returns the problem as a sentence for the log, or null
 */
export async function filesProblem(files: Files, config: Pick<Config, 'objectStore'>): Promise<string | null> {
  const key = 'start/check.txt'
  try {
    await files.put(key, Buffer.from('A server has started.'), 'text/plain')
    await files.delete(key)
    return null
  } catch (error) {
    const where = config.objectStore ? 'S3_URL, S3_BUCKET and the S3 keys' : 'FILES_DIR or DATA_DIR'
    return `No file can be kept, so no lease can be signed; see ${where}: ${errorMessage(error)}`
  }
}

/**
 * Logs in to the mail server, so that a wrong password is noticed before the first mail.
 * @returns the problem as a sentence for the log, or null
 */
export async function mailProblem(mail: Mail): Promise<string | null> {
  try {
    await mail.check?.()
    return null
  } catch (error) {
    return `No mail can be sent as it is set up; what is to go out waits and is tried again. See SMTP_URL: ${errorMessage(error)}`
  }
}

function folderProblem(error: unknown, { dataDir }: Pick<Config, 'dataDir'>): string | null {
  if (error instanceof DataDirectoryInUse) return error.message
  // 14 is SQLITE_CANTOPEN: no file can be created in the folder.
  const cannotCreate = sqliteErrorCode(error) === 14
  const code = cannotCreate ? 'no file can be made in it' : errorCode(error)
  const isSettingWrong =
    cannotCreate || ['EEXIST', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOENT'].includes(code)
  return isSettingWrong
    ? `DATA_DIR should be a folder that this server may write to, not '${dataDir}' (${code}).`
    : null
}

/** Returns whether an error is SQLITE_CORRUPT or SQLITE_NOTADB, perhaps as the cause of a failed migration. */
const isDamage = (error: unknown): boolean =>
  error instanceof Error && ([11, 26].includes(sqliteErrorCode(error)) || isDamage(error.cause))

/**
 * Explains why the database cannot be opened; null if the operator cannot correct the cause. Never shows the URL, which
 * contains the password.
 */
export function databaseProblem(
  error: unknown,
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
): string | null {
  if (error instanceof SchemaVersionMismatch) return error.message
  if (databaseUrl === null) return isDamage(error) ? damagedFile(sqliteFile(dataDir), errorMessage(error)) : null
  if (error instanceof UnsafePooling) return error.message
  // SQLSTATE class 28: not authorized; class 3D: no such database.
  const isSettingWrong = error instanceof DatabaseUnavailable || /^(28|3D)\w{3}$/.test(errorCode(error))
  return isSettingWrong ? `DATABASE_URL should lead to a database that is there: ${errorMessage(error)}.` : null
}

function socketProblem(error: unknown, { host, port }: Pick<Config, 'host' | 'port'>): string | null {
  const code = errorCode(error)
  if (code === 'EADDRINUSE') return `PORT: ${port} is taken. Stop what uses it, or choose another.`
  if (code === 'EACCES') return `PORT: ${port} is not open to this user. Choose one above 1023.`
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(code))
    return `HOST should be a name or address of this machine, not '${host}'.`
  return null
}

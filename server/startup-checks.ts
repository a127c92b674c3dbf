/** Turns failures of a start into the variable that causes them. */
import { HeldByAnother } from '../platform/database/data-directory-lock.ts'
import { DatabaseUnavailable, sqliteFile, UnsafePooling } from '../platform/database/open.ts'
import { OtherVersion } from '../platform/schema/migrations/migrate.ts'
import { errorCode, errorMessage, sqliteErrorCode } from '../ports/errors/caught-error.ts'
import type { Files } from '../ports/files/files.ts'
import type { Mail } from '../ports/mail/mail.ts'
import { type Config, StartupError } from './config/config.ts'
import { damagedFile } from './readiness.ts'

/** @throws StartupError naming the variable where the cause is outside; any other error as it is */
export async function opening<T>(
  part: 'folder' | 'database' | 'socket',
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'host' | 'port'>,
  open: () => T | Promise<T>,
): Promise<T> {
  try {
    return await open()
  } catch (error) {
    const said = { folder: ofFolder, database: databaseProblem, socket: ofSocket }[part](error, config)
    throw said === null ? error : new StartupError([said])
  }
}

/**
 * Writes and deletes a file: otherwise a wrong object store shows at the first signature. @returns a sentence for
 * the log, or null
 */
export async function filesProblem(files: Files, config: Pick<Config, 'objectStore'>): Promise<string | null> {
  const key = 'start/check.txt'
  try {
    await files.put(key, Buffer.from('A server has started.'), 'text/plain')
    await files.delete(key)
    return null
  } catch (error) {
    const where = config.objectStore ? 'S3_URL, S3_BUCKET and the S3 keys' : 'DATA_DIR'
    return `No file can be kept, so no lease can be signed; see ${where}: ${errorMessage(error)}`
  }
}

/**
 * Logs in to the mail server: otherwise a wrong password shows at the first mail. @returns a sentence for the log,
 * or null
 */
export async function mailProblem(mail: Mail): Promise<string | null> {
  try {
    await mail.check?.()
    return null
  } catch (error) {
    return `No mail can be sent as it is set up; what is to go out waits and is tried again. See SMTP_URL: ${errorMessage(error)}`
  }
}

function ofFolder(error: unknown, { dataDir }: Pick<Config, 'dataDir'>): string | null {
  if (error instanceof HeldByAnother) return error.message
  // SQLITE_CANTOPEN: no file can be created in the folder.
  const sealed = sqliteErrorCode(error) === 14
  const code = sealed ? 'no file can be made in it' : errorCode(error)
  const outside = sealed || ['EEXIST', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOENT'].includes(code)
  return outside ? `DATA_DIR should be a folder that this server may write to, not '${dataDir}' (${code}).` : null
}

/** SQLITE_CORRUPT and SQLITE_NOTADB, perhaps as the cause of a failed migration. */
const isDamage = (error: unknown): boolean =>
  error instanceof Error && ([11, 26].includes(sqliteErrorCode(error)) || isDamage(error.cause))

/** Why the database cannot be opened, or null where that is no setting's doing. The URL holds the password and is not repeated. */
export function databaseProblem(
  error: unknown,
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
): string | null {
  if (error instanceof OtherVersion) return error.message
  if (databaseUrl === null) return isDamage(error) ? damagedFile(sqliteFile(dataDir), errorMessage(error)) : null
  if (error instanceof UnsafePooling) return error.message
  // Class 28: not authorised; class 3D: no such database.
  const refused = error instanceof DatabaseUnavailable || /^(28|3D)\w{3}$/.test(errorCode(error))
  return refused ? `DATABASE_URL should lead to a database that is there: ${errorMessage(error)}.` : null
}

function ofSocket(error: unknown, { host, port }: Pick<Config, 'host' | 'port'>): string | null {
  const code = errorCode(error)
  if (code === 'EADDRINUSE') return `PORT: ${port} is taken. Stop what uses it, or choose another.`
  if (code === 'EACCES') return `PORT: ${port} is not open to this user. Choose one above 1023.`
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(code))
    return `HOST should be a name or address of this machine, not '${host}'.`
  return null
}

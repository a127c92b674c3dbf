/** Reads code and message of a caught value, which may be of any type. */

/** Returns the code of a system, network or database error, such as 'ENOENT' or '42501'; '' if it has none. */
export const errorCode = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code ?? '') : ''

/** Returns SQLite's primary result code, such as 5 for SQLITE_BUSY; 0 for any other error. */
export const sqliteErrorCode = (error: unknown): number =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : 0

export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))

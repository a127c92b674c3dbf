import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { errorMessage } from '../ports/errors/error-code-and-message.ts'

const forOthers = 0o077

/** Sets the umask so that new files are 0600 and new folders 0700. */
export const writeForOwnerOnly = (): void => void process.umask(forOthers)

/**
 * Creates the data folder, or removes other users' permissions on it and its content; a shared folder such as /tmp is
 * left alone.
 * @returns the paths that could not be changed, with the reason
 */
export function tightenDataDirectory(folder: string): string[] {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const sticky = 0o1000
  // Windows has no such permissions.
  if (process.platform === 'win32' || (lstatSync(folder).mode & sticky) !== 0) return []
  return tighten(folder, true)
}

/**
 * Removes other users' permissions.
 * @param isRoot checks the content even if the folder itself is closed
 * @returns failed paths
 */
function tighten(path: string, isRoot = false): string[] {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  // A link's mode has no effect.
  if (!stat || !(stat.isFile() || stat.isDirectory())) return []
  const isOpenToOthers = (stat.mode & forOthers) !== 0
  const failed: string[] = []
  try {
    // Other users cannot reach the content of a closed folder.
    if (stat.isDirectory() && (isOpenToOthers || isRoot))
      for (const name of readdirSync(path)) failed.push(...tighten(join(path, name)))
    if (isOpenToOthers) chmodSync(path, stat.mode & 0o700)
  } catch (error) {
    failed.push(`${path}: ${errorMessage(error)}`)
  }
  return failed
}

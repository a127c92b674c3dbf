import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { errorMessage } from '../ports/errors/caught-error.ts'

const forOthers = 0o077

/** Files are 0600 and folders 0700 from now on. */
export const writeForOwnerOnly = (): void => void process.umask(forOthers)

/**
 * Makes the folder, or removes others' rights. @returns what could not be changed; a shared folder such as /tmp is
 * left alone
 */
export function tightenDataDirectory(folder: string): string[] {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const sticky = 0o1000
  // Windows has no such modes.
  if (process.platform === 'win32' || (lstatSync(folder).mode & sticky) !== 0) return []
  return tighten(folder, true)
}

/** @param isRoot its content is looked at also where others have no right to it @returns what could not be changed */
function tighten(path: string, isRoot = false): string[] {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  // A link's mode means nothing.
  if (!stat || !(stat.isFile() || stat.isDirectory())) return []
  const wide = (stat.mode & forOthers) !== 0
  const kept: string[] = []
  try {
    // A closed folder needs no walk.
    if (stat.isDirectory() && (wide || isRoot))
      for (const name of readdirSync(path)) kept.push(...tighten(join(path, name)))
    if (wide) chmodSync(path, stat.mode & 0o700)
  } catch (error) {
    kept.push(`${path}: ${errorMessage(error)}`)
  }
  return kept
}

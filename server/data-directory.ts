import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const forOthers = 0o077

/** Files are 0600 and folders 0700 from now on. */
export const writeForOwnerOnly = (): void => void process.umask(forOthers)

/**
 * Makes the folder, or removes others' rights. @returns what could not be changed; a shared folder such as /tmp is
 * left alone
 */
export function tightenDataDirectory(folder: string): string[] {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const kept: string[] = []
  const tighten = (path: string) => {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    // Windows has no such modes, and a link's mean nothing.
    if (!stat || process.platform === 'win32' || !(stat.isFile() || stat.isDirectory())) return
    const wide = (stat.mode & forOthers) !== 0
    try {
      // A closed folder needs no walk.
      if (stat.isDirectory() && (wide || path === folder))
        for (const name of readdirSync(path)) tighten(join(path, name))
      if (wide) chmodSync(path, stat.mode & 0o700)
    } catch (error) {
      kept.push(`${path}: ${error instanceof Error ? error.message : error}`)
    }
  }
  const sticky = 0o1000
  if ((lstatSync(folder).mode & sticky) === 0) tighten(folder)
  return kept
}

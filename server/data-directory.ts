/** The data folder holds personal data and keys: its owner alone may open it. */
import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Files that others may read, or folders that others may enter. */
const forOthers = 0o077

/** Everything that this process writes from now on, backups and exports as well, is 0600, and folders 0700. */
export const writeForOwnerOnly = (): void => void process.umask(forOthers)

/**
 * Makes the folder, or takes others' rights away from what is in it: an older version or a copy may have left them.
 * @returns what could not be changed, for the log; a folder that is shared by design, such as /tmp, is left as it is
 */
export function tightenDataDirectory(folder: string): string[] {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const kept: string[] = []
  const tighten = (path: string) => {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    // Windows has no such modes; a link's own mean nothing.
    if (!stat || process.platform === 'win32' || !(stat.isFile() || stat.isDirectory())) return
    const wide = (stat.mode & forOthers) !== 0
    try {
      // A folder that has long been closed needs no walk: what is in it was written by us.
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

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nameCommandsOfRelease } from '../platform/operator-command.ts'

/** Reads what stands at `root`, a checkout or a release, and names the commands as they are typed there. @returns its version */
export function openInstalled(root: string): string {
  const { version = '', scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version?: string
    scripts?: object
  }
  if (!scripts) nameCommandsOfRelease()
  return version
}

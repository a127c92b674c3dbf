import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasFields, parseJson } from '../domain/parse-json-and-check-shape.ts'
import { setReleaseCommandPrefix } from '../platform/operator-command-in-messages.ts'

/** Reads the version of the checkout or release at `root`; for a release, makes messages name the command `latchkey`. */
export function readReleaseVersion(root: string): string {
  const { version = '', scripts } = parseJson(
    readFileSync(join(root, 'package.json'), 'utf8'),
    hasFields<{ version?: string; scripts?: object }>(),
  )
  if (!scripts) setReleaseCommandPrefix()
  return version
}

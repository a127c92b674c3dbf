/** Type of a drill, and the programs that drills use. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ParseArgsConfig } from 'node:util'
import { programFolders } from '../support/executable-search-folders.ts'

/** Default export of `tests/drills/<name>.drill.ts`, run by `npm run drill -- <name>`. */
export interface Drill {
  /** Statement that the drill proves, shown in the list of `npm run drill`. */
  about: string
  /** Programs that the drill runs, by executable name. `packages` has their Debian packages. */
  needs: readonly (keyof typeof packages)[]
  /** Returns further programs that some options need. */
  needsFor?(values: Values): readonly (keyof typeof packages)[]
  options?: NonNullable<ParseArgsConfig['options']>
  /** Returns why the drill cannot run though its programs exist, such as an outdated version; null when it can. */
  whyNot?(values: Values): string | null
  /**
   * Runs the drill.
   * @returns violations; empty when the statement holds
   */
  run(values: Values, log: (line: string) => void): Promise<string[]>
}

type Values = Record<string, string | boolean | undefined>

const packages = {
  initdb: 'postgresql',
  patroni: 'patroni',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  pgbackrest: 'pgbackrest',
  nginx: 'nginx-light',
  caddy: 'caddy',
  patronictl: 'patroni',
  pgbouncer: 'pgbouncer',
  buildah: 'buildah',
  tini: 'tini',
}

/** Returns the path of a program; undefined when it is not installed. */
export const findProgram = (name: string): string | undefined =>
  programFolders()
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))

/** Returns the programs that a drill needs with these options. */
export const neededBy = ({ needs, needsFor }: Pick<Drill, 'needs' | 'needsFor'>, values: Values) => [
  ...needs,
  ...(needsFor?.(values) ?? []),
]

/** Returns why this drill cannot run here with these options; null when it can. */
export function missingFor(
  { needs, needsFor, whyNot }: Omit<Drill, 'run' | 'about'>,
  values: Values = {},
): string | null {
  const missing = neededBy({ needs, needsFor }, values).filter((name) => !findProgram(name))
  if (missing.length === 0) return whyNot?.(values) ?? null
  const debian = [...new Set(missing.map((name) => packages[name]))].join(' ')
  return `${missing.join(', ')} ${missing.length > 1 ? 'are' : 'is'} not installed (Debian: apt-get install ${debian})`
}

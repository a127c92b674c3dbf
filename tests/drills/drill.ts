/** What a drill is, and the programs that it finds here. */
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { ParseArgsConfig } from 'node:util'

/** The default export of `tests/drills/<name>.drill.ts`, run by `npm run drill -- <name>`. */
export interface Drill {
  /** What holds afterwards, in one sentence. */
  about: string
  /** Programs it runs, by the name of the executable; Debian has them under `packages`. */
  needs: readonly (keyof typeof packages)[]
  /** What some options need beside that. */
  needsFor?(values: Values): readonly (keyof typeof packages)[]
  options?: NonNullable<ParseArgsConfig['options']>
  /** Why it cannot run here though its programs are found, such as one that is too old. */
  whyNot?(values: Values): string | null
  /** @returns what does not hold, in words; empty where all does */
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

function folders(): string[] {
  const postgres = '/usr/lib/postgresql'
  const versions = existsSync(postgres) ? readdirSync(postgres).sort((a, b) => Number(b) - Number(a)) : []
  const bin = versions.map((version) => join(postgres, version, 'bin'))
  return [process.env.PG_BIN ?? '', ...bin, ...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
}

/** @returns its path, or undefined where it is not installed */
export const findProgram = (name: string): string | undefined =>
  folders()
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))

export const neededBy = ({ needs, needsFor }: Pick<Drill, 'needs' | 'needsFor'>, values: Values) => [
  ...needs,
  ...(needsFor?.(values) ?? []),
]

/** Why this drill cannot run here with these options, or null. */
export function missingFor(
  { needs, needsFor, whyNot }: Omit<Drill, 'run' | 'about'>,
  values: Values = {},
): string | null {
  const missing = neededBy({ needs, needsFor }, values).filter((name) => !findProgram(name))
  if (missing.length === 0) return whyNot?.(values) ?? null
  const debian = [...new Set(missing.map((name) => packages[name]))].join(' ')
  return `${missing.join(', ')} ${missing.length > 1 ? 'are' : 'is'} not installed (Debian: apt-get install ${debian})`
}

import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Returns folders with programs: PG_BIN, Debian's PostgreSQL folders from the newest version, PATH and /usr/sbin. */
export function programFolders(): string[] {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const bin = versions.map((version) => join(debian, version, 'bin'))
  return [process.env.PG_BIN ?? '', ...bin, ...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'].filter(Boolean)
}

/** Returns the folder of PostgreSQL's programs; undefined when PostgreSQL is not installed. */
export const postgresProgramFolder = (): string | undefined =>
  programFolders().find((folder) => ['initdb', 'pg_ctl'].every((name) => existsSync(join(folder, name))))

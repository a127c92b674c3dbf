/** Identical processes of the site on one PostgreSQL and one folder of files, as behind a proxy. */
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { openSite, type Site } from '../actors/site.ts'

export async function identicalServers(
  count: number,
  of: { folder: string; databaseUrl: string; sandboxUrl: string; environment?: Record<string, string> },
): Promise<{ machines: Site[]; filesFolder: string }> {
  const environment: Record<string, string> = {
    ...{ KEYS: 'f3a1c07e94d25b68800b1e6dc2597a34e7ad43f0196c8e5b2d71b8046a9f3ec5' },
    ...of.environment,
  }
  const filesFolder = join(of.folder, 'files')
  mkdirSync(filesFolder)
  // One disk for all of them, each with a data folder of its own otherwise.
  const dataDirs = Array.from({ length: count }, (_, index) => join(of.folder, `server-${index}`))
  for (const dataDir of dataDirs) {
    mkdirSync(dataDir)
    symlinkSync(filesFolder, join(dataDir, 'files'))
  }
  const machines = await Promise.all(dataDirs.map((dataDir) => openSite({ ...of, dataDir, environment })))
  environment.PUBLIC_URL = machines[0]!.url
  return { machines, filesFolder }
}

/** Identical processes of the site on one PostgreSQL and one folder of files, as behind a proxy, with the sandbox beside them. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox } from '../../sandbox/server.ts'
import { openSite, type Site } from '../actors/site.ts'

export interface Servers {
  machines: Site[]
  /** Theirs, with their data and their files. */
  folder: string
  filesFolder: string
  sandboxUrl: string
  /** Of a proxy before them; without one each request goes to any of them. */
  frontUrl?: string
  /** Ends them, and what is beside them, whatever their state. */
  close(): Promise<void>
}

interface Identical {
  databaseUrl: string
  environment?: Record<string, string>
  /** What differs, by their number: the folder of the release that the next start runs, settings. */
  each?(index: number): { release?: () => string; environment?: Record<string, string> }
}

export async function identicalServers(count: number, of: Identical): Promise<Servers> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-servers-'))
  const sandbox = await startSandbox({ port: 0, dataDir: folder, slowMs: 300 })
  const filesFolder = join(folder, 'files')
  mkdirSync(filesFolder)
  const machines: Site[] = []
  let publicUrl = ''
  for (let index = 0; index < count; index += 1) {
    // One disk for all of them, each with a data folder of its own otherwise.
    const dataDir = join(folder, `server-${index}`)
    mkdirSync(dataDir)
    symlinkSync(filesFolder, join(dataDir, 'files'))
    const { release, environment } = of.each?.(index) ?? {}
    const site = await openSite({
      dataDir,
      databaseUrl: of.databaseUrl,
      sandboxUrl: sandbox.url,
      ...(release && { release }),
      environment: { KEYS, ...(publicUrl && { PUBLIC_URL: publicUrl }), ...of.environment, ...environment },
    })
    publicUrl ||= site.url
    machines.push(site)
  }
  return {
    machines,
    folder,
    filesFolder,
    sandboxUrl: sandbox.url,
    async close() {
      for (const machine of machines) await machine.end('SIGKILL')
      await sandbox.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** That all of them seal with. */
export const KEYS = 'f3a1c07e94d25b68800b1e6dc2597a34e7ad43f0196c8e5b2d71b8046a9f3ec5'

/** Identical site processes on one PostgreSQL and one file folder, as behind a proxy, with the sandbox. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox } from '../../sandbox/server.ts'
import { openSite, type Site } from '../actors/run-site-process.ts'

export interface Servers {
  sites: Site[]
  /** Temporary folder with each server's data folder, and the files folder that all servers share. */
  folder: string
  filesFolder: string
  sandboxUrl: string
  /** URL of a proxy in front of the servers; without a proxy, each request goes to a random server. */
  frontUrl?: string
  /** Kills the servers, ends the sandbox and deletes the folder. */
  close(): Promise<void>
}

interface Identical {
  databaseUrl: string
  environment?: Record<string, string>
  /** Returns a server's own options: the release folder of its next start, and settings. */
  each?(index: number): { release?: () => string; environment?: Record<string, string> }
}

/** Starts the sandbox and prepares identical site processes, not started yet, on one database and one file folder. */
export async function prepareIdenticalServers(count: number, options: Identical): Promise<Servers> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-servers-'))
  const sandbox = await startSandbox({ port: 0, dataDir: folder, slowMs: 300 })
  const filesFolder = join(folder, 'files')
  mkdirSync(filesFolder)
  const sites: Site[] = []
  let publicUrl = ''
  for (let index = 0; index < count; index += 1) {
    // All servers share one file folder, and each has its own data folder.
    const dataDir = join(folder, `server-${index}`)
    mkdirSync(dataDir)
    symlinkSync(filesFolder, join(dataDir, 'files'))
    const { release, environment } = options.each?.(index) ?? {}
    const site = await openSite({
      dataDir,
      databaseUrl: options.databaseUrl,
      sandboxUrl: sandbox.url,
      ...(release && { release }),
      environment: { KEYS, ...(publicUrl && { PUBLIC_URL: publicUrl }), ...options.environment, ...environment },
    })
    publicUrl ||= site.url
    sites.push(site)
  }
  return {
    sites,
    folder,
    filesFolder,
    sandboxUrl: sandbox.url,
    async close() {
      for (const site of sites) await site.end('SIGKILL')
      await sandbox.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Setting `KEYS` of all servers, which seal and open the same secrets with it. */
export const KEYS = 'f3a1c07e94d25b68800b1e6dc2597a34e7ad43f0196c8e5b2d71b8046a9f3ec5'

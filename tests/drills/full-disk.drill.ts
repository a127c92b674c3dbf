import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openSite } from '../actors/run-site-process.ts'
import type { Drill } from './drill-definition.ts'

/** Size of the test's disk in MB: room for the site's data and the 200 MB that readiness requires. */
const SIZE_MB = 400
/** Maximum time in which the server must notice the full disk. */
const BOUND_MS = 10_000

const succeeds = (program: string, ...words: string[]) => spawnSync(program, words).status === 0

/**
 * Waits until `/readyz` responds with a status.
 * @returns milliseconds that this took; null after three times the bound
 */
async function waitForStatus(url: string, status: number): Promise<number | null> {
  for (const began = performance.now(); performance.now() - began < 3 * BOUND_MS; await pause(100))
    if ((await fetch(`${url}/readyz`)).status === status) return Math.round(performance.now() - began)
  return null
}

export default {
  about:
    'A server on SQLite whose disk fills up says 503 within 10 s, and is ready again by itself once there is room.',
  needs: [],
  whyNot: () => (process.getuid?.() === 0 ? null : 'only root can mount a small disk'),
  async run(_, log) {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-disk-'))
    const dataDir = join(folder, 'data')
    mkdirSync(dataDir)
    if (!succeeds('mount', '-t', 'tmpfs', '-o', `size=${SIZE_MB}m`, 'tmpfs', dataDir))
      return ['no tmpfs could be mounted']
    const site = await openSite({ dataDir })
    const filler = join(dataDir, 'filler')
    try {
      await site.start()
      // Fills the rest of the disk, to the last byte.
      succeeds('dd', 'if=/dev/zero', `of=${filler}`, 'bs=1M')
      const full = await waitForStatus(site.url, 503)
      const problems = await (await fetch(`${site.url}/readyz`)).text()
      rmSync(filler)
      const again = await waitForStatus(site.url, 200)
      log(`503 after ${full} ms, ready again after ${again} ms: ${problems}`)
      return [
        ...(full === null || full > BOUND_MS ? [`it said 503 after ${full} ms`] : []),
        ...(again === null ? ['it was not ready again once there was room'] : []),
        ...((await site.end('SIGTERM')) === 0 ? [] : ['it did not end with 0']),
      ]
    } finally {
      await site.end('SIGKILL')
      succeeds('umount', dataDir)
      rmSync(folder, { recursive: true, force: true })
    }
  },
} satisfies Drill

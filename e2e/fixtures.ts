import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test as base, expect, type Page } from '@playwright/test'
import axe from 'axe-core'
import { freePort } from '../tests/actors/free-port.ts'

export { freePort }

const root = resolve(import.meta.dirname, '..')

export interface RunningSite {
  url: string
  sandboxUrl: string
  dataDir: string
  /** Kills the server (SIGKILL). */
  kill(): Promise<void>
  /** Starts it again on the same data and ports. */
  restart(): Promise<void>
  /** How the server ended unexpectedly, with its last output; '' while it runs. */
  ended(): string
}

export async function startSite(
  environment: Record<string, string> = {},
): Promise<RunningSite & { stop(): Promise<void> }> {
  const [port, sandboxPort] = [await freePort(), await freePort()]
  const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-e2e-'))
  // The site on localhost and the card provider on 127.0.0.1: two sites, as in the world, so cookies do not travel.
  const url = `http://localhost:${port}`
  let child: ChildProcess | null = null
  let said = ''
  let ending = ''
  const ended = () => ending && `The server ended (${ending}). Its last words:\n${lastLines(said)}`
  const run = async () => {
    said = ''
    ending = ''
    const started = spawn(process.execPath, ['server/launch.mjs'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        NODE_ENV: 'production',
        PORT: String(port),
        SANDBOX_PORT: String(sandboxPort),
        DATA_DIR: dataDir,
        LOG_LEVEL: 'warn',
        SANDBOX_SLOW_MS: '1500',
        SANDBOX_FAULT_KEY: 'faults-for-tests',
        ...environment,
      },
    })
    child = started
    for (const stream of [started.stdout, started.stderr])
      stream?.on('data', (chunk: Buffer) => {
        said = (said + chunk.toString()).slice(-20_000)
      })
    started.once('exit', (code, signal) => {
      if (child === started) ending = `${signal ?? `exit code ${code}`}, ${new Date().toISOString()}`
    })
    await new Promise<void>((done, fail) => {
      const early = () => fail(new Error(ended()))
      started.once('exit', early)
      const look = async () => {
        const [site, sandbox] = await Promise.all(
          [`${url}/readyz`, `http://127.0.0.1:${sandboxPort}/`].map((address) =>
            fetch(address).then(
              (answer) => answer.ok,
              () => false,
            ),
          ),
        )
        if (site && sandbox) {
          started.off('exit', early)
          done()
        } else if (started.exitCode === null) setTimeout(look, 50)
      }
      void look()
    })
  }
  const end = async (signal: NodeJS.Signals) => {
    const running = child
    child = null
    if (!running || running.exitCode !== null || running.signalCode !== null) return
    const gone = new Promise((done) => running.once('exit', done))
    running.kill(signal)
    await gone
  }
  await run()
  return {
    url,
    sandboxUrl: `http://127.0.0.1:${sandboxPort}`,
    dataDir,
    kill: () => end('SIGKILL'),
    restart: run,
    ended,
    async stop() {
      await end('SIGTERM')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const lastLines = (text: string) => text.trimEnd().split('\n').slice(-20).join('\n')

interface Workshop {
  site: RunningSite
  /** Files that change the demo's people name a business of their own: each gets a site that the others do not touch. */
  business: string
}

export const test = base.extend<{ problems: string[] }, Workshop>({
  business: ['shared', { option: true, scope: 'worker' }],
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for the pattern
    async ({}, use) => {
      const site = await startSite()
      await use(site)
      await site.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ site }, use) => use(site.url),
  /** A page that throws, or asks for what its policy forbids, fails its test. */
  problems: [
    async ({ page, site }, use) => {
      const problems: string[] = []
      page.on('pageerror', (error) => problems.push(error.message))
      page.on('console', (message) => {
        if (message.type() === 'error' && /Content Security Policy|hydrat/i.test(message.text()))
          problems.push(message.text())
      })
      await use(problems)
      // First, since it causes whatever else fails.
      expect(site.ended(), 'the end of the site').toBe('')
      expect(problems, 'errors in the browser').toEqual([])
    },
    { auto: true },
  ],
})

export { expect }

/** axe finds nothing, in the light and in the dark. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // Reading axe's script takes the browser longer than running it: once for a document, not once for every look.
    if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
    const violations = await page.evaluate(async (dark) => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(
        { exclude: [['iframe']] },
        {
          // In the dark nothing differs but the colours.
          ...(dark && { runOnly: ['color-contrast', 'link-in-text-block'] }),
          // What passes needs no description.
          resultTypes: ['violations'],
        },
      )
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
    }, colorScheme === 'dark')
    expect(violations, `axe on ${page.url()}, ${colorScheme}`).toEqual([])
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'no-preference' })
}

/** The page does not scroll sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(wide, `sideways scroll on ${page.url()}`).toBeLessThanOrEqual(0)
}

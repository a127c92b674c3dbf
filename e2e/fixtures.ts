import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { test as base, expect, type Page } from '@playwright/test'
import type axe from 'axe-core'
import { freePort } from '../tests/actors/free-port.ts'
import { end, run } from '../tests/actors/run-site-process.ts'

/**
 * Returns the time of a journey's sites, in epoch milliseconds: noon of a fixed day in Atlanta plus the age of the
 * worker. The demo's free units and debts depend on the day, so journeys on the machine's date would change from day to
 * day. `CLOCK` sets another start.
 */
export const siteTime = (): number =>
  Date.parse(process.env.CLOCK ?? '2026-11-20T17:00:00Z') + Math.floor(performance.now())

export interface RunningSite {
  url: string
  sandboxUrl: string
  dataDir: string
  /** Returns how the server ended, with its last output; '' while it runs. */
  ended(): string
}

export async function startSite(
  environment: Record<string, string> = {},
): Promise<RunningSite & { stop(): Promise<void> }> {
  const port = await freePort()
  const sandboxPort = await freePort()
  const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-e2e-'))
  // The site is on localhost and the card provider on 127.0.0.1, two sites as in production, so that cookies are not
  // shared.
  const url = `http://localhost:${port}`
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`
  const running = run(['server/launch.mjs'], {
    ...process.env,
    NODE_ENV: 'production',
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    CLOCK: new Date(siteTime()).toISOString(),
    ...environment,
  })
  const ended = () => {
    const { exitCode, signalCode } = running.child
    if (exitCode === null && signalCode === null) return ''
    return `The server ended (${signalCode ?? `exit code ${exitCode}`}). Its last words:\n${running.output()}`
  }
  const isUp = (address: string) =>
    fetch(address).then(
      (response) => response.ok,
      () => false,
    )
  while (!((await isUp(`${url}/readyz`)) && (await isUp(sandboxUrl)))) {
    if (ended()) throw new Error(ended())
    await pause(50)
  }
  return {
    url,
    sandboxUrl,
    dataDir,
    ended,
    async stop() {
      await end(running, 'SIGTERM')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

interface Pages {
  /** Errors of the page, collected while the test runs. */
  problems: string[]
  /** Page of another user, with cookies of its own. */
  elsewhere: Page
  /** Page of another user, whose browser runs no scripts. */
  plain: Page
}

/**
 * Runs in the browser: marks the page being left, because the router changes the address before it shows the next page.
 */
export function markLeft(): void {
  let path = location.pathname
  const markIfLeft = () => {
    if (location.pathname === path) return
    path = location.pathname
    document.querySelector('main')?.setAttribute('data-left', '')
  }
  for (const name of ['pushState', 'replaceState'] as const) {
    const go = history[name].bind(history)
    history[name] = (...parameters) => {
      go(...parameters)
      markIfLeft()
    }
  }
  addEventListener('popstate', markIfLeft)
}

/** Waits until the displayed page is that of the address. */
export const waitForPageShown = (page: Page): Promise<void> => expect(page.locator('main[data-left]')).toHaveCount(0)

export const test = base.extend<Pages, { site: RunningSite }>({
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
  context: async ({ context }, use) => {
    await context.addInitScript(markLeft)
    await use(context)
  },
  elsewhere: async ({ browser, baseURL }, use) => {
    const context = await browser.newContext({ baseURL })
    await context.addInitScript(markLeft)
    await use(await context.newPage())
    await context.close()
  },
  plain: async ({ browser, baseURL }, use) => {
    const context = await browser.newContext({ baseURL, javaScriptEnabled: false })
    await use(await context.newPage())
    await context.close()
  },
  /**
   * Fails a test whose `page` throws, violates its Content Security Policy or is hydrated with other content, or whose
   * site has ended.
   */
  problems: [
    async ({ page, site }, use) => {
      const problems: string[] = []
      page.on('pageerror', (error) => problems.push(error.message))
      page.on('console', (message) => {
        if (message.type() === 'error' && /Content Security Policy|hydrat/i.test(message.text()))
          problems.push(message.text())
      })
      await use(problems)
      // The end of the site is checked first, because it causes other failures.
      expect(site.ended(), 'the end of the site').toBe('')
      expect(problems, 'errors in the browser').toEqual([])
    },
    { auto: true },
  ],
})

export { expect }

/** Script of axe, minified, because the browser reads the script again for each document. */
const axeScript = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/**
 * Checks that axe finds nothing outside iframes: by its default rules in light mode, and by its rules on color contrast
 * and links in text in dark mode.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await waitForPageShown(page)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // Axe is loaded once for each document, not again for the second color scheme.
    if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeScript)
    const violations = await page.evaluate(async (dark) => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(
        { exclude: [['iframe']] },
        {
          // In dark mode only colors differ.
          ...(dark && { runOnly: ['color-contrast', 'link-in-text-block'] }),
          // Axe need not describe the elements that pass.
          resultTypes: ['violations'],
        },
      )
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
    }, colorScheme === 'dark')
    expect(violations, `axe on ${page.url()}, ${colorScheme}`).toEqual([])
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'no-preference' })
}

export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const overflowing = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > clientWidth + 0.5)
      .map(({ outerHTML }) => outerHTML.slice(0, 120))
  })
  expect(overflowing, `sideways scroll on ${page.url()} at ${page.viewportSize()?.width}`).toEqual([])
}

/** Checks the page for axe findings, and for horizontal overflow at a width of 320 px. */
export async function expectPageSound(page: Page): Promise<void> {
  await expectAccessible(page)
  const size = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 700 })
  await expectNoSidewaysScroll(page)
  if (size) await page.setViewportSize(size)
}

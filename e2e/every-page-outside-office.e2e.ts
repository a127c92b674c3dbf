/**
 * Checks pages outside the office by `inspect` (inspect.ts). Public pages load no framework scripts and cause no layout
 * shift, and all but /api take less than 50 kB besides photographs.
 */
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { measureRouteScripts } from '../bench/script-size.ts'
import { expect, test } from './fixtures.ts'
import { inspect, isUnitFramed, observeLayoutShifts, windows } from './inspect.ts'
import {
  answerStepsUntil,
  button,
  cardFrame,
  facilityOf,
  heading,
  locationPath,
  main,
  newRenter,
  payWithCard,
  rentQuickly,
  rentUntil,
  waitForPath,
} from './renter-actions-and-locators.ts'
import { openUnit, signInByToken } from './sign-in-and-pay-as-tenant.ts'

async function visitAll(page: Page, paths: string[], check = async () => {}): Promise<void> {
  const titles = new Map<string, string>()
  for (const path of paths) {
    const response = await page.goto(path)
    expect(response?.status() ?? 0, path).toBeLessThan(500)
    await check()
    const title = await inspect(page)
    expect(titles.get(title), `${path} has the title of another page`).toBeUndefined()
    titles.set(title, path)
  }
}

/** Checks that the dialog and its map end within the window, and that the map shows unit and way. */
async function expectMapInDialog(page: Page): Promise<void> {
  const size = page.viewportSize()
  for (const [width, height] of windows) {
    await page.setViewportSize({ width, height })
    await expect.poll(() => isUnitFramed(page), `map at ${width} × ${height}`).toBe(true)
    const bottoms = await page.evaluate(() =>
      ['.dialog[open]', '.dialog[open] .map-frame'].map(
        (selector) => document.querySelector(selector)?.getBoundingClientRect().bottom ?? 9999,
      ),
    )
    for (const bottom of bottoms) expect(bottom, `dialog at ${width} × ${height}`).toBeLessThanOrEqual(height)
  }
  if (size) await page.setViewportSize(size)
}

/** Maximum bytes of a public page with its inline styles; the first flight of a new connection carries 14,600. */
const MAX_DOCUMENT_BYTES = 12_000

/** Runs in the browser: returns the classes that the page uses, and those with rules in the page's own style sheet. */
const classesOfPage = () => ({
  used: [...new Set([...document.querySelectorAll('[class]')].flatMap(({ classList }) => [...classList]))],
  styled: [...(document.querySelector('style')?.textContent ?? '').matchAll(/\.((?:[\w-]|\\.)+)/g)].map(
    ([, name = '']) => name.replaceAll('\\', ''),
  ),
})

test('public pages load no scripts but those of search box and size guide', async ({ page }) => {
  const scriptRequests: string[] = []
  page.on('request', (request) => {
    const isScript = request.resourceType() === 'script' || /\.m?js(\?|$)/.test(request.url())
    if (isScript && !/\/assets\/(?:near-me-script|size-guide-script)-[\w-]+\.js$/.test(request.url()))
      scriptRequests.push(request.url())
  })
  const shifts = await observeLayoutShifts(page)
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true })
  let loaded: Promise<number>[] = []
  let documentSize: Promise<number> = Promise.resolve(0)
  const classes = new Map<string, ReturnType<typeof classesOfPage>>()
  page.on('requestfinished', (request) => {
    const size = request.sizes().then((sizes) => sizes.responseBodySize)
    if (!new URL(request.url()).pathname.startsWith('/photographs/')) loaded.push(size)
    if (request.resourceType() === 'document') documentSize = size
  })
  const scripts = page.locator(
    'script:not([type="application/ld+json"]):not([type="speculationrules"]):not(:is([data-locate], [data-sizing]) > *)',
  )
  await visitAll(
    page,
    [
      '/',
      '/search?q=Atlanta',
      '/search?lat=33.77&lng=-84.37',
      '/search?q=nowhere-at-all',
      '/api',
      '/size-guide',
      '/size-guide?bedroom=2&living=1&near=30308',
      '/privacy',
      '/terms',
      '/accessibility',
      '/faq',
      '/contact',
      '/storage-units',
      '/storage-units/ga',
      '/storage-units/ga/atlanta',
      '/storage-units/nc',
      '/search?q=Tampa&size=10x10',
      ...['ATL01', 'ATL02', 'PHX01', 'TPA01', 'CAE01'].map(locationPath),
      '/tell-me/DEN01/6',
      '/choose/ATL01/3',
      '/choose/TPA01/1?unit=1',
    ],
    async () => {
      await expect(scripts, page.url()).toHaveCount(0)
      const { by, elements } = await shifts()
      expect(by, `layout shift of ${page.url()} by ${elements}`).toBeCloseTo(0, 3)
      const bytes = (await Promise.all(loaded)).reduce((sum, size) => sum + size, 0)
      loaded = []
      const { pathname } = new URL(page.url())
      // The list of all operations is for programmers and may be larger.
      if (pathname === '/api') return
      expect(bytes, `bytes of ${page.url()}`).toBeLessThan(50_000)
      expect(await documentSize, `first flight of ${page.url()}`).toBeGreaterThan(4_000)
      expect(await documentSize, `first flight of ${page.url()}`).toBeLessThanOrEqual(MAX_DOCUMENT_BYTES)
      await expect(page.locator('link[rel=stylesheet]'), page.url()).toHaveCount(0)
      classes.set(page.url(), await page.evaluate(classesOfPage))
    },
  )
  // If only another page's sheet has rules for a class, this page's sheet lacks a module in its `@source`.
  const styledOnAnyPage = new Set([...classes.values()].flatMap(({ styled }) => styled))
  for (const [address, { used, styled }] of classes)
    expect(
      used.filter((name) => styledOnAnyPage.has(name) && !styled.includes(name)),
      `classes without rules at ${address}`,
    ).toEqual([])
  await cdp.detach()
  expect(scriptRequests).toEqual([])
  await visitAll(page, ['/nothing/here'])
})

test('no page loads more than 135 kB of scripts', () => {
  const [heaviest] = measureRouteScripts(join(import.meta.dirname, '..'))
  expect(heaviest?.script, heaviest?.path).toBeGreaterThan(50_000)
  expect(heaviest?.script, heaviest?.path).toBeLessThanOrEqual(135_000)
})

test('a public page opened from a page with scripts is a new document, and Back works', async ({ page }) => {
  const response = await page.goto('/find-reservation')
  // Scripts are preloaded with low priority, so that style sheets and fonts arrive first.
  const preloaded = (await response?.text())?.match(/<link rel="modulepreload"[^>]*>/g) ?? []
  expect(preloaded.length).toBeGreaterThan(3)
  expect(preloaded.filter((tag) => !tag.includes('fetchpriority="low"'))).toEqual([])
  await page.getByRole('link', { name: 'Size guide' }).first().click()
  await waitForPath(page, '/size-guide')
  await expect(page.locator('script:not([type])')).toHaveCount(0)
  await page.goBack()
  await waitForPath(page, '/find-reservation')
  await page.getByRole('link', { name: /^Georgia/ }).click()
  await expect(main(page)).toContainText(facilityOf('SAV01').name)
})

test('pages that lead to an account pass the page checks', async ({ page }) => {
  await visitAll(page, [
    '/login',
    '/register?locationCode=ATL01',
    '/forgot',
    '/find-gate-code',
    '/guest/find-email',
    '/log-out',
    '/download-sboa',
    '/find-reservation',
    '/find-reservation?state=GA',
    '/find-reservation?state=GA&location=ATL01',
    '/reservation-not-found?location=ATL01',
    '/rent/DEN01/6',
  ])
})

/** Pages to visit besides that of the tenant's unit, by username. */
const tenantPages: Record<string, string[]> = {
  'joan.pettibone@example.com': ['/my-units', '/account-profile', '/add-passkey'],
  'wendell.orr@example.com': ['/recent-activity', '/schedule-move-out', '/update-profile', '/update-password'],
  'imogen.sayles@example.com': ['/move-out-receipt'],
  hoverby: [],
  // The unit is overlocked and prepared for auction, which the list of units shows too.
  'vera.lockett@example.com': ['/my-units'],
}

test('pages of tenants pass the page checks', async ({ page, context, site }) => {
  for (const [username, paths] of Object.entries(tenantPages)) {
    await signInByToken(context, site, username)
    await openUnit(page)
    await visitAll(page, [page.url(), ...paths])
  }
  // This tenant's forty units are shown as a table.
  await signInByToken(context, site, 'edith@marlow-cabinets.example')
  await visitAll(page, ['/my-units?q=24'])
})

test('the default notice and the designated agent pass the page checks', async ({ page }) => {
  await rentQuickly(page, 'CHS01', 'DU1010', '/default-notice', { reserve: true })
  await inspect(page)
  await rentQuickly(page, 'ATL01', 'IN0510', '/designated-agent', { agent: true })
  await inspect(page)
})

test('pages of the move-in pass the page checks when opened and when submitted empty', async ({ page }) => {
  const pathsWithRequiredFields = new Set([
    '/reservation-date',
    '/add-contact',
    '/vehicle',
    '/lien-holder-details',
    '/insurance-schemes',
    '/home-owner-insurance',
    '/customer-info',
    '/military-details',
  ])
  const onPage = async (_: unknown, path: string) => {
    await inspect(page)
    if (!pathsWithRequiredFields.has(path)) return
    await button(page, /^(Next|Submit Reservation)$/).click()
    await expect(page.getByRole('heading', { name: 'There is a problem' })).toBeVisible()
    await expect(page.locator('.problem')).toBeFocused()
    await expect(page).toHaveTitle(/^Error: /)
    await inspect(page)
    await page.locator('.problem a').first().click()
    expect(await page.evaluate(() => document.activeElement?.tagName)).toMatch(/^(INPUT|SELECT|TEXTAREA)$/)
  }
  const options = { renter: newRenter(), lien: true, insurance: 'own', military: true }
  await rentUntil(page, 'ATL02', 'CC0510', '/lease', { ...options, reserve: true, onPage })
  await page.goto('/customer-info')
  await inspect(page)
  await page.goto('/vehicle')
  await page.getByRole('radio', { name: /^Yes/ }).check()
  await button(page, 'Next').click()
  await waitForPath(page, '/vehicle-info')
  await inspect(page)
})

test('pages of lease, payment, completion and registration pass the page checks', async ({ page }) => {
  const renter = newRenter()
  const look = async () => void (await inspect(page))
  await rentQuickly(page, 'DEN01', 'CC0505', '/lease', { renter })
  await look()
  await answerStepsUntil(page, '/payment-method', { renter })
  await look()
  await page.goto('/lease')
  await look()
  // Once the lease is signed, its button leads on to the payment.
  await button(page, 'Next').click()
  await waitForPath(page, '/payment-method')
  await answerStepsUntil(page, '/process-payment', { renter })
  await expect(cardFrame(page).getByLabel('Card number')).toBeVisible()
  await look()
  await payWithCard(page, 'declined')
  await expect(page).toHaveURL(/\/process-payment\?retry=true$/)
  await look()
  await payWithCard(page, 'garbled')
  await waitForPath(page, '/confirm-rental-payment')
  await expect(heading(page)).toHaveText('We are checking your payment')
  await expect(page).toHaveURL(/\/rental-completed$/, { timeout: 45_000 })
  await look()
  await page.getByRole('link', { name: "Where's my unit?" }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectMapInDialog(page)
  await look()
  await page.goto('/complete-register')
  await look()
  await page.goto('/log-out')
  await look()
})

/**
 * What holds on every page: one h1, a title of its own, nothing for axe to find in the light and in the dark, nothing
 * running off the side at 390 and 320 and there with text at 200 %, no scripts of ours on public pages, nothing that the content policy forbids.
 */
import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts'
import { arrive, button, facilityOf, locationPath, newRenter, payWithCard, rent, rentQuickly, walk } from './journey.ts'

/** The reader's own setting, which media queries in rem follow too; a style of the page would not do. */
async function withTextTwiceAsLarge(page: Page, look: () => Promise<void>): Promise<void> {
  const browser = await page.context().newCDPSession(page)
  await browser.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
  await look()
  await browser.send('Page.setFontSizes', { fontSizes: { standard: 16, fixed: 13 } })
  await browser.detach()
}

/** Looks at the page that is open. @returns its title */
async function inspect(page: Page): Promise<string> {
  await expect(page.getByRole('heading', { level: 1 }), page.url()).toHaveCount(1)
  await expect(page.getByRole('main'), page.url()).toHaveCount(1)
  const title = await page.title()
  expect(title, page.url()).toMatch(/\S.* · Latchkey$|^Latchkey/)
  await expectAccessible(page)
  const size = page.viewportSize() ?? { width: 1280, height: 900 }
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 800 })
    await expectNoSidewaysScroll(page)
  }
  await withTextTwiceAsLarge(page, () => expectNoSidewaysScroll(page))
  await page.setViewportSize(size)
  return title
}

/** Opens and looks at each. */
async function visitAll(page: Page, paths: string[]): Promise<void> {
  const titles = new Map<string, string>()
  for (const path of paths) {
    const answer = await page.goto(path)
    expect(answer?.status() ?? 0, path).toBeLessThan(500)
    const title = await inspect(page)
    expect(titles.get(title), `${path} has the title of another page`).toBeUndefined()
    titles.set(title, path)
  }
}

const publicPages = [
  '/',
  '/search?q=Atlanta',
  '/search?q=nowhere-at-all',
  '/size-guide',
  '/storage-units',
  '/storage-units/ga',
  '/storage-units/ga/atlanta',
  locationPath('ATL01'),
  locationPath('TPA01'),
  locationPath('CAE01'),
  '/nothing/here',
]

test('public pages', async ({ page }) => {
  test.setTimeout(150_000)
  await visitAll(page, publicPages)
})

test('public pages carry no scripts of ours and ask for none', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script' || /\.m?js(\?|$)/.test(request.url())) asked.push(request.url())
  })
  for (const path of publicPages.filter((one) => one !== '/nothing/here')) {
    await page.goto(path)
    await expect(
      page.locator('script:not([type="application/ld+json"]):not([type="speculationrules"])'),
      path,
    ).toHaveCount(0)
  }
  expect(asked).toEqual([])
})

test('from a page with scripts a public page is a new document, and Back works', async ({ page }) => {
  const sent = await page.goto('/find-reservation')
  // Its scripts wait for its style sheets and fonts.
  const preloaded = (await sent?.text())?.match(/<link rel="modulepreload"[^>]*>/g) ?? []
  expect(preloaded.length).toBeGreaterThan(3)
  expect(preloaded.filter((tag) => !tag.includes('fetchpriority="low"'))).toEqual([])
  await page.getByRole('link', { name: 'Size guide' }).first().click()
  await arrive(page, '/size-guide')
  await expect(page.locator('script:not([type])')).toHaveCount(0)
  await page.goBack()
  await arrive(page, '/find-reservation')
  await page.getByRole('link', { name: /^Georgia/ }).click()
  await expect(page.getByRole('main')).toContainText(facilityOf('SAV01').name)
})

test('pages of the tenant’s door', async ({ page }) => {
  test.setTimeout(150_000)
  await visitAll(page, [
    '/login',
    '/register?locationCode=ATL01',
    '/forgot',
    '/find-gate-code',
    '/guest/find-email',
    '/log-out',
  ])
})

test('pages from the unit to the reservation', async ({ page }) => {
  test.setTimeout(150_000)
  const renter = newRenter({ city: 'North Charleston', state: 'SC', zip: '29405' })
  const look = async () => void (await inspect(page))
  await rent(page, 'CHS01', 'DU1010', '/reservation-confirmed', { renter, reserve: true, at: look })
  await look()
  await rent(page, 'ATL01', 'IN0510', '/designated-agent', { renter: newRenter(), agent: true })
  await look()
  await visitAll(page, [
    '/find-reservation',
    '/find-reservation?state=GA',
    '/find-reservation?state=GA&location=ATL01',
    '/reservation-not-found?location=ATL01',
    '/rent/DEN01/6',
  ])
})

test('pages of the move-in, from the vehicle to military service', async ({ page }) => {
  test.setTimeout(200_000)
  const renter = newRenter()
  await rent(page, 'DEN01', 'CC0510', '/lease', {
    renter,
    lien: true,
    insurance: 'own',
    military: true,
    at: async (_, path) => {
      if (path !== '/add-contact') await inspect(page)
    },
  })
  await page.goto('/customer-info')
  await inspect(page)
  await page.goto('/vehicle')
  await page.getByRole('radio', { name: /^Yes/ }).check()
  await button(page, 'Next').click()
  await arrive(page, '/vehicle-info')
  await inspect(page)
})

test('pages of lease, payment, completion and registration', async ({ page }) => {
  test.setTimeout(200_000)
  const renter = newRenter()
  const look = async () => void (await inspect(page))
  await rentQuickly(page, 'DEN01', 'CC0505', '/lease', { renter })
  await look()
  await walk(page, '/payment-method', { renter })
  await look()
  await page.goto('/lease')
  await look()
  await fromSignedLeaseToCard(page)
  await look()
  await payWithCard(page, 'declined')
  await page.waitForURL('**/process-payment?retry=true')
  await look()
  await payWithCard(page, 'garbled')
  await arrive(page, '/confirm-rental-payment')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('We are checking your payment')
  await page.waitForURL('**/rental-completed', { timeout: 25_000 })
  await look()
  await page.getByRole('link', { name: "Where's my unit?" }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await look()
  await page.goto('/complete-register')
  await look()
  await page.goto('/log-out')
  await look()
})

test('the API page describes every operation, and can be read by everybody', async ({ page }) => {
  await page.goto('/api')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The API')
  const document = await (await page.request.get('/api/openapi.json')).json()
  expect(document.openapi).toBe('3.1.0')
  const entries = page.locator('main details')
  expect(await entries.count()).toBeGreaterThan(50)
  const entry = entries.filter({ has: page.getByText('GetMoveInCostAll', { exact: true }) }).first()
  await entry.locator('summary').click()
  await expect(entry).toContainText('<GetMoveInCostAll>')
  await expect(entry).toContainText('Who may call: Anyone.')
  await expectAccessible(page)
  await page.setViewportSize({ width: 360, height: 800 })
  await expectNoSidewaysScroll(page)
})

test('forms that came back with problems', async ({ page }) => {
  test.setTimeout(150_000)
  const empty = async (path: string) => {
    await arrive(page, path)
    await button(page, /^(Next|Submit Reservation|Rental Information|Create my account)$/).click()
    await expect(page.getByRole('heading', { name: 'There is a problem' })).toBeVisible()
    await expect(page.locator('.problem')).toBeFocused()
    await expect(page).toHaveTitle(/^Error: /)
    await inspect(page)
    // A line of the summary leads to its field.
    await page.locator('.problem a').first().click()
    expect(await page.evaluate(() => document.activeElement?.tagName)).toMatch(/^(INPUT|SELECT|TEXTAREA)$/)
  }
  const renter = newRenter()
  const wishes = { facility: 'ATL02', renter, vehicle: false, lien: true, insurance: 'own', military: true }
  await page.goto('/rent/ATL02/1')
  await empty('/reservation-date')
  await walk(page, '/add-contact', wishes)
  await empty('/add-contact')
  for (const path of [
    '/vehicle',
    '/lien-holder-details',
    '/insurance-schemes',
    '/home-owner-insurance',
    '/customer-info',
    '/military-details',
  ]) {
    await walk(page, path, wishes)
    await empty(path)
  }
})

/** From a lease that is signed already to the card page. */
async function fromSignedLeaseToCard(page: Page): Promise<void> {
  await button(page, 'Next').click()
  await arrive(page, '/payment-method')
  await button(page, /^Pay \$/).click()
  await arrive(page, '/process-payment')
  await expect(page.frameLocator('iframe[title]').getByLabel('Card number')).toBeVisible()
}

/** The most important journeys in Debian's Firefox over WebDriver BiDi. */
import { existsSync } from 'node:fs'
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { demoPassword } from '../demo/tenants-with-leases-and-reservations.ts'
import { testCard } from '../sandbox/test-cards.ts'
import { expect, test as inChromium, markLeft, type RunningSite } from './fixtures.ts'
import { type Field, journeyAnswers, locationPath, newRenter, unitTypeId } from './renter-actions-and-locators.ts'

const firefoxPath = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => existsSync(path))

function launch(): Promise<Browser> {
  if (!firefoxPath) throw new Error('No Firefox: its journeys CANNOT run. Debian has it as firefox-esr.')
  return puppeteer.launch({
    browser: 'firefox',
    executablePath: firefoxPath,
    headless: true,
  })
}

/** Tests in Firefox, which have a worker and a site of their own, so that their payments do not affect other journeys. */
const test = inChromium.extend<{ tab: Page }, { firefox: Browser }>({
  firefox: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for the pattern
    async ({}, use) => {
      const browser = await launch()
      await use(browser)
      await browser.close()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  tab: async ({ firefox }, use) => {
    const context = await firefox.createBrowserContext()
    const tab = await context.newPage()
    tab.setDefaultTimeout(12_000)
    await tab.setViewport({ width: 1280, height: 900 })
    await tab.evaluateOnNewDocument(markLeft)
    const errors: string[] = []
    tab.on('pageerror', (error) => errors.push(String(error)))
    await use(tab)
    await context.close()
    expect(errors, 'errors in Firefox').toEqual([])
  },
  // The original fixture watches Chromium's page, which these tests do not open.
  problems: async ({ site }, use) => {
    await use([])
    expect(site.ended(), 'the end of the site').toBe('')
  },
})
test.describe.configure({ mode: 'default' })

/** Returns the result of a function that runs in the tab; `meanwhile` if it fails, as between two documents. */
const evaluate = <T>(tab: Page, read: () => T, meanwhile: Awaited<T>): Promise<Awaited<T>> =>
  tab.evaluate(read).catch(() => meanwhile)

/** Returns the path of the page that is shown; '' while the tab is leaving a page or the page has no h1. */
const shownPath = (tab: Page) =>
  evaluate(tab, () => (document.querySelector('main:not([data-left]) h1') ? location.pathname : ''), '')

const arrive = (tab: Page, path: string) => expect.poll(() => shownPath(tab), { timeout: 45_000 }).toBe(path)

const textOf = (tab: Page) => evaluate(tab, () => document.querySelector('main')?.textContent ?? '', '')

const pressPrimary = (tab: Page) => tab.locator('main button.btn-primary:is([form], form *)').click()

async function fillIn(tab: Page, fields: Field[]): Promise<void> {
  for (const [name, , value] of fields) {
    const field = `main [name="${name}"]`
    const type = await tab.$eval(field, (element) => (element as HTMLInputElement).type)
    if (type === 'radio') await tab.locator(`${field}[value="${value}"]`).click()
    else if (type === 'checkbox') await tab.locator(field).click()
    else await tab.locator(field).fill(value)
  }
}

async function payByCard(tab: Page, site: RunningSite): Promise<void> {
  const frame = await tab.waitForFrame((candidate) => candidate.url().startsWith(site.sandboxUrl))
  const { number } = testCard('visa')
  const card = { number, expiry: '12 / 39', cvv: '123', name: 'Wanda Pell', zip: '30308' }
  for (const [name, value] of Object.entries(card)) await frame.locator(`input[name="${name}"]`).fill(value)
  await (await frame.waitForSelector('button.pay'))?.press('Enter')
}

async function logIn(tab: Page, site: RunningSite, username: string): Promise<void> {
  await tab.goto(`${site.url}/login`)
  await tab.locator('main input[autocomplete~="username"]').fill(username)
  await pressPrimary(tab)
  await tab.locator('main input[type="password"]').fill(demoPassword)
  await pressPrimary(tab)
  await arrive(tab, '/my-units')
}

test('a visitor rents now in Firefox, from the unit’s card to the gate code', async ({ tab, site }) => {
  const renter = newRenter()
  const options = { renter, facility: 'ATL01' }
  await tab.goto(site.url + locationPath('ATL01'))
  await tab.locator(`a[href^="/rent/ATL01/${unitTypeId('ATL01', 'CC0510')}?rentNow=1"]`).click()
  for (let turn = 0; turn < 20; turn += 1) {
    await expect.poll(() => shownPath(tab)).toMatch(/^\/(?!rent\/|storage-units\/)/)
    const path = await shownPath(tab)
    if (path === '/process-payment') break
    if (path === '/lease') {
      await tab.locator('main label::-p-text(I agree to sign electronically)').click()
      await tab.locator('main label::-p-text(Type it)').click()
      await tab
        .locator('::-p-aria([name="Type your full name"][role="textbox"])')
        .fill(`${renter.first} ${renter.last}`)
    } else if (path !== '/payment-method') await fillIn(tab, journeyAnswers[path]?.(options) ?? [])
    await pressPrimary(tab)
    await expect.poll(() => shownPath(tab), { timeout: 45_000 }).not.toMatch(new RegExp(`^(${path})?$`))
  }
  await payByCard(tab, site)
  await arrive(tab, '/rental-completed')
  expect(await textOf(tab)).toMatch(/Congrats! You're moved in!.*Gate Code\d{3} \d{3}/s)
})

test('a tenant logs in and pays the dues in Firefox', async ({ tab, site }) => {
  await logIn(tab, site, 'owen.strand@example.com')
  await tab.locator('main a ::-p-text(Pay For Unit)').click()
  await arrive(tab, '/unit-lease-details')
  await tab.locator('main button::-p-text(Pay Now)').click()
  await tab.locator('dialog[open] button::-p-text(No)').click()
  await arrive(tab, '/online-payment-method')
  await pressPrimary(tab)
  await arrive(tab, '/online-payment')
  await payByCard(tab, site)
  await arrive(tab, '/unit-lease-details')
  await expect
    .poll(() => textOf(tab))
    .toMatch(/Payment Successfully Completed!.*You paid \$[\d.]+ with Visa ending 1111\./s)
})

test('the map in Firefox shows the tenant’s unit and describes the route', async ({ tab, site }) => {
  await logIn(tab, site, 'marcus.tilley@example.com')
  await tab.goto(`${site.url}/unit-map`)
  await tab.locator('main a::-p-text(Show my unit)').click()
  await expect.poll(() => evaluate(tab, () => document.querySelector('.map-mine')?.textContent ?? '', '')).toBe('318')
  const numbers = () =>
    evaluate(tab, () => getComputedStyle(document.querySelector('.map-labels') as Element).opacity, '')
  const isFramed = () => {
    const [frame, unit, way] = ['.map-frame', '.map-mine rect', '.map-way'].map((selector) =>
      document.querySelector(selector)?.getBoundingClientRect(),
    )
    return [unit, way].every((part) => frame && part && part.top > frame.top && part.bottom < frame.bottom)
  }
  await expect.poll(() => evaluate(tab, isFramed, false)).toBe(true)
  expect(await textOf(tab)).toMatch(/From the elevator, walk \d+ ft\./)
  await tab.focus('.map-frame')
  for (let press = 0; press < 4; press += 1) await tab.keyboard.press('+')
  await expect.poll(numbers).toBe('1')
  await tab.keyboard.press('0')
  await expect.poll(numbers).toBe('0')
  await tab.locator('main button::-p-text(Turn)').click()
  await expect
    .poll(() => evaluate(tab, () => document.querySelectorAll('.map-units text[transform]').length, -1))
    .toBe(0)
})

test('the plan in Firefox contains the chosen unit, its number and its route', async ({ tab, site }) => {
  await tab.goto(`${site.url}/choose/TPA01/1`)
  const inPlan = () => {
    const [plan, ...parts] = ['.plan', '.plan g.mine rect', '.plan svg.mine text', '.plan .map-way'].map((selector) =>
      document.querySelector(selector)?.getBoundingClientRect(),
    )
    return parts.every((part) => plan && part && part.top >= plan.top && part.bottom <= plan.bottom && part.width > 0)
  }
  await expect.poll(() => evaluate(tab, inPlan, false)).toBe(true)
})

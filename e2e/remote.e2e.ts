/** The website with its storage system on another address: two of our own servers, each with a database and keys of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, type Page, test as plain } from '@playwright/test'
import { messages } from '../domain/messages.ts'
import { expectAccessible, expectNoSidewaysScroll, freePort, startSite } from './fixtures.ts'
import {
  arrive,
  button,
  day,
  facilityOf,
  fillContact,
  locationPath,
  movedIn,
  newRenter,
  payWithCard,
  rentPath,
  rentQuickly,
  textOf,
} from './journey.ts'
import { look } from './records.ts'
import { enter, openUnit, told } from './tenants.ts'

const root = resolve(import.meta.dirname, '..')

interface StorageSystem {
  url: string
  start(): Promise<void>
  stop(): Promise<void>
  forget(): void
}

/** The storage system alone; it can be stopped and started again. */
async function storageSystem(environment: Record<string, string>): Promise<StorageSystem> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-records-'))
  let child: ChildProcess | null = null
  return {
    url,
    async start() {
      let said = ''
      const started = spawn(process.execPath, ['server/launch.mjs'], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          ...process.env,
          NODE_ENV: 'production',
          PORT: String(port),
          PUBLIC_URL: url,
          DATA_DIR: dataDir,
          LOG_LEVEL: 'warn',
          STORAGE_SYSTEM: 'only',
          ...environment,
        },
      })
      child = started
      for (const stream of [started.stdout, started.stderr])
        stream?.on('data', (chunk: Buffer) => {
          said = (said + chunk.toString()).slice(-20_000)
        })
      await expect
        .poll(
          () => {
            if (started.exitCode !== null) throw new Error(`the storage system ended:\n${said}`)
            return fetch(`${url}/readyz`).then(
              (answer) => answer.ok,
              () => false,
            )
          },
          { timeout: 60_000 },
        )
        .toBe(true)
    },
    async stop() {
      const running = child
      child = null
      if (!running || running.exitCode !== null) return
      const gone = new Promise((done) => running.once('exit', done))
      running.kill('SIGTERM')
      await gone
    },
    forget: () => rmSync(dataDir, { recursive: true, force: true }),
  }
}

interface Two {
  records: StorageSystem
  website: Awaited<ReturnType<typeof startSite>>
}

const test = plain.extend<object, { two: Two }>({
  two: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for the pattern
    async ({}, use) => {
      // All that they share; databases, folders and keys are each one's own.
      const shared = { SITE_KEY: 'what-website-and-storage-system-share' }
      const records = await storageSystem({ ...shared, KEYS: '5a'.repeat(32) })
      await records.start()
      const website = await startSite({ ...shared, KEYS: 'c3'.repeat(32), STORAGE_SYSTEM_URL: records.url })
      await use({ records, website })
      await website.stop()
      await records.stop()
      records.forget()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: async ({ two }, use) => use(two.website.url),
})

// One worker: two servers and their databases are enough for the three journeys.
test.describe.configure({ mode: 'default' })

/** Calls that the website has had answered, as its metrics tell. */
async function answered({ website }: Two): Promise<number> {
  const metrics = await (await fetch(`${website.url}/metrics`)).text()
  return Number(/storage_system_calls_total\{outcome="answered"\} (\d+)/.exec(metrics)?.[1] ?? 0)
}

test('a reservation is made and found again over the wire; while the storage system is away it waits, and a payment is in the books once it is back', async ({
  page,
  two,
  context,
  browser,
}) => {
  test.slow()
  const code = 'DEN01'
  const renter = newRenter({ city: 'Denver', state: 'CO', zip: '80216', phone: '720-555-0155' })

  await page.goto('/search?q=Denver')
  await page.getByRole('link', { name: facilityOf(code).name }).click()
  await arrive(page, locationPath(code))
  const before = await answered(two)
  await page.goto(rentPath(code, 'CC1015'))
  await arrive(page, '/reservation-date')
  await page.getByLabel('Move-in date').fill(day(code, 2))
  await button(page, 'Next').click()
  await arrive(page, '/add-contact')
  await fillContact(page, renter)
  await button(page, 'Submit Reservation').click()
  await arrive(page, '/reservation-details')
  await button(page, /Confirm Reservation/).click()
  await arrive(page, '/reservation-confirmed')
  const reservationCode = await textOf(page.locator('p.figure').first())
  expect(reservationCode).toMatch(/^[2-9A-Z]{10}$/)
  expect(await answered(two)).toBeGreaterThan(before)

  const lookUp = async () => {
    await context.clearCookies()
    await page.goto(`/find-reservation?state=CO&location=${code}`)
    await page.getByLabel('Last name').fill(renter.last)
    await page.getByLabel('Last 4 digits of your phone number').fill('0155')
    await button(page, 'Search').click()
  }
  await lookUp()
  await arrive(page, '/reservation-confirmed')
  await expect(page.getByRole('main')).toContainText(reservationCode)
  await expect(page.getByRole('main')).not.toContainText(renter.email)

  const visits = await Promise.all([1, 2, 3, 4].map(() => browser.newContext({ baseURL: two.website.url })))
  const [guest, joan, imogen, owen] = await Promise.all(visits.map((visit) => visit.newPage()))
  if (!guest || !joan || !imogen || !owen) throw new Error('four visitors')
  await guest.goto('/guest/find-email')
  await guest.getByLabel('Email').fill('gus.delacroix@example.com')
  await button(guest, 'Search').click()
  await arrive(guest, '/guest/find-units')
  await enter(joan.context(), two.website, 'joan.pettibone@example.com')
  await openUnit(joan)
  await button(joan, 'Turn off autopay').click()
  await enter(imogen.context(), two.website, 'imogen.sayles@example.com')
  await openUnit(imogen)
  await imogen.getByRole('link', { name: 'Cancel Move Out' }).click()

  await enter(owen.context(), two.website, 'owen.strand@example.com')
  await openUnit(owen)
  await button(owen, 'Pay Now').click()
  await owen.getByRole('dialog').getByRole('button', { name: 'Yes, use autopay' }).click()
  await arrive(owen, '/online-payment-method')
  await button(owen, /^(Pay \$|Continue)/).click()
  await arrive(owen, '/online-payment')

  await two.records.stop()
  await payWithCard(owen, 'visa', '/online-payment')
  await lookUp()
  // Three tries, three seconds apart; then the page says so, and what was typed is still there.
  await expect(page.getByRole('main')).toContainText(/try again/i, { timeout: 30_000 })
  await expect(page.getByLabel('Last name')).toHaveValue(renter.last)

  const internalError = (visitor: Page) => visitor.getByRole('dialog', { name: messages.internalServerError })
  await Promise.all([
    guest.reload().then(() => told(guest, '/guest/find-email', messages.guestProfileFailed, 40_000)),
    joan
      .getByRole('dialog')
      .getByRole('button', { name: 'Turn off autopay' })
      .click()
      .then(() => expect(internalError(joan)).toBeVisible({ timeout: 40_000 })),
    // Whether it can be cancelled nobody knows yet: that is tried again, not sent to the phone.
    imogen
      .getByRole('dialog')
      .getByRole('button', { name: 'Cancel Move Out' })
      .click()
      .then(() => expect(internalError(imogen)).toBeVisible({ timeout: 40_000 })),
  ])
  await Promise.all([
    joan.goto('/account-profile').then(() => told(joan, '/', messages.sessionAccountMissing, 40_000)),
    imogen.goto('/update-profile').then(() => told(imogen, '/', messages.sessionTenantMissing, 40_000)),
  ])
  // The card was charged, and the website knows of it.
  await expect(owen.getByRole('heading', { level: 1 })).toHaveText('We are checking your payment')
  // What the website shows by itself is shown.
  for (const path of ['/', '/search?q=Denver', locationPath('DEN01')])
    expect((await fetch(two.website.url + path)).status, path).toBe(200)

  await two.records.start()
  // Whether the circuit has opened or not: after a moment the same button works.
  await expect(async () => {
    await button(page, 'Search').click()
    await arrive(page, '/reservation-confirmed')
  }).toPass({ timeout: 40_000 })
  await expect(page.getByRole('main')).toContainText(reservationCode)
  await arrive(owen, '/unit-lease-details')
  await expect(owen.getByRole('heading', { name: 'Payment Successfully Completed!' })).toBeVisible()
  await openUnit(owen)
  await expect(owen.getByRole('heading', { name: 'Autopay is on' })).toBeVisible()
  const orders = await look(two.website, (db) => db.selectFrom('payments').select(['payer', 'state']).execute())
  expect(orders).toEqual([{ payer: 'tenant', state: 'posted' }])
  await Promise.all(visits.map((visit) => visit.close()))
})

test('a move-in and a move-out over two databases', async ({ page, two, browser }) => {
  test.slow()
  await rentQuickly(page, 'DEN01', 'CC1015', '/process-payment', { renter: newRenter() })
  await payWithCard(page, 'visa')
  const { gateCode } = await movedIn(page)
  expect(gateCode).toMatch(/^\d{4,}$/)

  const visit = await browser.newContext({ baseURL: two.website.url })
  const wendell = await visit.newPage()
  await enter(wendell.context(), two.website, 'wendell.orr@example.com')
  await openUnit(wendell)
  await wendell.getByRole('link', { name: 'Move Out' }).click()
  await arrive(wendell, '/schedule-move-out')
  await button(wendell, 'Confirm').click()
  await arrive(wendell, '/my-units')
  await wendell.getByRole('button', { name: 'OK' }).click()
  await openUnit(wendell)
  await expect(wendell.getByRole('link', { name: 'Cancel Move Out' })).toBeVisible()

  await visit.close()
})

test('the storage system serves its operations and nothing of the site; the website serves both', async ({ two }) => {
  const post = (url: string, path: string, headers: Record<string, string> = {}) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      body: JSON.stringify({ location_code: 'DEN01' }),
      headers: { 'Content-Type': 'application/json', ...headers },
    })
  for (const url of [two.records.url, two.website.url]) {
    const answer = await post(url, '/api/ssm/GetUnitsList')
    expect(answer.status).toBe(200)
    expect((await answer.json()).Unit.length).toBeGreaterThan(10)
    const forged = await post(url, '/api/ssm/GetUnitsList', { 'X-Site-Caller': 'v1.e30.AAAA' })
    expect(forged.status).toBe(401)
  }
  for (const path of ['/', '/find-reservation', '/api/locations', '/api']) {
    expect((await fetch(two.records.url + path)).status, path).toBe(404)
    expect((await fetch(two.website.url + path)).status, path).toBe(200)
  }
  // Payments are the website's.
  expect((await post(two.records.url, '/api/ssm/lease-pdf')).status).toBe(404)
  expect((await post(two.website.url, '/api/ssm/lease-pdf')).status).toBe(401)
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

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { findChromium } from './chromium.mjs'
import { expect, expectAccessible, expectPageSound, markLeft, type RunningSite, test } from './fixtures.ts'
import { type CheckImageOptions, photographCheck, writeCameraVideo } from './paper-check-photographs.ts'
import { loadPaymentsOf } from './read-and-change-site-database.ts'
import {
  beforeScripts,
  button,
  dialog,
  expectMovedIn,
  main,
  newRenter,
  rentQuickly,
  waitForPath,
} from './renter-actions-and-locators.ts'
import { payUnit, signInByToken } from './sign-in-and-pay-as-tenant.ts'

const paymentFailedText = 'Failed to process ACH payment. Please contact customer support.'
const payButton = (page: Page) => button(page, /^Pay \$[\d.]+ from this account$/)

async function fillBankForm(page: Page, accountEnding: string): Promise<void> {
  await page.getByLabel('Routing number').fill('061000104')
  await page.getByLabel('Account number', { exact: true }).fill(`00012345${accountEnding}`)
  await page.getByLabel('Confirm account number').fill(`00012345${accountEnding}`)
  await page.getByLabel('Name on the account').fill('Wanda Pell')
}

test('a move-in by bank account rejects wrong numbers, shows a refusal, then debits once after a double click', async ({
  page,
  site,
}) => {
  const renter = newRenter()
  await rentQuickly(page, 'ATL01', 'CC0510', '/payment-method', { renter })
  // The bank account is chosen before the page's scripts run.
  await beforeScripts(page, () => page.getByRole('radio', { name: /^Bank account/ }).check())
  await expectPageSound(page)
  await button(page, 'Continue').click()
  await waitForPath(page, '/process-payment-ach')
  await expectPageSound(page)
  await page.getByLabel('Name on the account').fill('')
  await payButton(page).click()
  await expect(main(page)).toContainText('Routing number should not be empty.')
  await expect(main(page)).toContainText('Account number should not be empty.')
  await fillBankForm(page, '1111')
  await page.getByLabel('Routing number').fill('061000105')
  await page.getByLabel('Confirm account number').fill('1234')
  await payButton(page).click()
  await expect(main(page)).toContainText('Routing number is not valid.')
  await expect(main(page)).toContainText('Account numbers do not match.')
  await expect(page).toHaveTitle(/^Error: /)
  await fillBankForm(page, '1111')
  await payButton(page).click()
  await expect(main(page)).toContainText(paymentFailedText)
  await expect(page.locator('.problem a[href^="tel:"]')).toHaveCount(1)
  await fillBankForm(page, '0000')
  await payButton(page).dblclick()
  await expectMovedIn(page)
  const posted = (await loadPaymentsOf(site, renter.email)).filter(({ state }) => state === 'posted')
  expect(posted).toMatchObject([{ payer: 'move_in', bank_label: 'Checking ****0000' }])
})

test('a guest pays dues without scripts: a refusal is shown, and the typed routing number is kept', async ({
  plain: page,
}) => {
  await page.goto('/guest/find-email')
  await page.getByLabel('Email').fill('gus.delacroix@example.com')
  await button(page, 'Search').click()
  await waitForPath(page, '/guest/find-units')
  await button(page, 'Select unit B-05').click()
  await button(page, 'Pay Now').click()
  await page.getByRole('dialog').getByRole('button', { name: /^No/ }).click()
  await waitForPath(page, '/guest/select-method')
  await page.getByRole('radio', { name: /^Bank account/ }).check()
  await button(page, 'Continue').click()
  await waitForPath(page, '/guest/process-payment-ach')
  await fillBankForm(page, '1111')
  await payButton(page).click()
  await expect(main(page)).toContainText(paymentFailedText)
  await expect(page.getByLabel('Routing number')).toHaveValue('061000104')
  await fillBankForm(page, '0000')
  await payButton(page).click()
  await waitForPath(page, '/guest/payment-completed')
  await expect(main(page)).toContainText('We processed $')
  await expect(main(page)).not.toContainText('Delacroix')
})

const micrLine = '⑆061000104⑆ 045670000⑈ 1042'

/**
 * Runs `work` on the bank form of a signed-in tenant, in a browser whose camera shows pictures of checks in a loop.
 * Expects no violation of the Content Security Policy.
 */
async function withCamera(
  site: RunningSite,
  drawingPage: Page,
  username: string,
  scenes: CheckImageOptions[],
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'checks-'))
  const videoFile = join(folder, 'camera.y4m')
  const frames: Buffer[] = []
  for (const scene of scenes) {
    const { rgba } = await photographCheck(drawingPage, { line: micrLine, ...scene })
    frames.push(...Array.from({ length: 8 }, () => rgba))
  }
  writeCameraVideo(videoFile, frames)
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: [
      '--no-sandbox',
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${videoFile}`,
    ],
  })
  try {
    const context = await browser.newContext({ baseURL: site.url, permissions: ['camera'] })
    await context.addInitScript(markLeft)
    await signInByToken(context, site, username)
    const page = await context.newPage()
    const violations: string[] = []
    page.on('console', (message) => {
      if (/Content Security Policy/i.test(message.text())) violations.push(message.text())
    })
    await payUnit(page)
    await page.getByRole('radio', { name: /^Bank account/ }).check()
    await button(page, 'Continue').click()
    await waitForPath(page, '/online-payment-ach')
    await work(page)
    expect(violations).toEqual([])
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

test('the camera reads a check and fills the form, and an unreadable check is reported', async ({ page, site }) => {
  const foreignRequests: string[] = []
  await withCamera(site, page, 'dolores.quill@example.com', [{}], async (tenant) => {
    tenant.on('request', (request) => {
      const { origin, protocol } = new URL(request.url())
      if (protocol.startsWith('http') && origin !== site.url) foreignRequests.push(request.url())
    })
    const scannerResources = await tenant.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter((resource) => /check-scanner/.test(resource.name))
        .map((resource) => resource.name),
    )
    expect(scannerResources).toEqual([])
    await button(tenant, 'Scan a check').click()
    const scanner = dialog(tenant, 'Scan a check')
    await expect(scanner).toContainText('This is what we read.', { timeout: 60_000 })
    await expect(scanner).toContainText('061000104')
    await expect(scanner).toContainText('045670000')
    await expectAccessible(tenant)
    await scanner.getByRole('button', { name: 'Use these numbers' }).click()
    await expect(tenant.getByLabel('Routing number')).toHaveValue('061000104')
    await expect(tenant.getByLabel('Account number', { exact: true })).toHaveValue('045670000')
    // The confirmation is not filled in: a misread number would confirm itself, so the tenant must type it.
    await expect(tenant.getByLabel('Confirm account number')).toHaveValue('')
    await expect(tenant.getByLabel('Confirm account number')).toBeFocused()
    await tenant.keyboard.type('045670000')
    await payButton(tenant).click()
    await waitForPath(tenant, '/unit-lease-details')
  })
  expect(foreignRequests).toEqual([])
  const { png } = await photographCheck(page, { line: micrLine, tilt: 5 })
  const { png: blank } = await photographCheck(page, { blank: true })
  await expectScanFaults(site, page, png, blank)
})

test('a check reader that does not load is reported, and the numbers can be typed', async ({ page, context, site }) => {
  const { png } = await photographCheck(page, { line: micrLine })
  await signInByToken(context, site, 'marcus.tilley@example.com')
  await payUnit(page)
  await page.getByRole('radio', { name: /^Bank account/ }).check()
  await button(page, 'Continue').click()
  await waitForPath(page, '/online-payment-ach')
  await page.route('**/assets/reading.worker-*.js', (route) => route.abort())
  const workerRequest = page.waitForEvent('requestfailed')
  await button(page, 'Scan a check').click()
  await workerRequest
  const scanner = dialog(page, 'Scan a check')
  const file = scanner.getByLabel('Choose a picture of the check')
  await file.setInputFiles({ name: 'check.png', mimeType: 'image/png', buffer: png })
  await expect(scanner).toContainText('The reader could not be loaded. Please type the numbers.')
  await expect(scanner).not.toContainText('That file could not be opened as a picture.')
  await expect(file).toBeDisabled()
})

async function expectScanFaults(site: RunningSite, drawingPage: Page, tilted: Buffer, blank: Buffer): Promise<void> {
  const scenes: CheckImageOptions[] = [{ light: 0.2 }, { size: 0.35 }, { blur: 7 }, { blank: true }]
  const expectedHints = [
    'Too dark. Find more light.',
    'Too small. Move closer, until the check fills the frame.',
    'Blurred. Hold still, or move back a little.',
    'Put the bottom line of the check into the colored box.',
  ]
  await withCamera(site, drawingPage, 'marcus.tilley@example.com', scenes, async (tenant) => {
    await button(tenant, 'Scan a check').click()
    const scanner = dialog(tenant, 'Scan a check')
    // Hints are recorded as they appear, because the camera's loop is at an unknown picture when the reader is ready.
    const shownHints = await scanner.evaluateHandle((element) => {
      const texts = new Set<string>()
      const record = () => {
        for (const status of element.querySelectorAll('[role=status]')) texts.add(status.textContent ?? '')
      }
      new MutationObserver(record).observe(element, { subtree: true, childList: true, characterData: true })
      record()
      return texts
    })
    await expect
      .poll(() => shownHints.evaluate((hints) => [...hints]), { timeout: 60_000 })
      .toEqual(expect.arrayContaining(expectedHints))
    await expectAccessible(tenant)
    const file = scanner.getByLabel('Choose a picture of the check')
    await expect(file).toBeEnabled({ timeout: 60_000 })
    await file.setInputFiles({ name: 'table.png', mimeType: 'image/png', buffer: blank })
    await expect(scanner).toContainText('No numbers could be read in that picture.', { timeout: 40_000 })
    await file.setInputFiles({ name: 'check.png', mimeType: 'image/png', buffer: tilted })
    await expect(scanner).toContainText('This is what we read.', { timeout: 40_000 })
    await expect(scanner).toContainText('061000104')
    await scanner.getByRole('button', { name: 'Scan again' }).click()
    await tenant.keyboard.press('Escape')
    await expect(scanner).toBeHidden()
    await expect(button(tenant, 'Scan a check')).toBeFocused()
  })
}

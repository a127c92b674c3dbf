/** The operator closes the site for maintenance: the notice is all there is, and a payment under way is taken. */
import { execFileSync } from 'node:child_process'
import { demoLinks } from '../demo/links.ts'
import { testCard } from '../sandbox/cards.ts'
import { expect, type RunningSite, test } from './fixtures.ts'
import { arrive, button, cardFrame } from './journey.ts'
import { lookAt, main } from './tenants.ts'

test.use({ business: 'maintenance' })

const operator = (site: RunningSite, ...words: string[]) =>
  execFileSync(process.execPath, ['operator/launch.mjs', ...words], {
    env: { ...process.env, NODE_ENV: 'production', DATA_DIR: site.dataDir },
  })

test('maintenance leaves nothing to use, with scripts or without, but takes the payment under way', async ({
  page,
  site,
  browser,
}) => {
  const withoutScripts = await browser.newContext({ baseURL: site.url, javaScriptEnabled: false })
  const plain = await withoutScripts.newPage()
  const notice = (at: typeof page) => at.getByRole('alertdialog', { name: /is closed for maintenance$/ })

  // Somebody is at the card page, somebody has typed their name, somebody else the same without scripts.
  const payer = await (await browser.newContext({ baseURL: site.url })).newPage()
  await payer.goto(demoLinks.settlement.path)
  await main(payer)
    .getByRole('button', { name: /^Pay/ })
    .or(main(payer).getByRole('link', { name: /^Pay/ }))
    .first()
    .click()
  await arrive(payer, '/past-due-payment-process')
  await expect(cardFrame(payer).getByLabel('Card number')).toBeVisible()
  await page.goto('/login')
  await page.getByLabel('E-mail or username').fill('nadia.ferro@example.com')
  await plain.goto('/login')
  await plain.getByLabel('E-mail or username').fill('nadia.ferro@example.com')

  operator(site, 'maintenance', 'on')
  await expect.poll(async () => (await fetch(`${site.url}/login`)).status, { timeout: 3_000 }).toBe(503)

  await button(page, 'Next').click()
  await expect(notice(page)).toBeVisible()
  await lookAt(page)
  await plain.getByLabel('E-mail or username').press('Enter')
  await expect(notice(plain)).toBeVisible()
  for (const at of [page, plain]) {
    for (const path of ['/', '/size-guide', '/search?q=Atlanta', '/my-units', '/login']) {
      expect((await at.goto(path))?.status()).toBe(503)
      await expect(notice(at)).toBeVisible()
      await expect(at).toHaveTitle(/is closed for maintenance$/)
      for (const press of ['Escape', 'Escape', 'Tab', 'Tab', 'Tab', 'Shift+Tab']) await at.keyboard.press(press)
      await expect(notice(at)).toBeVisible()
      await expect(at.getByRole('main')).toHaveCount(0)
      // What the keyboard can reach is the notice's own.
      await expect(at.locator('a, button, input, select, textarea')).toHaveCount(2)
      await expect(notice(at).getByRole('link', { name: 'Try again' })).toBeVisible()
    }
  }
  await lookAt(page)

  const frame = cardFrame(payer)
  await frame.getByLabel('Card number').fill(testCard('visa').number)
  await frame.getByLabel('Expiry date').fill('12 / 39')
  await frame.getByLabel('Security code').fill('123')
  await frame.getByLabel('Name on card').fill('Vic Tester')
  await frame.getByLabel('Billing ZIP code').fill('30308')
  await frame.getByRole('button', { name: /^Pay/ }).press('Enter')
  await arrive(payer, '/past-due-payment-completed')
  await expect(payer.getByRole('heading', { level: 1 })).toBeVisible()

  operator(site, 'maintenance', 'off')
  await expect.poll(async () => (await fetch(`${site.url}/login`)).status, { timeout: 3_000 }).toBe(200)
  for (const at of [page, plain]) {
    await notice(at).getByRole('link', { name: 'Try again' }).press('Enter')
    await expect(button(at, 'Next')).toBeVisible()
  }
  await withoutScripts.close()
})

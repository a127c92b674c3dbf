import { execFileSync } from 'node:child_process'
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { demoPassword } from '../demo/tenants-with-leases-and-reservations.ts'
import { expect, expectPageSound, type RunningSite, test } from './fixtures.ts'
import { button, cardFrame, expectMovedIn, newRenter, payWithCard, rentQuickly } from './renter-actions-and-locators.ts'

const operator = (site: RunningSite, ...words: string[]) =>
  execFileSync(process.execPath, ['operator/launch.mjs', ...words], {
    env: { ...process.env, NODE_ENV: 'production', DATA_DIR: site.dataDir },
  })

test('maintenance closes the site, with or without scripts, but completes a payment in progress', async ({
  page,
  site,
  elsewhere: payer,
  plain,
}) => {
  const notice = (view: Page) => view.getByRole('alertdialog', { name: /is closed for maintenance$/ })
  await rentQuickly(payer, 'CLT01', 'CC0510', '/process-payment')
  await expect(cardFrame(payer).getByLabel('Card number')).toBeVisible()
  for (const visitor of [page, plain]) {
    await visitor.goto('/login')
    await visitor.getByLabel('E-mail or username').fill('nadia.ferro@example.com')
  }
  operator(site, 'maintenance', 'on')
  await expect.poll(async () => (await fetch(`${site.url}/login`)).status, { timeout: 20_000 }).toBe(503)
  for (const visitor of [page, plain]) {
    await visitor.getByLabel('E-mail or username').press('Enter')
    await expect(notice(visitor)).toBeVisible()
    for (const path of ['/', '/my-units']) {
      expect((await visitor.goto(path))?.status()).toBe(503)
      await expect(visitor).toHaveTitle(/is closed for maintenance$/)
      for (const key of ['Escape', 'Tab', 'Tab', 'Tab', 'Shift+Tab']) await visitor.keyboard.press(key)
      await expect(notice(visitor)).toBeVisible()
      await expect(visitor.getByRole('main')).toHaveCount(0)
      // The keyboard reaches only the notice's own controls.
      await expect(visitor.locator('a, button, input, select, textarea')).toHaveCount(2)
    }
  }
  await expectPageSound(page)
  await payWithCard(payer, 'visa')
  await expectMovedIn(payer)
  operator(site, 'maintenance', 'off')
  await expect.poll(async () => (await fetch(`${site.url}/login`)).status, { timeout: 20_000 }).toBe(200)
  for (const visitor of [page, plain]) {
    await visitor.goto('/login')
    await expect(button(visitor, 'Next')).toBeVisible()
  }
})

test('records, keys, uploads, signed leases, the command log and a backup have mode 0600, folders 0700', async ({
  page,
  site,
}) => {
  await rentQuickly(page, 'CLT01', 'CC0505', '/payment-method', { renter: newRenter() })
  const login = await fetch(`${site.url}/api/ssm/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: 'marcus.tilley@example.com', password: demoPassword }),
  })
  const { token } = (await login.json()) as { token: string }
  const form = new FormData()
  for (const [name, value] of Object.entries({
    location_code: 'ATL01',
    tenant_id: '1001',
    unit_numbers: '318',
    policy_number: 'HO-55120',
    insurance_carrier: 'Old Harbor Mutual',
    expiration_date: '06/30/2031',
  }))
    form.append(name, value)
  form.append('file', new Blob(['%PDF-1.4\n%%EOF\n'], { type: 'application/pdf' }), 'proof.pdf')
  const uploaded = await fetch(`${site.url}/api/insurance/upload`, {
    method: 'POST',
    body: form,
    headers: { Authorization: `Bearer ${token}` },
  })
  expect(uploaded.status).toBe(200)
  const backupFolder = mkdtempSync(join(tmpdir(), 'latchkey-backup-'))
  operator(site, 'backup', join(backupFolder, 'backup.sqlite'))

  const modes = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
      const stat = lstatSync(join(folder, name), { throwIfNoEntry: false })
      return stat ? [{ name, mode: (stat.mode & 0o777).toString(8), expected: stat.isDirectory() ? '700' : '600' }] : []
    })
  const written = [...modes(site.dataDir), ...modes(backupFolder)]
  rmSync(backupFolder, { recursive: true })
  for (const expected of [
    /^latchkey\.sqlite$/,
    /^latchkey\.sqlite-wal$/,
    /^keys\.json$/,
    /^operator\.log$/,
    /^backup\.sqlite$/,
    /^sandbox\/sandbox\.sqlite$/,
    /^files\/insurance\/.+\.pdf$/,
    /^files\/leases\/.+\.pdf$/,
  ])
    expect(
      written.some(({ name }) => expected.test(name)),
      String(expected),
    ).toBe(true)
  expect(written.filter(({ mode, expected }) => mode !== expected)).toEqual([])
})

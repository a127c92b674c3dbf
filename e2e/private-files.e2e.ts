/** Everything that the running site, its sandbox and its commands write is their owner's alone to read. */
import { execFileSync } from 'node:child_process'
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'
import { movedIn, payWithCard, rentQuickly } from './journey.ts'

test.use({ business: 'private files' })

test('files are 0600 and folders 0700: records, keys, uploads, signed leases, the log of commands, a backup', async ({
  page,
  site,
}) => {
  await rentQuickly(page, 'CLT01', 'CC0505', '/process-payment')
  await payWithCard(page, 'visa')
  await movedIn(page)

  const login = await fetch(`${site.url}/api/ssm/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: 'marcus.tilley@example.com', password: 'rolling-door-47' }),
  })
  const { token } = (await login.json()) as { token: string }
  const form = new FormData()
  for (const [name, value] of Object.entries({
    ...{ location_code: 'ATL01', tenant_id: '1001', unit_numbers: '318', policy_number: 'HO-55120' },
    ...{ insurance_carrier: 'Old Harbor Mutual', expiration_date: '06/30/2027' },
  }))
    form.append(name, value)
  form.append('file', new Blob(['%PDF-1.4\n%%EOF\n'], { type: 'application/pdf' }), 'proof.pdf')
  const uploaded = await fetch(`${site.url}/api/insurance/upload`, {
    ...{ method: 'POST', body: form, headers: { Authorization: `Bearer ${token}` } },
  })
  expect(uploaded.status).toBe(200)

  const elsewhere = mkdtempSync(join(tmpdir(), 'latchkey-backup-'))
  execFileSync(process.execPath, ['operator/launch.mjs', 'backup', join(elsewhere, 'backup.sqlite')], {
    env: { ...process.env, NODE_ENV: 'production', DATA_DIR: site.dataDir },
  })

  const modes = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
      const stat = lstatSync(join(folder, name), { throwIfNoEntry: false })
      return stat ? [{ name, mode: (stat.mode & 0o777).toString(8), expected: stat.isDirectory() ? '700' : '600' }] : []
    })
  const written = [...modes(site.dataDir), ...modes(elsewhere)]
  rmSync(elsewhere, { recursive: true })
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

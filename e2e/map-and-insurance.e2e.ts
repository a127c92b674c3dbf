/** The facility's map with one's own unit on it, and proof of insurance with real files. */
import { expect, test } from './fixtures.ts'
import { arrive, button, dialog } from './journey.ts'
import { look } from './records.ts'
import { enter, lookAt, main } from './tenants.ts'

/** The smallest picture there is. */
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

test('the map: floors, the way to one’s own unit, labels from near, the same as a list, and without scripts', async ({
  page,
  context,
  site,
  browser,
}) => {
  await enter(context, site, 'nadia.ferro@example.com')
  await page.goto('/unit-map')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Facility Map')
  await expect(page.getByRole('radio', { name: 'Floor 1' })).toBeChecked()
  await expect(main(page)).toContainText('Your unit 402 is on floor 4.')
  const own = page.locator('.map-mine')
  await expect(own).toHaveText('')
  await page.getByRole('radio', { name: 'Floor 4' }).check()
  await expect(page).toHaveURL(/\?floor=4$/)
  await expect(own).toHaveText('402')
  await expect(page.locator('.map-pin')).toHaveCount(1)
  await expect(page.locator('path.map-way')).toHaveAttribute('d', /^M.+L/)
  await expect(main(page)).toContainText('Your unit: 402, with the way on foot dotted')
  await lookAt(page)
  // The map's buttons are one row of a phone.
  await page.setViewportSize({ width: 390, height: 844 })
  const rowOf = async (name: string) => (await button(page, name).boundingBox())?.y
  expect(await rowOf('Whole floor')).toBe(await rowOf('Zoom in'))
  await page.setViewportSize({ width: 1280, height: 900 })

  // Above zoom level 2 and not before, by button and by key.
  const frame = page.getByRole('region', { name: /^Map of .+, Floor 4$/ })
  const labels = page.locator('.map-labels')
  await expect(frame).toHaveClass(/is-movable/)
  await expect(labels).toHaveCSS('opacity', '0')
  await button(page, 'Zoom in').click()
  await expect(labels).toHaveCSS('opacity', '0')
  await button(page, 'My unit').click()
  await expect(labels).toHaveCSS('opacity', '1')
  await button(page, 'Whole floor').click()
  await expect(labels).toHaveCSS('opacity', '0')
  await frame.focus()
  for (let time = 0; time < 3; time += 1) await page.keyboard.press('+')
  await expect(labels).toHaveCSS('opacity', '1')
  await page.keyboard.press('0')
  await expect(labels).toHaveCSS('opacity', '0')

  await page.getByText('The map as a list').click()
  await expect(page.locator('.map-list')).toContainText('402 (yours)')

  const plain = await browser.newContext({ javaScriptEnabled: false, baseURL: site.url })
  await enter(plain, site, 'nadia.ferro@example.com')
  const still = await plain.newPage()
  await still.goto('/unit-map?floor=99')
  await still.getByRole('radio', { name: 'Floor 4' }).check()
  await button(still, 'Show this floor').click()
  await expect(still.locator('.map-mine')).toHaveText('402')
  await expect(still.locator('.map-labels')).toHaveCSS('opacity', '1')
  await plain.close()

  await page.context().clearCookies()
  await context.setExtraHTTPHeaders({})
  for (const path of ['/unit-map', '/proof-of-insurance']) {
    await page.goto(path)
    await arrive(page, '/')
    await expect(dialog(page, 'Invalid session!'), path).toBeVisible()
  }
})

test('proof of insurance: a file for two of forty units; wrong content, a lost connection and a stranger are refused', async ({
  page,
  context,
  site,
}) => {
  await enter(context, site, 'edith@marlow-cabinets.example')
  await page.goto('/proof-of-insurance')
  const units = page.getByRole('group', { name: 'Units it covers' }).getByRole('checkbox')
  await expect(units).toHaveCount(40)
  await button(page, 'Submit').click()
  for (const field of ['Policy number', 'Carrier', 'Expiration date'])
    await expect(page.getByLabel(field), field).toHaveAttribute('aria-invalid', 'true')
  await expect(page).toHaveTitle(/^Error: /)
  await lookAt(page)

  await page.getByLabel('Policy number').fill('HO-99120')
  await page.getByLabel('Carrier').fill('Old Harbor Mutual')
  await page.getByLabel('Expiration date').fill('06/30/2031')
  await units.nth(0).check()
  await units.nth(7).check()
  const file = page.getByLabel('The policy, or a photo of it')
  const send = (name: string, mimeType: string, buffer: Buffer) =>
    file.setInputFiles({ name, mimeType, buffer }).then(() => button(page, 'Submit').click())
  await send('policy.pdf', 'application/pdf', Buffer.from('<html><script>alert(1)</script> %PDF-1.7'))
  await expect(main(page)).toContainText('The file must be a JPEG, GIF, PNG, PDF or EPS.')
  await page.route('**/api/insurance/upload', (route) => route.abort('connectionreset'))
  await send('policy.gif', 'image/gif', gif)
  await expect(main(page)).toContainText('The connection was lost. Nothing was kept; please send it again.')
  await expect(page.getByLabel('Policy number')).toHaveValue('HO-99120')
  const kept = () => look(site, (db) => db.selectFrom('insurance_proofs').selectAll().execute())
  expect(await kept()).toEqual([])
  await page.unroute('**/api/insurance/upload')
  await button(page, 'Submit').click()
  await expect(page.getByRole('heading', { name: 'Your proof of insurance has arrived' })).toBeVisible()
  // What was sent does not stand there to be sent once more.
  await expect(page.getByLabel('Policy number')).toHaveValue('')
  await expect(page.getByLabel('Expiration date')).toHaveValue('')
  await lookAt(page)

  const [proof, ...more] = await kept()
  expect(more).toEqual([])
  expect(proof).toMatchObject({ content_type: 'image/gif', expiration_date: '2031-06-30', bytes: gif.byteLength })
  expect(JSON.parse(proof?.unit_numbers ?? '')).toHaveLength(2)
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    main(page).getByRole('link', { name: 'Old Harbor Mutual' }).click(),
  ])
  expect(saved.suggestedFilename()).toMatch(/^proof-of-insurance-.+\.gif$/)

  await page.context().clearCookies()
  await enter(context, site, 'marcus.tilley@example.com')
  const theirs = await page.request.get(`/proof-of-insurance/${proof?.proof_id}`)
  expect(theirs.status()).toBe(404)
})

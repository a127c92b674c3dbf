import { demoAppointments } from '../demo/links-and-appointments.ts'
import { expect, expectAccessible, expectPageSound, test } from './fixtures.ts'
import { readRecords } from './read-and-change-site-database.ts'
import { beforeScripts, button, dialog, heading, main, waitForPath } from './renter-actions-and-locators.ts'
import { openUnit, signInByToken } from './sign-in-and-pay-as-tenant.ts'

test('a tenant sees the unit, chooses three periods ahead and is asked about autopay', async ({
  page,
  context,
  site,
}) => {
  await signInByToken(context, site, 'marcus.tilley@example.com')
  await page.goto('/my-units')
  await expect(main(page)).toContainText('Unit No 318')
  await expectPageSound(page)
  await expect(page.locator('.home-due')).toContainText('$100.69')
  await openUnit(page)
  const total = page.getByRole('region', { name: 'Total' }).locator('tfoot td')
  await expect(total).toHaveText('$100.69')
  await beforeScripts(page, () => page.getByLabel('How far ahead').selectOption('3'))
  await expect(total).toHaveText('$302.07')
  await expectPageSound(page)
  await button(page, 'Pay Now').click()
  const question = dialog(page, 'Pay for unit 318 automatically?')
  await expect(question).toContainText('$302.07')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await button(page, 'Pay Now').click()
  await question.getByRole('button', { name: 'No, just this once' }).click()
  await waitForPath(page, '/online-payment-method')
  await expect(main(page)).toContainText('$302.07')
})

test('a tenant answers the question about autopay and moves out with reasons, without scripts', async ({
  plain: page,
  site,
}) => {
  await signInByToken(page.context(), site, 'georgia.hallam@example.com')
  await openUnit(page)
  await page.getByLabel('How far ahead').selectOption('2')
  await button(page, 'Update the total').click()
  await expect(page.getByLabel('How far ahead')).toHaveValue('2')
  await button(page, 'Pay Now').click()
  await dialog(page, 'Pay for unit 214 automatically?').getByRole('button', { name: 'Yes, use autopay' }).click()
  await waitForPath(page, '/online-payment-method')

  await openUnit(page)
  await page.getByRole('link', { name: 'Move Out' }).click()
  await waitForPath(page, '/schedule-move-out')
  const reasons = page.getByRole('group', { name: 'Why are you leaving?' })
  const comment = page.getByLabel(/^Anything you would like to tell us/)
  await expect(reasons).toBeHidden()
  await expect(comment).toBeHidden()
  await page.getByRole('radio', { name: '4 stars' }).check({ force: true })
  await expect(comment).toBeVisible()
  await expect(reasons).toBeHidden()
  await page.getByRole('radio', { name: '2 stars' }).check({ force: true })
  await reasons.getByLabel('Rates').check()
  await button(page, 'Confirm').click()
  await waitForPath(page, '/my-units')
  await expect(page.getByRole('dialog')).toContainText('Your move-out is scheduled.')
  await openUnit(page)
  await page.getByRole('link', { name: 'Cancel Move Out' }).click()
  await dialog(page, 'Cancel your move-out?').getByRole('button', { name: 'Cancel Move Out' }).click()
  await waitForPath(page, '/my-units')
  await expect(page.getByRole('dialog')).toContainText('Your move-out is cancelled.')
})

test('updated terms come before other pages, are read and accepted, and a failure to load the PDF is shown', async ({
  page,
  context,
  site,
}) => {
  await signInByToken(context, site, 'adele.fontaine@example.com')
  await page.goto('/recent-activity')
  await waitForPath(page, '/complete-lease')
  await page.getByText('Read it here').click()
  await expect(main(page)).toContainText('Adele Fontaine')
  await expectPageSound(page)
  await page.route('**/complete-lease/agreement', (route) => route.abort())
  await page.getByRole('link', { name: 'Review Lease' }).click()
  await expect(main(page)).toContainText('Error generating lease PDF. Please check your network.')
  await page.unroute('**/complete-lease/agreement')
  await page.getByRole('link', { name: 'Review Lease' }).click()
  await expect(dialog(page, 'Updated rental agreement').locator('iframe')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await button(page, 'Accept').click()
  await waitForPath(page, '/recent-activity')
})

/** Runs in the browser: returns the smallest font size that the map shows, in pixels on the screen. */
const smallestLetter = () =>
  Math.min(
    ...[...document.querySelectorAll<SVGTextElement>('.map text')]
      .filter((text) => text.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      .map((text) => {
        const { a, b } = text.getScreenCTM() as DOMMatrix
        return Number.parseFloat(getComputedStyle(text).fontSize) * Math.hypot(a, b)
      }),
  )

test('the map shows floors, the route to the tenant’s unit, labels when enlarged and a list, also without scripts', async ({
  page,
  context,
  plain,
  site,
}) => {
  await signInByToken(context, site, 'nadia.ferro@example.com')
  await page.goto('/unit-map')
  await expect(main(page)).toContainText('Your unit 402 is on floor 4.')
  const own = page.locator('.map-mine')
  await expect(own).toHaveText('')
  await expect(main(page)).toContainText('Take the elevator to floor 4.')
  await page.getByRole('link', { name: 'Show my unit' }).click()
  await expect(page).toHaveURL(/\?unit=402$/)
  await expect(own).toHaveText('402')
  const part = (selector: string) => page.locator(selector).first().boundingBox()
  /** Returns whether unit and way are fully inside the frame and fill more than half of its width or height. */
  const isFramed = async () => {
    const box = await part('.map-frame')
    const unit = await part('.map-mine rect')
    const way = await part('.map-way')
    if (!box || !unit || !way) return false
    const left = Math.min(unit.x, way.x)
    const top = Math.min(unit.y, way.y)
    const right = Math.max(unit.x + unit.width, way.x + way.width)
    const bottom = Math.max(unit.y + unit.height, way.y + way.height)
    const inside = left >= box.x && top >= box.y && right <= box.x + box.width && bottom <= box.y + box.height
    return inside && Math.max((right - left) / box.width, (bottom - top) / box.height) > 0.5
  }
  for (const width of [390, 1440, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await page.reload()
    await expect(page.locator('.map-frame')).toHaveClass(/is-movable/)
    await expect.poll(isFramed, `unit 402 and its way at ${width} px`).toBe(true)
  }
  await expect(main(page)).toContainText(
    /From the elevator, walk \d+ ft\..*Unit 402 is (on your (left|right)|ahead of you)\./,
  )
  await page.goto('/unit-map')
  await page.getByRole('radio', { name: 'Floor 4' }).check()
  await expect(page).toHaveURL(/\?floor=4$/)
  await expect(own).toHaveText('402')
  await expectPageSound(page)
  await page.setViewportSize({ width: 390, height: 844 })
  const rowOf = async (name: string) => (await button(page, name).boundingBox())?.y
  await expect.poll(async () => (await rowOf('Whole floor')) === (await rowOf('Zoom in'))).toBe(true)
  // No text is smaller than 11 px (10.9 px by rounding) near the tenant's unit, and on the whole floor before and after a turn.
  for (const press of ['My unit', 'Whole floor', 'Turn', 'Whole floor']) {
    await button(page, press).click()
    await expect.poll(() => page.evaluate(smallestLetter), press).toBeGreaterThanOrEqual(10.9)
  }
  await page.setViewportSize({ width: 1280, height: 900 })

  // Labels appear above zoom level 2 and not before, by button and by key.
  const frame = page.getByRole('region', { name: /^Map of .+, Floor 4$/ })
  const labels = page.locator('.map-labels')
  await expect(frame).toHaveClass(/is-movable/)
  await expect(labels).toHaveCSS('opacity', '0')
  await button(page, 'Zoom in').click()
  await expect(labels).toHaveCSS('opacity', '0')
  await button(page, 'Zoom in').click()
  await button(page, 'Zoom in').click()
  await expect(labels).toHaveCSS('opacity', '1')
  await button(page, 'My unit').click()
  // A frame that changes its size keeps its content, as when a phone is turned.
  for (const [width, height] of [
    [390, 844],
    [844, 390],
    [1280, 900],
  ] as const) {
    await page.setViewportSize({ width, height })
    const inFrame = async () => {
      const box = await frame.boundingBox()
      const unit = await own.locator('rect').first().boundingBox()
      const x = (unit?.x ?? 0) + (unit?.width ?? 0) / 2
      const y = (unit?.y ?? 0) + (unit?.height ?? 0) / 2
      return box !== null && x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height
    }
    await expect.poll(inFrame, `unit 402 in the frame at ${width}`).toBe(true)
  }
  await button(page, 'Whole floor').click()
  await expect(labels).toHaveCSS('opacity', '0')
  await frame.focus()
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('+')
  await expect(labels).toHaveCSS('opacity', '1')
  await page.keyboard.press('0')
  await expect(labels).toHaveCSS('opacity', '0')
  await page.getByText('The map as a list').click()
  await expect(main(page)).toContainText('402 (yours)')

  await signInByToken(plain.context(), site, 'nadia.ferro@example.com')
  await plain.goto('/unit-map?floor=99')
  await plain.getByRole('radio', { name: 'Floor 4' }).check()
  await button(plain, 'Show this floor').click()
  await expect(plain.locator('.map-mine')).toHaveText('402')
  await expect(plain.locator('.map-labels')).toHaveCSS('opacity', '1')
})

test('proof of insurance is refused for wrong content, survives a lost connection and covers two of forty units', async ({
  page,
  context,
  site,
}) => {
  await signInByToken(context, site, 'edith@marlow-cabinets.example')
  await page.goto('/proof-of-insurance')
  // Until the page's scripts have loaded, the browser itself refuses an empty form, so the press is repeated.
  await expect(async () => {
    await button(page, 'Submit').click()
    await expect(page.getByLabel('Policy number')).toHaveAttribute('aria-invalid', 'true', { timeout: 500 })
  }).toPass()
  await expect(page).toHaveTitle(/^Error: /)
  await expectPageSound(page)
  await page.getByLabel('Policy number').fill('HO-99120')
  await page.getByLabel('Carrier').fill('Old Harbor Mutual')
  await page.getByLabel('Expiration date').fill('06/30/2031')
  const units = page.getByRole('group', { name: 'Units it covers' }).getByRole('checkbox')
  await units.nth(0).check()
  await units.nth(7).check()
  const send = async (name: string, mimeType: string, buffer: Buffer) => {
    await page.getByLabel('The policy, or a photo of it').setInputFiles({ name, mimeType, buffer })
    await button(page, 'Submit').click()
  }
  await send('policy.pdf', 'application/pdf', Buffer.from('<html><script>alert(1)</script> %PDF-1.7'))
  await expect(main(page)).toContainText('The file must be a JPEG, GIF, PNG, PDF or EPS.')
  await page.route('**/api/insurance/upload', (route) => route.abort('connectionreset'))
  const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
  await send('policy.gif', 'image/gif', gif)
  await expect(main(page)).toContainText('The connection was lost, and we do not know whether your file arrived.')
  await page.unroute('**/api/insurance/upload')
  await button(page, 'Submit').click()
  await expect(page.getByRole('heading', { name: 'Your proof of insurance has arrived' })).toBeVisible()
  await expect(page.getByLabel('Policy number')).toHaveValue('')
  await expectPageSound(page)
  const proofs = await readRecords(site, (db) =>
    db.selectFrom('insurance_proofs').select('unit_numbers').where('policy_number', '=', 'HO-99120').execute(),
  )
  expect(proofs.map(({ unit_numbers }) => JSON.parse(unit_numbers))).toEqual([[expect.any(String), expect.any(String)]])
})

test('an appointment link confirms by a button without scripts, and shows the result or a failure with scripts', async ({
  page,
  plain,
  site,
}) => {
  const path = demoAppointments[0]?.path ?? ''
  await plain.goto(path)
  await expect(heading(plain)).toHaveText('Confirming your appointment')
  const state = await readRecords(site, (db) =>
    db.selectFrom('appointments').select('state').where('appointment_id', '=', 1001).executeTakeFirst(),
  )
  expect(state).toEqual({ state: 'proposed' })
  await button(plain, 'Confirm').click()
  await expect(heading(plain)).toHaveText('Your appointment is confirmed')
  await page.goto(path)
  await expect(heading(page)).toHaveText('Your appointment is confirmed')
  await expectPageSound(page)
  await page.goto(path.replace(/confirmation_token=\w+/, 'confirmation_token=0'))
  await expect(main(page)).toContainText('Appointment confirmation failed. Error: The link is not valid.')
  await expectPageSound(page)
})

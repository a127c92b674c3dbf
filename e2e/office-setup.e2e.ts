/** Setting up: hours and a photograph that a visitor sees at once, and an emptied unit photographed from a phone. */
import sharp from 'sharp'
import { expect, lookAt, shown, test } from './fixtures.ts'
import { button, heading, locationPath, main } from './journey.ts'
import { signInToOffice } from './office.ts'

const picture = async (background: string) => ({
  ...{ name: 'IMG_0001.JPG', mimeType: 'image/jpeg' },
  buffer: await sharp({ create: { width: 1200, height: 800, channels: 3, background } })
    .jpeg()
    .toBuffer(),
})

test('hours and a photograph are seen at once; a photograph of an emptied unit stays with its unit', async ({
  page,
  elsewhere,
}) => {
  await signInToOffice(page, 'owner')
  await page.goto('/office/setup/ATL02/facility')
  await shown(page)
  await lookAt(page)
  const gate = page.getByLabel('Gate hours')
  await gate.fill('4 AM to 11 PM every day')
  const hours = page.locator('form', { has: gate })
  await hours.getByLabel('Why').fill('Longer in winter')
  await hours.getByRole('button', { name: 'Save' }).click()
  await expect(main(page).getByRole('status')).toHaveText('Saved. Visitors see it now.')
  await page.goto('/office/setup/ATL02/photographs')
  await page.getByLabel('From this device').setInputFiles([await picture('#7a5c44')])
  await button(page, 'Add them').click()
  await expect(page.locator('.office-photo-list li')).toHaveCount(1)
  await page.getByLabel('What it shows').fill('The gate and the first row of doors')
  await button(page, 'Save order and words').click()
  await expect(main(page).getByRole('status')).toBeVisible()
  await lookAt(page)
  for (const path of [
    '',
    '/offers',
    '/offers/fee/new',
    '/offers/plan/new',
    '/offers/discount/new',
    '/letting',
    '/letting/unit_type/1',
  ]) {
    await page.goto(`/office/setup/ATL02${path}`)
    await lookAt(page)
  }
  await elsewhere.goto(locationPath('ATL02'))
  await expect(elsewhere.getByText('4 AM to 11 PM every day').first()).toBeVisible()
  const photo = elsewhere.getByRole('img', { name: 'The gate and the first row of doors' })
  await expect(photo).toBeVisible()
  expect(await photo.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)).toBe(true)

  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/office/field?at=ATL02')
  await page
    .getByRole('link', { name: /Look at the empty unit/ })
    .first()
    .click()
  await expect(heading(page)).toHaveText(/^Unit /)
  const unit = ((await heading(page).textContent()) ?? '').replace('Unit ', '')
  await page.getByLabel('Empty and clean').check()
  await page.getByLabel('Photograph').setInputFiles(await picture('#445566'))
  await lookAt(page)
  await button(page, 'Done').click()
  await page.waitForURL(/\/office\/field\?at=ATL02$/)
  await page.goto('/office/units/ATL02?state=free')
  await page.getByRole('link', { name: unit, exact: true }).click()
  await expect(page.getByRole('img', { name: new RegExp(`^Unit ${unit}, `) })).toBeVisible()
})

/** Setup: hours and a photograph that a visitor sees at once, and a vacated unit photographed from a phone. */
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { expect, expectPageSound, test, waitForPageShown } from './fixtures.ts'
import { observeLayoutShifts, openAt } from './inspect.ts'
import { signInToOffice } from './office.ts'
import { button, heading, locationPath, main } from './renter-actions-and-locators.ts'

const picture = async (background: string) => ({
  name: 'IMG_0001.JPG',
  mimeType: 'image/jpeg',
  buffer: await sharp({ create: { width: 2000, height: 1400, channels: 3, background } })
    .jpeg()
    .toBuffer(),
})

/**
 * Checks the facility's page on a phone: the first screen shows a price, each photograph has reserved space and several
 * widths, and nothing causes a layout shift.
 */
async function expectNoShiftByPhotographs(page: Page): Promise<void> {
  const shifts = await observeLayoutShifts(page)
  await openAt(page, 390, 844, locationPath('ATL02'))
  const bottoms = (selector: string) =>
    page
      .locator(selector)
      .evaluateAll((elements) => elements.map((element) => element.getBoundingClientRect().bottom + scrollY))
  expect((await bottoms('article dl'))[0]).toBeLessThan(844)
  expect((await bottoms('article'))[4]).toBeLessThan(1800)
  const photos = page.locator('main img[src^="/photographs/"]')
  await expect(photos).toHaveCount(3)
  const shownPhotos: unknown[] = []
  for (const photo of await photos.all()) {
    await photo.scrollIntoViewIfNeeded()
    await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
    shownPhotos.push(
      await photo.evaluate((image: HTMLImageElement) => ({
        widths: image.srcset.match(/\d+w/g),
        sides: [image.getAttribute('width'), image.getAttribute('height')],
        lazy: image.loading === 'lazy',
      })),
    )
  }
  const common = { widths: ['480w', '960w', '1600w'], sides: ['1600', '1120'] }
  expect(shownPhotos).toEqual([false, true, true].map((lazy) => ({ ...common, lazy })))
  const { by, elements } = await shifts()
  expect(by, elements).toBeCloseTo(0, 2)
}

test('new hours and photographs appear at once; photographs of a vacated unit stay with the unit', async ({
  page,
  elsewhere,
}) => {
  await signInToOffice(page, 'owner')
  await page.goto('/office/setup/ATL02/facility')
  await waitForPageShown(page)
  await expectPageSound(page)
  const gate = page.getByLabel('Gate hours')
  await gate.fill('4 AM to 11 PM every day')
  const hours = page.locator('form', { has: gate })
  await hours.getByLabel('Why').fill('Longer in winter')
  await hours.getByRole('button', { name: 'Save' }).click()
  await expect(main(page).getByRole('status')).toHaveText('Saved. Visitors see it now.')
  await page.goto('/office/setup/ATL02/photographs')
  await page
    .getByLabel('From this device')
    .setInputFiles([await picture('#7a5c44'), await picture('#44607a'), await picture('#5c7a44')])
  await button(page, 'Add them').click()
  await expect(main(page).getByLabel('It shows')).toHaveCount(3)
  await page.getByLabel('In words').first().fill('The gate and the first row of doors')
  await button(page, 'Save order and words').click()
  await expect(main(page).getByRole('status')).toBeVisible()
  await expectPageSound(page)
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
    await expectPageSound(page)
  }
  await elsewhere.goto(locationPath('ATL02'))
  await expect(elsewhere.getByText('Gate 4 AM–11 PM')).toBeVisible()
  const photo = elsewhere.getByRole('img', { name: 'The gate and the first row of doors' })
  await expect(photo).toBeVisible()
  expect(await photo.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)).toBe(true)
  await expectNoShiftByPhotographs(elsewhere)

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
  await expectPageSound(page)
  await button(page, 'Done').click()
  await expect(page).toHaveURL(/\/office\/field\?at=ATL02$/)
  await page.goto('/office/units/ATL02?state=free')
  await page.getByRole('link', { name: unit, exact: true }).click()
  await expect(page.getByRole('img', { name: new RegExp(`^Unit ${unit}, `) })).toBeVisible()
})

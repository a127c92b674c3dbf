import { expect, type Page } from '@playwright/test'
import { TOTP } from 'otpauth'
import { demoPassword } from '../demo/people.ts'
import { demoTotpSecret, staffEmail } from '../demo/staff.ts'
import type { OfficeRole } from '../domain/office/roles.ts'
import { button } from './journey.ts'

/** Signs a person of the demo in to the office: password, then the code of the app. A code works once for each person. */
export async function signInToOffice(page: Page, role: OfficeRole): Promise<void> {
  await page.goto('/office')
  await page.getByLabel('E-mail').fill(staffEmail({ role }))
  await page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await button(page, 'Next').click()
  const app = new TOTP({ secret: demoTotpSecret })
  // Another journey may have used the newest code: then the next one, which is taken a step ahead.
  for (const timestamp of [Date.now(), Date.now() + 30_000]) {
    await page.getByLabel(/code/i).first().fill(app.generate({ timestamp }))
    const answer = page.waitForResponse((one) => one.request().method() === 'POST')
    await button(page, 'Go on').click()
    if ((await answer).status() < 400) return page.waitForURL(/\/office$/)
  }
  throw new Error(`The office does not let the ${role} in`)
}

/** Presses a key of the office once its page listens to keys. */
export async function pressKey(page: Page, key: string): Promise<void> {
  await expect(page.locator('html[data-keys]')).toHaveCount(1)
  await page.keyboard.press(key)
}

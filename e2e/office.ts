import type { Page } from '@playwright/test'
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
  await page
    .getByLabel(/code/i)
    .first()
    .fill(new TOTP({ secret: demoTotpSecret }).generate())
  await button(page, 'Go on').click()
  await page.waitForURL(/\/office$/)
}

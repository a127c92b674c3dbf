import { type Cookie, expect, type Locator, type Page } from '@playwright/test'
import { TOTP } from 'otpauth'
import { demoTotpSecret, staffEmail } from '../demo/staff.ts'
import { demoPassword } from '../demo/tenants-with-leases-and-reservations.ts'
import type { OfficeRole } from '../domain/office/roles-and-permissions.ts'
import { siteTime, waitForPageShown } from './fixtures.ts'
import { button } from './renter-actions-and-locators.ts'

const tokenCookie = 'latchkey_office'

/** Session cookies of staff, by role. Later tests reuse the cookies, because an authenticator code works only once. */
const cookiesByRole = new Map<string, Cookie[]>()

/**
 * Signs a demo staff member in to the office: password, then the authenticator app's code.
 * @param scripts false for a browser without scripts, whose focus does not move to headings
 */
export async function signInToOffice(page: Page, role: OfficeRole, { scripts = true } = {}): Promise<void> {
  const expectHeading = async (name: string) => {
    const title = page.getByRole('heading', { name, level: 1 })
    await (scripts ? expect(title).toBeFocused() : expect(title).toBeVisible())
  }
  await page.context().clearCookies({ name: tokenCookie })
  await page.context().addCookies(cookiesByRole.get(role) ?? [])
  await page.goto('/office')
  if (/\/office$/.test(page.url())) return
  await page.getByLabel('E-mail').fill(staffEmail({ role }))
  await page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await button(page, 'Next').click()
  await expectHeading('Second factor')
  await page
    .getByLabel(/code/i)
    .first()
    .fill(new TOTP({ secret: demoTotpSecret }).generate({ timestamp: siteTime() }))
  await button(page, 'Go on').click()
  await expect(page).toHaveURL(/\/office$/)
  await expectHeading('Today')
  const cookies = await page.context().cookies()
  cookiesByRole.set(
    role,
    cookies.filter(({ name }) => name === tokenCookie),
  )
}

/** Presses an office shortcut key once the page listens for keys. */
export async function pressKey(page: Page, key: string): Promise<void> {
  await expect(page.locator('html[data-keys]')).toHaveCount(1)
  await page.keyboard.press(key)
}

interface Task {
  /** Number of presses that the task should take. A search, or the selection of a row, before the task does not count. */
  presses: number
  /** Number of presses that the task takes today, if larger, and the reason. */
  takes?: { presses: number; because: string }
}

/** Daily office tasks with the number of presses of each. */
const tasks = {
  'see who is calling': { presses: 0 },
  'call a late tenant': { presses: 2 },
  'note a promise': { presses: 2 },
  'write a note': { presses: 2 },
  'write a follow-up': { presses: 2, takes: { presses: 3, because: 'The day is a field of its own.' } },
  'send a link': { presses: 2 },
  'waive a fee': { presses: 3 },
  'post a check': { presses: 3 },
  'post a check of a stack': { presses: 3 },
  'change a gate code': { presses: 2, takes: { presses: 3, because: 'The audit keeps why it was changed.' } },
  'open the gate again': { presses: 2, takes: { presses: 3, because: 'The audit keeps why it was opened.' } },
  'schedule a move-out': { presses: 3 },
  'verify a move-out': { presses: 3 },
  'set a lock': { presses: 2 },
  'decide what waits': { presses: 1 },
  'hold a unit at the desk': {
    presses: 5,
    takes: { presses: 8, because: 'First name, last name, e-mail and phone are four fields.' },
  },
} satisfies Record<string, Task>

/** Counts presses: clicks, taps and keys. A field counts once, together with the key or click that leads to it. */
export class Presses {
  #count = 0
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  async click(target: Locator): Promise<void> {
    this.#count += 1
    await target.click()
    await waitForPageShown(this.#page)
  }

  async tap(target: Locator): Promise<void> {
    this.#count += 1
    await target.tap()
  }

  /** Presses an office shortcut key. */
  async key(key: string): Promise<void> {
    this.#count += 1
    await pressKey(this.#page, key)
  }

  /** Presses a browser key, such as Enter in a form. */
  async press(key: string): Promise<void> {
    this.#count += 1
    await this.#page.keyboard.press(key)
  }

  async fill(field: Locator, text: string): Promise<void> {
    this.#count += 1
    await field.fill(text)
  }

  async choose(field: Locator, option: string | { index: number }): Promise<void> {
    this.#count += 1
    await field.selectOption(option)
  }

  /** Types at the cursor. */
  async type(text: string): Promise<void> {
    this.#count += 1
    await this.#page.keyboard.type(text)
  }

  /** Ends a task: checks the task's number of presses and starts to count those of the next task. */
  done(task: keyof typeof tasks): void {
    const { presses, takes }: Task = tasks[task]
    expect(this.#count, `presses to ${task}`).toBe(takes?.presses ?? presses)
    this.#count = 0
  }
}

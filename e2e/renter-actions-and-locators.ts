/**
 * Functions that act on a page as a renter does and find elements mostly by role and label, and look-ups in the demo's
 * data. Only `rentQuickly` submits forms by requests.
 */
import { randomInt } from 'node:crypto'
import type { FrameLocator, Locator, Page } from '@playwright/test'
import { facilities } from '../demo/facilities.ts'
import { type UnitTypeCode, unitKinds } from '../demo/unit-kinds.ts'
import { addDays, formatUs } from '../domain/plain-date.ts'
import { todayIn } from '../domain/time-zone-dates.ts'
import { slugOf } from '../modules/facilities/rules/facility-slug.ts'
import { type TestCardName, testCard } from '../sandbox/test-cards.ts'
import { expect, siteTime, waitForPageShown } from './fixtures.ts'

export function facilityOf(code: string) {
  const facility = facilities.find((candidate) => candidate.code === code)
  if (!facility) throw new Error(`There is no facility ${code} in the demo`)
  return facility
}

export function locationPath(code: string): string {
  const { state, city, address } = facilityOf(code)
  return `/storage-units/${state.toLowerCase()}/${slugOf(city)}/${slugOf(address)}`
}

/** Returns the id of a unit type: its place in the facility's list, counted from 1. */
export function unitTypeId(code: string, type: UnitTypeCode): number {
  const index = facilityOf(code).units.findIndex(([unitType]) => unitType === type)
  if (index < 0) throw new Error(`${code} has no ${type}`)
  return index + 1
}

export const rentPath = (code: string, type: UnitTypeCode, rentNow = false): string =>
  `/rent/${code}/${unitTypeId(code, type)}${rentNow ? '?rentNow=1' : ''}`

export const unitTypeName = (type: UnitTypeCode): string => {
  const { length, breadth, category } = unitKinds[type]
  return `${length} × ${breadth} ${category}`
}

/** Returns the day that is this many days after today at the facility, as typed in a form: mm/dd/yyyy. */
export function typedDay(code: string, daysFromToday: number): string {
  return formatUs(addDays(todayIn(facilityOf(code).timeZone, siteTime()), daysFromToday))
}

export interface Renter {
  first: string
  last: string
  email: string
  phone: string
  address: string
  city: string
  state: string
  zip: string
}

export function newRenter(changes: Partial<Renter> = {}): Renter {
  const number = randomInt(1e9)
  return {
    first: 'Wanda',
    last: 'Pell',
    email: `wanda.pell.${number}@example.com`,
    phone: `404555${String(number % 10_000).padStart(4, '0')}`,
    address: '12 Test Mill Lane',
    city: 'Atlanta',
    state: 'GA',
    zip: '30308',
    ...changes,
  }
}

export const pathOf = (page: Page): string => new URL(page.url()).pathname

/** Waits until the page of the path is displayed. */
export async function waitForPath(page: Page, path: string): Promise<void> {
  // The address is polled, since a card payment navigates twice: for the card form's answer and the order's outcome.
  await expect.poll(() => pathOf(page), { timeout: 45_000 }).toBe(path)
  await page.waitForLoadState()
  await waitForPageShown(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
}

/** Reloads the page, and delays its scripts until `act` has finished. */
export async function beforeScripts(page: Page, act: () => Promise<unknown>): Promise<void> {
  const acted = Promise.withResolvers<void>()
  const scripts = '**/assets/*.js'
  await page.route(scripts, async (route) => {
    await acted.promise
    await route.continue()
  })
  await page.reload({ waitUntil: 'commit' })
  await act()
  acted.resolve()
  await page.waitForLoadState()
  await page.unroute(scripts)
}

export const textOf = async (place: Locator): Promise<string> => ((await place.textContent()) ?? '').trim()

export const main = (page: Page): Locator => page.getByRole('main')

export const heading = (page: Page): Locator => page.getByRole('heading', { level: 1 })

export const button = (page: Page, name: string | RegExp): Locator =>
  main(page).getByRole('button', { name, exact: typeof name === 'string' })

export async function dueToday(page: Page): Promise<string> {
  return textOf(page.locator('aside[aria-label="Price summary"] tfoot td'))
}

export const dialog = (page: Page, title: string | RegExp): Locator => page.getByRole('dialog', { name: title })

interface JourneyOptions {
  renter?: Renter
  /** Days from today to a reservation's move-in. */
  inDays?: number
  /** Code of the facility. */
  facility?: string
  agent?: boolean
  lien?: boolean
  /** First words of the plan's name, or 'own' for own coverage. */
  insurance?: string
  military?: boolean
  /** False switches autopay off on the lease page. */
  autopay?: boolean
  sign?: 'typed' | 'drawn'
  /** Called on each page before it is answered. */
  onPage?: (page: Page, path: string) => Promise<void>
}

/** A form field: name, label that the renter reads (a pattern for a radio button), and value. */
export type Field = [name: string, label: string | RegExp, value: string]

const yesOrNo = (yes = false): Field[] => [['answer', yes ? /^Yes\b/ : /^No\b/, yes ? 'yes' : 'no']]

const contactFields = (renter: Renter): Field[] => [
  ['first', 'First name', renter.first],
  ['last', 'Last name', renter.last],
  ['email', 'Email', renter.email],
  ['cell_phone', 'Phone', renter.phone],
  ['address', 'Address', renter.address],
  ['city', 'City', renter.city],
  ['state', 'State', renter.state],
  ['zip', 'Zip code', renter.zip],
]

/** Answers on pages of the journey, by path. Lease and payment are not among them. */
export const journeyAnswers: Record<string, (options: JourneyOptions) => Field[]> = {
  '/reservation-date': ({ facility = 'ATL01', inDays = 2 }) => [
    ['move_in_date', 'Move-in date', typedDay(facility, inDays)],
  ],
  '/add-contact': ({ renter = newRenter(), agent }) => [
    ...contactFields(renter),
    ...(agent ? [['designated_agent', 'I would like to name a designated agent', '1'] satisfies Field] : []),
  ],
  '/designated-agent': () => [
    ['agent_name', 'Name', 'Robert Pell'],
    ['agent_email', 'Email', 'robert.pell@example.com'],
    ['agent_address', 'Address', '18 Paper Court'],
    ['agent_city', 'City', 'Augusta'],
    ['agent_state', 'State', 'GA'],
    ['agent_zip', 'Zip code', '30904'],
  ],
  '/default-notice': () => [['default_notice', /^By email/, 'email']],
  '/reservation-details': () => [],
  '/reservation-confirmed': () => [],
  '/vehicle': () => yesOrNo(),
  '/lien-holder': ({ lien }) => yesOrNo(lien),
  '/lien-holder-details': () => [
    ['lien_name', 'Name', 'Harbor Credit Union'],
    ['phone_number', 'Phone', '404-555-0190'],
    ['description', 'Description', 'Loan on the piano'],
  ],
  '/insurance-schemes': ({ insurance = 'Tenant Protection $2,000' }) => [
    insurance === 'own'
      ? ['coverage', /^I have my own coverage/, 'own']
      : ['coverage', new RegExp(`^${insurance.replace(/[$]/g, '\\$')}`), '1'],
  ],
  '/home-owner-insurance': ({ facility = 'ATL01' }) => [
    ['carrier', 'Carrier', 'Old Harbor Mutual'],
    ['policy_number', 'Policy number', 'OHM-2207'],
    ['expiration_date', 'Expiration date', typedDay(facility, 200)],
  ],
  '/shield-brochure': () => [],
  '/customer-info': ({ facility = 'ATL01' }) => [
    ['drivers_license', "Driver's license number", '053812774'],
    ['issued_state', 'Issued state', 'GA'],
    ['birth_date', 'Birth date', '04/09/1986'],
    ['expiration_date', 'License expiration date', typedDay(facility, 700)],
    ['brief_description', 'Brief description', 'Furniture and boxes from a two-bedroom apartment'],
  ],
  '/full-day-access': () => yesOrNo(),
  '/military': ({ military }) => yesOrNo(military),
  '/military-details': () => [
    ['military_branch', 'Branch', 'Navy'],
    ['military_base', 'Base', 'Joint Base Charleston'],
    ['commanding_officer', 'Commanding officer', 'Cmdr. Ellen Strom'],
  ],
}

async function fillIn(page: Page, fields: Field[]): Promise<void> {
  for (const [, label, value] of fields) {
    if (label instanceof RegExp) {
      await page.getByRole('radio', { name: label }).check()
      continue
    }
    const field = main(page).getByLabel(label, { exact: true })
    const kind = await field.evaluate((element) => element.getAttribute('type') ?? element.tagName)
    if (kind === 'SELECT') await field.selectOption(value)
    else if (kind === 'checkbox') await field.check()
    else await field.fill(value)
  }
}

export const fillContact = (page: Page, renter: Renter): Promise<void> => fillIn(page, contactFields(renter))

/** Answers the journey's pages until the page with the path `until` is open. */
export async function answerStepsUntil(page: Page, until: string, options: JourneyOptions = {}): Promise<void> {
  for (let turn = 0; turn < Object.keys(journeyAnswers).length + 3; turn += 1) {
    await waitForPageShown(page)
    await expect(heading(page)).toHaveCount(1)
    const path = pathOf(page)
    if (path === until) return
    await options.onPage?.(page, path)
    if (path === '/lease') await signLease(page, options)
    else if (path === '/payment-method') await button(page, /^(Pay|Store my card)/).click()
    else {
      const fields = journeyAnswers[path]
      if (!fields) throw new Error(`The journey came to ${page.url()} on its way to ${until}`)
      await fillIn(page, fields(options))
      await button(page, /^(Next|Submit Reservation|Rental Information|Confirm Reservation|Move-in Now)$/).click()
    }
    await expect.poll(() => pathOf(page), { timeout: 45_000 }).not.toBe(path)
  }
  throw new Error(`The journey never came to ${until}; it is at ${page.url()}`)
}

/** Starts at the unit type and walks to a page of the journey. */
export async function rentUntil(
  page: Page,
  code: string,
  type: UnitTypeCode,
  until: string,
  options: JourneyOptions & { reserve?: boolean } = {},
): Promise<void> {
  await page.goto(rentPath(code, type, !options.reserve))
  await answerStepsUntil(page, until, { facility: code, ...options })
}

const signerOf = ({ renter }: Pick<JourneyOptions, 'renter'>) =>
  renter ? `${renter.first} ${renter.last}` : 'Wanda Pell'

/** Returns the form fields that sign the lease, or choose a card on the payment page, at the price that the page shows. */
function agreementFields(path: string, html: string, signature: string): Record<string, string> {
  const quote = /name="quote" value="([^"]+)"/.exec(html)?.[1] ?? ''
  return path === '/lease'
    ? { intent: 'sign', quote, consent: '1', method: 'typed', typed: signature }
    : { quote, method: 'CC' }
}

/**
 * Walks to a page of the journey as `rentUntil` does, for journeys whose subject comes later: submits each form as a
 * browser without scripts does, and opens only the last page. Ignores `autopay`, `sign`, `onPage` and a plan's name in
 * `insurance`.
 */
export async function rentQuickly(
  page: Page,
  code: string,
  type: UnitTypeCode,
  until: string,
  options: JourneyOptions & { reserve?: boolean } = {},
): Promise<void> {
  const { request } = page
  const answerOptions = { facility: code, ...options }
  const start = await request.get(rentPath(code, type, !options.reserve), { maxRedirects: 0 })
  let path = start.headers().location ?? ''
  for (let turn = 0; turn < Object.keys(journeyAnswers).length + 3; turn += 1) {
    const { pathname } = new URL(path, 'http://localhost')
    if (pathname === until) {
      await page.goto(path)
      return waitForPath(page, until)
    }
    const form = journeyAnswers[pathname]
      ? Object.fromEntries(journeyAnswers[pathname](answerOptions).map(([name, , value]) => [name, value]))
      : agreementFields(pathname, await (await request.get(path)).text(), signerOf(options))
    const response = await request.post(path, { form, maxRedirects: 0 })
    if (response.status() !== 302)
      throw new Error(`${path} answered ${response.status()}: ${(await response.text()).slice(0, 300)}`)
    path = response.headers().location ?? ''
  }
  throw new Error(`The journey never came to ${until}; it is at ${path}`)
}

async function signLease(page: Page, { renter, autopay, sign = 'typed' }: JourneyOptions): Promise<void> {
  await expect(heading(page)).toHaveText('Your lease')
  if (autopay === false) await declineAutopay(page)
  // A renter whose name may not be shown types it into this field. The label must match exactly, since 'Type your full
  // name to sign', shown before the scripts run, is another field.
  const signer = page.getByLabel('Your full name', { exact: true })
  const name = signerOf({ renter })
  if ((await signer.count()) > 0) await signer.fill(name)
  await page.getByRole('checkbox', { name: /I agree to sign electronically/ }).check()
  if (sign === 'typed') await signTyped(page, name)
  else await signDrawn(page)
  await button(page, 'Accept').click()
}

/** Switches autopay off and waits until the page confirms it with the new amount due today. */
async function declineAutopay(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: /^Pay automatically/ }).click()
  await expect(page.getByText(/^Autopay is off\. Due today:/)).toBeVisible()
}

export async function signTyped(page: Page, name: string): Promise<void> {
  await page.getByRole('radio', { name: 'Type it' }).check()
  await page.getByLabel('Type your full name').fill(name)
}

async function signDrawn(page: Page): Promise<void> {
  const sheet = page.getByRole('img', { name: /^Signature of/ })
  await sheet.scrollIntoViewIfNeeded()
  const box = await sheet.boundingBox()
  if (!box) throw new Error('There is nothing to sign on')
  const move = (x: number, y: number) => page.mouse.move(box.x + box.width * x, box.y + box.height * y, { steps: 4 })
  await move(0.2, 0.6)
  await page.mouse.down()
  await move(0.3, 0.3)
  await move(0.5, 0.7)
  await move(0.75, 0.4)
  await page.mouse.up()
}

export const cardFrame = (page: Page): FrameLocator => page.frameLocator('iframe[title]')

export async function fillCard(page: Page, card: TestCardName): Promise<void> {
  const frame = cardFrame(page)
  const { number } = testCard(card)
  await frame.getByLabel('Card number').fill(number)
  await frame.getByLabel('Expiry date').fill('12 / 39')
  await frame.getByLabel('Security code').fill(/^3[47]/.test(number) ? '1234' : '123')
  await frame.getByLabel('Name on card').fill('Wanda Pell')
  await frame.getByLabel('Billing ZIP code').fill('30308')
}

export async function payWithCard(page: Page, card: TestCardName, path = '/process-payment'): Promise<void> {
  await waitForPath(page, path)
  await fillCard(page, card)
  // By key, because on a busy machine a click into a scrolling frame may miss the button.
  await cardFrame(page)
    .getByRole('button', { name: /^(Pay|Save card)/ })
    .press('Enter')
}

export async function cancelCardPage(page: Page, path = '/process-payment'): Promise<void> {
  await waitForPath(page, path)
  await cardFrame(page).getByRole('link', { name: 'Cancel and go back' }).press('Enter')
}

/**
 * Waits for the completed move-in.
 * @returns unit number and gate code
 */
export async function expectMovedIn(page: Page): Promise<{ unit: string; gateCode: string }> {
  await waitForPath(page, '/rental-completed')
  await expect(heading(page)).toHaveText("Congrats! You're moved in!")
  const [unit = '', gateCode = ''] = await page.locator('.done-codes .figure').allTextContents()
  return { unit: unit.trim(), gateCode: gateCode.trim() }
}

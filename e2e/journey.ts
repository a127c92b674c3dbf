/**
 * The renter's actions as functions of the page, by role and label: a journey fails where a renter would be stopped.
 */
import { randomInt } from 'node:crypto'
import type { FrameLocator, Locator, Page } from '@playwright/test'
import { facilities } from '../demo/facilities.ts'
import { type UnitTypeCode, unitKinds } from '../demo/unit-kinds.ts'
import { todayIn } from '../domain/dates.ts'
import { addDays, formatUs } from '../domain/plain-date.ts'
import { type TestCardName, testCard } from '../sandbox/cards.ts'
import { expect } from './fixtures.ts'

// ── The demo operator ─────────────────────────────────────────────────────────────────────────────────────────────────

const slug = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

export function facilityOf(code: string) {
  const facility = facilities.find((one) => one.code === code)
  if (!facility) throw new Error(`There is no facility ${code} in the demo`)
  return facility
}

/** The facility's own page. */
export function locationPath(code: string): string {
  const { state, city, address } = facilityOf(code)
  return `/storage-units/${state.toLowerCase()}/${slug(city)}/${slug(address)}`
}

/** Unit types are numbered in the order of the facility's list. */
export function unitTypeId(code: string, type: UnitTypeCode): number {
  const index = facilityOf(code).units.findIndex(([one]) => one === type)
  if (index < 0) throw new Error(`${code} has no ${type}`)
  return index + 1
}

export const rentPath = (code: string, type: UnitTypeCode, rentNow = false): string =>
  `/rent/${code}/${unitTypeId(code, type)}${rentNow ? '?rentNow=1' : ''}`

/** As the unit type is named on the facility's page. */
export const unitTypeName = (type: UnitTypeCode): string => {
  const { length, breadth, category } = unitKinds[type]
  return `${length} × ${breadth} ${category}`
}

/** A day counted from today at the facility, as it is typed. */
export function day(code: string, daysFromToday: number): string {
  return formatUs(addDays(todayIn(facilityOf(code).timeZone, Date.now()), daysFromToday))
}

// ── People ────────────────────────────────────────────────────────────────────────────────────────────────────────────

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

/** A renter with an e-mail address that no other test uses. */
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

export async function fillContact(page: Page, renter: Renter): Promise<void> {
  const form = page.getByRole('main')
  await form.getByLabel('First name').fill(renter.first)
  await form.getByLabel('Last name').fill(renter.last)
  await form.getByLabel('Email', { exact: true }).fill(renter.email)
  await form.getByLabel('Phone', { exact: true }).fill(renter.phone)
  await form.getByLabel('Address', { exact: true }).fill(renter.address)
  await form.getByLabel('City', { exact: true }).fill(renter.city)
  await form.getByLabel('State', { exact: true }).selectOption(renter.state)
  await form.getByLabel('Zip code', { exact: true }).fill(renter.zip)
}

// ── Pages ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

export const pathOf = (page: Page): string => new URL(page.url()).pathname

/** The page has this address, ready to be read. */
export async function arrive(page: Page, path: string): Promise<void> {
  await page.waitForURL((url) => url.pathname === path)
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
}

/** Reloads the page on a network that brings its scripts only once `act` has filled something in. */
export async function beforeScripts(page: Page, act: () => Promise<unknown>): Promise<void> {
  let bring = () => {}
  const acted = new Promise<void>((done) => {
    bring = done
  })
  const scripts = '**/assets/*.js'
  await page.route(scripts, async (route) => {
    await acted
    await route.continue()
  })
  await page.reload({ waitUntil: 'commit' })
  await act()
  bring()
  await page.waitForLoadState()
  await page.unroute(scripts)
}

export const textOf = async (place: Locator): Promise<string> => ((await place.textContent()) ?? '').trim()

export const button = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('main').getByRole('button', { name, exact: typeof name === 'string' })

export const next = (page: Page): Promise<void> => button(page, 'Next').click()

/** Answers a page that asks one question. */
export async function answer(page: Page, said: 'Yes' | 'No'): Promise<void> {
  await page.getByRole('radio', { name: new RegExp(`^${said}\\b`) }).check()
  await next(page)
}

/** Due today as the price summary beside the page has it, such as '$39.44'. */
export async function dueToday(page: Page): Promise<string> {
  return textOf(page.locator('aside[aria-label="Price summary"] tfoot td'))
}

/** The dialog that says this. */
export const dialog = (page: Page, title: string | RegExp): Locator => page.getByRole('dialog', { name: title })

export interface Wishes {
  renter?: Renter
  /** Days from today, for a reservation. */
  inDays?: number
  facility?: string
  agent?: boolean
  defaultNotice?: 'mail' | 'email'
  vehicle?: boolean
  lien?: boolean
  /** Part of the plan's name, or 'own'. */
  insurance?: string
  access24?: boolean
  military?: boolean
  autopay?: boolean
  sign?: 'typed' | 'drawn'
  /** Called on every page before it is answered. */
  at?: (page: Page, path: string) => Promise<void>
}

type Step = (page: Page, wishes: Wishes) => Promise<void>

/** How each page of the journey is answered. */
const steps: Record<string, Step> = {
  '/reservation-date': async (page, { facility = 'ATL01', inDays = 2 }) => {
    await page.getByLabel('Move-in date').fill(day(facility, inDays))
    await next(page)
  },
  '/add-contact': async (page, { renter = newRenter(), agent }) => {
    await fillContact(page, renter)
    if (agent) await page.getByLabel('I would like to name a designated agent').check()
    await button(page, /^(Submit Reservation|Rental Information)$/).click()
  },
  '/designated-agent': async (page) => {
    await page.getByLabel('Name', { exact: true }).fill('Robert Pell')
    await page.getByLabel('Email', { exact: true }).fill('robert.pell@example.com')
    await page.getByLabel('Address', { exact: true }).fill('18 Paper Court')
    await page.getByLabel('City', { exact: true }).fill('Augusta')
    await page.getByLabel('State', { exact: true }).selectOption('GA')
    await page.getByLabel('Zip code', { exact: true }).fill('30904')
    await next(page)
  },
  '/default-notice': async (page, { defaultNotice = 'email' }) => {
    await page.getByRole('radio', { name: new RegExp(`^By ${defaultNotice}`) }).check()
    await next(page)
  },
  '/reservation-details': (page) => button(page, 'Confirm Reservation').click(),
  '/reservation-confirmed': (page) => button(page, 'Move-in Now').click(),
  '/vehicle': (page, { vehicle }) => answer(page, vehicle ? 'Yes' : 'No'),
  '/vehicle-info': async (page) => {
    await page.getByLabel('Make', { exact: true }).fill('Toyota')
    await page.getByLabel('Model', { exact: true }).fill('Tacoma')
    await page.getByLabel('Color', { exact: true }).fill('Blue')
    await page.getByLabel('I confirm that the vehicle has valid and current insurance.').check()
    await next(page)
  },
  '/lien-holder': (page, { lien }) => answer(page, lien ? 'Yes' : 'No'),
  '/lien-holder-details': async (page) => {
    await page.getByLabel('Name', { exact: true }).fill('Harbor Credit Union')
    await page.getByLabel('Phone', { exact: true }).fill('404-555-0190')
    await page.getByLabel('Description').fill('Loan on the piano')
    await next(page)
  },
  '/insurance-schemes': async (page, { insurance = 'Tenant Protection $2,000' }) => {
    const name = insurance === 'own' ? 'I have my own coverage' : insurance
    await page.getByRole('radio', { name: new RegExp(`^${name.replace(/[$]/g, '\\$')}`) }).check()
    await next(page)
  },
  '/home-owner-insurance': async (page, { facility = 'ATL01' }) => {
    await page.getByLabel('Carrier').fill('Old Harbor Mutual')
    await page.getByLabel('Policy number').fill('OHM-2207')
    await page.getByLabel('Expiration date').fill(day(facility, 200))
    await next(page)
  },
  '/shield-brochure': next,
  '/customer-info': async (page, { facility = 'ATL01' }) => {
    await page.getByLabel("Driver's license number").fill('053812774')
    await page.getByLabel('Issued state').selectOption('GA')
    await page.getByLabel('Birth date').fill('04/09/1986')
    await page.getByLabel('License expiration date').fill(day(facility, 700))
    await page.getByLabel('Brief description').fill('Furniture and boxes from a two-bedroom apartment')
    await next(page)
  },
  '/full-day-access': (page, { access24 }) => answer(page, access24 ? 'Yes' : 'No'),
  '/military': (page, { military }) => answer(page, military ? 'Yes' : 'No'),
  '/military-details': async (page) => {
    await page.getByLabel('Branch').fill('Navy')
    await page.getByLabel('Base').fill('Joint Base Charleston')
    await page.getByLabel('Commanding officer').fill('Cmdr. Ellen Strom')
    await next(page)
  },
  '/lease': (page, wishes) => signLease(page, wishes),
  '/payment-method': (page) => button(page, /^(Pay|Store my card)/).click(),
}

/** Answers page after page until one has this address. */
export async function walk(page: Page, until: string, wishes: Wishes = {}): Promise<void> {
  const most = Object.keys(steps).length + 1
  for (let turn = 0; turn < most; turn += 1) {
    const path = pathOf(page)
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
    if (path === until) return
    const step = steps[path]
    if (!step) throw new Error(`The journey came to ${page.url()} on its way to ${until}`)
    await wishes.at?.(page, path)
    await step(page, wishes)
    await page.waitForURL((url) => url.pathname !== path)
  }
  throw new Error(`The journey never came to ${until}; it is at ${page.url()}`)
}

/** Begins at the unit type and walks to a page of the journey. */
export async function rent(
  page: Page,
  code: string,
  type: UnitTypeCode,
  until: string,
  wishes: Wishes & { reserve?: boolean } = {},
): Promise<void> {
  await page.goto(rentPath(code, type, !wishes.reserve))
  await walk(page, until, { facility: code, ...wishes })
}

/** What a browser without scripts would send from each page. */
const forms: Record<string, (wishes: Wishes, page: string) => Record<string, string>> = {
  '/reservation-date': ({ facility = 'ATL01', inDays = 2 }) => ({ move_in_date: day(facility, inDays) }),
  '/add-contact': ({ renter = newRenter() }) => ({
    first: renter.first,
    last: renter.last,
    email: renter.email,
    cell_phone: renter.phone,
    address: renter.address,
    city: renter.city,
    state: renter.state,
    zip: renter.zip,
  }),
  '/default-notice': () => ({ default_notice: 'email' }),
  '/reservation-details': () => ({}),
  '/reservation-confirmed': () => ({}),
  '/vehicle': () => ({ answer: 'no' }),
  '/lien-holder': () => ({ answer: 'no' }),
  '/insurance-schemes': () => ({ coverage: '1' }),
  '/shield-brochure': () => ({}),
  '/customer-info': ({ facility = 'ATL01' }) => ({
    drivers_license: '053812774',
    issued_state: 'GA',
    birth_date: '04/09/1986',
    expiration_date: day(facility, 700),
    brief_description: 'Furniture and boxes',
  }),
  '/full-day-access': () => ({ answer: 'no' }),
  '/military': () => ({ answer: 'no' }),
  '/lease': (_, page) => ({ intent: 'sign', quote: quoteIn(page), consent: '1', method: 'typed', typed: 'Wanda Pell' }),
  '/payment-method': (_, page) => ({ quote: quoteIn(page), method: 'CC' }),
}

const quoteIn = (page: string): string => /name="quote" value="([^"]+)"/.exec(page)?.[1] ?? ''

/**
 * As `rent`, for journeys whose subject comes later: forms are posted as without scripts, and only the last page is opened.
 */
export async function rentQuickly(
  page: Page,
  code: string,
  type: UnitTypeCode,
  until: string,
  wishes: Wishes & { reserve?: boolean } = {},
): Promise<void> {
  const { request } = page
  let path = rentPath(code, type, !wishes.reserve)
  const answered = await request.get(path, { maxRedirects: 0 })
  path = answered.headers().location ?? ''
  for (let turn = 0; turn <= Object.keys(forms).length; turn += 1) {
    const { pathname } = new URL(path, 'http://localhost')
    if (pathname === until) {
      await page.goto(path)
      return arrive(page, until)
    }
    const form = forms[pathname]
    if (!form) throw new Error(`The journey came to ${path} on its way to ${until}`)
    const shown = pathname === '/lease' || pathname === '/payment-method' ? await (await request.get(path)).text() : ''
    const sent = await request.post(path, { form: form({ facility: code, ...wishes }, shown), maxRedirects: 0 })
    if (sent.status() !== 302)
      throw new Error(`${path} answered ${sent.status()}: ${(await sent.text()).slice(0, 300)}`)
    path = sent.headers().location ?? ''
  }
  throw new Error(`The journey never came to ${until}; it is at ${path}`)
}

// ── The lease ─────────────────────────────────────────────────────────────────────────────────────────────────────────

export async function signLease(page: Page, { renter, autopay, sign = 'typed' }: Wishes = {}): Promise<void> {
  // The address changes a moment before the page: what is counted must be counted on the lease.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your lease')
  if (autopay === false) await declineAutopay(page)
  // A renter whom the page may not name types the name.
  // Before the page's scripts run, 'Type your full name' stands there too.
  const signer = page.getByLabel('Your full name', { exact: true })
  const name = renter ? `${renter.first} ${renter.last}` : 'Wanda Pell'
  if ((await signer.count()) > 0) await signer.fill(name)
  await page.getByRole('checkbox', { name: /I agree to sign electronically/ }).check()
  if (sign === 'typed') await signTyped(page, name)
  else await signDrawn(page)
  await button(page, 'Accept').click()
}

/** Turns autopay off; the lease is then set again. */
export async function declineAutopay(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: /^Pay automatically/ }).click()
  await expect(page.getByText(/^Autopay is off\. Due today:/)).toBeVisible()
}

export async function signTyped(page: Page, name: string): Promise<void> {
  await page.getByRole('radio', { name: 'Type it' }).check()
  await page.getByLabel('Type your full name').fill(name)
}

export async function signDrawn(page: Page): Promise<void> {
  const sheet = page.getByRole('img', { name: /^Signature of/ })
  await sheet.scrollIntoViewIfNeeded()
  const box = await sheet.boundingBox()
  if (!box) throw new Error('There is nothing to sign on')
  await page.mouse.move(box.x + box.width * 0.2, box.y + box.height * 0.6)
  await page.mouse.down()
  for (const [x, y] of [
    [0.3, 0.3],
    [0.4, 0.7],
    [0.5, 0.35],
    [0.6, 0.65],
    [0.75, 0.4],
  ] as const) {
    await page.mouse.move(box.x + box.width * x, box.y + box.height * y, { steps: 4 })
  }
  await page.mouse.up()
}

// ── Paying ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The provider's card page inside our page. */
export const cardFrame = (page: Page): FrameLocator => page.frameLocator('iframe[title]')

/** Fills in the card page in the frame and sends it. */
export async function payWithCard(page: Page, card: TestCardName, path = '/process-payment'): Promise<void> {
  await arrive(page, path)
  const frame = cardFrame(page)
  const { number } = testCard(card)
  await frame.getByLabel('Card number').fill(number)
  await frame.getByLabel('Expiry date').fill('12 / 39')
  await frame.getByLabel('Security code').fill(/^3[47]/.test(number) ? '1234' : '123')
  await frame.getByLabel('Name on card').fill('Wanda Pell')
  await frame.getByLabel('Billing ZIP code').fill('30308')
  // By key: a click into another site's frame that still scrolls may land beside the button on a busy machine.
  await frame.getByRole('button', { name: /^(Pay|Save card)/ }).press('Enter')
}

export async function cancelCardPage(page: Page): Promise<void> {
  await arrive(page, '/process-payment')
  await cardFrame(page).getByRole('link', { name: 'Cancel and go back' }).press('Enter')
}

/** Rents a unit from beginning to end. @returns the unit and the gate code as the last page shows them */
export async function moveIn(
  page: Page,
  code: string,
  type: UnitTypeCode,
  wishes: Wishes & { reserve?: boolean; card?: TestCardName } = {},
): Promise<{ unit: string; gateCode: string }> {
  await rent(page, code, type, '/process-payment', wishes)
  await payWithCard(page, wishes.card ?? 'visa')
  return movedIn(page)
}

/** What the completion page says. */
export async function movedIn(page: Page): Promise<{ unit: string; gateCode: string }> {
  await arrive(page, '/rental-completed')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText("Congrats! You're moved in!")
  const [unit = '', gateCode = ''] = (await page.locator('.done-codes .figure').allTextContents()).map((text) =>
    text.trim(),
  )
  return { unit, gateCode }
}

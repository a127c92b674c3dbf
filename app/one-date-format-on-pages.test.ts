import { beforeEach, expect, it } from 'vitest'
import {
  createAcknowledgedAuction,
  createSettlementLink,
  openPayingServices,
  type PayingServices,
} from '../modules/payments/testing.ts'
import { sandboxForTests } from '../modules/payments/testing-card-provider.ts'
import { readyToPay } from '../modules/payments/testing-rent-until-card-page.ts'
import { openerForTests } from '../tests/support/databases.ts'
import { change } from '../tests/support/rows.ts'
import {
  beginTestCheckout,
  chooseCard,
  cyDues,
  payByTestCard,
  signInGuestBrowser,
  signInTenantBrowser,
} from './pay/testing.ts'
import { contactFormValues, Renter } from './reserve/testing.ts'
import type { Browser } from './testing.ts'

const { till, folder } = sandboxForTests('one-date-form')
const open = openerForTests()

const month =
  'Jan(uary)?|Feb(ruary)?|Mar(ch)?|Apr(il)?|May|June?|July?|Aug(ust)?|Sep(tember)?|Oct(ober)?|Nov(ember)?|Dec(ember)?'
const otherForms = new RegExp(`\\b(${month})\\s\\d{1,2}\\b|\\b(\\d/\\d{1,2}|\\d\\d/\\d)/\\d{4}`, 'g')
const inOneForm = /\b\d\d\/\d\d\/\d{4}\b/g

/** Returns the text of a page, without scripts, style sheets and tags. */
const words = (html: string) =>
  html
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#x27;|’/g, "'")
    .replace(/\s+/g, ' ')

let services: PayingServices
let dates: number
beforeEach(async () => {
  services = await openPayingServices(await open(), till, folder)
  dates = 0
})

/**
 * Opens a page, and checks and counts its dates.
 * @returns the HTML; of a redirect, its address
 */
async function readPage(browser: Browser, path: string): Promise<string> {
  const page = await browser.get(path)
  if (page.status !== 200) return page.to
  const html = page.html()
  expect(words(html).match(otherForms) ?? [], `dates of ${path} in another form than mm/dd/yyyy`).toEqual([])
  dates += words(html).match(inOneForm)?.length ?? 0
  return html
}

/**
 * Reads pages of the portal and the pages of `portal` to which they link, directly or through other pages.
 * @returns the paths read
 */
async function readLinkedPages(browser: Browser, ...from: string[]): Promise<string[]> {
  const paths = [...from]
  for (const path of paths) {
    const html = await readPage(browser, path)
    for (const [, href = ''] of html.matchAll(/href="(\/[^"#]+)/g)) {
      const to = href.replaceAll('&amp;', '&')
      if (portal.test(to) && !paths.includes(to)) paths.push(to)
    }
  }
  return paths
}
const portal =
  /^\/(my-units|unit-lease-details|recent-activity(?!\.csv)|schedule-move-out|change-size|move-out-receipt|proof-of-insurance|account-profile|update-profile|receipt\/)/

it('pages of a reservation and a rental write every date in one form', async () => {
  const browser = new Renter(services)
  await browser.startRental()
  await readPage(browser, '/reservation-date')
  await browser.post('/reservation-date', { move_in_date: '11/22/2026' })
  await browser.post('/add-contact', contactFormValues)
  for (const path of ['/add-contact', '/reservation-details']) await readPage(browser, path)
  expect((await browser.post('/reservation-details')).to).toBe('/reservation-confirmed')
  for (const path of ['/reservation-confirmed', '/cancel-reservation', '/vehicle']) await readPage(browser, path)
  expect(dates).toBeGreaterThan(8)
})

it('payment pages of a move-in write every date in one form', async () => {
  const { draftId } = await readyToPay(services)
  const renter = new Renter(services, { draftId })
  const steps = ['/vehicle', '/insurance-schemes', '/customer-info', '/full-day-access', '/military', '/payment-method']
  for (const path of steps) await readPage(renter, path)
  await renter.payWith('visa')
  expect(await readPage(renter, '/rental-completed')).toContain('gate code')
  expect(dates).toBeGreaterThan(8)
})

it('pages of a paid-up and of a past-due tenant write every date in one form', async () => {
  const ada = await signInTenantBrowser(services, 'ada')
  const paths = await readLinkedPages(
    ada,
    '/my-units',
    '/change-size?lease=10001&unit_type_id=2&transfer_date=11/22/2026',
  )
  expect(paths.length).toBeGreaterThan(8)
  const cy = await signInTenantBrowser(services, 'cy')
  await change(services, 'leases', { lease_number: 10002 }, { status: 'Past Due' })
  await readLinkedPages(cy, '/my-units')
  await beginTestCheckout(cy, services, cyDues)
  expect((await chooseCard(cy, 'tenant')).to).toBe('/online-payment')
  await readPage(cy, '/online-payment')
  await payByTestCard(services, cyDues)
  expect((await readLinkedPages(cy, '/my-units')).some((path) => path.startsWith('/receipt/'))).toBe(true)
  expect(dates).toBeGreaterThan(20)
})

it('payment pages of a guest, a settlement and an auction write every date in one form', async () => {
  const guest = await signInGuestBrowser(services, 1002)
  await beginTestCheckout(guest, services, { ...cyDues, payer: 'guest' })
  for (const path of ['/guest/find-units', '/guest/select-method']) expect(await readPage(guest, path)).toContain('<h1')
  expect(dates).toBeGreaterThan(0)
  const visitor = new Renter(services)
  for (const path of [
    `/past-due-payment/${await createSettlementLink(services)}`,
    `/auction-winner/${await createAcknowledgedAuction(services)}`,
  ])
    expect(await readPage(visitor, path)).toContain('<h1')
})

/** Every branch of the move-in, each with what it must leave behind in the records. */
import { expect, test } from './fixtures.ts'
import {
  arrive,
  beforeScripts,
  button,
  dueToday,
  movedIn,
  moveIn,
  newRenter,
  payWithCard,
  rent,
  rentQuickly,
  signTyped,
  walk,
} from './journey.ts'
import { change, charged, leasesOf, ledgerOf, letter, look, mailTo, paymentsOf } from './records.ts'

/** Remembers which pages were met. */
const trail = () => {
  const met: string[] = []
  return { met, at: async (_: unknown, path: string) => void met.push(path) }
}

test('rent now: the contact form leads into the move-in, today, without dates or a summary', async ({ page, site }) => {
  const renter = newRenter()
  const { met, at } = trail()
  const { unit } = await moveIn(page, 'CLT01', 'CC0505', { renter, at, sign: 'drawn' })
  expect(met).toEqual([
    '/add-contact',
    '/vehicle',
    '/lien-holder',
    '/insurance-schemes',
    '/shield-brochure',
    '/customer-info',
    '/military',
    '/lease',
    '/payment-method',
  ])
  const [lease] = await leasesOf(site, renter.email)
  expect(lease).toMatchObject({ unit_number: unit, insurance_status: 1, insurance_scheme_id: 1 })
})

test('Georgia: a designated agent who was named stands in the lease', async ({ page, site }) => {
  const renter = newRenter()
  const { met, at } = trail()
  await moveIn(page, 'ATL01', 'CC1010', { renter, agent: true, lien: true, at })
  expect(met.slice(0, 2)).toEqual(['/add-contact', '/designated-agent'])
  expect(met).toContain('/lien-holder-details')
  const [lease] = await leasesOf(site, renter.email)
  expect(lease?.details).toContain('Robert Pell')
  expect(lease?.details).toContain('Harbor Credit Union')
})

test('Georgia: the agent page says what is missing and lets nobody past', async ({ page }) => {
  await rent(page, 'ATL01', 'CC1010', '/designated-agent', { agent: true })
  const next = button(page, 'Next')
  await expect(next).toBeDisabled()
  await expect(page.getByText(/^Still needed:/)).toBeVisible()
  await page.getByLabel('Name', { exact: true }).fill('Robert Pell')
  await page.getByLabel('Email', { exact: true }).fill('robert.pell@example.com')
  await page.getByLabel('Address', { exact: true }).fill('18 Paper Court')
  await page.getByLabel('City', { exact: true }).fill('Augusta')
  await page.getByLabel('State', { exact: true }).selectOption('GA')
  await expect(next).toBeDisabled()
  await page.getByLabel('Zip code', { exact: true }).fill('30904')
  await expect(next).toBeEnabled()
})

for (const choice of ['mail', 'email'] as const) {
  test(`South Carolina: default notices by ${choice}, kept encrypted`, async ({ page, site }) => {
    const renter = newRenter({ city: 'North Charleston', state: 'SC', zip: '29405' })
    const { met, at } = trail()
    await rent(page, 'CHS01', 'CC0510', '/lease', { renter, defaultNotice: choice, reserve: choice === 'mail', at })
    expect(met).toContain('/default-notice')
    await expect(page.getByRole('region', { name: 'Lease', exact: true })).toContainText(
      choice === 'mail' ? /default[\s\S]*mail/i : /default[\s\S]*e-?mail/i,
    )
    const drafts = await look(site, (db) =>
      db.selectFrom('rental_drafts').selectAll().where('location_code', '=', 'CHS01').execute(),
    )
    const mine = drafts.filter(({ answers }) => answers.includes(renter.email))
    expect(mine).toHaveLength(1)
    expect(mine[0]?.answers).not.toContain('defaultNotice')
    expect(mine[0]?.sealed_answers).not.toBeNull()
  })
}

test('a vehicle takes the insurance pages away and stands in the lease', async ({ page, site }) => {
  const renter = newRenter()
  const { met, at } = trail()
  await moveIn(page, 'BHM01', 'PO1020', { renter, vehicle: true, at })
  expect(met).toContain('/vehicle-info')
  expect(met.filter((path) => /insurance|brochure/.test(path))).toEqual([])
  const [lease] = await leasesOf(site, renter.email)
  expect(lease).toMatchObject({ insurance_status: 3, insurance_premium: 0 })
  expect(lease?.details).toContain('Tacoma')
})

test('own insurance costs nothing and is kept with its number', async ({ page, site }) => {
  const renter = newRenter()
  const { met, at } = trail()
  await moveIn(page, 'JAX01', 'CC1010', { renter, insurance: 'own', at })
  expect(met).toContain('/home-owner-insurance')
  // Jacksonville offers insurance without a brochure.
  expect(met).not.toContain('/shield-brochure')
  const [lease] = await leasesOf(site, renter.email)
  expect(lease).toMatchObject({ insurance_status: 2, insurance_premium: 0 })
  expect(lease?.insurance_notes).toContain('OHM-2207')
})

test('a facility without insurance asks for none', async ({ page, site }) => {
  const renter = newRenter()
  const { met, at } = trail()
  await moveIn(page, 'RDU01', 'CC1010', { renter, at })
  expect(met.filter((path) => /insurance|brochure/.test(path))).toEqual([])
  const [lease] = await leasesOf(site, renter.email)
  expect(lease).toMatchObject({ insurance_status: 0 })
})

test('24-hour access and military service have their effect', async ({ page, site }) => {
  const renter = newRenter({ city: 'Nashville', state: 'TN', zip: '37210' })
  let before = ''
  await moveIn(page, 'BNA01', 'CC1015', {
    renter,
    access24: true,
    military: true,
    at: async (_, path) => {
      if (path === '/full-day-access') before = await dueToday(page)
      if (path === '/military') {
        const added = Number((await dueToday(page)).slice(1)) - Number(before.slice(1))
        expect(added, 'the 24-hour access fee').toBeCloseTo(20, 2)
      }
    },
  })
  await expect(page.getByRole('main')).toContainText('Opens the gate at any hour')
  const [lease] = await leasesOf(site, renter.email)
  const found = await look(site, async (db) => ({
    fees: await db
      .selectFrom('lease_fees')
      .selectAll()
      .where('location_code', '=', 'BNA01')
      .where('lease_number', '=', lease?.lease_number ?? 0)
      .execute(),
    gate: await db
      .selectFrom('gate_codes')
      .selectAll()
      .where('location_code', '=', 'BNA01')
      .where('gate_code', '=', lease?.gate_code ?? '')
      .executeTakeFirst(),
    tenant: await db.selectFrom('tenants').selectAll().where('email', '=', renter.email).executeTakeFirst(),
  }))
  expect(found.fees).toMatchObject([{ description: '24 Hour Access Fee', amount: 2000 }])
  expect(found.gate).toMatchObject({ time_zone_name: '24-hour', active: 1 })
  expect(found.tenant).toMatchObject({ active_military: 1 })
  expect(found.tenant?.military).toContain('Joint Base Charleston')
})

test('First Month Free goes with autopay: switched off, the lease is written anew and the whole rent is due', async ({
  page,
  site,
}) => {
  const renter = newRenter()
  await rentQuickly(page, 'AUS01', 'CC0505', '/lease', { renter })
  const free = await dueToday(page)
  await expect(page.locator('aside[aria-label="Price summary"]')).toContainText('First Month Free')
  await page.getByRole('checkbox', { name: /^Pay automatically/ }).click()
  await expect(page.getByText(/^Autopay is off\. Due today:/)).toBeVisible()
  const whole = await dueToday(page)
  expect(Number(whole.slice(1))).toBeGreaterThan(Number(free.slice(1)))
  await expect(page.locator('aside[aria-label="Price summary"]')).not.toContainText('First Month Free')
  await page.getByRole('checkbox', { name: /I agree to sign electronically/ }).check()
  await signTyped(page, 'Wanda Pell')
  await button(page, 'Accept').click()
  await arrive(page, '/payment-method')
  await button(page, `Pay ${whole} by card`).click()
  await payWithCard(page, 'mastercard')
  await movedIn(page)
  const [lease] = await leasesOf(site, renter.email)
  expect(lease).toMatchObject({ autopay: 0, discount_id: 0, autopay_sealed: null })
})

test('changing an answer after signing voids the signature: the lease is signed again', async ({ page, site }) => {
  const renter = newRenter()
  await rentQuickly(page, 'SAV01', 'DU1010', '/payment-method', { renter })
  const before = await dueToday(page)
  await page.goto('/insurance-schemes')
  await page.getByRole('radio', { name: /^Tenant Protection \$5,000/ }).check()
  await button(page, 'Next').click()
  // Saved before another address is asked for, which would break the saving off.
  await page.waitForURL((url) => url.pathname !== '/insurance-schemes')
  await page.goto('/payment-method')
  await arrive(page, '/lease')
  await expect(page.getByRole('main')).toContainText('first')
  await walk(page, '/process-payment', { renter })
  await payWithCard(page, 'discover')
  await movedIn(page)
  const [payment] = await paymentsOf(site, renter.email)
  expect(payment?.amount).toBeGreaterThan(Math.round(Number(before.slice(1)) * 100))
  const [lease] = await leasesOf(site, renter.email)
  expect(lease).toMatchObject({ insurance_scheme_id: 3, insurance_premium: 2400 })
  const documents = await look(site, (db) =>
    db
      .selectFrom('lease_documents')
      .select(['document_id', 'void'])
      .where('draft_id', '=', payment?.draft_id ?? '')
      .execute(),
  )
  expect(documents.filter((one) => one.void === 0)).toEqual([{ document_id: lease?.document_id, void: 0 }])
  expect(documents).toHaveLength(2)
})

test('autopay that is declined before the page’s scripts have come is declined, in the price and after a reload', async ({
  page,
}) => {
  await rentQuickly(page, 'PHX01', 'DU1020', '/lease')
  const box = page.getByRole('checkbox', { name: /^Pay automatically/ })
  await expect(box).toBeChecked()
  const before = await dueToday(page)
  await beforeScripts(page, () => box.uncheck())
  await expect(page.getByText(/^Autopay is off\. Due today:/)).toBeVisible()
  await expect(box).not.toBeChecked()
  expect(await dueToday(page)).not.toBe(before)
  await page.reload()
  await expect(box).not.toBeChecked()
})

test('a card fee is charged where the location has one and autopay is declined', async ({ page, site }) => {
  const renter = newRenter({ city: 'Phoenix', state: 'AZ', zip: '85004' })
  await rentQuickly(page, 'PHX01', 'DU1020', '/lease', { renter })
  await expect(page.locator('aside[aria-label="Price summary"]')).not.toContainText('Credit Card Processing Fee')
  await walk(page, '/process-payment', { renter, autopay: false })
  await payWithCard(page, 'amex')
  await movedIn(page)
  await expect(page.getByRole('main')).toContainText('Credit Card Processing Fee')
  const [lease] = await leasesOf(site, renter.email)
  const fees = (await ledgerOf(site, lease as NonNullable<typeof lease>)).filter(({ description }) =>
    description.includes('Credit Card Processing Fee'),
  )
  expect(fees.filter(({ kind }) => kind === 'fee').map(({ cents }) => cents)).toEqual([200])
})

test('nothing due today: the card is stored, nothing is charged and no receipt is sent', async ({ page, site }) => {
  const renter = newRenter({ city: 'Raleigh', state: 'NC', zip: '27601' })
  // The operator waives the administration fee; First Month Free then leaves nothing of the first period.
  await change(site, (db) =>
    db
      .updateTable('fees')
      .set({ amount: 0 })
      .where('location_code', '=', 'RDU01')
      .where('charged', '=', 'move_in')
      .execute(),
  )
  await rentQuickly(page, 'RDU01', 'CC0505', '/payment-method', { renter })
  expect(await dueToday(page)).toBe('$0.00')
  await button(page, 'Store my card, pay $0.00').click()
  await payWithCard(page, 'visa')
  await movedIn(page)
  await expect(page.getByRole('main')).toContainText('Nothing was charged today')
  const [payment] = await paymentsOf(site, renter.email)
  expect(payment).toMatchObject({ amount: 0, state: 'posted' })
  expect(await charged(site, payment?.order_id ?? '')).toEqual([])
  const [lease] = await leasesOf(site, renter.email)
  expect(lease).toMatchObject({ autopay: 1, autopay_label: 'VI **** 1111' })
  await letter(site, renter.email, /^You're moved in/)
  expect((await mailTo(site, renter.email)).filter(({ subject }) => subject.startsWith('Receipt'))).toEqual([])
})

/** Coming back to a reservation: by look-up, by code, by the mailed link; and renting as a tenant on file. */
import { expect, test } from './fixtures.ts'
import {
  arrive,
  button,
  dialog,
  fillContact,
  movedIn,
  newRenter,
  payWithCard,
  rent,
  rentPath,
  textOf,
  walk,
} from './journey.ts'
import { leasesOf, letter, look, mailTo } from './records.ts'

test('a reservation is found by state, location, last name and last 4 digits, its contact data masked', async ({
  page,
}) => {
  await page.goto('/find-reservation')
  await page.getByRole('link', { name: /^Georgia/ }).click()
  await page.getByRole('link', { name: /^Latchkey Ralston Mill/ }).click()
  const search = button(page, 'Search')
  await expect(search).toBeDisabled()
  await expect(page.getByText('Enter your last name and the last 4 digits of your phone number.')).toBeVisible()
  await page.getByLabel('Last name').fill('KESSLER')
  await expect(search).toBeDisabled()
  await page.getByLabel('Last 4 digits of your phone number').pressSequentially('01479')
  await expect(page.getByLabel('Last 4 digits of your phone number')).toHaveValue('0147')
  await expect(search).toBeEnabled()
  await page.getByLabel('Last name').press('Enter')
  await arrive(page, '/reservation-confirmed')
  // The code would open what a name and four digits do not.
  await expect(page.getByRole('main')).not.toContainText('K7M2XQ9TRD')
  await expect(page.getByRole('main')).not.toContainText('daphne.kessler@example.com')
  await expect(page.getByRole('main')).toContainText('d***@e***')
})

test('a reservation that is not there: not found, with both ways on', async ({ page }) => {
  await page.goto('/find-reservation?state=GA&location=ATL01')
  await expect(page.getByRole('link', { name: 'Change Location' })).toBeVisible()
  await page.getByLabel('Last name').fill('Nobody')
  await page.getByLabel('Last 4 digits of your phone number').fill('0000')
  await button(page, 'Search').click()
  await arrive(page, '/reservation-not-found')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Reservation not found')
  await expect(page.getByRole('link', { name: 'Browse Availability' })).toBeVisible()
  await page.getByRole('link', { name: 'Try Again' }).click()
  await arrive(page, '/find-reservation')
})

test('a reservation without contact data asks for what is missing at /add-contact#reserved, then goes on', async ({
  page,
}) => {
  await page.goto('/guest/find-reservation?state=GA&location=ATL02')
  await page.getByLabel('Last name').fill('mott')
  await page.getByLabel('Last 4 digits of your phone number').fill('0149')
  await button(page, 'Search').click()
  await page.waitForURL('**/add-contact#reserved')
  await expect(page.getByRole('main')).toContainText('A few details are still missing')
  // What is on file is shown masked and not asked for.
  await expect(page.getByLabel('First name')).toHaveCount(0)
  const main = page.getByRole('main')
  await main.getByLabel('Email', { exact: true }).fill('elias.mott@example.com')
  await main.getByLabel('Address', { exact: true }).fill('3 Foundry Walk')
  await main.getByLabel('City', { exact: true }).fill('Atlanta')
  await main.getByLabel('State', { exact: true }).selectOption('GA')
  await main.getByLabel('Zip code', { exact: true }).fill('30318')
  await button(page, 'Submit Reservation').click()
  await arrive(page, '/reservation-confirmed')
  await expect(page.getByRole('main')).toContainText('Your unit is reserved')
})

test('the mailed link goes on in another browser where the first one stopped, and by code and facility too', async ({
  page,
  site,
  browser,
}) => {
  const renter = newRenter()
  await rent(page, 'DEN01', 'CC1010', '/reservation-confirmed', { renter, reserve: true })
  const code = await textOf(page.locator('p.figure').first())
  const { text } = await letter(site, renter.email, /is reserved for you$/)
  const link = /https?:\/\/\S+\/reservation\/[0-9a-f-]{36}/.exec(text)?.[0] ?? ''
  await page.close()

  const elsewhere = await browser.newContext({ baseURL: site.url })
  const there = await elsewhere.newPage()
  await there.goto(link)
  await arrive(there, '/reservation-confirmed')
  await expect(there.getByRole('main')).toContainText(code)
  await expect(there.getByRole('main')).not.toContainText(renter.email)
  await walk(there, '/process-payment', { facility: 'DEN01', renter })
  await payWithCard(there, 'visa')
  await movedIn(there)
  expect(await leasesOf(site, renter.email)).toHaveLength(1)
  await elsewhere.close()

  // Once it is a lease, the link finds no reservation any more.
  const third = await browser.newContext({ baseURL: site.url })
  const late = await third.newPage()
  await late.goto(link)
  await arrive(late, '/reservation-not-found')
  await late.goto('/reservation?rescode=K7M2XQ9TRD&site=ATL01')
  await arrive(late, '/reservation-confirmed')
  await expect(late.getByRole('main')).toContainText('K7M2XQ9TRD')
  await third.close()
})

test('a second browser goes on by the link where the lease was signed, and pays', async ({ page, site, browser }) => {
  const renter = newRenter()
  await rent(page, 'DEN01', 'CC1010', '/payment-method', { renter })
  const { text } = await letter(site, renter.email, /is reserved for you$/)
  const link = /https?:\/\/\S+\/reservation\/[0-9a-f-]{36}/.exec(text)?.[0] ?? ''
  await page.goto('/')
  await page.getByRole('link', { name: 'Continue your rental' }).click()
  await arrive(page, '/payment-method')
  await page.close()

  const elsewhere = await browser.newContext({ baseURL: site.url })
  const there = await elsewhere.newPage()
  await there.goto(link)
  await arrive(there, '/payment-method')
  await there.goto('/lease')
  await expect(there.getByRole('heading', { name: 'You have signed' })).toBeVisible()
  await there.goto('/payment-method')
  await walk(there, '/process-payment', { facility: 'DEN01', renter })
  await payWithCard(there, 'visa')
  await movedIn(there)
  expect(await leasesOf(site, renter.email)).toHaveLength(1)
  await elsewhere.close()
})

test('a reservation is cancelled by its renter, without scripts, from the mail', async ({ page, site, browser }) => {
  const renter = newRenter()
  await rent(page, 'DEN01', 'CC1010', '/reservation-confirmed', { renter, reserve: true })
  await expect(page.getByRole('link', { name: 'Cancel reservation', exact: true })).toBeVisible()
  const { text } = await letter(site, renter.email, /is reserved for you$/)
  const link = /https?:\/\/\S+\/reservation\/[0-9a-f-]{36}\/cancel/.exec(text)?.[0] ?? ''
  const plain = await browser.newContext({ baseURL: site.url, javaScriptEnabled: false })
  const there = await plain.newPage()
  await there.goto(`${link}?open=1`)
  await arrive(there, '/cancel-reservation')
  await there.getByRole('button', { name: 'Cancel reservation' }).click()
  await expect(there.getByRole('heading', { level: 1 })).toHaveText('Your reservation was cancelled')
  await letter(site, renter.email, /^Your reservation was cancelled$/)
  await there.goto(`${link}?open=1`)
  await arrive(there, '/reservation-not-found')
  await expect(there.getByRole('main')).toContainText('Your reservation was cancelled')
  await plain.close()
})

test('an e-mail that a tenant has: No leaves the form, Yes without their name makes a tenant and reveals nothing', async ({
  page,
  site,
}) => {
  const renter = newRenter({ first: 'Somebody', last: 'Else', email: 'marcus.tilley@example.com', phone: '4045550177' })
  await page.goto('/rent/ATL01/4')
  await walk(page, '/add-contact', { facility: 'ATL01' })
  await fillContact(page, renter)
  await button(page, 'Submit Reservation').click()
  const asked = dialog(page, 'A tenant with this email address already exists.')
  await expect(asked).toContainText('Do you wish to continue with this tenant account?')
  await asked.getByRole('button', { name: 'No' }).click()
  await expect(asked).toBeHidden()
  await expect(page.getByLabel('Email', { exact: true })).toBeFocused()
  await expect(page.getByLabel('First name')).toHaveValue('Somebody')

  await button(page, 'Submit Reservation').click()
  await asked.getByRole('button', { name: 'Yes' }).click()
  await arrive(page, '/reservation-details')
  await walk(page, '/reservation-confirmed', { facility: 'ATL01' })
  const shown = await textOf(page.getByRole('main'))
  expect(shown).not.toMatch(/Tilley|Linden Shoals|6785550112/)
  await walk(page, '/lease', { facility: 'ATL01' })
  const lease = await textOf(page.getByRole('region', { name: 'Lease', exact: true }))
  expect(lease).not.toMatch(/Tilley|Linden Shoals|678.?555.?0112/)
  expect(lease).toContain('Somebody Else')
  const tenants = await look(site, (db) =>
    db
      .selectFrom('tenants')
      .selectAll()
      .where('location_code', '=', 'ATL01')
      .where('email', '=', 'marcus.tilley@example.com')
      .orderBy('tenant_id')
      .execute(),
  )
  expect(tenants).toMatchObject([
    { first: 'Marcus', last: 'Tilley', cell_phone: '6785550112' },
    { first: 'Somebody', last: 'Else', cell_phone: '4045550177', account_id: null },
  ])
})

test('Georgia: Yes of the tenant on file, with an agent; lease, signature and mails name that tenant', async ({
  page,
  site,
}) => {
  const email = 'georgia.hallam@example.com'
  const renter = newRenter({ first: 'Peach', last: 'HALLAM', email, phone: '6785550114' })
  await page.goto(rentPath('ATL01', 'CC1010', true))
  await fillContact(page, renter)
  await page.getByLabel('I would like to name a designated agent').check()
  await button(page, 'Rental Information').click()
  await dialog(page, 'A tenant with this email address already exists.').getByRole('button', { name: 'Yes' }).click()
  await arrive(page, '/designated-agent')
  await walk(page, '/lease', { facility: 'ATL01' })
  const lease = await textOf(page.getByRole('region', { name: 'Lease', exact: true }))
  expect(lease).toContain('Georgia Hallam')
  // The agent was named in this browser; nothing but the name of the tenant's record is shown.
  expect(lease).toContain('Robert Pell')
  expect(lease).not.toMatch(/Peach|Kestrel|678.?555.?0114/)
  await expect(page.getByLabel('Your full name', { exact: true })).toHaveCount(0)
  await walk(page, '/process-payment', { facility: 'ATL01', renter })
  await payWithCard(page, 'visa')
  await movedIn(page)
  const leases = await look(site, (db) =>
    db
      .selectFrom('leases')
      .innerJoin('lease_documents', 'lease_documents.document_id', 'leases.document_id')
      .innerJoin('tenants', (join) =>
        join
          .onRef('tenants.tenant_id', '=', 'leases.tenant_id')
          .onRef('tenants.location_code', '=', 'leases.location_code'),
      )
      .select(['first', 'address', 'evidence'])
      .where('email', '=', email)
      .execute(),
  )
  expect(leases).toHaveLength(1)
  expect(leases[0]).toMatchObject({ first: 'Georgia', address: '310 Kestrel Walk NE' })
  expect(JSON.parse(leases[0]?.evidence ?? '{}')).toMatchObject({ signerName: 'Georgia Hallam' })
  await letter(site, email, /receipt/i)
  for (const { subject, text } of await mailTo(site, email)) expect(`${subject} ${text}`).not.toContain('Peach')
  await page.getByRole('link', { name: 'Create My Online Account' }).click()
  await expect(page.getByRole('main')).toContainText('The link goes to the address on file')
})

test('guessing a name’s four digits is limited, and says so', async ({ page, site }) => {
  const answers: number[] = []
  for (let digits = 0; digits < 12; digits += 1) {
    const answer = await page.request.post(`${site.url}/api/ssm/GetActiveReservation`, {
      data: { location_code: 'JAX01', last_name: 'haddad', phone_last_four: String(5000 + digits) },
    })
    answers.push(answer.status())
  }
  expect(answers.slice(0, 10)).toEqual(Array(10).fill(200))
  expect(answers.slice(10)).toEqual([429, 429])
  await page.goto('/find-reservation?state=FL&location=JAX01')
  await page.getByLabel('Last name').fill('Haddad')
  await page.getByLabel('Last 4 digits of your phone number').fill('0121')
  await button(page, 'Search').click()
  await expect(page.getByRole('alert')).toContainText('Too many tries. Please wait a little and try again.')
  expect(await mailTo(site, 'noor.haddad@example.com')).toEqual([])
})

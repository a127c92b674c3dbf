import { beforeEach, describe, expect, it } from 'vitest'
import { comingSoon as comingSoonText, emailNotFound, enterCorrectInformation } from '../../domain/texts/account.ts'
import { UpdateOnlineAccessPassword } from '../../modules/accounts/operations/create-account-or-change-password.ts'
import { resetContext } from '../../modules/accounts/password-reset.ts'
import { perform } from '../../platform/operations/operation.ts'
import { openerForTests } from '../../tests/support/databases.ts'
import { change, recordOf } from '../../tests/support/rows.ts'
import { openTestServices, type TestServices, visitor } from '../../tests/support/small-operator.ts'
import { Browser, createSignInToken } from '../testing.ts'

const ada = { username: 'ada@example.com', password: 'ada-secret' }
const cyLookedUp = {
  location_code: 'GA1',
  last_name: 'Dorn',
  last_4_digits_of_phone_number: '0122',
  unit_number: '302',
}
const chosen = { password: 'rolling doors 47', confirm_password: 'rolling doors 47' }
const unit = '/unit-lease-details?lease=10001&at=GA1%3A1001'
const next = `next=${encodeURIComponent(unit)}`

const open = openerForTests()
let services: TestServices
let browser: Browser
beforeEach(async () => {
  services = await openTestServices(await open())
  browser = new Browser(services)
})

const withoutAccount = () =>
  change(
    services,
    'tenants',
    { tenant_id: 1002 },
    { account_id: null, grant_online_access: 0, email: 'cyd@example.com', email_key: 'cyd@example.com' },
  )

describe('without a session', () => {
  it.each(['/my-units', '/unit-map', '/proof-of-insurance'])(
    'spec 2 §4: %s leads to the home page with an alert, and a log-in from there leads back',
    async (path) => {
      for (const ids of [{}, { token: 'f'.repeat(64) }, { guestToken: 'f'.repeat(64) }]) {
        browser = new Browser(services, ids)
        expect((await browser.get(path)).to).toBe('/')
        expect(browser.alert).toBe('invalidSession')
        expect(browser.ids.token).toBeUndefined()
      }
      expect((await browser.post('/login', { ...ada, intent: 'login' })).to).toBe(path)
      expect((await new Browser(services).post('/proof-of-insurance', { lease: '10001' })).to).toBe('/')
    },
  )

  it.each([
    ['/unit-lease-details?lease=10001&at=GA1%3A1001', true],
    ['/schedule-move-out?lease=10001', true],
    ['/move-out-receipt?lease=10001', false],
    ['/recent-activity?at=GA1:1001', false],
    ['/account-profile', true],
    ['/update-profile', true],
    ['/update-password', true],
    ['/confirm-email?change=a&token=b', true],
    ['/online-payment-method', true],
    ['/online-payment', true],
    ['/online-payment-ach', true],
  ])('%s leads to the log-in, with itself as the next page', async (path, takesForm) => {
    expect((await browser.get(path)).to).toBe(`/login?next=${encodeURIComponent(path)}`)
    // Of these pages only the payment pages have a specified alert.
    expect(browser.alert).toBe(path.startsWith('/online') ? 'authenticationRequired' : '')
    if (takesForm) expect((await browser.post(path, { lease: '10001' })).to).toMatch(/^\/login\?next=/)
  })

  it.each([
    ['/recent-activity.csv?at=GA1:1001', '/recent-activity'],
    ['/my-units.csv?at=GA1:1001', '/my-units'],
    ['/agreements/00000000-0000-4000-8000-000000000000?download=1', '/my-units'],
    ['/proof-of-insurance/00000000-0000-4000-8000-000000000000', '/proof-of-insurance'],
  ])('the file %s leads to the log-in, with the page that lists the file as the next page', async (path, page) => {
    expect((await browser.get(path)).to).toBe(`/login?next=${encodeURIComponent(page)}`)
  })

  it('names the requested page to the log-in, whatever the address contains', async () => {
    for (const query of ['next=//evil.example', 'next=%2F%2Fevil.example', 'at=//evil.example', 'lease=javascript:1']) {
      const { to } = await browser.get(`/recent-activity?${query}`)
      expect(to).toMatch(/^\/login\?next=%2Frecent-activity%3F/)
    }
  })

  it('redirects /complete-lease to the home page where no terms await acceptance', async () => {
    expect((await browser.get('/complete-lease')).to).toBe('/')
    expect((await browser.post('/complete-lease', { hash: 'x' })).to).toBe('/')
    expect((await browser.get('/complete-lease/agreement')).to).toBe('/')
    expect(browser.alert).toBe('')
  })
})

describe('the page requested before sign-in', () => {
  it('survives both sign-in steps and a wrong password', async () => {
    for (const form of [
      { intent: 'next', username: ada.username },
      { ...ada, intent: 'login', password: 'wrong' },
    ]) {
      const answer = await browser.post(`/login?${next}`, form)
      expect(answer.to).toBe('')
      const page = await browser.get(`/login?${next}`)
      const html = page.html()
      for (const path of ['/forgot', '/register']) expect(html).toContain(`href="${path}?${next}"`)
    }
  })

  it('keeps its facility, so that sign-in does not ask for it again', async () => {
    await change(services, 'tenants', { tenant_id: 1002 }, { account_id: 'ada' })
    const path = '/unit-lease-details?lease=10002&at=GA1%3A1002'
    const answer = await browser.post(`/login?next=${encodeURIComponent(path)}`, { ...ada, intent: 'login' })
    expect(answer.to).toBe(path)
    expect((await browser.get(path)).data.chrome.facility.locationCode).toBe('GA1')
  })

  it('survives registration', async () => {
    await withoutAccount()
    const found = await browser.post(`/register?${next}`, cyLookedUp)
    expect(found.to).toBe(`/complete-register?${next}`)
    const page = await browser.get(found.to)
    expect(page.data.back).toBe(`/register?${next}`)
    const form = { ...chosen, question_id: '1', security_answer: 'Rex' }
    expect((await browser.post(found.to, { ...form, confirm_password: 'x' })).status).toBe(400)
    expect((await browser.post(found.to, form)).to).toBe(unit)
  })

  it('survives a password reset', async () => {
    expect((await browser.post(`/forgot?${next}`, { username: ada.username })).to).toBe(`/forgot?${next}`)
    const { code_sealed, reset_id } = await recordOf(services, 'reset_codes')
    const code = services.sealer.open(code_sealed, resetContext(reset_id))
    expect((await browser.post(`/forgot?${next}`, { intent: 'code', code })).to).toBe(`/forgot?${next}`)
    const saved = await browser.post(`/forgot?${next}`, { intent: 'password', ...chosen })
    expect(saved.to).toBe(`/forgot?saved=1&${next}`)
    expect((await browser.get(saved.to)).data.login).toBe(`/login?${next}`)
    for (const intent of ['again', 'other'])
      expect((await browser.post(`/forgot?${next}`, { intent })).to).toMatch(/[?&]next=%2Funit/)
  })

  it('must be a path of this site on each of these pages', async () => {
    const evil = '//evil.example'
    const query = `next=${encodeURIComponent(evil)}`
    expect((await browser.post(`/login?${query}`, { ...ada, intent: 'login' })).to).toBe('/my-units')
    browser = new Browser(services)
    await withoutAccount()
    expect((await browser.post(`/register?${query}`, cyLookedUp)).to).toBe('/complete-register')
    const accountForm = { ...chosen, question_id: '1', security_answer: 'Rex' }
    expect((await browser.post(`/complete-register?${query}`, accountForm)).to).toBe('/my-units')
    browser = new Browser(services)
    expect((await browser.post(`/forgot?${query}`, { username: ada.username })).to).toBe('/forgot')
    expect((await browser.get(`/forgot?saved=1&${query}`)).data.login).toBe('/login')
  })
})

describe('a facility that has not been taken over yet', () => {
  const comingSoon = (value: 0 | 1) => change(services, 'locations', { location_code: 'GA1' }, { coming_soon: value })

  it('ends a registration with the specified message', async () => {
    await withoutAccount()
    await comingSoon(1)
    const answer = await browser.post('/register', cyLookedUp)
    expect(answer).toMatchObject({ status: 409, data: { fields: { form: comingSoonText } } })
    const wrong = await browser.post('/register', { ...cyLookedUp, last_name: 'Nobody' })
    expect(wrong.data.fields).toEqual({ form: enterCorrectInformation })
    expect(browser.ids.registers).toBeUndefined()
    // The visitor entered the details in this browser before the facility was marked as coming soon.
    browser.ids.registers = `GA1:1002:${services.clock.now() + 60_000}`
    expect((await browser.get('/complete-register')).to).toBe('/login')
    expect(browser.alert).toBe('comingSoon')
    const registrant = { ...visitor(), registrant: { locationCode: 'GA1', tenantId: 1002 } }
    const input = { location_code: 'GA1', tenant_id: 1002, password: 'rolling doors 47', security_answer: 'Rex' }
    expect(await perform(services, UpdateOnlineAccessPassword, { ...input, question_id: 1 }, registrant)).toMatchObject(
      { value: { result: 'failed', message: comingSoonText } },
    )
    expect(await services.db.read.selectFrom('accounts').select('account_id').execute()).toHaveLength(2)
  })

  it('tells a tenant with an earlier session “coming soon”, not that the session has expired', async () => {
    browser.ids.token = await createSignInToken(services, 'ada')
    await comingSoon(1)
    expect((await browser.get('/my-units')).to).toBe('/')
    expect(browser.alert).toBe('comingSoon')
    browser.ids.token = await createSignInToken(services, 'ada')
    expect((await browser.get(unit)).to).toBe('/')
    expect(browser.alert).toBe('comingSoon')
  })

  it('refuses guest payments, also in a guest session that began earlier', async () => {
    expect((await browser.post('/guest/find-email', { email: 'cy@example.com' })).to).toMatch(/find-units/)
    await comingSoon(1)
    // The guest session began before the facility was marked as coming soon.
    expect((await browser.get('/guest/find-units')).to).toBe('/guest/find-email')
    const answer = await browser.post('/guest/find-email', { email: 'cy@example.com' })
    expect(answer).toMatchObject({ status: 409, data: { fields: { email: comingSoonText } } })
    const unknown = await browser.post('/guest/find-email', { email: 'nobody@example.com' })
    expect(unknown.data.fields).toEqual({ email: emailNotFound })
    await comingSoon(0)
    expect((await browser.post('/guest/find-email', { email: 'cy@example.com' })).to).toMatch(/find-units/)
  })
})

import { beforeEach, describe, expect, it } from 'vitest'
import { comingSoon as comingSoonText, emailNotFound, enterCorrectInformation } from '../../domain/texts/account.ts'
import { UpdateOnlineAccessPassword } from '../../modules/accounts/online-access.ts'
import { resetContext } from '../../modules/accounts/password-reset.ts'
import { perform } from '../../platform/operations/operation.ts'
import { openerForTests } from '../../tests/support/databases.ts'
import { openTestHouse, type TestHouse, visitor } from '../../tests/support/small-operator.ts'
import * as findEmail from '../pay/guest-email.tsx'
import * as findUnits from '../pay/guest-units.tsx'
import { tenantBank, tenantCard, tenantMethod } from '../pay/testing.ts'
import * as completeLease from '../portal/complete-lease.tsx'
import * as agreement from '../portal/complete-lease-agreement.ts'
import * as moveOutReceipt from '../portal/move-out-receipt.tsx'
import * as myUnits from '../portal/my-units.tsx'
import * as proofOfInsurance from '../portal/proof-of-insurance.tsx'
import * as recentActivity from '../portal/recent-activity.tsx'
import * as recentActivityFile from '../portal/recent-activity-file.ts'
import * as scheduleMoveOut from '../portal/schedule-move-out.tsx'
import * as unitLeaseDetails from '../portal/unit/page.tsx'
import * as unitMap from '../portal/unit-map.tsx'
import { type Answer, Browser, change, shown, tokenOf } from '../testing.ts'
import * as completeRegister from './complete-register.tsx'
import * as confirmEmail from './confirm-email.tsx'
import * as forgot from './forgot.tsx'
import * as login from './login.tsx'
import * as profile from './profile.tsx'
import * as register from './register.tsx'
import * as updatePassword from './update-password.tsx'
import * as updateProfile from './update-profile.tsx'

const ada = { username: 'ada@example.com', password: 'ada-secret' }
const cyLookedUp = {
  ...{ location_code: 'GA1', last_name: 'Dorn', last_4_digits_of_phone_number: '0122', unit_number: '302' },
}
const chosen = { password: 'rolling doors 47', confirm_password: 'rolling doors 47' }
const unit = '/unit-lease-details?lease=10001&at=GA1%3A1001'
const next = `next=${encodeURIComponent(unit)}`

const open = openerForTests()
let services: TestHouse
let browser: Browser
beforeEach(async () => {
  services = await openTestHouse(await open())
  browser = new Browser(services)
})

const ask = (page: unknown, path: string, form?: Record<string, string>): Promise<Answer> =>
  browser.ask(page, { path, ...(form && { form }) })
/** Cy has no online account yet. */
const withoutAccount = () =>
  change(
    services,
    'tenants',
    { tenant_id: 1002 },
    { account_id: null, grant_online_access: 0, email: 'cyd@example.com', email_key: 'cyd@example.com' },
  )

describe('without a session', () => {
  it.each([
    ['/my-units', myUnits],
    ['/unit-map', unitMap],
    ['/proof-of-insurance', proofOfInsurance],
  ])('spec 2 §4: %s says so on the home page, and the log-in that is offered there leads back', async (path, page) => {
    for (const ids of [{}, { token: 'f'.repeat(64) }, { guestToken: 'f'.repeat(64) }]) {
      browser = new Browser(services, ids)
      expect((await ask(page.loader, path)).to).toBe('/')
      expect(browser.alert).toBe('invalidSession')
      expect(browser.ids.token).toBeUndefined()
      if ('action' in page) expect((await ask(page.action, path, { lease: '10001' })).to).toBe('/')
    }
    expect((await ask(login.action, '/login', { ...ada, intent: 'login' })).to).toBe(path)
  })

  it.each([
    ['/unit-lease-details?lease=10001&at=GA1%3A1001', unitLeaseDetails],
    ['/schedule-move-out?lease=10001', scheduleMoveOut],
    ['/move-out-receipt?lease=10001', moveOutReceipt],
    ['/recent-activity?at=GA1:1001', recentActivity],
    ['/recent-activity.csv', recentActivityFile],
    ['/account-profile', profile],
    ['/update-profile', updateProfile],
    ['/update-password', updatePassword],
    ['/confirm-email?change=a&token=b', confirmEmail],
    ['/online-payment-method', tenantMethod],
    ['/online-payment', tenantCard],
    ['/online-payment-ach', tenantBank],
  ])('%s leads through the log-in and back', async (path, page) => {
    expect((await ask(page.loader, path)).to).toBe(`/login?next=${encodeURIComponent(path)}`)
    // Of paying, the specification says why.
    expect(browser.alert).toBe(path.startsWith('/online') ? 'authenticationRequired' : '')
    if ('action' in page) expect((await ask(page.action, path, { lease: '10001' })).to).toMatch(/^\/login\?next=/)
  })

  it('case 30: what comes back after signing in is the page that was asked for, whatever its address says', async () => {
    for (const query of ['next=//evil.example', 'next=%2F%2Fevil.example', 'at=//evil.example', 'lease=javascript:1']) {
      const { to } = await ask(recentActivity.loader, `/recent-activity?${query}`)
      expect(to).toMatch(/^\/login\?next=%2Frecent-activity%3F/)
    }
  })

  it('/complete-lease leads to the home page, where there is nothing to accept', async () => {
    expect((await ask(completeLease.loader, '/complete-lease')).to).toBe('/')
    expect((await ask(completeLease.action, '/complete-lease', { hash: 'x' })).to).toBe('/')
    expect((await ask(agreement.loader, '/complete-lease/agreement')).to).toBe('/')
    expect(browser.alert).toBe('')
  })
})

describe('where one wanted to go', () => {
  it('survives both steps and a wrong password', async () => {
    for (const form of [
      { intent: 'next', username: ada.username },
      { ...ada, intent: 'login', password: 'wrong' },
    ]) {
      const answer = await ask(login.action, `/login?${next}`, form)
      expect(answer.to).toBe('')
      const page = await ask(login.loader, `/login?${next}`)
      // Every way on from the page carries it.
      const html = shown(login, page.data, `/login?${next}`)
      for (const path of ['/forgot', '/register']) expect(html).toContain(`href="${path}?${next}"`)
    }
  })

  it('names a facility: that is not asked for once more', async () => {
    await services.db.write.updateTable('tenants').set({ account_id: 'ada' }).where('tenant_id', '=', 1002).execute()
    const path = '/unit-lease-details?lease=10002&at=GA1%3A1002'
    const answer = await ask(login.action, `/login?next=${encodeURIComponent(path)}`, { ...ada, intent: 'login' })
    expect(answer.to).toBe(path)
    expect((await ask(unitLeaseDetails.loader, path)).data.chrome.facility.locationCode).toBe('GA1')
  })

  it('survives the registration', async () => {
    await withoutAccount()
    const found = await ask(register.action, `/register?${next}`, cyLookedUp)
    expect(found.to).toBe(`/complete-register?${next}`)
    const page = await ask(completeRegister.loader, found.to)
    expect(page.data.back).toBe(`/register?${next}`)
    const form = { ...chosen, question_id: '1', security_answer: 'Rex' }
    expect((await ask(completeRegister.action, found.to, { ...form, confirm_password: 'x' })).status).toBe(400)
    expect((await ask(completeRegister.action, found.to, form)).to).toBe(unit)
  })

  it('survives a reset', async () => {
    expect((await ask(forgot.action, `/forgot?${next}`, { username: ada.username })).to).toBe(`/forgot?${next}`)
    const { code_sealed, reset_id } = await services.db.read
      .selectFrom('reset_codes')
      .selectAll()
      .executeTakeFirstOrThrow()
    const code = services.sealer.open(code_sealed, resetContext(reset_id))
    expect((await ask(forgot.action, `/forgot?${next}`, { intent: 'code', code })).to).toBe(`/forgot?${next}`)
    const saved = await ask(forgot.action, `/forgot?${next}`, { intent: 'password', ...chosen })
    expect(saved.to).toBe(`/forgot?saved=1&${next}`)
    expect((await ask(forgot.loader, saved.to)).data.login).toBe(`/login?${next}`)
    for (const intent of ['again', 'other'])
      expect((await ask(forgot.action, `/forgot?${next}`, { intent })).to).toMatch(/[?&]next=%2Funit/)
  })

  it('is one of our own paths on each of these pages', async () => {
    const evil = '//evil.example'
    const query = `next=${encodeURIComponent(evil)}`
    expect((await ask(login.action, `/login?${query}`, { ...ada, intent: 'login' })).to).toBe('/my-units')
    browser = new Browser(services)
    await withoutAccount()
    expect((await ask(register.action, `/register?${query}`, cyLookedUp)).to).toBe('/complete-register')
    const made = { ...chosen, question_id: '1', security_answer: 'Rex' }
    expect((await ask(completeRegister.action, `/complete-register?${query}`, made)).to).toBe('/my-units')
    browser = new Browser(services)
    expect((await ask(forgot.action, `/forgot?${query}`, { username: ada.username })).to).toBe('/forgot')
    expect((await ask(forgot.loader, `/forgot?saved=1&${query}`)).data.login).toBe('/login')
  })
})

describe('a facility that is not taken over yet', () => {
  const comingSoon = (value: 0 | 1) =>
    services.db.write.updateTable('locations').set({ coming_soon: value }).where('location_code', '=', 'GA1').execute()

  it('registering there ends in the specified message', async () => {
    await withoutAccount()
    await comingSoon(1)
    const answer = await ask(register.action, '/register', cyLookedUp)
    expect(answer).toMatchObject({ status: 409, data: { fields: { form: comingSoonText } } })
    // Only whoever names the details reads that there is such a tenant.
    const wrong = await ask(register.action, '/register', { ...cyLookedUp, last_name: 'Nobody' })
    expect(wrong.data.fields).toEqual({ form: enterCorrectInformation })
    expect(browser.ids.registers).toBeUndefined()
    // Named before, or by a mailed link.
    browser.ids.registers = `GA1:1002:${services.clock.now() + 60_000}`
    expect((await ask(completeRegister.loader, '/complete-register')).to).toBe('/login')
    expect(browser.alert).toBe('comingSoon')
    const registrant = { ...visitor(), registrant: { locationCode: 'GA1', tenantId: 1002 } }
    const input = { location_code: 'GA1', tenant_id: 1002, password: 'rolling doors 47', security_answer: 'Rex' }
    expect(await perform(services, UpdateOnlineAccessPassword, { ...input, question_id: 1 }, registrant)).toMatchObject(
      { value: { result: 'failed', message: comingSoonText } },
    )
    expect(await services.db.read.selectFrom('accounts').select('account_id').execute()).toHaveLength(2)
  })

  it('whoever was signed in when it began is told so, and not that the session is invalid', async () => {
    browser.ids.token = await tokenOf(services, 'ada')
    await comingSoon(1)
    expect((await ask(myUnits.loader, '/my-units')).to).toBe('/')
    expect(browser.alert).toBe('comingSoon')
    browser.ids.token = await tokenOf(services, 'ada')
    expect((await ask(unitLeaseDetails.loader, unit)).to).toBe('/')
    expect(browser.alert).toBe('comingSoon')
  })

  it('guests pay nothing there: what is owed is not known yet', async () => {
    expect((await ask(findEmail.action, '/guest/find-email', { email: 'cy@example.com' })).to).toMatch(/find-units/)
    await comingSoon(1)
    // A look-up of before.
    expect((await ask(findUnits.loader, '/guest/find-units')).to).toBe('/guest/find-email')
    const answer = await ask(findEmail.action, '/guest/find-email', { email: 'cy@example.com' })
    expect(answer).toMatchObject({ status: 409, data: { fields: { email: comingSoonText } } })
    const nobody = await ask(findEmail.action, '/guest/find-email', { email: 'nobody@example.com' })
    expect(nobody.data.fields).toEqual({ email: emailNotFound })
    await comingSoon(0)
    expect((await ask(findEmail.action, '/guest/find-email', { email: 'cy@example.com' })).to).toMatch(/find-units/)
  })
})

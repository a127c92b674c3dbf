import { beforeEach, describe, expect, it } from 'vitest'
import { settlePayment } from '../../modules/payments/settle-payment.ts'
import { openPayingServices, type PayingServices } from '../../modules/payments/testing.ts'
import { sandboxForTests } from '../../modules/payments/testing-card-provider.ts'
import { openTestCardPage, readyToPay } from '../../modules/payments/testing-rent-until-card-page.ts'
import { payAtHostedPage } from '../../sandbox/submit-card-page-in-tests.ts'
import { loadSessionCallers } from '../../server/web/authenticate-callers.ts'
import { openerForTests } from '../../tests/support/databases.ts'
import { change, recordsOf } from '../../tests/support/rows.ts'
import { Browser } from '../testing.ts'

const { till, folder } = sandboxForTests('account-pages')

const form = {
  password: 'rolling doors 47',
  confirm_password: 'rolling doors 47',
  question_id: '1',
  security_answer: 'Biscuit',
}

class Renter extends Browser {
  see = () => this.get('/complete-register')
  send = (fields: Record<string, string>) => this.post('/complete-register', fields)
  leave = (headers: Record<string, string>) => this.get('/log-out', headers)
}

const sameSite = { 'sec-fetch-site': 'same-origin' }

describe('an online account after a move-in', () => {
  const open = openerForTests()
  let services: PayingServices
  let renter: Renter

  beforeEach(async () => {
    services = await openPayingServices(await open(), till, folder)
    const draft = await readyToPay(services)
    renter = new Renter(services, { draftId: draft.draftId })
    const page = await openTestCardPage(services, draft)
    await payAtHostedPage(page.payPageUrl, 'visa')
    expect(await settlePayment(services, page.orderId)).toMatchObject({ state: 'posted' })
  })

  it('skips the e-mail address where the profile has one and preselects the first security question', async () => {
    const { data } = await renter.see()
    expect(data).toMatchObject({ may: 'register', email: 'rae@example.com' })
    expect(data.questions[0]).toMatchObject({ value: '1' })
  })

  it('shows every specified validation message and refills everything but the passwords', async () => {
    const answer = await renter.send({ question_id: '1' })
    expect(answer.status).toBe(400)
    expect(answer.data.fields).toEqual({
      password: 'Password required',
      confirm_password: 'Confirm Password required',
      security_answer: 'Security Answer required',
    })
    const differing = await renter.send({ ...form, confirm_password: 'rolling doors 48' })
    expect(differing.data.fields).toEqual({ confirm_password: 'Passwords must match' })
    expect(differing.data.values).toEqual({ question_id: '1', security_answer: 'Biscuit' })
  })

  it('creates the account, signs the tenant in and refuses a second account', async () => {
    expect(await renter.send(form)).toMatchObject({ status: 302, to: '/rental-completed?account=created' })
    const { tenant } = await loadSessionCallers(services, renter.ids, { address: '', agent: '' })
    expect(tenant?.tenants).toHaveLength(1)
    const completed = await renter.get('/rental-completed?account=created')
    expect(completed.data).toMatchObject({ signedIn: true, accountCreated: true })
    expect((await renter.see()).to).toBe('/rental-completed')
    const elsewhere = new Renter(services, { draftId: renter.ids.draftId })
    expect((await elsewhere.see()).data.may).toBe('has_account')
    expect((await elsewhere.send(form)).to).toBe('/complete-register')
    expect(
      (await recordsOf(services, 'accounts')).filter((account) => account.email === 'rae@example.com'),
    ).toHaveLength(1)
  })

  it('returns to the completed rental also where this browser looked up a lease long before', async () => {
    renter.ids.registers = `GA1:1002:${services.clock.now() - 60_000}`
    expect((await renter.see()).data.back).toBe('/rental-completed')
    expect((await renter.send(form)).to).toBe('/rental-completed?account=created')
    expect((await renter.get('/rental-completed')).data).toMatchObject({ signedIn: true })
  })

  it('asks for the address where the profile has none', async () => {
    const { tenant_id } = await services.db.read
      .selectFrom('leases')
      .select('tenant_id')
      .where('imported', 'is', null)
      .executeTakeFirstOrThrow()
    await change(services, 'tenants', { tenant_id }, { email: '', email_key: '' })
    expect((await renter.see()).data.email).toBe('')
    expect((await renter.send(form)).data.fields).toEqual({ email: 'Email required' })
    expect((await renter.send({ ...form, email: 'rae' })).data.fields).toEqual({ email: 'Please enter correct email' })
    const twice = { email: 'Rae@New.example', confirm_email: ' rae@new.example' }
    for (const confirm_email of ['', 'rae@mew.example']) {
      const { data } = await renter.send({ ...form, ...twice, confirm_email })
      expect(data.fields).toEqual({ confirm_email: 'Emails must match' })
    }
    expect((await renter.see()).html()).toContain('Confirm email')
    expect((await renter.send({ ...form, ...twice })).to).toBe('/rental-completed?account=created')
  })

  it('sends an existing tenant to /complete-register without signing them in', async () => {
    await change(services, 'rental_drafts', { draft_id: renter.ids.draftId ?? '' }, { existing_tenant: 1 })
    expect((await renter.see()).data).toMatchObject({ may: 'existing_tenant', email: '' })
    expect((await renter.send(form)).to).toBe('/complete-register')
    expect(renter.ids.token).toBeUndefined()
  })

  it('logging out ends the session only when the request comes from this site', async () => {
    await renter.send(form)
    const { ids } = renter
    expect((await renter.leave({ 'sec-fetch-site': 'cross-site' })).data).toMatchObject({ signedIn: true })
    expect((await renter.leave({ ...sameSite, 'sec-purpose': 'prefetch' })).data).toMatchObject({ signedIn: true })
    expect((await renter.leave(sameSite)).to).toBe('/log-out')
    expect(renter.ids).toEqual({ known: [expect.any(String)] })
    expect((await renter.leave(sameSite)).data).toMatchObject({ signedIn: false })
    const copied = await loadSessionCallers(services, ids, { address: '', agent: '' })
    expect([copied.tenant, copied.rental]).toEqual([undefined, undefined])
    expect((await new Renter(services, ids).see()).to).not.toBe('/rental-completed')
  })

  it('says without a session that the device remembers a rental, and forgets it on request', async () => {
    expect(renter.ids.draftId).toBeDefined()
    expect((await renter.leave(sameSite)).data).toMatchObject({ signedIn: false, visited: true })
    expect((await renter.post('/log-out')).to).toBe('/log-out')
    expect(renter.ids).toEqual({})
    expect((await renter.leave(sameSite)).data).toMatchObject({ signedIn: false, visited: false })
  })
})

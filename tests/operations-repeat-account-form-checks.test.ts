/** Tests that operations refuse the forms that account and payment pages refuse. */
import { beforeEach, describe, expect, it } from 'vitest'
import { tenantProfile } from '../app/account/testing.ts'
import { bankAccount, beginTestCheckout, cyDues } from '../app/pay/testing.ts'
import { Browser, change, createSignInToken } from '../app/testing.ts'
import { CheckResetCode } from '../modules/accounts/operations/check-reset-code.ts'
import { UpdateOnlineAccessPassword } from '../modules/accounts/operations/create-account-or-change-password.ts'
import { tenantLookup } from '../modules/accounts/operations/find-tenant-for-registration.ts'
import { FinishReset } from '../modules/accounts/operations/finish-reset.ts'
import { KeepPasskey } from '../modules/accounts/operations/keep-passkey.ts'
import { login } from '../modules/accounts/operations/login.ts'
import { ValidatePasswordRequestIsExist } from '../modules/accounts/operations/mail-password-reset-code.ts'
import { sendForgottenGateCode } from '../modules/accounts/operations/send-forgotten-gate-code.ts'
import { signInGuestPayer } from '../modules/accounts/operations/sign-in-guest-payer.ts'
import { UpdateTenantInfo } from '../modules/accounts/operations/update-tenant-info.ts'
import { postScheduledMoveOuts } from '../modules/move-outs/operations/save-move-out-feedback.ts'
import { ScheduleMoveOutWithFeedback } from '../modules/move-outs/operations/schedule-move-out-with-feedback.ts'
import { ProcessACHPayments } from '../modules/payments/operations/pay-lease-from-bank-account.ts'
import { GetTenantDetailsByEmail } from '../modules/tenants/operations/check-tenant-exists-by-email.ts'
import { callOperation, checkingPages, expectBothRefuse, type Form } from './expect-page-and-operation-refuse-values.ts'
import { openerForTests } from './support/databases.ts'
import { openTestServices, type TestServices } from './support/small-operator.ts'

const files: string[] = []
/** Registers the files of the pages whose forms the running test covers. */
const registerPages = (...paths: string[]) => void files.push(...paths)

const at = { location_code: 'GA1' }
const ada = { ...at, tenant_id: 1001 }
const cy = { ...at, tenant_id: 1002, lease_number: 10002 }
const open = openerForTests()

let services: TestServices
beforeEach(async () => {
  services = await openTestServices(await open())
})

describe('A form that its page refuses is refused by the operation', () => {
  it('about paying', async () => {
    registerPages('app/pay/bank-payment.tsx', 'app/pay/find-guest-account-by-email.tsx')
    const names = {
      routing_number: 'ACHRoutingNumber',
      account_number: 'ACHAccountNumber',
      account_type: 'ACHAccountType',
      account_name: 'ACHAccountName',
      confirm_account: null,
    }
    const refusedValues = { routing_number: ['', '061000105'], account_type: ['Gold'], account_name: ['x'.repeat(101)] }
    const digits = (value: string): Form => ({ account_number: value, confirm_account: value })
    const cyBrowser = new Browser(services, { token: await createSignInToken(services, 'cy') })
    const checkout = await beginTestCheckout(cyBrowser, services, cyDues)
    const dues = { ...cy, amount: '0.01' }
    await expectBothRefuse(cyBrowser, '/online-payment-ach', ProcessACHPayments, {
      form: { ...bankAccount, checkout },
      input: dues,
      names: { ...names, checkout: null },
      refusedValues,
    })
    for (const value of ['', '12', '1'.repeat(18)]) {
      expect((await cyBrowser.post('/online-payment-ach', { ...bankAccount, ...digits(value), checkout })).status).toBe(
        400,
      )
      const account = { ACHRoutingNumber: '061000104', ACHAccountNumber: value }
      expect(await callOperation(cyBrowser, ProcessACHPayments, { ...dues, ...account })).toMatchObject({
        ok: false,
        status: 400,
      })
    }
    await expectBothRefuse(new Browser(services), '/guest/find-email', signInGuestPayer, {
      form: { email: 'cy@example.com' },
      refusedValues: { email: ['', 'cy@'] },
    })
  })

  it('about signing in and resetting a password', async () => {
    registerPages(
      'app/account/login.tsx',
      'app/account/forgot.tsx',
      'app/account/find-gate-code.tsx',
      'app/account/find-insurance-brochure-by-email.tsx',
    )
    const browser = new Browser(services)
    const byName = { intent: 'login', username: 'ada@example.com', password: 'a wrong password' }
    await expectBothRefuse(browser, '/login', login, {
      form: byName,
      names: { intent: null },
      refusedValues: { username: [''], password: ['', 'x'.repeat(1001)] },
    })
    await expectBothRefuse(browser, '/forgot', ValidatePasswordRequestIsExist, {
      form: { username: 'ada@example.com' },
      refusedValues: { username: [' ', 'x'.repeat(255)] },
    })
    await browser.post('/forgot', { username: 'ada@example.com' })
    await expectBothRefuse(browser, '/forgot', CheckResetCode, {
      form: { intent: 'code', code: '0000' },
      names: { intent: null },
      refusedValues: { code: ['', 'abcd'] },
      isDeclined: (value) => value === 'wrong',
    })
    const newPassword = { intent: 'password', password: 'a long enough one 1', confirm_password: 'a long enough one 1' }
    await expectBothRefuse(browser, '/forgot', FinishReset, {
      form: newPassword,
      input: { removePasskeys: false },
      names: { intent: null, confirm_password: null },
      refusedValues: {},
    })
    for (const password of ['', 'short', 'x'.repeat(1001)]) {
      expect((await browser.post('/forgot', { ...newPassword, password, confirm_password: password })).status).toBe(400)
      const outcome = await callOperation(browser, FinishReset, { password, removePasskeys: false })
      expect(outcome.ok ? outcome.value : outcome).toMatchObject({ ok: false })
    }
    await expectBothRefuse(browser, '/find-gate-code', sendForgottenGateCode, {
      form: { contact: 'ada@example.com' },
      refusedValues: { contact: ['', 'ada@', '555'] },
    })
    await expectBothRefuse(browser, '/download-sboa', GetTenantDetailsByEmail, {
      form: { email: 'ada@example.com' },
      refusedValues: { email: ['', 'ada@'] },
    })
  })

  it('about creating an account', async () => {
    registerPages('app/account/register.tsx', 'app/account/complete-register.tsx')
    const identity = { ...at, last_name: 'Dorn', last_4_digits_of_phone_number: '0112', unit_number: '302' }
    await expectBothRefuse(new Browser(services), '/register', tenantLookup, {
      form: identity,
      refusedValues: {
        location_code: ['?'],
        last_name: [''],
        unit_number: [''],
        last_4_digits_of_phone_number: ['12'],
      },
    })
    const own = { email: 'new@example.com', email_key: 'new@example.com' }
    await change(services, 'tenants', { tenant_id: 1002 }, { ...own, account_id: null, grant_online_access: 0 })
    const registers = `GA1:1002:${services.clock.now() + 600_000}`
    const form = {
      password: 'a long enough one 1',
      confirm_password: 'a long enough one 1',
      question_id: '1',
      security_answer: 'Rex',
    }
    for (const password of ['', 'short', 'x'.repeat(1001)]) {
      const browser = new Browser(services, { registers })
      const refusedForm = { ...form, password, confirm_password: password }
      expect((await browser.post('/complete-register', refusedForm)).status).toBe(400)
      const { confirm_password: _, ...input } = refusedForm
      expect(
        await callOperation(browser, UpdateOnlineAccessPassword, { ...at, tenant_id: 1002, ...input }),
      ).toMatchObject({
        ok: false,
        status: 400,
      })
    }
    await expectBothRefuse(new Browser(services, { registers }), '/complete-register', UpdateOnlineAccessPassword, {
      form,
      input: { ...at, tenant_id: 1002 },
      names: { confirm_password: null },
      refusedValues: { question_id: ['0'], security_answer: ['', 'x'.repeat(101)] },
    })
  })

  it('about the account of a signed-in tenant', async () => {
    registerPages('app/account/update-password.tsx', 'app/account/update-profile.tsx', 'app/account/add-passkey.tsx')
    const browser = new Browser(services, { token: await createSignInToken(services, 'ada') })
    const password = 'a long enough one 1'
    await expectBothRefuse(browser, '/update-password', UpdateOnlineAccessPassword, {
      form: { current_password: 'not the password', password, confirm_password: password },
      input: ada,
      names: { confirm_password: null },
      refusedValues: { current_password: ['x'.repeat(1001)] },
    })
    for (const weak of ['', 'short', 'x'.repeat(1001)]) {
      const passwords = { current_password: 'hunter2', password: weak }
      expect((await browser.post('/update-password', { ...passwords, confirm_password: weak })).status).toBe(400)
      expect(await callOperation(browser, UpdateOnlineAccessPassword, { ...ada, ...passwords })).toMatchObject({
        ok: false,
        status: 400,
      })
    }
    await expectBothRefuse(browser, '/update-profile?at=GA1:1001', UpdateTenantInfo, {
      form: tenantProfile,
      input: ada,
      refusedValues: {
        first: [''],
        last: [''],
        email: ['', 'ada@'],
        cell_phone: ['555'],
        home_phone: ['555'],
        work_phone: ['555'],
        address: [''],
        city: [''],
        state: ['ZZ'],
        zip: ['303'],
        company_state: ['ZZ'],
        company_zip: ['303'],
        company_phone: ['555'],
        company_email: ['ada@'],
      },
    })
    await expectBothRefuse(browser, '/add-passkey', KeepPasskey, {
      form: { name: 'Phone', answer: '{}' },
      input: { browser: 'none' },
      refusedValues: { name: ['', 'x'.repeat(41)] },
    })
  })

  it('about moving out', async () => {
    registerPages('app/portal/schedule-move-out.tsx')
    const browser = new Browser(services, { token: await createSignInToken(services, 'ada') })
    const lease = { ...ada, lease_number: 10001 }
    const refused: Form[] = [
      { star_rating: '6' },
      { star_rating: '2', reasons: 'Weather' },
      { comment: 'x'.repeat(501) },
    ]
    for (const answers of refused) {
      const answer = await browser.post('/schedule-move-out', { ...answers, lease: '10001', at: 'GA1:1001' })
      expect([answer.status, answers]).toEqual([400, answers])
      const feedback = { star_rating: 0, comment: '', reasons: [], ...answers }
      for (const [operation, input] of [
        [ScheduleMoveOutWithFeedback, { ...lease, day: '2026-11-20', feedback }],
        [postScheduledMoveOuts, { ...lease, ...feedback }],
      ] as const)
        expect(await callOperation(browser, operation, input), operation.name).toMatchObject({ ok: false, status: 400 })
    }
  })
})

it('Every page outside app/move-in and app/reserve whose action checks a form is tested above', () => {
  expect(checkingPages(/^app\/(move-in|reserve)\//, false)).toEqual([...files].sort())
})

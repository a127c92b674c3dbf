import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, expect, it, test } from 'vitest'
import * as updatePassword from '../../app/account/update-password.tsx'
import { Browser } from '../../app/testing.ts'
import { passwordBreached, passwordIsName, passwordTooCommon } from '../../domain/texts/account.ts'
import { insertUndo } from '../../modules/accounts/account-undo-links.ts'
import { invalidateResets } from '../../modules/accounts/change-notices.ts'
import { UpdateOnlineAccessPassword } from '../../modules/accounts/operations/create-account-or-change-password.ts'
import { resetPassword } from '../../modules/accounts/password-reset.ts'
import { signIn } from '../../modules/accounts/sessions.ts'
import { httpBreachedPasswords } from '../../ports/breached-passwords/http.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { countLockWaits } from '../../tests/support/held-transactions.ts'
import { asAda, openTestServices, type TestServices, visitor } from '../../tests/support/small-operator.ts'
import { perform } from '../operations/operation.ts'
import { findPasswordProblem } from './find-password-problem.ts'

const service = createServer((_, response) => {
  const hash = createHash('sha1').update('from a breach 77').digest('hex').toUpperCase()
  response.end(`${hash.slice(5)}:3\r\n`)
})
const listening = new Promise<string>((done) =>
  service.listen(0, '127.0.0.1', () => done(`http://127.0.0.1:${(service.address() as AddressInfo).port}`)),
)
afterAll(() => void service.close())

test.each([
  'password',
  'Password1!',
  'P@ssw0rd',
  'p4ssword123',
  'welcome2026',
  '!!dragon99',
  'qwertyuiop',
  '12345678',
  '87654321',
  'aaaaaaaa',
  'abababab',
  'qwertyui',
  '11111111',
  'iloveyou',
  'Football2024',
  'abcdefgh',
  'ncc1701d',
  'NCC1701D',
  'q1w2e3r4',
  'storage2026',
  'Latchkey1!',
])('%s is a common password and refused', async (password) => {
  expect(await findPasswordProblem({}, password, [])).toBe(passwordTooCommon)
})

test.each([
  'rolling-door-47',
  'correct horse battery',
  'Tz8#kq2Lm',
  'my dog eats apples',
  'ünïcødé påss',
  'storage unit by the river',
  'from a breach 77',
])('%s is accepted', async (password) => {
  expect(await findPasswordProblem({}, password, ['maya@okafor.example'])).toBeNull()
})

test('refuses the account’s own name as password', async () => {
  for (const password of ['maya@okafor.example', 'MAYA@okafor.example', 'maya'])
    expect(await findPasswordProblem({}, password, ['maya@okafor.example'])).toBe(passwordIsName)
})

describeOnBothEngines('A new password', (open, engine) => {
  let services: TestServices
  const reported: string[] = []
  beforeEach(async () => {
    services = await openTestServices(await open())
    reported.length = 0
    const errors = { report: (error: unknown) => void reported.push(String(error)) }
    services.breachedPasswords = httpBreachedPasswords({ url: await listening, errors })
  })
  afterEach(() => services.db.close())

  const refusals = [
    ['ncc1701d', passwordTooCommon],
    ['from a breach 77', passwordBreached],
  ] as const

  it.each(refusals)('%s is refused by the API: %s', async (password, message) => {
    const ada = { location_code: 'GA1', tenant_id: 1001, current_password: 'ada-secret' }
    const change = (to: string) => perform(services, UpdateOnlineAccessPassword, { ...ada, password: to }, asAda)
    expect(await change(password)).toMatchObject({ ok: false, status: 400, fields: { password: message } })
    expect(await change('rolling-door-48')).toMatchObject({ ok: true, value: { result: 'success' } })
  })

  it.each(refusals)('%s is refused by /update-password: %s', async (password, message) => {
    const browser = new Browser(services, { token: await signIn(services.db.write, services, 'ada', visitor()) })
    const form = { current_password: 'ada-secret', password, confirm_password: password }
    const answer = await browser.ask(updatePassword.action, { path: '/update-password', form })
    expect(answer).toMatchObject({ status: 400, data: { fields: { password: message } } })
  })

  const beginReset = () => {
    const now = services.clock.now()
    return services.db.write
      .insertInto('reset_codes')
      .values({
        reset_id: 'reset',
        account_id: 'ada',
        code_sealed: '',
        tries: 1,
        created_at: now,
        expires_at: now + 60_000,
        matched_at: now,
        used_at: null,
      })
      .execute()
  }

  it.runIf(engine === 'postgres')('after a reset waits for a concurrent change without locking the code', async () => {
    await beginReset()
    const held = Promise.withResolvers<void>()
    const waits = Promise.withResolvers<void>()
    const free: unknown[] = []
    const change = services.db.transaction(async (tx) => {
      await insertUndo(tx, services, { accountId: 'ada', kind: 'password' })
      held.resolve()
      await waits.promise
      free.push((await sql`select reset_id from reset_codes for update skip locked`.execute(tx)).rows)
      await invalidateResets(tx, 'ada', services.clock.now())
    })
    await held.promise
    const reset = resetPassword(services, 'reset', 'rolling-door-48')
    while ((await countLockWaits(services.db)) === 0);
    waits.resolve()
    await change
    expect(free).toEqual([[{ reset_id: 'reset' }]])
    expect(await reset).toEqual({ ok: false, passwordError: null })
  })

  it.each(refusals)('%s is refused after a reset: %s', async (password, message) => {
    await beginReset()
    expect(await resetPassword(services, 'reset', password)).toEqual({ ok: false, passwordError: message })
    expect(await resetPassword(services, 'reset', 'rolling-door-48')).toMatchObject({ ok: true })
  })

  it.each(refusals)('%s is refused at registration: %s', async (password, message) => {
    await services.db.write.updateTable('tenants').set({ account_id: null }).where('tenant_id', '=', 1001).execute()
    await services.db.write
      .updateTable('tenants')
      .set({ email: '', email_key: '' })
      .where('tenant_id', '=', 1001)
      .execute()
    const details = { location_code: 'GA1', tenant_id: 1001, email: 'ada.b@example.com', question_id: 1 }
    const registrant = { ...visitor(), registrant: { locationCode: 'GA1', tenantId: 1001 } }
    const register = (to: string) =>
      perform(services, UpdateOnlineAccessPassword, { ...details, password: to, security_answer: 'Rex' }, registrant)
    expect(await register(password)).toMatchObject({ ok: false, status: 400, fields: { password: message } })
    expect(await register('rolling-door-48')).toMatchObject({ ok: true, value: { result: 'success' } })
  })

  it('passes while the breach service is down, which is reported', async () => {
    const errors = { report: (error: unknown) => void reported.push(String(error)) }
    services.breachedPasswords = httpBreachedPasswords({ url: 'http://127.0.0.1:1', errors })
    expect(await findPasswordProblem(services, 'from a breach 77', [])).toBeNull()
    expect(reported).toEqual([expect.stringContaining('A new password was not checked')])
  })
})

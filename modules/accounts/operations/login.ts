import * as v from 'valibot'
import { comingSoon as comingSoonText, loginFailed } from '../../../domain/texts/account.ts'
import { guessLimits } from '../../../platform/operations/brute-force-limits.ts'
import { locationCode } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { decoyHash } from '../../../platform/passwords/decoy-hash.ts'
import { findAccountByUsername, loadSignInTenants } from '../internal/find-account-to-sign-in.ts'
import { countPasswordAttempt } from '../internal/password-attempt-limits.ts'
import { login as loginForm } from '../rules/account-forms.ts'
import { signInByPassword } from '../sessions.ts'

const user = v.object({
  location_code: v.string(),
  TenantID: v.number(),
  first: v.string(),
  last: v.string(),
  email: v.string(),
  grantOnlineAccess: v.string(),
})

export const login = operation({
  name: 'login',
  summary: 'Signs an account in; the token is good for 86,400 seconds.',
  access: 'anyone',
  input: v.object({ location_code: v.optional(locationCode()), ...loginForm.entries }),
  output: v.object({
    result: v.string(),
    message: v.string(),
    user: v.nullable(user),
    token: v.string(),
  }),
  limit: guessLimits.password.address,
  writes: true,
  example: {
    input: { location_code: 'ATL01', username: 'marcus.tilley@example.com', password: 'rolling-door-47' },
    output: {
      result: 'success',
      message: '',
      user: {
        location_code: 'ATL01',
        TenantID: 1001,
        first: 'Marcus',
        last: 'Tilley',
        email: 'marcus.tilley@example.com',
        grantOnlineAccess: 'True',
      },
      token: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    },
  },
  async run(services, input, callers) {
    const failedResult = (message: string) => succeed({ result: 'failed', message, user: null, token: '' })
    const account = await findAccountByUsername(services, input.username)
    const attempt = await countPasswordAttempt(services, account, input.username, callers)
    if (attempt.refusal) return attempt.refusal
    const isCorrect = await services.passwords.verify(
      account?.password_hash ?? (await decoyHash(services)),
      input.password,
    )
    if (!account || !isCorrect) {
      await attempt.recordFailure()
      return failedResult(loginFailed)
    }
    const { tenants, comingSoon } = await loadSignInTenants(services, account.account_id, input.location_code)
    const [tenant] = tenants
    if (!tenant) return failedResult(comingSoon ? comingSoonText : loginFailed)
    const token = await services.db.transaction((tx) => signInByPassword(tx, services, account, callers))
    if (token === null) return failedResult(loginFailed)
    await attempt.recordSuccess()
    services.security.record('sign_in.succeeded', { account: account.account_id, how: 'password' })
    return succeed({
      result: 'success',
      message: '',
      user: {
        location_code: tenant.location_code,
        TenantID: tenant.tenant_id,
        first: tenant.first,
        last: tenant.last,
        email: tenant.email,
        grantOnlineAccess: 'True',
      },
      token,
    })
  },
})

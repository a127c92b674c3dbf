import * as v from 'valibot'
import { accountNotFoundSignUp, resetEmailFailed } from '../../../domain/texts/account.ts'
import { enqueue } from '../../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import { checkAndCountGuess, countWrongGuess, guessLimits } from '../../../platform/operations/brute-force-limits.ts'
import { optionalText } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { findAccountByUsername } from '../internal/find-account-to-sign-in.ts'
import { trustedBrowserMark } from '../internal/find-trusted-browser-mark.ts'
import { endReset, resetContext } from '../password-reset.ts'
import { username as usernameForm } from '../rules/account-forms.ts'
import { generateResetCode, RESET_CODE_MS } from '../rules/generate-reset-code.ts'

/** Returns whether the account has a tenant at the location; true for ''. */
async function hasTenantAt(services: Services, accountId: string, locationCode: string): Promise<boolean> {
  if (locationCode === '') return true
  const tenant = await services.db.read
    .selectFrom('tenants')
    .select('tenant_id')
    .where('account_id', '=', accountId)
    .where('location_code', '=', locationCode)
    .limit(1)
    .executeTakeFirst()
  return tenant !== undefined
}

export const ValidatePasswordRequestIsExist = operation({
  name: 'ValidatePasswordRequestIsExist',
  summary:
    'Checks that an account has the username and mails it a 4-digit reset code, which works only in this browser.',
  access: 'anyone',
  input: v.object({ location_code: optionalText(16), ...usernameForm.entries }),
  output: v.object({
    /**
     * '0000' if the reset code is mailed, '1001' if no account with a tenant at the location has the username; not the
     * reset code itself.
     */
    code: v.string(),
    message: v.string(),
  }),
  limit: guessLimits['reset name'].address,
  writes: true,
  example: {
    input: { location_code: 'ATL01', username: 'marcus.tilley@example.com' },
    output: { code: '0000', message: '' },
  },
  async run(services, { location_code, username }, callers) {
    const account = await findAccountByUsername(services, username)
    const browserMark = trustedBrowserMark(account, callers)
    const limitKey = account && `reset:${browserMark ?? account.account_id}`
    const refusal = await checkAndCountGuess(services, 'reset name', {
      name: limitKey,
      isTrustedBrowser: browserMark !== undefined,
      code: 'locked',
    })
    if (refusal) {
      services.security.record('reset.locked', { account: account?.account_id })
      return refusal
    }
    if (!account || !(await hasTenantAt(services, account.account_id, location_code))) {
      await countWrongGuess(services, 'reset name')
      return succeed({ code: '1001', message: accountNotFoundSignUp })
    }
    const resetId = services.random.hex(16)
    const code = generateResetCode((low, high) => services.random.integer(low, high))
    const now = services.clock.now()
    try {
      await services.db.transaction(async (tx) => {
        // A new code voids the one that this browser requested before.
        if (callers.resetId) await endReset(tx, callers.resetId, now)
        await tx
          .insertInto('reset_codes')
          .values({
            reset_id: resetId,
            account_id: account.account_id,
            code_sealed: services.sealer.seal(code, resetContext(resetId)),
            tries: 0,
            created_at: now,
            expires_at: now + RESET_CODE_MS,
            matched_at: null,
            used_at: null,
          })
          .execute()
        await enqueue(tx, { kind: 'reset_code', once: resetId, payload: { resetId }, runAt: now })
      })
    } catch (error) {
      services.errors.report(error, { operation: 'ValidatePasswordRequestIsExist' })
      return refuse(503, 'not_sent', resetEmailFailed, { retryAfter: 30 })
    }
    services.security.record('reset.requested', { account: account.account_id })
    return succeed({ code: '0000', message: '' }, { resetId })
  },
})

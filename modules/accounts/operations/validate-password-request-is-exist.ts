import * as v from 'valibot'
import { accountNotFoundSignUp, resetEmailFailed } from '../../../domain/texts/account.ts'
import { enqueue } from '../../../platform/jobs/job-queue.ts'
import { countGuess, guessBounds, wrongGuess } from '../../../platform/operations/brute-force-limits.ts'
import { optionalText } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { resetContext } from '../password-reset.ts'
import { findAccountByUsername } from '../passwords.ts'
import { username as usernameForm } from '../rules/account-form.ts'
import { generateResetCode, RESET_CODE_MS } from '../rules/reset-code.ts'
import { trustedBrowserMark } from '../trusted-devices.ts'

async function isAt(services: Services, accountId: string, locationCode: string): Promise<boolean> {
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
    'Whether there is an account to reset; then a 4-digit code goes to its e-mail address, good for this browser.',
  access: 'anyone',
  input: v.object({ location_code: optionalText(16), ...usernameForm.entries }),
  output: v.object({
    code: v.string(),
    message: v.string(),
  }),
  limit: guessBounds['reset name'].address,
  writes: true,
  example: {
    input: { location_code: 'ATL01', username: 'marcus.tilley@example.com' },
    output: { code: '0000', message: '' },
  },
  async run(services, { location_code, username }, callers) {
    const account = await findAccountByUsername(services, username)
    const mark = trustedBrowserMark(account, callers)
    const name = account && `reset:${mark ?? account.account_id}`
    const refused = await countGuess(services, 'reset name', { name, known: mark !== undefined, code: 'locked' })
    if (refused) {
      services.security.record('reset.locked', { account: account?.account_id })
      return refused
    }
    if (!account || !(await isAt(services, account.account_id, location_code))) {
      await wrongGuess(services, 'reset name')
      return succeed({ code: '1001', message: accountNotFoundSignUp })
    }
    // Imported without an e-mail address, so the code cannot be sent.
    if (account.email === '') return refuse(409, 'not_sent', resetEmailFailed)
    const resetId = services.random.hex(16)
    const code = generateResetCode((low, high) => services.random.integer(low, high))
    const now = services.clock.now()
    try {
      await services.db.transaction(async (tx) => {
        // Of the codes that this browser requested, only the last is valid.
        if (callers.resetId) {
          await tx
            .updateTable('reset_codes')
            .set({ used_at: now })
            .where('reset_id', '=', callers.resetId)
            .where('used_at', 'is', null)
            .execute()
        }
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

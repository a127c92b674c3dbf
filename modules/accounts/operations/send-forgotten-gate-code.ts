import * as v from 'valibot'
import { MINUTE } from '../../../domain/durations.ts'
import { emailKey } from '../../../domain/name-and-email-keys.ts'
import { enqueue } from '../../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import { countWrongGuess, guessLimits } from '../../../platform/operations/brute-force-limits.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { paidWinnerSubquery } from '../../links/paid-auction-winners.ts'
import { gateCodeTextConsent } from '../../messages/texts/sms-consent.ts'
import { recordTextConsent } from '../../tenants/sms-consent.ts'
import { countLookup } from '../internal/count-lookup.ts'
import { gateCodeContact } from '../rules/account-forms.ts'

/** Length of the fixed periods in each of which repeated requests send one message, milliseconds. */
const SAME_MESSAGE_MS = 10 * MINUTE

export const sendForgottenGateCode = operation({
  name: 'POST /api/gate_code/search',
  summary: 'Sends a tenant’s gate code to their own e-mail address or phone, whichever was named.',
  access: 'anyone',
  input: gateCodeContact,
  output: v.object({
    result: v.string(),
  }),
  limit: guessLimits['gate code'].address,
  writes: true,
  example: { input: { contact: 'marcus.tilley@example.com' }, output: { result: 'sent' } },
  async run(services, { contact }) {
    const isEmail = contact.includes('@')
    const key = isEmail ? emailKey(contact) : contact
    const limited = await countLookup(services, 'gate code', `gate code:${key}`)
    if (limited) return limited
    const tenants = await services.db.read
      .selectFrom('tenants')
      .innerJoin('leases', (join) =>
        join
          .onRef('leases.location_code', '=', 'tenants.location_code')
          .onRef('leases.tenant_id', '=', 'tenants.tenant_id'),
      )
      .select(['tenants.location_code', 'tenants.tenant_id', 'email'])
      .where(isEmail ? 'email_key' : 'cell_phone', '=', key)
      .where('leases.status', '!=', 'Closed')
      .where('leases.gate_code', '!=', '')
      // Once an auction winner has paid for the unit, its gate code is no longer the tenant's.
      .where(({ not, exists }) => not(exists(paidWinnerSubquery(services.db.read))))
      .distinct()
      .limit(20)
      .execute()
    const now = services.clock.now()
    if (tenants.length === 0) {
      await countWrongGuess(services, 'gate code')
      return succeed({ result: 'not found' })
    }
    const reached = await services.db.transaction(async (tx) => {
      const consent = { phone: contact, askedAt: 'gate_code', wording: gateCodeTextConsent } as const
      // No text is sent to a phone for which texts were stopped: the code is mailed to the tenant instead.
      const sendsText = !isEmail && (await recordTextConsent(tx, services, consent))
      const reachable = tenants.filter(({ email }) => sendsText || email !== '')
      for (const { location_code, tenant_id } of reachable)
        await enqueue(tx, {
          kind: sendsText ? 'gate_code_sms' : 'gate_code',
          once: `${location_code}:${tenant_id}:${Math.floor(now / SAME_MESSAGE_MS)}`,
          payload: { locationCode: location_code, tenantId: tenant_id },
          runAt: now,
        })
      return reachable.length > 0
    })
    return succeed({ result: reached ? 'sent' : 'not found' })
  },
})

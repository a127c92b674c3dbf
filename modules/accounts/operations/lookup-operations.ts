import * as v from 'valibot'
import { OFFICE_FACILITY_ID } from '../../../domain/business.ts'
import { findEmail, gateCodeContact } from '../../../domain/forms/account.ts'
import { emailKey } from '../../../domain/phone.ts'
import {
  comingSoon,
  emailNotFound,
  tenantNotFoundByEmail,
  tenantNotFoundByUnit,
} from '../../../domain/texts/account.ts'
import { gateCodeTextConsent } from '../../../domain/texts/text-messages.ts'
import { enqueue } from '../../../platform/jobs/queue.ts'
import { guessBounds, wrongGuess } from '../../../platform/operations/guesses.ts'
import { locationCode, required } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { paidWinnerOfLease } from '../../gate/gate.ts'
import { agreeToTexts } from '../../tenants/text-choices.ts'
import { ValidatePasswordRequestIsExist } from '../password-reset.ts'
import { tenantLookup, tooOften } from '../registration-lookup.ts'
import { openSignIn } from '../sessions.ts'

export const CheckUnitNumber = operation({
  name: 'CheckUnitNumberForOnlineAccess',
  summary: 'The tenant who rents a unit, for the browser that has named their other details.',
  access: {
    tenant: (caller, input) => caller.tenants.some((one) => one.locationCode === input.location_code),
    registrant: (caller, input) => caller.locationCode === input.location_code,
  },
  input: v.object({ location_code: locationCode(), unit_number: required(20) }),
  output: v.object({ User: v.array(v.object({ TenantID: v.number() })), ErrorMessage: v.string() }),
  wrapper: 'UserDetails',
  limit: guessBounds.unit.address,
  writes: false,
  example: {
    input: { location_code: 'ATL01', unit_number: '318' },
    output: { User: [{ TenantID: 1001 }], ErrorMessage: '' },
  },
  async run(services, input, callers) {
    const own = [...(callers.tenant?.tenants ?? []), ...(callers.registrant ? [callers.registrant] : [])].filter(
      (one) => one.locationCode === input.location_code,
    )
    const found = await services.db.read
      .selectFrom('leases')
      .select('tenant_id')
      .where('location_code', '=', input.location_code)
      .where('status', '!=', 'Closed')
      // Only one's own: a unit's tenant is not revealed to others.
      .where('tenant_id', 'in', [-1, ...own.map((one) => one.tenantId)])
      .where('unit_number', '=', input.unit_number)
      .executeTakeFirst()
    return succeed(
      found
        ? { User: [{ TenantID: found.tenant_id }], ErrorMessage: '' }
        : { User: [], ErrorMessage: tenantNotFoundByUnit },
    )
  },
})

export const findByEmail = operation({
  name: 'find-email',
  summary:
    'Whoever pays without an account names an e-mail address; the token reaches its units, dues and payments only.',
  access: 'anyone',
  input: findEmail,
  output: v.object({ result: v.string(), message: v.string(), token: v.string() }),
  limit: guessBounds['guest e-mail'].address,
  writes: true,
  example: {
    input: { email: 'marcus.tilley@example.com' },
    output: {
      result: 'success',
      message: '',
      token: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    },
  },
  async run(services, { email }, callers) {
    const key = emailKey(email)
    const limited = await tooOften(services, 'guest e-mail', `guest:${key}`)
    if (limited) return limited
    const tenants = await services.db.read
      .selectFrom('tenants')
      .innerJoin('locations', 'locations.location_code', 'tenants.location_code')
      .leftJoin('leases', (join) =>
        join
          .onRef('leases.location_code', '=', 'tenants.location_code')
          .onRef('leases.tenant_id', '=', 'tenants.tenant_id')
          .on('leases.status', '!=', 'Closed'),
      )
      .select(['tenants.location_code', 'tenants.tenant_id', 'lease_number', 'coming_soon'])
      .where('email_key', '=', key)
      .where('facility_id', '!=', OFFICE_FACILITY_ID)
      .orderBy('tenants.location_code')
      .orderBy('tenants.tenant_id')
      .limit(50)
      .execute()
    // An address of a reservation or of a former lease has no units to pay for.
    const renting = tenants.filter((one) => one.lease_number !== null)
    // What is owed at a facility is known once it is taken over.
    const found = renting.find((one) => one.coming_soon === 0)
    if (!found && renting.length > 0) return succeed({ result: 'failed', message: comingSoon, token: '' })
    if (!found) {
      await wrongGuess(services, 'guest e-mail')
      const message = tenants.length > 0 ? tenantNotFoundByEmail : emailNotFound
      return succeed({ result: 'failed', message, token: '' })
    }
    const { location_code, tenant_id } = found
    const token = await openSignIn(services.db.write, services, { location_code, tenant_id }, callers)
    return succeed({ result: 'success', message: '', token })
  },
})

/** Asked for again within this time, it is the same message. */
const SAME_MESSAGE_MS = 10 * 60 * 1000

export const searchGateCode = operation({
  name: 'POST /api/gate_code/search',
  summary: 'Sends a tenant’s gate code to their own e-mail address or phone, whichever was named.',
  access: 'anyone',
  input: gateCodeContact,
  output: v.object({
    result: v.string(),
  }),
  limit: guessBounds['gate code'].address,
  writes: true,
  example: { input: { contact: 'marcus.tilley@example.com' }, output: { result: 'sent' } },
  async run(services, { contact }) {
    const byMail = contact.includes('@')
    const key = byMail ? emailKey(contact) : contact
    const limited = await tooOften(services, 'gate code', `gate code:${key}`)
    if (limited) return limited
    const tenants = await services.db.read
      .selectFrom('tenants')
      .innerJoin('leases', (join) =>
        join
          .onRef('leases.location_code', '=', 'tenants.location_code')
          .onRef('leases.tenant_id', '=', 'tenants.tenant_id'),
      )
      .select(['tenants.location_code', 'tenants.tenant_id'])
      .where(byMail ? 'email_key' : 'cell_phone', '=', key)
      .where('leases.status', '!=', 'Closed')
      .where('leases.gate_code', '!=', '')
      .where(({ not, exists }) => not(exists(paidWinnerOfLease(services.db.read))))
      .distinct()
      .limit(20)
      .execute()
    const now = services.clock.now()
    if (tenants.length === 0) await wrongGuess(services, 'gate code')
    else {
      await services.db.transaction(async (tx) => {
        const asked = { phone: contact, askedAt: 'gate_code', wording: gateCodeTextConsent } as const
        // After STOP it goes to the address on file.
        const byText = !byMail && (await agreeToTexts(tx, services, asked))
        for (const { location_code, tenant_id } of tenants)
          await enqueue(tx, {
            kind: byText ? 'gate_code_sms' : 'gate_code',
            once: `${location_code}:${tenant_id}:${Math.floor(now / SAME_MESSAGE_MS)}`,
            payload: { locationCode: location_code, tenantId: tenant_id },
            runAt: now,
          })
      })
    }
    return succeed({ result: tenants.length > 0 ? 'sent' : 'not found' })
  },
})

export const lookUpOperations = [tenantLookup, CheckUnitNumber, findByEmail, ValidatePasswordRequestIsExist]

export const lookUpResources = [searchGateCode]

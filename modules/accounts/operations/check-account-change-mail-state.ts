import * as v from 'valibot'
import { messageStateOf } from '../../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import { optionalText } from '../../../platform/operations/input-fields.ts'
import { mailStateResponse, respondWithMailState } from '../../../platform/operations/mail-state-response.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { refuse } from '../../../platform/operations/outcome.ts'
import {
  fieldComparisons,
  refuseDifferingFields,
} from '../../../platform/operations/refuse-fields-that-differ-from-record.ts'
import { loadAccountEmails } from '../email-change.ts'

/** Returns which change a notice is about, by its key `<account>:<kind>:<change>[:<to>]` (`enqueueChangeMail`). */
const changeKeyOf = (once: string | null | undefined) => once?.split(':')[2]

export const postTenantUpdateNotice = operation({
  name: 'POST /api/notices/tenant_update_notice',
  summary:
    'The notice of the signed-in account’s last change of e-mail, name or password. It goes out once, by itself, to the addresses of the record (a change of e-mail to the old and the new one); asking again tells where it is.',
  access: { tenant: () => true },
  input: v.object({
    /**
     * This and `new_tenant_email_id`: an address that the account had, has or requested, or an address of its tenants;
     * another one is refused with 409. Both may be empty: the recipients come from the record.
     */
    tenant_email_id: optionalText(254),
    new_tenant_email_id: optionalText(254),
    email_template_type: v.picklist(['email', 'name', 'password'], 'must be email, name or password'),
  }),
  output: mailStateResponse,
  writes: true,
  example: {
    input: { tenant_email_id: 'marcus.tilley@example.com', new_tenant_email_id: '', email_template_type: 'password' },
    output: { result: 'waiting', message: 'It is on its way.' },
  },
  async run(services, { email_template_type, ...addresses }, callers) {
    const isOwnAddress = fieldComparisons.email(...(await loadAccountEmails(services, callers.tenant?.accountId ?? '')))
    const refusal = refuseDifferingFields(addresses, {
      tenant_email_id: isOwnAddress,
      new_tenant_email_id: isOwnAddress,
    })
    if (refusal) return refusal
    const rows = await services.db.read
      .selectFrom('jobs')
      .select(['state', 'once'])
      .where('kind', '=', 'tenant_updated')
      .where('once', 'like', `${callers.tenant?.accountId ?? ''}:${email_template_type}:%`)
      .orderBy('created_at', 'desc')
      // A change of e-mail sends two notices.
      .limit(2)
      .execute()
    const lastNotices = rows.filter((row) => changeKeyOf(row.once) === changeKeyOf(rows[0]?.once))
    return respondWithMailState(
      messageStateOf(lastNotices.map(({ state }) => state)),
      refuse(409, 'nothing_to_send', 'Nothing of the kind was changed.'),
    )
  },
})

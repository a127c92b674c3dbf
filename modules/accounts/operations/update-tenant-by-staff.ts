import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { emailKey } from '../../../domain/lookup-keys.ts'
import { changedSince } from '../../../domain/texts/office-refusals.ts'
import { tooManyTries } from '../../../domain/texts/too-many-attempts.ts'
import { recordOf } from '../../../domain/typed-keys.ts'
import { sealedChanges, staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { engineOf } from '../../../platform/database/engine.ts'
import { integer, locationCode, plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { mayAtFacility } from '../../../platform/operations/staff-scope.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { updateProspectContact } from '../../reservations/prospects.ts'
import { type ContactField, contactFields, contactVersion } from '../../tenants/contact-version.ts'
import { loadTenant, type Tenant, updateTenant } from '../../tenants/tenant.ts'
import { mailContactChange } from '../change-notices.ts'
import { countEmailChangeRequest, requestEmailChange } from '../email-change.ts'
import { profile } from '../rules/account-form.ts'

const { birthday: _, ...contact } = profile.entries

type Contact = Record<ContactField, string>

/** Thrown when the contact data changed meanwhile. Rolls back. */
class ChangedSince extends Error {}

export const UpdateTenantByStaff = internalOperation({
  name: 'UpdateTenantByStaff',
  button: { label: 'Contact data', key: 'i', place: 15, page: 'contact', permission: 'tenant.update', about: 'tenant' },
  access: { staff: mayAtFacility('tenant.update') },
  input: v.object({
    location_code: locationCode(),
    tenant_id: integer(),
    ...contact,
    /** Version of the contact data that the form showed (`contactVersion`). */
    before: plainLine,
  }),
  example: {
    input: {
      location_code: 'ATL01',
      tenant_id: 1001,
      before: '0123456789abcdef',
      first: 'Marcus',
      last: 'Tilley',
      email: 'marcus.tilley@example.com',
      cell_phone: '6785550112',
      address: '77 Linden Shoals Avenue NE',
      city: 'Atlanta',
      state: 'GA',
      zip: '30308',
    },
  },
  async run(services, { location_code, tenant_id, before, ...sent }, callers) {
    const tenant = await loadTenant(services.db.read, location_code, tenant_id)
    if (tenant?.erased_at !== null) return recordNotFound
    if (contactVersion(tenant) !== before) return refuse(409, 'changed', changedSince)
    const account = await loadAccount(services, tenant)
    const key = emailKey(sent.email)
    // An address that the account already has takes effect at once.
    const emailChange =
      account && key !== tenant.email_key && key !== account.email ? { account, newEmail: sent.email } : null
    const wait = emailChange && (await countEmailChangeRequest(services, emailChange.account.account_id, key))
    if (wait) return refuse(429, 'too_many', tooManyTries(wait), { retryAfter: wait })
    const changed = contactFields.filter((field) => sent[field] !== tenant[field])
    if (changed.length === 0) return succeed({ changed: [], email_to_confirm: '' })
    const tenantKey = { locationCode: location_code, tenantId: tenant_id }
    const changes = recordOf(changed, (field): [string, string] => [tenant[field], sent[field]])
    try {
      await services.db.transaction(async (tx) => {
        await writeContact(tx, services, tenant, { sent, before, emailChange, account })
        await writeAuditEvent(tx, services, staffActor(callers), {
          kind: 'tenant.updated',
          details: { fields: changed.map(fieldLabel).join(', ') },
          ...tenantKey,
          permission: 'tenant.update',
          changes: await sealedChanges(tx, services, tenantKey, changes),
        })
      })
    } catch (error) {
      if (error instanceof ChangedSince) return refuse(409, 'changed', changedSince)
      throw error
    }
    return succeed({ changed, email_to_confirm: emailChange?.newEmail ?? '' })
  },
})

const fieldLabel = (field: ContactField): string => field.replaceAll('_', ' ').replace('zip', 'ZIP code')

const loadAccount = async (services: Services, tenant: Tenant) =>
  tenant.account_id === null
    ? undefined
    : services.db.read
        .selectFrom('accounts')
        .select(['account_id', 'email'])
        .where('account_id', '=', tenant.account_id)
        .executeTakeFirst()

/**
 * Saves contact data and requests confirmation of a new address.
 * @throws ChangedSince where the record has changed meanwhile
 */
async function writeContact(
  tx: Kysely<Tables>,
  services: Services,
  tenant: Tenant,
  update: {
    sent: Contact
    before: string
    emailChange: { account: { account_id: string; email: string }; newEmail: string } | null
    account: { account_id: string } | undefined
  },
): Promise<void> {
  const { sent, before, emailChange, account } = update
  const { location_code, tenant_id } = tenant
  const tenantKey = { locationCode: location_code, tenantId: tenant_id }
  // The e-mail change is written before the tenant: the lock order of `lockAccount`.
  if (emailChange) await requestEmailChange(tx, services, { ...emailChange, ...tenantKey })
  const current = await tx
    .selectFrom('tenants')
    .selectAll()
    .where((eb) => eb.and({ location_code, tenant_id }))
    .$if(engineOf(tx) === 'postgres', (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
  if (!current || current.account_id !== tenant.account_id || contactVersion(current) !== before)
    throw new ChangedSince()
  const { email, ...otherFields } = sent
  await updateTenant(tx, { location_code, tenant_id }, emailChange ? otherFields : sent)
  await updateProspectContact(
    tx,
    { location_code, tenant_id },
    { email_address: emailChange ? undefined : email, cell_phone: sent.cell_phone },
  )
  if (!account) return
  const holder = { accountId: account.account_id, ...tenantKey }
  if (sent.first !== tenant.first || sent.last !== tenant.last)
    await mailContactChange(tx, services, { ...holder, changed: 'name' })
  if (sent.cell_phone !== tenant.cell_phone) await mailContactChange(tx, services, { ...holder, changed: 'phone' })
}

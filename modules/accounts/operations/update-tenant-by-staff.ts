import * as v from 'valibot'
import { changedSince } from '../../../domain/texts/office-refusals.ts'
import { tooManyTries } from '../../../domain/texts/too-many-attempts.ts'
import { recordOf } from '../../../domain/typed-keys.ts'
import { sealChanges } from '../../../platform/audit/audit.ts'
import { engineOf } from '../../../platform/database/engine-differences.ts'
import { integer, locationCode, plainLine } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError, refusalError } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { updateProspectContact } from '../../reservations/prospect-record-of-reservation.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { type ContactField, contactDataHash, contactFields } from '../../tenants/contact-data-hash.ts'
import { loadTenant, type Tenant, updateTenant } from '../../tenants/tenant.ts'
import { mailContactChange } from '../change-notices.ts'
import {
  countEmailChangeRequest,
  emailChangeOf,
  requestEmailChange,
  type UnconfirmedEmailChange,
} from '../email-change.ts'
import { profile } from '../rules/account-forms.ts'

const { birthday: _, ...contact } = profile.entries

const fieldLabel = (field: ContactField): string => field.replaceAll('_', ' ').replace('zip', 'ZIP code')

/** Label in the audit log of a new e-mail address that its mailbox must still confirm. */
const UNCONFIRMED_EMAIL = 'email (unconfirmed)'

/** Returns the labels of changed fields for the audit log, and for each the value before and after. */
function auditedChanges(
  changed: readonly ContactField[],
  tenant: Tenant,
  sent: Readonly<Record<ContactField, string>>,
  emailChange: UnconfirmedEmailChange | null,
): { fields: string; changes: Record<string, [string, string]> } {
  const labels = changed.map(fieldLabel)
  const changes: Record<string, [string, string]> = recordOf(changed, (field) => [tenant[field], sent[field]])
  if (emailChange) {
    labels.push(UNCONFIRMED_EMAIL)
    changes[UNCONFIRMED_EMAIL] = [tenant.email, emailChange.newEmail]
  }
  return { fields: labels.join(', '), changes }
}

const loadAccount = async (services: Services, tenant: Tenant) =>
  tenant.account_id === null
    ? undefined
    : services.db.read
        .selectFrom('accounts')
        .select(['account_id', 'email'])
        .where('account_id', '=', tenant.account_id)
        .executeTakeFirst()

/** Changes a tenant's contact data. The new e-mail address of an online account has to be confirmed by mail first. */
export const UpdateTenantByStaff = officeOperation({
  name: 'UpdateTenantByStaff',
  permission: 'tenant.update',
  button: { label: 'Contact data', key: 'i', place: 15, page: 'contact', about: 'tenant' },
  input: v.object({
    location_code: locationCode(),
    tenant_id: integer(),
    ...contact,
    /** Version of the contact data that the form showed (`contactDataHash`). */
    before: plainLine,
  }),
  example: {
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
  async before(services, { location_code, tenant_id, before, email }) {
    const tenant = await loadTenant(services.db.read, location_code, tenant_id)
    if (tenant?.erased_at !== null) throw new RefusalError(recordNotFound)
    if (contactDataHash(tenant) !== before) throw refusalError(409, 'changed', changedSince)
    const account = await loadAccount(services, tenant)
    const emailChange = account ? emailChangeOf(tenant, account, email) : null
    const wait = emailChange && (await countEmailChangeRequest(services, emailChange.account.account_id, email))
    if (wait) throw refusalError(429, 'too_many', tooManyTries(wait), { retryAfter: wait })
    return { tenant, account, emailChange }
  },
  async work(act, { location_code, tenant_id, before, ...sent }, { tenant, account, emailChange }) {
    const { tx, services } = act
    const different = contactFields.filter((field) => sent[field] !== tenant[field])
    const changed = emailChange ? different.filter((field) => field !== 'email') : different
    if (different.length === 0) {
      act.leaveUnchanged()
      return { changed, email_to_confirm: '' }
    }
    const tenantKey = { locationCode: location_code, tenantId: tenant_id }
    // The e-mail change is written before the tenant: the lock order of `lockAccountRow`.
    if (emailChange) await requestEmailChange(tx, services, { ...emailChange, ...tenantKey })
    const current = await tx
      .selectFrom('tenants')
      .selectAll()
      .where((eb) => eb.and({ location_code, tenant_id }))
      .$if(engineOf(tx) === 'postgres', (query) => query.forNoKeyUpdate())
      .executeTakeFirst()
    if (!current || current.account_id !== tenant.account_id || contactDataHash(current) !== before)
      throw refusalError(409, 'changed', changedSince)
    const { email, ...otherFields } = sent
    await updateTenant(tx, { location_code, tenant_id }, emailChange ? otherFields : sent)
    await updateProspectContact(
      tx,
      { location_code, tenant_id },
      { email_address: emailChange ? undefined : email, cell_phone: sent.cell_phone },
    )
    if (account) {
      const accountAndTenant = { accountId: account.account_id, ...tenantKey }
      if (changed.includes('first') || changed.includes('last'))
        await mailContactChange(tx, services, { ...accountAndTenant, changed: 'name' })
      if (changed.includes('cell_phone'))
        await mailContactChange(tx, services, { ...accountAndTenant, changed: 'phone' })
    }
    const { fields, changes } = auditedChanges(changed, tenant, sent, emailChange)
    await act.audit({
      kind: 'tenant.updated',
      details: { fields },
      changes: await sealChanges(tx, services, tenantKey, changes),
    })
    return { changed, email_to_confirm: emailChange?.newEmail ?? '' }
  },
})

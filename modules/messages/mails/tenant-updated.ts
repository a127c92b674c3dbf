import { DAY } from '../../../domain/durations.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { TenantUpdate } from '../../../platform/schema/job-kinds.ts'
import { findUndoById, UNDO_MS, undoPath } from '../../accounts/account-undo-links.ts'
import { loadPasskeys } from '../../accounts/passkeys/store.ts'
import { loadTenant } from '../../tenants/tenant.ts'
import * as example from '../internal/example-facts.ts'
import { loadMessageBrand, noMessage } from '../internal/message-facts.ts'
import type { Letter, MessageBrand } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

const fieldNames = { email: 'e-mail address', name: 'name', password: 'password', phone: 'phone number' } as const

async function loadRecipient(
  services: Services,
  update: TenantUpdate,
): Promise<{ address: string; name: string; newEmail?: string; undoId?: string } | null> {
  if (update.changed === 'name' || update.changed === 'phone') {
    const tenant = await loadTenant(services.db.read, update.locationCode, update.tenantId)
    return tenant ? { address: tenant.email, name: tenant.first } : null
  }
  const account = await services.db.read
    .selectFrom('accounts')
    .innerJoin('tenants', 'tenants.account_id', 'accounts.account_id')
    .select(['accounts.email as address', 'first as name'])
    .where('accounts.account_id', '=', update.accountId)
    .orderBy('tenants.location_code')
    .orderBy('tenants.tenant_id')
    .limit(1)
    .executeTakeFirst()
  if (!account) return null
  // The undo stores the address at the time of the change; the account may have another one by now.
  const undo = update.undoId ? await findUndoById(services, update.undoId) : undefined
  const undoId = undo?.state === 'open' ? undo.undo_id : undefined
  if (update.changed === 'password') return { name: account.name, address: undo?.email ?? account.address, undoId }
  const change = await services.db.read
    .selectFrom('email_changes')
    .select(['old_email', 'new_email'])
    .where('change_id', '=', update.changeId)
    .executeTakeFirst()
  if (!change) return null
  const address = update.to === 'old' ? change.old_email : change.new_email
  return { address, name: account.name, newEmail: change.new_email, undoId }
}

function tenantUpdated(facts: {
  brand: MessageBrand
  name: string
  /** Changed field: an `email_template_type` (spec 2 §7), or 'phone'. */
  changed: 'email' | 'name' | 'password' | 'phone'
  newEmail?: string
  /** Link that undoes a change of e-mail address or password, and its validity in days; left out without one. */
  undo?: { url: string; days: number }
  passkeys?: string[]
}): Letter {
  const changedField = fieldNames[facts.changed]
  return {
    subject: `Your ${facts.brand.name} ${changedField} was changed`,
    heading: `Your ${changedField} was changed`,
    preview: 'If this was you, all is well.',
    blocks: [
      `${facts.name}, the ${changedField} of your account was changed${
        facts.changed === 'email' && facts.newEmail ? ` to ${facts.newEmail}` : ''
      }.`,
      ...(facts.passkeys?.length
        ? [`Passkeys still sign in without it: ${facts.passkeys.map((passkey) => `“${passkey}”`).join(', ')}.`]
        : []),
      ...(facts.undo
        ? [
            `If this was you, all is well. If not, undo it now: your account is as it was before, all devices are signed out, and you choose a new password. The link is good for ${facts.undo.days} days.`,
            { button: 'It was not me: undo it', href: facts.undo.url },
          ]
        : ['If this was you, all is well. If not, call us now.']),
    ],
  }
}

export const tenantUpdatedMail = mail('tenant_updated', {
  about: 'account',
  name: 'Account changed',
  async facts(services, payload) {
    const to = await loadRecipient(services, payload)
    if (!to || to.address === '') return noMessage
    return {
      to: to.address,
      facts: {
        brand: await loadMessageBrand(services),
        name: to.name,
        changed: payload.changed,
        newEmail: to.newEmail,
        ...(payload.changed === 'password' && {
          passkeys: (await loadPasskeys(services, payload.accountId)).map(({ name }) => name),
        }),
        ...(to.undoId && {
          undo: { url: `${services.publicUrl}${undoPath(services, to.undoId)}`, days: UNDO_MS / DAY },
        }),
      },
    }
  },
  letter: tenantUpdated,
  samples: [
    {
      name: 'tenant-updated',
      title: 'Account changed',
      facts: {
        brand: example.brand,
        name: 'Maya',
        changed: 'email',
        newEmail: 'maya@okafor.example',
        undo: { url: `${example.brand.siteUrl}/account-undo?change=Zx3mVQ`, days: 7 },
      },
    },
  ],
})

/**
 * Changes an account's e-mail address. Log-in and look-ups use the address, so a new one takes effect only after its
 * mailbox has confirmed it, in a browser that is signed in to the account (docs/decisions/signing-in.md).
 */

import { timingSafeEqual } from 'node:crypto'
import type { Kysely, Selectable } from 'kysely'
import { DAY } from '../../domain/durations.ts'
import { emailKey } from '../../domain/name-and-email-keys.ts'
import type { Instant } from '../../domain/time-zone-dates.ts'
import { enqueue } from '../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { EmailChangesTable, Tables } from '../../platform/schema/tables.ts'
import { updateProspectContact } from '../reservations/prospect-record-of-reservation.ts'
import { updateTenant } from '../tenants/tenant.ts'
import { insertUndo, isEmailRestorableByOther, type TenantAddress } from './account-undo-links.ts'
import { endAccountSignIns } from './active-sign-ins.ts'
import { enqueueChangeMail, invalidateResets } from './change-notices.ts'
import { lockAccountEmail } from './internal/lock-account-email.ts'

type EmailChange = Selectable<EmailChangesTable>

export const EMAIL_CHANGE_MS = DAY

/** Returns the encryption context of a mailed link's token. */
export const emailTokenContext = (changeId: string) => `email-change:${changeId}:token`

/**
 * Counts a request for a new e-mail address, so that another person's mailbox cannot be flooded.
 * @returns null where the request is allowed, else the seconds to wait
 */
export async function countEmailChangeRequest(
  services: Services,
  accountId: string,
  newEmail: string,
): Promise<number | null> {
  const limitResult = await services.limits.consumeAll([
    { key: `email-change:${accountId}`, limit: { points: 5, perSeconds: 3600, shared: true } },
    { key: `email-change-to:${emailKey(newEmail)}`, limit: { points: 5, perSeconds: 86_400, shared: true } },
  ])
  return limitResult.allowed ? null : limitResult.retryAfterSeconds
}

/** Change of an account's e-mail address that needs confirmation. */
export interface UnconfirmedEmailChange {
  account: { account_id: string; email: string }
  newEmail: string
}

/**
 * Returns the change of e-mail address that needs confirmation; null for an address of the tenant or the account, which
 * takes effect at once.
 */
export function emailChangeOf(
  tenant: { email_key: string },
  account: UnconfirmedEmailChange['account'],
  newEmail: string,
): UnconfirmedEmailChange | null {
  const key = emailKey(newEmail)
  return key === tenant.email_key || key === account.email ? null : { account, newEmail }
}

/** Mails a confirmation link to the new address and withdraws earlier requests. Runs in the caller's transaction. */
export async function requestEmailChange(
  tx: Kysely<Tables>,
  services: Services,
  request: UnconfirmedEmailChange & { locationCode: string; tenantId: number },
): Promise<void> {
  const now = services.clock.now()
  const change_id = services.random.uuid()
  await withdrawOpenEmailChanges(tx, request.account.account_id)
  await tx
    .insertInto('email_changes')
    .values({
      change_id,
      account_id: request.account.account_id,
      location_code: request.locationCode,
      tenant_id: request.tenantId,
      old_email: emailKey(request.account.email),
      new_email: request.newEmail,
      token_sealed: services.sealer.seal(services.random.hex(16), emailTokenContext(change_id)),
      state: 'open',
      created_at: now,
      expires_at: now + EMAIL_CHANGE_MS,
      confirmed_at: null,
    })
    .execute()
  await enqueue(tx, { kind: 'confirm_email', once: change_id, payload: { changeId: change_id }, runAt: now })
}

/** Withdraws an account's open change of e-mail address, whose confirmation link then does nothing. */
export const withdrawOpenEmailChanges = (db: Kysely<Tables>, accountId: string) =>
  db
    .updateTable('email_changes')
    .set({ state: 'withdrawn' })
    .where('account_id', '=', accountId)
    .where('state', '=', 'open')
    .execute()

/** Returns the account's unconfirmed new e-mail address and when its link expires; null where there is none. */
export async function loadPendingEmailChange(
  services: Services,
  accountId: string,
): Promise<{ newEmail: string; until: Instant } | null> {
  const row = await services.db.read
    .selectFrom('email_changes')
    .select(['new_email', 'expires_at'])
    .where('account_id', '=', accountId)
    .where('state', '=', 'open')
    .where('expires_at', '>', services.clock.now())
    .executeTakeFirst()
  return row ? { newEmail: row.new_email, until: row.expires_at } : null
}

/**
 * Loads a change of e-mail address and the path of its confirmation link, for the mail; null once it was confirmed or
 * withdrawn. Does not check whether the link has expired.
 */
export async function loadEmailChangeMail(
  services: Services,
  changeId: string,
): Promise<{ change: EmailChange; path: string } | null> {
  const change = await services.db.read
    .selectFrom('email_changes')
    .selectAll()
    .where('change_id', '=', changeId)
    .where('state', '=', 'open')
    .executeTakeFirst()
  if (!change) return null
  const token = services.sealer.open(change.token_sealed, emailTokenContext(changeId))
  return { change, path: `/confirm-email?${new URLSearchParams({ change: changeId, token })}` }
}

/** Id and token of a mailed link that confirms a new e-mail address. */
export interface EmailLink {
  changeId: string
  token: string
}

/** Returns the account's open change if the link has its id and token and has not expired; null for any other link. */
export async function findEmailChangeByLink(
  services: Services,
  accountId: string,
  link: EmailLink,
): Promise<EmailChange | null> {
  const change = await services.db.read
    .selectFrom('email_changes')
    .selectAll()
    .where('change_id', '=', link.changeId)
    .where('account_id', '=', accountId)
    .where('state', '=', 'open')
    .where('expires_at', '>', services.clock.now())
    .executeTakeFirst()
  if (!change) return null
  const expectedToken = Buffer.from(services.sealer.open(change.token_sealed, emailTokenContext(change.change_id)))
  const linkToken = Buffer.from(link.token)
  return linkToken.length === expectedToken.length && timingSafeEqual(linkToken, expectedToken) ? change : null
}

class AddressTaken extends Error {}

/**
 * Confirms a change of e-mail address: sets the new address in the account, in a username equal to the old one and in
 * tenants (`loadTenantsToMove`), mails both addresses (the old one with an undo link), and ends reset codes and all
 * sign-ins but that of `token`.
 * @returns 'gone' for a link that is not this account's, expired, withdrawn or used; 'taken' where another account uses
 * or may regain the address, or the account's address has changed since the request
 */
export async function confirmEmailChange(
  services: Services,
  accountId: string,
  link: EmailLink,
  token: string,
): Promise<'confirmed' | 'gone' | 'taken'> {
  const change = await findEmailChangeByLink(services, accountId, link)
  if (!change) return 'gone'
  const key = emailKey(change.new_email)
  const now = services.clock.now()
  try {
    const outcome = await services.db.transaction(async (tx) => {
      const isTaken = await lockAccountEmail(tx, key, accountId)
      const claimed = await tx
        .updateTable('email_changes')
        .set({ state: 'confirmed', confirmed_at: now })
        .where('change_id', '=', change.change_id)
        .where('state', '=', 'open')
        .returning('change_id')
        .executeTakeFirst()
      if (!claimed) return 'gone' as const
      if (isTaken || (await isEmailRestorableByOther(tx, key, accountId, now))) throw new AddressTaken()
      const movedTenants = await loadTenantsToMove(tx, change)
      const undoId = await insertUndo(tx, services, { accountId, kind: 'email', tenants: movedTenants })
      const account = await tx
        .updateTable('accounts')
        .set((eb) => ({
          email: key,
          username: eb.case().when('username', '=', change.old_email).then(key).else(eb.ref('username')).end(),
        }))
        .where('account_id', '=', accountId)
        .where('email', '=', change.old_email)
        .returning('account_id')
        .executeTakeFirst()
      if (!account) throw new AddressTaken()
      for (const tenant of movedTenants) await setTenantEmail(tx, accountId, { ...tenant, email: change.new_email })
      await invalidateResets(tx, accountId, now)
      await endAccountSignIns(tx, accountId, now, token)
      for (const to of ['old', 'new'] as const) {
        await enqueueChangeMail(tx, services, `${change.change_id}:${to}`, {
          accountId,
          changed: 'email',
          changeId: change.change_id,
          to,
          ...(to === 'old' && { undoId }),
        })
      }
      return 'confirmed' as const
    })
    if (outcome === 'confirmed') services.security.record('email.changed', { account: accountId, email: key })
    return outcome
  } catch (error) {
    if (error instanceof AddressTaken) return 'taken'
    throw error
  }
}

/**
 * Loads the account's tenants whose e-mail address a confirmed change replaces: those with the old address, and the
 * tenant for whom the change was requested.
 */
const loadTenantsToMove = (tx: Kysely<Tables>, change: EmailChange): Promise<TenantAddress[]> =>
  tx
    .selectFrom('tenants')
    .select(['location_code', 'tenant_id', 'email'])
    .where('account_id', '=', change.account_id)
    .where((eb) =>
      eb.or([
        eb('email_key', '=', change.old_email),
        eb.and([eb('location_code', '=', change.location_code), eb('tenant_id', '=', change.tenant_id)]),
      ]),
    )
    .orderBy('location_code')
    .orderBy('tenant_id')
    .execute()

/**
 * Sets the e-mail address of an account's tenant and of the prospect records of the tenant's active reservations. Runs
 * in the caller's transaction.
 */
export async function setTenantEmail(
  tx: Kysely<Tables>,
  accountId: string,
  { location_code, tenant_id, email }: TenantAddress,
): Promise<void> {
  if (await updateTenant(tx, { location_code, tenant_id, account_id: accountId }, { email }))
    await updateProspectContact(tx, { location_code, tenant_id }, { email_address: email })
}

/**
 * Loads the e-mail addresses and username of an account, its tenants' addresses, and the old and new addresses of the
 * account's e-mail changes.
 */
export async function loadAccountEmails(services: Services, accountId: string): Promise<string[]> {
  const [account, tenants, changes] = await Promise.all([
    services.db.read.selectFrom('accounts').select(['email', 'username']).where('account_id', '=', accountId).execute(),
    services.db.read.selectFrom('tenants').select('email').where('account_id', '=', accountId).execute(),
    services.db.read
      .selectFrom('email_changes')
      .select(['old_email', 'new_email'])
      .where('account_id', '=', accountId)
      .execute(),
  ])
  return [
    ...account.flatMap((row) => [row.email, row.username]),
    ...tenants.map((tenant) => tenant.email),
    ...changes.flatMap((change) => [change.old_email, change.new_email]),
  ].filter(Boolean)
}

/**
 * What changes about an account, and who is told. An account's e-mail address is one that was verified, and it is what
 * its holder signs in with and is found by; so a new one counts only once its mailbox has confirmed it, from a browser
 * that is signed in to the account (docs/decisions/e-mail-changes.md).
 */

import { timingSafeEqual } from 'node:crypto'
import type { Kysely, Selectable } from 'kysely'
import * as v from 'valibot'
import { isUniqueViolation } from '../database/engine.ts'
import type { Instant } from '../domain/dates.ts'
import { emailKey } from '../domain/phone.ts'
import { enqueue } from '../platform/jobs/queue.ts'
import type { TenantUpdate } from '../platform/schema/job-kinds.ts'
import type { EmailChangesTable, Tables } from '../platform/schema/tables.ts'
import { isKeptForAnother, keepUndo, type TenantAddress } from './account-undos.ts'
import { refusedDiffering, same } from './agreed.ts'
import { done, type House, operation, refuse } from './operation.ts'
import { endSignInsOf } from './sign-ins.ts'
import { optional } from './wire.ts'

type EmailChange = Selectable<EmailChangesTable>

/** How long the mailed link is good for. */
export const EMAIL_CHANGE_MS = 24 * 60 * 60 * 1000

/** The token of a mailed link is sealed under this. */
export const emailTokenContext = (changeId: string) => `email-change:${changeId}:token`

// ── Who is told ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** The notice's `email_template_type` (spec 2 §7); of a phone number, which look-ups go by, a notice goes out as well. */
export type AccountChange = 'email' | 'name' | 'password' | 'phone'

/** One notice of one change; `key` tells it from other changes of the kind. */
const tell = (tx: Kysely<Tables>, house: House, key: string, update: TenantUpdate) =>
  enqueue(tx, {
    kind: 'tenant_updated',
    once: `${update.accountId}:${update.changed}:${key}`,
    payload: update,
    runAt: house.clock.now(),
  })

/** A tenant's name or cell phone was changed: the address on file is told. In the caller's transaction. */
export const noteContactChange = (
  tx: Kysely<Tables>,
  house: House,
  of: { accountId: string; locationCode: string; tenantId: number; changed: 'name' | 'phone' },
) => tell(tx, house, house.random.uuid(), of)

/**
 * The password was changed, whichever way: remembered, every reset that is under way is over, and the account's address is
 * told, with a link that undoes it. In the caller's transaction.
 */
export async function notePasswordChange(tx: Kysely<Tables>, house: House, accountId: string): Promise<void> {
  const now = house.clock.now()
  const undoId = await keepUndo(tx, house, { accountId, kind: 'password' })
  await tx.updateTable('accounts').set({ password_changed_at: now }).where('account_id', '=', accountId).execute()
  await endResetsOf(tx, accountId, now)
  await tell(tx, house, house.random.uuid(), { accountId, changed: 'password', undoId })
}

/** The codes that were mailed are dead, also those that were given already. */
export const endResetsOf = (tx: Kysely<Tables>, accountId: string, now: Instant) =>
  tx
    .updateTable('reset_codes')
    .set({ used_at: now })
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .execute()

// ── A new e-mail address ──────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Counts a wish for a new address, so that nobody uses us to fill another's mailbox.
 * @returns null where it may be asked for, else the seconds to wait
 */
export async function tooManyEmailChanges(house: House, accountId: string, newEmail: string): Promise<number | null> {
  const spent = await house.limits.consumeAll([
    { key: `email-change:${accountId}`, limit: { points: 5, perSeconds: 3600, shared: true } },
    { key: `email-change-to:${emailKey(newEmail)}`, limit: { points: 5, perSeconds: 86_400, shared: true } },
  ])
  return spent.allowed ? null : spent.retryAfterSeconds
}

/** Asks the new address to confirm itself; an earlier wish is withdrawn, and its link is dead. In the caller's transaction. */
export async function askForEmailChange(
  tx: Kysely<Tables>,
  house: House,
  wish: { account: { account_id: string; email: string }; locationCode: string; tenantId: number; newEmail: string },
): Promise<void> {
  const now = house.clock.now()
  const change_id = house.random.uuid()
  await withdraw(tx, wish.account.account_id)
  await tx
    .insertInto('email_changes')
    .values({
      change_id,
      account_id: wish.account.account_id,
      location_code: wish.locationCode,
      tenant_id: wish.tenantId,
      old_email: emailKey(wish.account.email),
      new_email: wish.newEmail,
      token_sealed: house.sealer.seal(house.random.hex(16), emailTokenContext(change_id)),
      state: 'open',
      created_at: now,
      expires_at: now + EMAIL_CHANGE_MS,
      confirmed_at: null,
    })
    .execute()
  await enqueue(tx, { kind: 'confirm_email', once: change_id, payload: { changeId: change_id }, runAt: now })
}

export const withdraw = (db: Kysely<Tables>, accountId: string) =>
  db
    .updateTable('email_changes')
    .set({ state: 'withdrawn' })
    .where('account_id', '=', accountId)
    .where('state', '=', 'open')
    .execute()

/** The holder does not want it any more: the mailed link is dead. */
export async function withdrawEmailChange(house: House, accountId: string): Promise<void> {
  await withdraw(house.db.write, accountId)
}

/** The address that an account waits for; null for none. */
export async function waitingEmailChange(
  house: House,
  accountId: string,
): Promise<{ newEmail: string; until: Instant } | null> {
  const row = await house.db.read
    .selectFrom('email_changes')
    .select(['new_email', 'expires_at'])
    .where('account_id', '=', accountId)
    .where('state', '=', 'open')
    .where('expires_at', '>', house.clock.now())
    .executeTakeFirst()
  return row ? { newEmail: row.new_email, until: row.expires_at } : null
}

/** What the mail is written from; null where it is not wanted any more. */
export async function emailChangeLetter(
  house: House,
  changeId: string,
): Promise<{ change: EmailChange; path: string } | null> {
  const change = await house.db.read
    .selectFrom('email_changes')
    .selectAll()
    .where('change_id', '=', changeId)
    .where('state', '=', 'open')
    .executeTakeFirst()
  if (!change) return null
  const token = house.sealer.open(change.token_sealed, emailTokenContext(changeId))
  return { change, path: `/confirm-email?${new URLSearchParams({ change: changeId, token })}` }
}

export interface EmailLink {
  changeId: string
  token: string
}

/** The open change that a link names and proves, of this account; null for anything else, in the same words. */
export async function emailChangeOfLink(house: House, accountId: string, link: EmailLink): Promise<EmailChange | null> {
  const change = await house.db.read
    .selectFrom('email_changes')
    .selectAll()
    .where('change_id', '=', link.changeId)
    .where('account_id', '=', accountId)
    .where('state', '=', 'open')
    .where('expires_at', '>', house.clock.now())
    .executeTakeFirst()
  if (!change) return null
  const right = Buffer.from(house.sealer.open(change.token_sealed, emailTokenContext(change.change_id)))
  const given = Buffer.from(link.token)
  return given.length === right.length && timingSafeEqual(given, right) ? change : null
}

/** Everything in the transaction is to be taken back. */
class AddressTaken extends Error {}

/**
 * The new address counts from now on: for the account, for signing in where the old address was the username, and for
 * every tenant of the account that had the old one. Old and new address are told, the old one with a link that undoes it.
 * Reset codes that went to the old one are dead, and every sign-in but that of `token` ends.
 * @returns 'gone' for a link that is not this account's, expired, withdrawn or used; 'taken' where another account signs
 * in or is found with that address
 */
export async function confirmEmailChange(
  house: House,
  accountId: string,
  link: EmailLink,
  token: string,
): Promise<'confirmed' | 'gone' | 'taken'> {
  const change = await emailChangeOfLink(house, accountId, link)
  if (!change) return 'gone'
  const key = emailKey(change.new_email)
  const now = house.clock.now()
  try {
    const outcome = await house.db.transaction(async (tx) => {
      const claimed = await tx
        .updateTable('email_changes')
        .set({ state: 'confirmed', confirmed_at: now })
        .where('change_id', '=', change.change_id)
        .where('state', '=', 'open')
        .returning('change_id')
        .executeTakeFirst()
      if (!claimed) return 'gone' as const
      if (await isKeptForAnother(tx, key, accountId, now)) throw new AddressTaken()
      const moving = await tenantsToMove(tx, change)
      const undoId = await keepUndo(tx, house, { accountId, kind: 'email', tenants: moving })
      const account = await tx
        .updateTable('accounts')
        .set((eb) => ({
          email: key,
          username: eb.case().when('username', '=', change.old_email).then(key).else(eb.ref('username')).end(),
        }))
        .where('account_id', '=', accountId)
        .where('email', '=', change.old_email)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('accounts as other')
                .select('other.account_id')
                .where('other.account_id', '!=', accountId)
                .where((eb) => eb.or([eb('other.username', '=', key), eb('other.email', '=', key)])),
            ),
          ),
        )
        .returning('account_id')
        .executeTakeFirst()
      if (!account) throw new AddressTaken()
      for (const tenant of moving) await setTenantAddress(tx, accountId, { ...tenant, email: change.new_email })
      await endResetsOf(tx, accountId, now)
      await endSignInsOf(tx, accountId, now, token)
      for (const to of ['old', 'new'] as const) {
        await tell(tx, house, `${change.change_id}:${to}`, {
          accountId,
          changed: 'email',
          changeId: change.change_id,
          to,
          ...(to === 'old' && { undoId }),
        })
      }
      return 'confirmed' as const
    })
    if (outcome === 'confirmed') house.security.record('email.changed', { account: accountId, email: key })
    return outcome
  } catch (error) {
    // Two accounts confirmed the same address in the same instant: the username is one account's only.
    if (error instanceof AddressTaken || isUniqueViolation(error)) return 'taken'
    throw error
  }
}

/** One person has one address: the tenants of the account with the old one follow. */
const tenantsToMove = (tx: Kysely<Tables>, change: EmailChange): Promise<TenantAddress[]> =>
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

/** A tenant of the account has this address from now on, and so do its reservations' notices. In the caller's transaction. */
export async function setTenantAddress(
  tx: Kysely<Tables>,
  accountId: string,
  { location_code, tenant_id, email }: TenantAddress,
): Promise<void> {
  const moved = await tx
    .updateTable('tenants')
    .set({ email, email_key: emailKey(email) })
    .where('location_code', '=', location_code)
    .where('tenant_id', '=', tenant_id)
    .where('account_id', '=', accountId)
    .returning('tenant_id')
    .executeTakeFirst()
  if (!moved) return
  await tx
    .updateTable('prospects')
    .set({ email_address: email })
    .where('location_code', '=', location_code)
    .where('tenant_id', '=', tenant_id)
    .where('res_status', '=', 'active')
    .execute()
}

// ── The notice call ───────────────────────────────────────────────────────────────────────────────────────────────────

/** The addresses that an account and its tenants have, had, or asked to have. */
async function addressesOf(house: House, accountId: string): Promise<string[]> {
  const [account, tenants, changes] = await Promise.all([
    house.db.read.selectFrom('accounts').select(['email', 'username']).where('account_id', '=', accountId).execute(),
    house.db.read.selectFrom('tenants').select('email').where('account_id', '=', accountId).execute(),
    house.db.read
      .selectFrom('email_changes')
      .select(['old_email', 'new_email'])
      .where('account_id', '=', accountId)
      .execute(),
  ])
  return [
    ...account.flatMap((one) => [one.email, one.username]),
    ...tenants.map((one) => one.email),
    ...changes.flatMap((one) => [one.old_email, one.new_email]),
  ].filter(Boolean)
}

export const postTenantUpdateNotice = operation({
  name: 'POST /api/notices/tenant_update_notice',
  summary:
    'The notice of the signed-in account’s last change of e-mail, name or password. It goes out once, by itself, to the addresses of the record (a change of e-mail to the old and the new one); asking again tells where it is.',
  access: { tenant: () => true },
  input: v.object({
    /** Addresses of the account, now or before; any other is 409. The record alone says who is written to. */
    tenant_email_id: optional(254),
    new_tenant_email_id: optional(254),
    email_template_type: v.picklist(['email', 'name', 'password'], 'must be email, name or password'),
  }),
  output: v.object({ result: v.string(), message: v.string() }),
  writes: true,
  example: {
    input: { tenant_email_id: 'marcus.tilley@example.com', new_tenant_email_id: '', email_template_type: 'password' },
    output: { result: 'waiting', message: 'It is on its way.' },
  },
  async run(house, { email_template_type, ...said }, callers) {
    const ours = same.email(...(await addressesOf(house, callers.tenant?.accountId ?? '')))
    const wrong = refusedDiffering(said, { tenant_email_id: ours, new_tenant_email_id: ours })
    if (wrong) return wrong
    const rows = await house.db.read
      .selectFrom('jobs')
      .select(['state', 'created_at'])
      .where('kind', '=', 'tenant_updated')
      .where('once', 'like', `${callers.tenant?.accountId ?? ''}:${email_template_type}:%`)
      .orderBy('created_at', 'desc')
      // A change of e-mail is two notices.
      .limit(2)
      .execute()
    const last = rows.filter((row) => row.created_at === rows[0]?.created_at)
    if (last.length === 0) return refuse(409, 'nothing_to_send', 'Nothing of the kind was changed.')
    return last.every((row) => row.state === 'done')
      ? done({ result: 'sent', message: 'It was sent.' })
      : done({ result: 'waiting', message: 'It is on its way.' })
  },
})

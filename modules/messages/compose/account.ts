import type { Services } from '../../../platform/operations/services.ts'
import type { TenantUpdate } from '../../../platform/schema/job-kinds.ts'
import { UNDO_MS, undoNamed, undoPath } from '../../accounts/account-undos.ts'
import { EMAIL_CHANGE_MS, emailChangeLetter } from '../../accounts/email-change.ts'
import { passkeysOf } from '../../accounts/passkeys/store.ts'
import { resetContext } from '../../accounts/password-reset.ts'
import { RESET_CODE_MS } from '../../accounts/rules/reset-code.ts'
import { UNLOCK_MS, unlockToken } from '../../accounts/unlock-link.ts'
import { tenantRow } from '../../tenants/tenant.ts'
import { accountAddress, type Composers, gateCodesOf, loadLetters, nothing, noticeBrand } from './facts.ts'

export const accountNotices: Composers<
  | 'reset_code'
  | 'unlock'
  | 'passkey_changed'
  | 'gate_code'
  | 'gate_code_changed'
  | 'confirm_email'
  | 'tenant_updated'
  | 'change_undone'
> = {
  async reset_code(services, { resetId }) {
    const reset = await services.db.read
      .selectFrom('reset_codes')
      .innerJoin('accounts', 'accounts.account_id', 'reset_codes.account_id')
      .select(['email', 'code_sealed', 'expires_at'])
      .where('reset_id', '=', resetId)
      .executeTakeFirst()
    // An expired code is of no use.
    if (!reset || reset.expires_at <= services.clock.now()) return nothing
    return {
      to: reset.email,
      notice: (await loadLetters()).resetCode({
        brand: await noticeBrand(services),
        code: services.sealer.open(reset.code_sealed, resetContext(resetId)),
        minutes: RESET_CODE_MS / 60_000,
      }),
    }
  },

  async unlock(services, { accountId }) {
    const account = await accountAddress(services, accountId)
    if (!account) return nothing
    return {
      to: account.email,
      notice: (await loadLetters()).unlockAccount({
        brand: await noticeBrand(services),
        name: account.first ?? '',
        unlockUrl: `${services.publicUrl}/login?unlock=${encodeURIComponent(unlockToken(services, accountId))}`,
        minutes: UNLOCK_MS / 60_000,
      }),
    }
  },

  async passkey_changed(services, job) {
    const account = await accountAddress(services, job.accountId)
    if (!account) return nothing
    return {
      to: account.email,
      notice: (await loadLetters()).passkeyChanged({
        brand: await noticeBrand(services),
        name: account.first ?? '',
        passkey: job.name,
        change: job.change,
        forgotUrl: `${services.publicUrl}/forgot`,
      }),
    }
  },

  async gate_code(services, key) {
    const of = await gateCodesOf(services, key)
    return of && of.email !== '' ? { to: of.email, notice: (await loadLetters()).gateCode(of.facts) } : nothing
  },

  async gate_code_changed(services, key) {
    const of = await gateCodesOf(services, key)
    return of && of.email !== '' ? { to: of.email, notice: (await loadLetters()).gateCodeChanged(of.facts) } : nothing
  },

  async confirm_email(services, { changeId }) {
    const letter = await emailChangeLetter(services, changeId)
    const [tenant, brand] = await Promise.all([
      letter && tenantRow(services.db.read, letter.change.location_code, letter.change.tenant_id),
      noticeBrand(services),
    ])
    if (!letter || !tenant) return nothing
    return {
      to: letter.change.new_email,
      notice: (await loadLetters()).confirmEmail({
        brand,
        name: tenant.first,
        newEmail: letter.change.new_email,
        confirmUrl: `${services.publicUrl}${letter.path}`,
        hours: EMAIL_CHANGE_MS / 3_600_000,
      }),
    }
  },

  async tenant_updated(services, payload) {
    const to = await toldOfUpdate(services, payload)
    if (!to || to.address === '') return nothing
    return {
      to: to.address,
      notice: (await loadLetters()).tenantUpdated({
        brand: await noticeBrand(services),
        name: to.name,
        changed: payload.changed,
        newEmail: to.newEmail,
        ...(payload.changed === 'password' && {
          passkeys: (await passkeysOf(services, payload.accountId)).map((one) => one.name),
        }),
        ...(to.undoId && {
          undo: { url: `${services.publicUrl}${undoPath(services, to.undoId)}`, days: UNDO_MS / 86_400_000 },
        }),
      }),
    }
  },

  async change_undone(services, { to }) {
    return { to, notice: (await loadLetters()).changeUndone({ brand: await noticeBrand(services) }) }
  },
}

async function toldOfUpdate(
  services: Services,
  update: TenantUpdate,
): Promise<{ address: string; name: string; newEmail?: string; undoId?: string } | null> {
  if (update.changed === 'name' || update.changed === 'phone') {
    const tenant = await tenantRow(services.db.read, update.locationCode, update.tenantId)
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
  // The address of that moment: it may have been changed since.
  const undo = update.undoId ? await undoNamed(services, update.undoId) : undefined
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

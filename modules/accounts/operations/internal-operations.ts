import * as v from 'valibot'
import { passkeyName } from '../../../domain/forms/account.ts'
import type { Callers, TenantCaller } from '../../../platform/operations/callers.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { relyingParty } from '../../../platform/passkeys/ceremony.ts'
import { brandOf } from '../../facilities/settings.ts'
import { confirmEmailChange, withdrawEmailChange } from '../email-change.ts'
import { addPasskey, declinePasskeyOffer, removeAccountPasskey } from '../passkeys/account-passkeys.ts'
import { renamePasskey } from '../passkeys/store.ts'
import { checkResetCode, resetPassword } from '../password-reset.ts'
import { endOneSignIn, endOtherSignIns, renewSignIn } from '../sessions-list.ts'
import { undoChange } from '../undo-change.ts'

/** Their input names nothing of another account: all of it is looked up as the caller's. */
const signedIn = { tenant: ({ accountId }: TenantCaller) => accountId !== '' }
const accountOf = ({ tenant }: Callers): string => (tenant as TenantCaller).accountId

const [id, token] = [v.string(), v.string()]
const example = { input: { id: 'none', token: 'none' } }

export const EndSignIn = internalOperation({
  name: 'end-sign-in',
  access: signedIn,
  input: v.object({ id }),
  example,
  run: async (services, { id }, callers) => succeed(await endOneSignIn(services, accountOf(callers), id)),
})

export const EndOtherSignIns = internalOperation({
  name: 'end-other-sign-ins',
  access: signedIn,
  input: v.object({ token }),
  example,
  run: async (services, { token }, callers) => succeed(await endOtherSignIns(services, accountOf(callers), token)),
})

/** Answers when the sign-in ends now, epoch ms; null for one that has ended. */
export const RenewSignIn = internalOperation({
  name: 'renew-sign-in',
  access: signedIn,
  input: v.object({ token }),
  example,
  run: async (services, { token }) => succeed(await renewSignIn(services, token)),
})

export const WithdrawEmailChange = internalOperation({
  name: 'withdraw-email-change',
  access: signedIn,
  input: v.object({}),
  example,
  run: async (services, _, callers) => succeed(await withdrawEmailChange(services, accountOf(callers))),
})

export const ConfirmEmailChange = internalOperation({
  name: 'confirm-email-change',
  access: signedIn,
  input: v.object({ changeId: v.string(), token, signIn: v.string() }),
  example: { input: { changeId: 'none', token: 'none', signIn: 'none' } },
  run: async (services, { signIn, ...link }, callers) =>
    succeed(await confirmEmailChange(services, accountOf(callers), link, signIn)),
})

export const KeepPasskey = internalOperation({
  name: 'keep-passkey',
  access: signedIn,
  input: v.object({ browser: v.string(), answer: v.string(), ...passkeyName.entries }),
  example: { input: { browser: 'none', answer: '{}', name: 'Chrome on Windows' } },
  async run(services, { browser, ...made }, callers) {
    const party = relyingParty(services.publicUrl, (await brandOf(services)).name)
    const added = await addPasskey(services, party, { accountId: accountOf(callers), browser }, made)
    return added.ok ? succeed(null) : added
  },
})

export const RenamePasskey = internalOperation({
  name: 'rename-passkey',
  access: signedIn,
  input: v.object({ id, ...passkeyName.entries }),
  example: { input: { id: 'none', name: 'Chrome on Windows' } },
  run: async (services, { id, name }, callers) => succeed(await renamePasskey(services, accountOf(callers), id, name)),
})

export const RemovePasskey = internalOperation({
  name: 'remove-passkey',
  access: signedIn,
  input: v.object({ id, token }),
  example,
  run: async (services, { id, token }, callers) =>
    succeed(await removeAccountPasskey(services, { accountId: accountOf(callers), token }, id)),
})

export const DeclinePasskeys = internalOperation({
  name: 'decline-passkeys',
  access: signedIn,
  input: v.object({}),
  example,
  run: async (services, _, callers) => succeed(await declinePasskeyOffer(services, accountOf(callers))),
})

export const CheckResetCode = internalOperation({
  name: 'check-reset-code',
  access: 'anyone',
  input: v.object({ code: v.string() }),
  example: { input: { code: '000000' } },
  run: async (services, { code }, callers) =>
    succeed(callers.resetId ? await checkResetCode(services, callers.resetId, code, callers) : 'over'),
})

export const FinishReset = internalOperation({
  name: 'finish-reset',
  access: 'anyone',
  input: v.object({ password: v.string(), removePasskeys: v.boolean() }),
  example: { input: { password: 'rolling-door-47', removePasskeys: false } },
  run: async (services, { password, ...wish }, { resetId }) =>
    succeed(resetId ? await resetPassword(services, resetId, password, wish) : { ok: false as const, weak: null }),
})

/** By the mailed link alone; null for one that is worth nothing. */
export const UndoAccountChange = internalOperation({
  name: 'undo-account-change',
  access: 'anyone',
  input: v.object({ link: v.string() }),
  example: { input: { link: 'none' } },
  run: async (services, { link }) => succeed(await undoChange(services, link)),
})

export const internalOperations = [
  EndSignIn,
  EndOtherSignIns,
  RenewSignIn,
  WithdrawEmailChange,
  ConfirmEmailChange,
  KeepPasskey,
  RenamePasskey,
  RemovePasskey,
  DeclinePasskeys,
  CheckResetCode,
  FinishReset,
  UndoAccountChange,
]

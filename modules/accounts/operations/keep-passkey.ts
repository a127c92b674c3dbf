import * as v from 'valibot'
import { unmodifiedText } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { relyingParty } from '../../../platform/passkeys/passkey-ceremony.ts'
import { loadBrand } from '../../facilities/site-settings.ts'
import { addPasskey } from '../internal/passkeys/add-and-remove-passkeys.ts'
import { accountIdOf, signedInAccess } from '../internal/signed-in-input.ts'
import { passkeyName } from '../rules/account-form.ts'

export const KeepPasskey = internalOperation({
  name: 'keep-passkey',
  access: signedInAccess,
  input: v.object({ browser: unmodifiedText, answer: unmodifiedText, ...passkeyName.entries }),
  example: { input: { browser: 'none', answer: '{}', name: 'Chrome on Windows' } },
  async run(services, { browser, ...registration }, callers) {
    const party = relyingParty(services.publicUrl, (await loadBrand(services)).name)
    const added = await addPasskey(services, party, { accountId: accountIdOf(callers), browser }, registration)
    return added.ok ? succeed(null) : added
  },
})

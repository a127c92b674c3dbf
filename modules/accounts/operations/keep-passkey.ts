import * as v from 'valibot'
import { passkeyNotAdded } from '../../../domain/texts/account.ts'
import { unmodifiedText } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { readAttestation, relyingParty, verifyCreation } from '../../../platform/passkeys/passkey-ceremony.ts'
import { consumeChallenge } from '../../../platform/passkeys/passkey-challenges.ts'
import { loadBrand } from '../../facilities/operator-settings-and-brand.ts'
import { accountIdOf, signedInAccess } from '../internal/account-operation-parts.ts'
import { refuseExpired, refuseFull, refuseUnreadable } from '../internal/passkeys/passkey-refusals.ts'
import { insertPasskey } from '../passkeys/store.ts'
import { passkeyName } from '../rules/account-forms.ts'

/** Verifies and stores a passkey that the browser created. `answer` is the browser's response, as JSON text. */
export const KeepPasskey = internalOperation({
  name: 'keep-passkey',
  access: signedInAccess,
  input: v.object({ browser: unmodifiedText, answer: unmodifiedText, ...passkeyName.entries }),
  example: { input: { browser: 'none', answer: '{}', name: 'Chrome on Windows' } },
  async run(services, { browser, answer, name }, callers) {
    const account = accountIdOf(callers)
    const party = relyingParty(services.publicUrl, (await loadBrand(services)).name)
    const recordRefusal = (why: string) => services.security.record('passkey.refused', { account, why })
    const attestation = readAttestation(answer)
    if (!attestation) return refuseUnreadable()
    if (!(await consumeChallenge(services, attestation.challenge, { browser, purpose: 'add', subject: account }))) {
      recordRefusal('challenge')
      return refuseExpired()
    }
    const credential = await verifyCreation(party, attestation)
    if (!credential) {
      recordRefusal('attestation')
      return refuse(403, 'invalid', passkeyNotAdded)
    }
    const inserted = await insertPasskey(services, account, credential, name)
    if (inserted === 'full') return refuseFull()
    if (inserted === 'known') {
      recordRefusal('known')
      return refuse(409, 'known', passkeyNotAdded)
    }
    services.security.record('passkey.added', { account })
    return succeed(null)
  },
})

import * as v from 'valibot'
import { mayAnywhere } from '../../../platform/operations/facilities-of-staff.ts'
import { flag, requiredText } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { RefusalError, refusalError } from '../../../platform/operations/outcome.ts'
import { lockSetting, setSetting } from '../../facilities/operator-settings-and-brand.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { hashRules, signableRules } from '../lien-rules-by-state.ts'
import { loadSignOff, signOffSettingName } from '../load-lien-rules-sign-off.ts'
import { notSigned, rulesChanged, signedAlready } from '../texts/lien-cases.ts'

export const SignOffLienRules = officeOperation({
  name: 'SignOffLienRules',
  permission: 'lien.sign-off',
  access: mayAnywhere('lien.sign-off'),
  freshFactor: true,
  input: v.object({
    version: requiredText(40),
    /** Digest of the rules that the page displayed (`hashRules`). */
    digest: requiredText(64),
    on: flag(),
    /** Name of the counsel who read the rules, or the reason for withdrawing the sign-off. */
    reason: requiredText(300),
  }),
  example: { version: 'GA-2025-07', digest: 'e3b0', on: '1', reason: 'Read by counsel' },
  async work(act, { version, digest, on }) {
    const { tx, services, staff } = act
    const rules = signableRules(services).find((stateRules) => stateRules.version === version)
    if (!rules) throw new RefusalError(recordNotFound)
    if (hashRules(rules) !== digest) throw refusalError(409, 'changed', rulesChanged)
    await lockSetting(tx, signOffSettingName(rules))
    const signOff = await loadSignOff(tx, rules)
    if (on && signOff) throw refusalError(409, 'signed', signedAlready)
    if (!on && !signOff) throw refusalError(409, 'not_signed', notSigned)

    const at = services.clock.now()
    await setSetting(tx, signOffSettingName(rules), on ? JSON.stringify({ digest, by: staff.name, at }) : '', at)
    await act.audit({ kind: on ? 'lien.rules_signed' : 'lien.rules_withdrawn', details: { version }, subject: version })
    return { signed: on }
  },
})

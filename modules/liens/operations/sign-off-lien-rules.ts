import * as v from 'valibot'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { flag, requiredText } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { mayAnywhere } from '../../../platform/operations/staff-scope.ts'
import { setSetting } from '../../facilities/site-settings.ts'
import { hashRules, signableRules } from '../lien-rules.ts'
import { loadSignOff, signOffSettingName } from '../load-lien-rules-sign-off.ts'
import { notSigned, rulesChanged, signedAlready } from '../texts/liens.ts'

export const SignOffLienRules = internalOperation({
  name: 'SignOffLienRules',
  access: { staff: mayAnywhere('lien.sign-off') },
  freshFactor: true,
  input: v.object({
    version: requiredText(40),
    /** Digest of the rules that the page displayed (`hashRules`). */
    digest: requiredText(64),
    on: flag(),
    /** Name of the counsel who read the rules, or the reason for withdrawing the sign-off. */
    reason: requiredText(300),
  }),
  example: { input: { version: 'GA-2025-07', digest: 'e3b0', on: '1', reason: 'Read by counsel' } },
  run: (services, { version, digest, on, reason }, callers) =>
    services.db.transaction(async (tx) => {
      const rules = signableRules(services).find((rules) => rules.version === version)
      if (!rules) return recordNotFound
      if (hashRules(rules) !== digest) return refuse(409, 'changed', rulesChanged)
      const signOff = await loadSignOff(tx, rules)
      if (on && signOff) return refuse(409, 'signed', signedAlready)
      if (!on && !signOff) return refuse(409, 'not_signed', notSigned)
      const by = staffActor(callers)
      const at = services.clock.now()
      await setSetting(tx, signOffSettingName(rules), on ? JSON.stringify({ digest, by: by.staff.name, at }) : '', at)
      await writeAuditEvent(tx, services, by, {
        kind: on ? 'lien.rules_signed' : 'lien.rules_withdrawn',
        details: { version },
        subject: version,
        permission: 'lien.sign-off',
        reason,
      })
      return succeed({ signed: on })
    }),
})

/** The operator's word that a version of the rules is theirs: without it no case opens. Kept as a setting for each version. */
import type { Kysely } from 'kysely'
import * as v from 'valibot'
import type { Instant } from '../../domain/dates.ts'
import type { LienRules } from '../../domain/office/liens.ts'
import { notSigned, rulesChanged, signedAlready } from '../../domain/texts/liens.ts'
import { audit, staffActor } from '../../platform/audit/audit.ts'
import { mayAnywhere } from '../../platform/operations/callers.ts'
import { flag, required } from '../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../platform/operations/operation.ts'
import { refuse, succeed } from '../../platform/operations/outcome.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { setSetting, settingOf } from '../facilities/settings.ts'
import { digestOf, rulesToSign } from './rules.ts'

export interface SignOff {
  by: string
  at: Instant
}

const settingName = ({ version }: LienRules): string => `lien_sign_off:${version}`

/** Who signed these very rules off, and when; null where they are not signed off or have changed since. */
export async function signOffOf(db: Kysely<Tables>, rules: LienRules): Promise<SignOff | null> {
  const kept = await settingOf(db, settingName(rules))
  if (!kept) return null
  const { digest, by, at } = JSON.parse(kept) as SignOff & { digest: string }
  return digest === digestOf(rules) ? { by, at } : null
}

export const SignOffLienRules = internalOperation({
  name: 'SignOffLienRules',
  access: { staff: mayAnywhere('lien.sign-off') },
  freshFactor: true,
  input: v.object({
    version: required(40),
    /** `digestOf` what the page showed. */
    digest: required(64),
    on: flag(),
    /** Whose counsel has read them, or why it is withdrawn. */
    reason: required(300),
  }),
  example: { input: { version: 'GA-2025-07', digest: 'e3b0', on: '1', reason: 'Read by counsel' } },
  run: (services, { version, digest, on, reason }, callers) =>
    services.db.transaction(async (tx) => {
      const rules = rulesToSign(services).find((one) => one.version === version)
      if (!rules) return notOnFile
      if (digestOf(rules) !== digest) return refuse(409, 'changed', rulesChanged)
      const signed = await signOffOf(tx, rules)
      if (on && signed) return refuse(409, 'signed', signedAlready)
      if (!on && !signed) return refuse(409, 'not_signed', notSigned)
      const by = staffActor(callers)
      const at = services.clock.now()
      await setSetting(tx, settingName(rules), on ? JSON.stringify({ digest, by: by.staff.name, at }) : '', at)
      await audit(tx, services, by, {
        kind: on ? 'lien.rules_signed' : 'lien.rules_withdrawn',
        details: { version },
        subject: version,
        permission: 'lien.sign-off',
        reason,
      })
      return succeed({ signed: on })
    }),
})

export const signOffOperations = [SignOffLienRules]

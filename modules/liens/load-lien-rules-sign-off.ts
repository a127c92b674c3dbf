import type { Kysely } from 'kysely'
import type { LienRules } from '../../domain/office/lien-rules.ts'
import { hasFields, parseJson } from '../../domain/parse-json-and-check-shape.ts'
import type { Instant } from '../../domain/time-zone-dates.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { loadSetting } from '../facilities/operator-settings-and-brand.ts'
import { hashRules } from './lien-rules-by-state.ts'

/** Sign-off of lien rules: the name of the staff member who signed them off, and the time. */
export interface SignOff {
  by: string
  at: Instant
}

/** Returns the name of the setting that stores the sign-off of this version of the lien rules. */
export const signOffSettingName = ({ version }: LienRules): string => `lien_sign_off:${version}`

/** Returns by whom and when these rules were signed off; null when they were not or have changed since. */
export async function loadSignOff(db: Kysely<Tables>, rules: LienRules): Promise<SignOff | null> {
  const stored = await loadSetting(db, signOffSettingName(rules))
  if (!stored) return null
  const { digest, by, at } = parseJson(stored, hasFields<SignOff & { digest: string }>('digest', 'by', 'at'))
  return digest === hashRules(rules) ? { by, at } : null
}

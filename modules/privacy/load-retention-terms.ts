import type { Kysely } from 'kysely'
import type { Tables } from '../../platform/schema/tables.ts'
import { loadSetting } from '../facilities/operator-settings-and-brand.ts'
import { type PrivacyTerms, parsePrivacyTerms } from './rules/retention-and-export-limit-setting.ts'

/** Loads the retention terms and export limits from the setting `privacy`. */
export const loadPrivacyTerms = async (db: Kysely<Tables>): Promise<PrivacyTerms> =>
  parsePrivacyTerms(await loadSetting(db, 'privacy'))

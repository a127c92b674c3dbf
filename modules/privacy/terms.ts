import type { Kysely } from 'kysely'
import type { Tables } from '../../platform/schema/tables.ts'
import { settingOf } from '../facilities/settings.ts'
import { type PrivacyTerms, privacyTermsOf } from './rules/privacy-terms.ts'

export const privacyTerms = async (db: Kysely<Tables>): Promise<PrivacyTerms> =>
  privacyTermsOf(await settingOf(db, 'privacy'))

import type { Kysely } from 'kysely'
import { type PrivacyTerms, privacyTermsOf } from '../../domain/office/privacy-terms.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { settingOf } from '../facilities/settings.ts'

export const privacyTerms = async (db: Kysely<Tables>): Promise<PrivacyTerms> =>
  privacyTermsOf(await settingOf(db, 'privacy'))

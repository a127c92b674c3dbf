import { parseJson, writtenByUs } from '../../../domain/parse-json.ts'
/** Retention terms and export limits. The setting `privacy` overrides these defaults. */
export interface PrivacyTerms {
  /** After a lease has closed: its agreement, signature, authorisations and card digits. */
  leaseYears: number
  /** After the last payment: until then it may be disputed or sent back. */
  disputeDays: number
  /** Exports of tenants by one person in 24 hours. */
  exportsPerDay: number
}

export const defaultPrivacyTerms: PrivacyTerms = { leaseYears: 7, disputeDays: 120, exportsPerDay: 20 }

/** @param kept the setting as stored; null where it was never set */
export const privacyTermsOf = (kept: string | null): PrivacyTerms => ({
  ...defaultPrivacyTerms,
  ...parseJson(kept ?? '{}', writtenByUs<Partial<PrivacyTerms>>()),
})

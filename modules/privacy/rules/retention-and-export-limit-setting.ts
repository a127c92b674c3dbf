import { hasFields, parseJson } from '../../../domain/parse-json-and-check-shape.ts'

/** Retention terms and export limits, which the setting `privacy` stores. */
export interface PrivacyTerms {
  /**
   * Years for which agreements, signatures, authorizations and card digits are kept after a tenant's last lease closed,
   * or after the last payment if that was later.
   */
  leaseYears: number
  /** Days after the last payment during which it may be disputed or returned. */
  disputeDays: number
  /** Maximum number of tenant exports by one staff member in 24 hours. */
  exportsPerDay: number
}

export const defaultPrivacyTerms: PrivacyTerms = { leaseYears: 7, disputeDays: 120, exportsPerDay: 20 }

/**
 * Parses the setting `privacy`; missing values are the defaults.
 * @param setting stored value; null if it was never set
 */
export const parsePrivacyTerms = (setting: string | null): PrivacyTerms => ({
  ...defaultPrivacyTerms,
  ...parseJson(setting ?? '{}', hasFields<Partial<PrivacyTerms>>()),
})

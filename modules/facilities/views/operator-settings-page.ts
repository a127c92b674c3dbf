import type { Kysely } from 'kysely'
import type { Tables } from '../../../platform/schema/tables.ts'
import {
  defaultPrivacyTerms,
  type PrivacyTerms,
  parsePrivacyTerms,
} from '../../privacy/rules/retention-and-export-limit-setting.ts'
import { BANK_REFUND_DAYS } from '../../refunds/rules/why-not-refundable.ts'
import { defaultRentRules, parseRentRules } from '../../rent-changes/rules/rent-change.ts'
import { loadSetting } from '../operator-settings-and-brand.ts'
import { isShownSitePage, type SitePageName, sitePageNames, sitePageSetting } from '../rules/operator-text-pages.ts'

/** Settings of the whole site, as they are stored, with the defaults of those that were never set. */
export interface SiteSettings {
  banner: string
  maintenance: string
  rentRules: string
  /** Maximum rent increase at once in percent, from `rentRules`. */
  capPercent: string
  bankRefundDays: string
  privacy: string
  /** Terms in `privacy`. */
  terms: PrivacyTerms
  /** `shown`: whether visitors can open the page. */
  pages: { name: SitePageName; html: string; shown: boolean }[]
}

const settingNames = ['app_banner', 'maintenance', 'rent_rules', 'bank_refund_days', 'privacy']

/** Returns the settings of the whole site. */
export async function loadSiteSettings(db: Kysely<Tables>): Promise<SiteSettings> {
  const [banner, maintenance, rules, bankDays, privacy, ...texts] = await Promise.all(
    [...settingNames, ...sitePageNames.map(sitePageSetting)].map((name) => loadSetting(db, name)),
  )
  const rentRules = rules ?? JSON.stringify(defaultRentRules)
  return {
    banner: banner ?? '',
    maintenance: maintenance ?? 'false',
    rentRules,
    capPercent: String(parseRentRules(rentRules).capPercent),
    bankRefundDays: bankDays ?? String(BANK_REFUND_DAYS),
    privacy: privacy ?? JSON.stringify(defaultPrivacyTerms),
    terms: parsePrivacyTerms(privacy ?? null),
    pages: sitePageNames.map((name, index) => {
      const html = texts[index] ?? ''
      return { name, html, shown: isShownSitePage(name, html !== '') }
    }),
  }
}

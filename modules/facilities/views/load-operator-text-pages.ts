import type { Services } from '../../../platform/operations/services.ts'
import { type PrivacyTerms, parsePrivacyTerms } from '../../privacy/rules/retention-and-export-limit-setting.ts'
import { sanitizedHtml } from '../operator-html.ts'
import { loadSetting } from '../operator-settings-and-brand.ts'
import { type SitePageName, shownSitePages, sitePageNames, sitePageSetting } from '../rules/operator-text-pages.ts'

/**
 * Returns the pages to link in the footer: those that the operator has written, and those with content of their own.
 */
export async function loadFooterPages(services: Services): Promise<SitePageName[]> {
  const rows = await services.db.read
    .selectFrom('settings')
    .select('name')
    .where('name', 'in', sitePageNames.map(sitePageSetting))
    .where('value', '!=', '')
    .execute()
  return shownSitePages(rows.map(({ name }) => name))
}

/** A page with the operator's own text. */
export interface SitePage {
  /** Sanitized HTML; '' where the operator has written no text. */
  html: string
  /** Terms of retention, which the privacy page states; null for other pages. */
  terms: PrivacyTerms | null
}

/** Loads a page with the operator's own text. */
export async function loadSitePage(services: Services, name: SitePageName): Promise<SitePage> {
  const { read } = services.db
  const html = sanitizedHtml((await loadSetting(read, sitePageSetting(name))) ?? '')
  return { html, terms: name === 'privacy' ? parsePrivacyTerms(await loadSetting(read, 'privacy')) : null }
}

import type { Services } from '../../../platform/operations/services.ts'
import { sanitizedHtml } from '../../facilities/operator-html.ts'
import { type SitePageName, sitePageSetting } from '../../facilities/rules/operator-text-pages.ts'
import { loadSetting } from '../../facilities/site-settings.ts'
import { loadPrivacyTerms } from '../load-retention-terms.ts'

/** A page with the operator's own text. */
export interface SitePage {
  /** Sanitized HTML; '' where the operator has written no text. */
  html: string
  /** Terms of retention, which the privacy page states; null for other pages. */
  terms: Awaited<ReturnType<typeof loadPrivacyTerms>> | null
}

/** Loads a page with the operator's own text. */
export async function loadSitePage(services: Services, name: SitePageName): Promise<SitePage> {
  const { read } = services.db
  const html = sanitizedHtml((await loadSetting(read, sitePageSetting(name))) ?? '')
  return { html, terms: name === 'privacy' ? await loadPrivacyTerms(read) : null }
}

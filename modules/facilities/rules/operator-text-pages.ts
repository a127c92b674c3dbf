/** Pages with the operator's own text, by the last part of their path. Each is a setting: `page_privacy` and so on. */
import { keysOf } from '../../../domain/typed-keys.ts'
export const sitePages = {
  privacy: 'Privacy',
  terms: 'Terms of use',
  accessibility: 'Accessibility',
  faq: 'Questions and answers',
  contact: 'Contact us',
} as const

export type SitePageName = keyof typeof sitePages

export const sitePageNames = keysOf(sitePages)

export const isSitePage = (name: string): name is SitePageName => Object.hasOwn(sitePages, name)

export type SitePageSetting = `page_${SitePageName}`

export const sitePageSetting = (name: SitePageName): SitePageSetting => `page_${name}`

/** Maximum length of a page's text, in characters of HTML. */
export const SITE_PAGE_MAX_LENGTH = 60_000

/**
 * Names of the site pages that are shown even without the operator's text: the privacy page, which lists the stored
 * data, and the contact page.
 */
const alwaysShown: readonly SitePageName[] = ['privacy', 'contact']

/** Returns whether visitors can open a site page. */
export const isShownSitePage = (name: SitePageName, isWritten: boolean): boolean =>
  isWritten || alwaysShown.includes(name)

/**
 * Returns the pages with content, in the order of the footer.
 * @param written names of settings that are not empty
 */
export const shownSitePages = (written: readonly string[]): SitePageName[] =>
  sitePageNames.filter((name) => isShownSitePage(name, written.includes(sitePageSetting(name))))

/** Pages in the operator's own words, by the last part of their address. Each is a setting, `page_privacy` and so on. */
export const sitePages = {
  privacy: 'Privacy',
  terms: 'Terms of use',
  accessibility: 'Accessibility',
  faq: 'Questions and answers',
  contact: 'Contact us',
} as const

export type SitePageName = keyof typeof sitePages

export const sitePageNames = Object.keys(sitePages) as SitePageName[]

export const isSitePage = (name: string): name is SitePageName => Object.hasOwn(sitePages, name)

export type SitePageSetting = `page_${SitePageName}`

export const sitePageSetting = (name: SitePageName): SitePageSetting => `page_${name}`

/** Characters of HTML. */
export const longestSitePage = 60_000

/** These say something without the operator's words: what is kept, and how to reach somebody. */
const alwaysThere: readonly SitePageName[] = ['privacy', 'contact']

/** Those that have something to say, in the order of the foot. @param written names of settings that are not empty */
export const shownSitePages = (written: readonly string[]): SitePageName[] =>
  sitePageNames.filter((name) => alwaysThere.includes(name) || written.includes(sitePageSetting(name)))

import type { Services } from '../../../platform/operations/services.ts'
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

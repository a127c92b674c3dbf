import type { Services } from '../../platform/operations/services.ts'
import { sanitizedHtml } from './operator-html.ts'

/** The only settings the public may read. */
const publicNames = ['app_banner', 'maintenance'] as const

/** What every page shows of the settings: harmless HTML of the banner, '' for none, and whether the site is blocked. */
export async function siteNotices(services: Services): Promise<{ banner: string; maintenance: boolean }> {
  const rows = await services.db.read
    .selectFrom('settings')
    .select(['name', 'value'])
    .where('name', 'in', publicNames)
    .execute()
  const value = (name: (typeof publicNames)[number]) => rows.find((row) => row.name === name)?.value ?? ''
  return {
    banner: sanitizedHtml(value('app_banner')),
    maintenance: value('maintenance').trim().toLowerCase() === 'true',
  }
}

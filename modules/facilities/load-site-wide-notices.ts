import type { Services } from '../../platform/operations/services.ts'
import { sanitizedHtml } from './operator-html.ts'

/** Names of the settings from which the notices are loaded. */
const publicNames = ['app_banner', 'maintenance'] as const

/** Loads the notices of every page: the sanitized banner ('' for none), and whether the site is in maintenance. */
export async function loadSiteNotices(services: Services): Promise<{ banner: string; maintenance: boolean }> {
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

import * as v from 'valibot'
import { text } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { loadSiteNotices } from '../load-site-wide-notices.ts'

export const getSettings = operation({
  name: 'GET /api/settings',
  summary: 'A public setting: app_banner (sanitized HTML) or maintenance (true or false).',
  access: 'anyone',
  input: v.object({ name: text(60) }),
  output: v.object({ name: v.string(), value: v.string() }),
  writes: false,
  example: { input: { name: 'maintenance' }, output: { name: 'maintenance', value: 'false' } },
  async run(services, { name }) {
    // The same response for private and for unknown settings.
    if (name !== 'app_banner' && name !== 'maintenance')
      return refuse(404, 'setting_not_found', 'There is no such setting.')
    const { banner, maintenance } = await loadSiteNotices(services)
    return succeed({ name, value: name === 'app_banner' ? banner : String(maintenance) })
  },
})

/** Writes `docs/settings.md` (`npm run settings-table`). */
import { writeFileSync } from 'node:fs'
import { settingsPage } from './setting-descriptions.ts'

writeFileSync(new URL('../../docs/settings.md', import.meta.url), settingsPage())

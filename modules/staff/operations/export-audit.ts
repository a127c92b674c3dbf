import * as v from 'valibot'
import type { StaffCaller } from '../../../platform/operations/callers.ts'
import { mayAnywhere } from '../../../platform/operations/facilities-of-staff.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { officeOperation } from '../office-operation.ts'
import { type AuditFilter, parseAuditFilter } from '../rules/audit-filter.ts'
import { type AuditLine, loadAuditEvents } from '../views/audit-log.ts'

const PAGE_SIZE = 1000

const text = v.optional(v.pipe(plainLine, v.maxLength(100)), '')

async function* loadPages(services: Services, staff: StaffCaller, filter: AuditFilter): AsyncGenerator<AuditLine[]> {
  let before: string | null = null
  do {
    const page: { events: AuditLine[]; next: string | null } = await loadAuditEvents(
      services,
      staff,
      { ...filter, before, permission: 'audit.export' },
      PAGE_SIZE,
    )
    yield page.events
    before = page.next
  } while (before !== null)
}

/**
 * Exports audit events. The export is audited before the first line is sent, and `pages` reads the events page by page
 * while the file is sent.
 */
export const ExportAudit = officeOperation({
  name: 'ExportAudit',
  permission: 'audit.export',
  access: mayAnywhere('audit.export'),
  freshFactor: true,
  input: v.object({ person: text, group: text, from: text, through: text, tenant: text, at: text }),
  example: { group: 'licences and bank accounts', from: '2026-11-01', through: '2026-11-30' },
  async work({ services, staff, audit }, input) {
    const what = Object.values(input).filter(Boolean).join(', ') || 'everything'
    await audit({ kind: 'audit.exported', details: { what } })
    return { pages: loadPages(services, staff, parseAuditFilter(input)), by: staff.name }
  },
})

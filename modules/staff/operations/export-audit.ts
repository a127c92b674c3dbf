import * as v from 'valibot'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { staffOf } from '../../../platform/operations/callers.ts'
import { plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { mayAnywhere } from '../../../platform/operations/staff-scope.ts'
import { type AuditLine, auditPage, parseAuditFilter } from '../read-audit-log.ts'

const PAGE = 1000

const text = v.optional(v.pipe(plainLine, v.maxLength(100)), '')

/**
 * Exports audit events. The export is audited before the first line is sent, and the lines are read while they are
 * written.
 */
export const ExportAudit = internalOperation({
  name: 'ExportAudit',
  access: { staff: mayAnywhere('audit.export') },
  freshFactor: true,
  input: v.object({ person: text, group: text, from: text, through: text, tenant: text, at: text }),
  example: { input: { group: 'licences and bank accounts', from: '2026-11-01', through: '2026-11-30' } },
  async run(services, input, callers) {
    const filter = parseAuditFilter(input)
    const what = Object.values(input).filter(Boolean).join(', ') || 'everything'
    await writeAuditEvent(services.db.write, services, staffActor(callers), {
      kind: 'audit.exported',
      details: { what },
      permission: 'audit.export',
    })
    const staff = staffOf(callers)
    async function* pages(): AsyncGenerator<AuditLine[]> {
      let before: string | null = null
      do {
        const page: { events: AuditLine[]; next: string | null } = await auditPage(
          services,
          staff,
          { ...filter, before, permission: 'audit.export' },
          PAGE,
        )
        yield page.events
        before = page.next
      } while (before !== null)
    }
    return succeed({ pages: pages(), by: staff.name })
  },
})

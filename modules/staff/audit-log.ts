import type { Instant } from '../../domain/dates.ts'
import type { Cents } from '../../domain/money.ts'
import type { AuditKind, AuditOutcome } from '../../domain/office/audit-events.ts'
import { auditSentences } from '../../domain/texts/audit.ts'
import { facilitiesFor, type StaffCaller } from '../../platform/operations/callers.ts'
import type { Services } from '../../platform/operations/services.ts'

const PAGE = 50

export interface AuditLine {
  id: string
  at: Instant
  staffId: string | null
  actor: string
  /** What was done, from `auditSentences`. */
  sentence: string
  outcome: AuditOutcome
  locationCode: string | null
  tenantId: number | null
  leaseNumber: number | null
  cents: Cents | null
  reason: string
  address: string
}

/** What an event says, without its subject; the kind itself for one of a newer version. */
export const sentenceOf = (kind: string, details: string): string => {
  const say = auditSentences[kind as AuditKind] as ((details: unknown) => string) | undefined
  return say ? say(JSON.parse(details)) : kind
}

/**
 * Audit events of the person's facilities, the newest first; those of no facility for who reads all of them.
 * @param asked.before where the page before ended; `person` a staff id, `tenant` one tenant's
 */
export async function auditPage(
  services: Pick<Services, 'db'>,
  caller: StaffCaller,
  asked: { before?: string | null; person?: string | null; tenant?: { locationCode: string; tenantId: number } },
): Promise<{ events: AuditLine[]; next: string | null }> {
  const facilities = facilitiesFor(caller, asked.tenant ? 'file.read' : 'audit.read')
  const [, at, id] = /^(\d+)~([\w-]+)$/.exec(asked.before ?? '') ?? []
  const rows = await services.db.read
    .selectFrom('audit_events')
    .selectAll()
    .$if(facilities !== 'all', (query) =>
      query.where('location_code', 'in', facilities === 'all' || facilities.size === 0 ? [''] : [...facilities]),
    )
    .$if(Boolean(asked.person), (query) => query.where('staff_id', '=', asked.person as string))
    .$if(asked.tenant !== undefined, (query) =>
      query
        .where('location_code', '=', asked.tenant?.locationCode ?? '')
        .where('tenant_id', '=', asked.tenant?.tenantId ?? 0),
    )
    .$if(at !== undefined, (query) =>
      query.where((eb) =>
        eb.or([eb('at', '<', Number(at)), eb.and([eb('at', '=', Number(at)), eb('event_id', '<', id as string)])]),
      ),
    )
    .orderBy('at', 'desc')
    .orderBy('event_id', 'desc')
    .limit(PAGE + 1)
    .execute()
  const shown = rows.slice(0, PAGE)
  const last = shown.at(-1)
  return {
    events: shown.map((row) => ({
      id: row.event_id,
      at: row.at,
      staffId: row.staff_id,
      actor: row.actor,
      sentence: sentenceOf(row.kind, row.details),
      outcome: row.outcome,
      locationCode: row.location_code,
      tenantId: row.tenant_id,
      leaseNumber: row.lease_number,
      cents: row.cents,
      reason: row.reason,
      address: row.address,
    })),
    next: rows.length > PAGE && last ? `${last.at}~${last.event_id}` : null,
  }
}

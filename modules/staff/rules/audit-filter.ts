import { DAY } from '../../../domain/durations.ts'
import { auditSentences } from '../../../domain/office/audit-events.ts'
import { parseUs } from '../../../domain/plain-date.ts'
import type { Instant } from '../../../domain/time-zone-dates.ts'
import { isAuditGroup, kindsOf } from './audit-groups.ts'

/** Filter of the audit page. */
export interface AuditFilter {
  /** Staff id, or an e-mail address. */
  person?: string | undefined
  kinds?: string[] | undefined
  /** Start, inclusive. */
  from?: Instant | undefined
  /** End, exclusive. */
  until?: Instant | undefined
  tenant?: { locationCode: string; tenantId: number } | undefined
  /** Location code. */
  at?: string | undefined
}

/** Fields of the audit page's filter, as text; '' for none. */
export type AuditFilterFields = Record<'person' | 'group' | 'from' | 'through' | 'tenant' | 'at', string>

const startOf = (day: string): Instant => Date.parse(`${day}T00:00:00Z`)

/** Parses the audit page's filter fields. Invalid groups, days and tenants are ignored. Days are UTC days. */
export function parseAuditFilter(fields: Partial<AuditFilterFields>): AuditFilter {
  const { person, group = '', from = '', through = '', tenant = '', at } = fields
  const [, locationCode, tenantId] = /^\s*([\w-]{1,20})[\s:]+(\d{1,15})\s*$/.exec(tenant) ?? []
  const first = parseUs(from)
  const last = parseUs(through)
  return {
    person: person || undefined,
    kinds: isAuditGroup(group) ? kindsOf(group, Object.keys(auditSentences)) : undefined,
    from: first === null ? undefined : startOf(first),
    until: last === null ? undefined : startOf(last) + DAY,
    tenant: locationCode ? { locationCode: locationCode.toUpperCase(), tenantId: Number(tenantId) } : undefined,
    at: at ? at.trim().toUpperCase() : undefined,
  }
}

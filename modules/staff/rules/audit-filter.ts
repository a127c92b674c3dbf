import { auditSentences } from '../../../domain/office/audit-events.ts'
import { type IsoDate, parseUs } from '../../../domain/plain-date.ts'
import { isAuditGroup, kindsOf } from './audit-groups.ts'

/** Filter of the audit page. */
export interface AuditFilter {
  /** Staff id, or an e-mail address. */
  person?: string | undefined
  kinds?: string[] | undefined
  /** First day, in the time zone in which an event is shown. */
  from?: IsoDate | undefined
  /** Last day, inclusive. */
  through?: IsoDate | undefined
  tenant?: { locationCode: string; tenantId: number } | undefined
  /** Location code. */
  at?: string | undefined
}

/** Fields of the audit page's filter, as text; '' for none. */
export type AuditFilterFields = Record<'person' | 'group' | 'from' | 'through' | 'tenant' | 'at', string>

/** Parses the audit page's filter fields. Invalid groups, days and tenants are ignored. */
export function parseAuditFilter(fields: Partial<AuditFilterFields>): AuditFilter {
  const { person, group = '', from = '', through = '', tenant = '', at } = fields
  const [, locationCode, tenantId] = /^\s*([\w-]{1,20})[\s:]+(\d{1,15})\s*$/.exec(tenant) ?? []
  return {
    person: person || undefined,
    kinds: isAuditGroup(group) ? kindsOf(group, Object.keys(auditSentences)) : undefined,
    from: parseUs(from) ?? undefined,
    through: parseUs(through) ?? undefined,
    tenant: locationCode ? { locationCode: locationCode.toUpperCase(), tenantId: Number(tenantId) } : undefined,
    at: at ? at.trim().toUpperCase() : undefined,
  }
}

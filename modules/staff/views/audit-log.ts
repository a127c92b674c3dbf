import type { ExpressionBuilder, Kysely, Selectable } from 'kysely'
import type { Cents } from '../../../domain/money.ts'
import type { AuditKind, AuditOutcome } from '../../../domain/office/audit-events.ts'
import { auditSentence } from '../../../domain/office/audit-events.ts'
import { hasFields, parseJson } from '../../../domain/parse-json-and-check-shape.ts'
import { endOfDay, type Instant, startOfDay } from '../../../domain/time-zone-dates.ts'
import { isRecord } from '../../../domain/typed-keys.ts'
import { changesContext } from '../../../platform/audit/audit.ts'
import { facilityCodesForSqlIn } from '../../../platform/database/facility-codes-for-sql-in.ts'
import type { Database } from '../../../platform/database/open.ts'
import { optionalCondition } from '../../../platform/database/optional-condition.ts'
import { isTenant } from '../../../platform/database/where-tenant-or-lease-key.ts'
import { decryptForTenant, type TenantRef } from '../../../platform/encryption/tenant-keys.ts'
import type { StaffCaller } from '../../../platform/operations/callers.ts'
import { facilitiesFor } from '../../../platform/operations/facilities-of-staff.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { OFFICE_FACILITY_ID } from '../../facilities/rules/operator-office-facility-id.ts'
import { loadFacilityTimeZones } from '../../facilities/views/facility-time-zones.ts'
import type { AuditFilter } from '../rules/audit-filter.ts'

const PAGE_SIZE = 50

/** An audit event as the audit page shows it. */
export interface AuditLine {
  id: string
  at: Instant
  staffId: string | null
  actor: string
  /** Description of the event, from `auditSentences`. */
  sentence: string
  outcome: AuditOutcome
  locationCode: string | null
  tenantId: number | null
  leaseNumber: number | null
  cents: Cents | null
  reason: string
  address: string
  /** Values before and after, by what changed; empty if the event stored none; 'erased' when the tenant was erased. */
  changes: readonly (readonly [field: string, before: string, after: string])[] | 'erased'
}

/**
 * Returns a page of audit events of the staff member's facilities, newest first. Events without a facility are returned
 * only to staff who may read all facilities.
 * @param filter.before cursor from the previous page's `next`
 * @param filter.permission 'audit.export' when the events go into a file; 'audit.read' when omitted
 */
export async function loadAuditEvents(
  services: Pick<Services, 'db' | 'sealer'>,
  caller: StaffCaller,
  filter: AuditFilter & { before?: string | null; permission?: 'audit.read' | 'audit.export' },
  pageSize = PAGE_SIZE,
): Promise<{ events: AuditLine[]; next: string | null }> {
  const facilities = facilitiesFor(caller, filter.permission ?? 'audit.read')
  const [, at, id] = /^(\d+)~([\w-]+)$/.exec(filter.before ?? '') ?? []
  const { person, kinds, tenant } = filter
  const isOnDays = await loadDaysCondition(services, filter)
  const rows = await services.db.read
    .selectFrom('audit_events')
    .selectAll()
    .$if(facilities !== 'all', (query) =>
      query.where('location_code', 'in', facilityCodesForSqlIn(facilities === 'all' ? 'all' : [...facilities])),
    )
    .$call(optionalCondition(filter.at, (query, at) => query.where('location_code', '=', at)))
    .$call(
      optionalCondition(person, (query, staffIdOrEmail) =>
        query.where((eb) =>
          staffIdOrEmail.includes('@')
            ? eb(
                'staff_id',
                'in',
                eb.selectFrom('staff').select('staff.staff_id').where('email', '=', staffIdOrEmail.toLowerCase()),
              )
            : eb('staff_id', '=', staffIdOrEmail),
        ),
      ),
    )
    .$call(optionalCondition(kinds, (query, kindList) => query.where('kind', 'in', kindList)))
    .$call(optionalCondition(isOnDays, (query, condition) => query.where(condition)))
    .$if(tenant !== undefined, (query) =>
      query.where('location_code', '=', tenant?.locationCode ?? '').where('tenant_id', '=', tenant?.tenantId ?? 0),
    )
    .$call(
      optionalCondition(id, (query, last) =>
        query
          .where('at', '<=', Number(at))
          .where((eb) => eb.or([eb('at', '<', Number(at)), eb('event_id', '<', last)])),
      ),
    )
    .orderBy('at', 'desc')
    .orderBy('event_id', 'desc')
    .limit(pageSize + 1)
    .execute()
  const page = rows.slice(0, pageSize)
  const last = page.at(-1)
  const changes = await Promise.all(page.map((row) => loadChanges(services, row)))
  return {
    events: page.map((row, at) => lineOf(row, changes[at])),
    next: rows.length > pageSize && last ? `${last.at}~${last.event_id}` : null,
  }
}

/**
 * Returns the condition in SQL for the events between the filter's days, each in the time zone in which it is shown: its
 * facility's, or that of most facilities; null without days.
 */
async function loadDaysCondition(services: Pick<Services, 'db'>, { from, through }: AuditFilter) {
  if (from === undefined && through === undefined) return null
  const { zones, commonZone } = await loadFacilityTimeZones(services)
  const zonesOfFacilities = [...new Set(zones.values())]
  const allZones = [...zonesOfFacilities, commonZone]
  return (eb: ExpressionBuilder<Tables, 'audit_events'>) => {
    const isBetween = (timeZones: string[]) =>
      eb.and([
        ...(from === undefined ? [] : [eb('at', '>=', Math.min(...timeZones.map((zone) => startOfDay(zone, from))))]),
        ...(through === undefined
          ? []
          : [eb('at', '<', Math.max(...timeZones.map((zone) => endOfDay(zone, through))))]),
      ])
    const facilities = eb
      .selectFrom('locations')
      .select('locations.location_code')
      .where('facility_id', '!=', OFFICE_FACILITY_ID)
    return eb.and([
      // The next condition implies this one, which lets the database find the events by time before it checks facilities.
      isBetween(allZones),
      eb.or([
        eb.and([
          eb.or([eb('location_code', 'is', null), eb('location_code', 'not in', facilities)]),
          isBetween([commonZone]),
        ]),
        ...zonesOfFacilities.map((zone) =>
          eb.and([eb('location_code', 'in', facilities.where('time_zone', '=', zone)), isBetween([zone])]),
        ),
      ]),
    ])
  }
}

type Row = Selectable<Tables['audit_events']>

/** Kinds of events besides 'tenant.updated' whose stored values are sentences; those of settings may be JSON or HTML. */
const kindsWithReadableValues: ReadonlySet<string> = new Set<AuditKind>([
  'facility.saved',
  'limits.changed',
  'offer.saved',
  'rates.saved',
])

/**
 * Returns the values that an audit event stored before and after the change. Contact data is decrypted with the tenant's
 * key.
 */
async function loadChanges(
  services: Pick<Services, 'db' | 'sealer'>,
  { kind, changes, location_code: locationCode, tenant_id: tenantId }: Row,
): Promise<AuditLine['changes']> {
  if (kind !== 'tenant.updated') return kindsWithReadableValues.has(kind) ? listChanges(changes) : []
  if (locationCode === null || tenantId === null) return []
  const tenantKey = { locationCode, tenantId }
  const { read } = services.db
  const storedChanges = parseJson(changes, isRecord)
  const text =
    typeof storedChanges.sealed === 'string'
      ? await decryptForTenant(read, services, tenantKey, {
          sealed: storedChanges.sealed,
          context: changesContext(tenantKey),
        })
      : (await isErased(read, tenantKey))
        ? null
        : changes
  if (text === null) return 'erased'
  return listChanges(text)
}

const listChanges = (text: string): Exclude<AuditLine['changes'], 'erased'> =>
  Object.entries(parseJson(text, hasFields<Record<string, [string, string] | 'changed'>>())).flatMap(([key, values]) =>
    // The values of sensitive fields are not stored.
    values === 'changed' ? [] : [[key.replaceAll('_', ' '), ...values] as const],
  )

async function isErased(db: Kysely<Tables>, { locationCode, tenantId }: TenantRef): Promise<boolean> {
  const event = await db
    .selectFrom('audit_events')
    .select('event_id')
    .where(isTenant({ location_code: locationCode, tenant_id: tenantId }))
    .where('kind', '=', 'tenant.erased')
    .limit(1)
    .executeTakeFirst()
  return event !== undefined
}

const lineOf = (row: Row, changes: AuditLine['changes'] = []): AuditLine => ({
  id: row.event_id,
  at: row.at,
  staffId: row.staff_id,
  actor: row.actor,
  sentence: auditSentence(row.kind, row.details),
  outcome: row.outcome,
  locationCode: row.location_code,
  tenantId: row.tenant_id,
  leaseNumber: row.lease_number,
  cents: row.cents,
  reason: row.reason,
  address: row.address,
  changes,
})

/** Yields all audit events since an instant, oldest first, without `changes`. Reads 1000 rows at a time. */
export async function* streamAuditSince(db: Database, since: Instant): AsyncGenerator<AuditLine> {
  for (let last = { at: since, id: '' }; ; ) {
    const rows = await db.read
      .selectFrom('audit_events')
      .selectAll()
      .where('at', '>=', last.at)
      .where((eb) => eb.or([eb('at', '>', last.at), eb('event_id', '>', last.id)]))
      .orderBy('at')
      .orderBy('event_id')
      .limit(1000)
      .execute()
    yield* rows.map((row) => lineOf(row))
    const end = rows.at(-1)
    if (!end || rows.length < 1000) return
    last = { at: end.at, id: end.event_id }
  }
}

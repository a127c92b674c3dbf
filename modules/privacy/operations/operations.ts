import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { changedSince } from '../../../domain/texts/office.ts'
import { erasedAlready, erasureAsked, exportsSpent, notYetErasable } from '../../../domain/texts/office-privacy.ts'
import { audit, staffActor } from '../../../platform/audit/audit.ts'
import { engineOf } from '../../../platform/database/engine.ts'
import { may, type StaffCaller } from '../../../platform/operations/callers.ts'
import { integer, locationCode, plainLine, required } from '../../../platform/operations/input-fields.ts'
import { internalOperation, notOnFile } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { lockPerson } from '../../staff/people.ts'
import { officeAct } from '../../staff/run-office-operation.ts'
import { openTenant } from '../../tenant-view/open.ts'
import { eraseNow, keptUntil } from '../erase.ts'
import { erasureGuards } from '../erasure-blockers.ts'
import { exportOf } from '../export.ts'
import { keysOf, versionOf } from '../keys.ts'
import { privacyTerms } from '../terms.ts'

const DAY_MS = 86_400_000

/** The archive is written while it is read; the event stands before its first byte leaves. */
export const ExportTenant = internalOperation({
  name: 'ExportTenant',
  access: { staff: may('tenant.export') },
  freshFactor: true,
  input: v.object({ location_code: locationCode(), tenant_id: integer() }),
  example: { input: { location_code: 'ATL01', tenant_id: 1001 } },
  async run(services, { location_code, tenant_id }, callers) {
    const staff = callers.staff as StaffCaller
    const of = { locationCode: location_code, tenantId: tenant_id }
    const file = await openTenant(services, staff, of, 'tenant.export')
    if (!file) return notOnFile
    const at = services.clock.now()
    const refused = await services.db.transaction(async (tx) => {
      const { exportsPerDay } = await privacyTerms(tx)
      await lockPerson(tx, staff.staffId)
      const made = await tx
        .selectFrom('audit_events')
        .select('event_id')
        .where('staff_id', '=', staff.staffId)
        .where('kind', '=', 'tenant.exported')
        .where('at', '>', at - DAY_MS)
        .limit(exportsPerDay)
        .execute()
      if (made.length >= exportsPerDay) return refuse(429, 'too_many', exportsSpent(exportsPerDay))
      await audit(tx, services, staffActor(callers), {
        kind: 'tenant.exported',
        details: {},
        permission: 'tenant.export',
        ...of,
      })
      return null
    })
    if (refused) return refused
    const { name, time_zone } = file.facts.location
    const content = await exportOf(services, { ...of, by: staff.name, at, facility: name, timeZone: time_zone })
    return content ? succeed({ name: `tenant-${location_code}-${tenant_id}.zip`, content }) : notOnFile
  },
})

interface Erased {
  /** ISO day; '' where nothing is kept for a term. */
  kept_until: string
}

/** Locks the tenant against whatever points to it: a reservation or a payment that comes at once waits, or came before. */
async function lockedKeys(tx: Kysely<Tables>, of: { locationCode: string; tenantId: number }) {
  await tx
    .selectFrom('tenants')
    .select('tenant_id')
    .where((eb) => eb.and({ location_code: of.locationCode, tenant_id: of.tenantId }))
    .$if(engineOf(tx) === 'postgres', (query) => query.forUpdate())
    .execute()
  return keysOf(tx, of)
}

const erasureAskedFor = (tx: Kysely<Tables>, of: { locationCode: string; tenantId: number }) =>
  tx
    .selectFrom('approvals')
    .select('approval_id')
    .where((eb) => eb.and({ location_code: of.locationCode, tenant_id: of.tenantId, state: 'open' }))
    .where('operation', '=', 'EraseTenant')
    .executeTakeFirst()

/** One asks, a second one who holds it alone approves; what stands in the way is looked at both times. */
export const EraseTenant = internalOperation({
  name: 'EraseTenant',
  access: { staff: may('tenant.erase') },
  freshFactor: true,
  input: v.object({
    location_code: locationCode(),
    tenant_id: integer(),
    reason: required(500),
    /** `versionOf` what the form showed. */
    made_from: plainLine,
  }),
  example: {
    input: { location_code: 'ATL01', tenant_id: 1001, reason: 'Asked for it in writing', made_from: '0f1e2d' },
  },
  run(services, input, callers) {
    const of = { locationCode: input.location_code, tenantId: input.tenant_id }
    const act = { operation: 'EraseTenant', permission: 'tenant.erase' as const, input, tenantId: of.tenantId }
    return officeAct<Erased>(services, callers, act, async (tx, { authorise, refuse: end }) => {
      const keys = (await lockedKeys(tx, of)) ?? end(notOnFile)
      if (keys.tenant.erased_at !== null) end(refuse(409, 'erased', erasedAlready))
      const terms = await privacyTerms(tx)
      const now = services.clock.now()
      const guards = await erasureGuards(tx, { keys, terms, now })
      if (guards.length > 0) end(refuse(409, 'not_yet', [notYetErasable, ...guards].join(' ')))
      if (input.made_from !== versionOf(keys)) end(refuse(409, 'changed', changedSince))
      if (!callers.approval && (await erasureAskedFor(tx, of))) end(refuse(409, 'asked', erasureAsked))
      await authorise(0, `Erase tenant ${of.tenantId} at ${of.locationCode}`)
      const until = await keptUntil(tx, keys, terms, now)
      const files = await eraseNow(tx, services, keys, until)
      await tx
        .insertInto('erasures')
        .values({
          erasure_id: services.random.uuid(),
          location_code: of.locationCode,
          tenant_id: of.tenantId,
          approval_id: callers.approval ?? '',
          erased_at: now,
          kept_until: until,
          files: JSON.stringify(files),
          finished_at: files.length === 0 && until === null ? now : null,
        })
        .execute()
      return { done: { kept_until: until ?? '' }, event: { kind: 'tenant.erased', details: { until: until ?? '' } } }
    })
  },
})

export const privacyOperations = [ExportTenant, EraseTenant]

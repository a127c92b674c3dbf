import * as v from 'valibot'
import { staffOf } from '../../../platform/operations/callers.ts'
import { mayAtFacility } from '../../../platform/operations/facilities-of-staff.ts'
import { integer } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import { loadOpenTasksAbout } from '../../staff/staff-tasks.ts'
import { loadFlags } from '../../tenants/flags.ts'
import { officeTenantFields } from '../../tenants/tenant-key-input.ts'
import { auditTenantOpening } from '../internal/audit-staff-opening-tenant-file.ts'
import { loadTenantForStaff } from '../views/permitted-tenant-and-leases.ts'
import {
  listSensitiveValues,
  loadDocuments,
  loadPortalState,
  loadRecentReservations,
  loadTenantViewLeases,
} from '../views/tenant-page.ts'
import { loadTimeline } from '../views/timeline.ts'

/** Number of leases that the tenant page shows unless all are requested. A selected later lease is added to them. */
const FIRST_LEASES = 8

const LEASES_PER_PAGE = 50

export const GetTenantFile = internalOperation({
  name: 'GetTenantFile',
  access: { staff: mayAtFacility('file.read') },
  writes: false,
  input: v.object({
    ...officeTenantFields,
    /** Number of the lease to show in detail; the first one when omitted or unknown. */
    lease_number: v.optional(integer()),
    /** Timeline cursor, `older` of the previous page; null for the newest events. */
    before: v.optional(v.nullable(integer()), null),
    /** Whether to return all leases, 50 for each page, instead of the first few. */
    all: v.optional(v.boolean(), false),
    /** With `all`: number of the previous page's last lease. */
    after_lease: v.optional(integer()),
  }),
  example: { input: { location_code: 'ATL01', tenant_id: 1001 } },
  async run(services, { lease_number, before, all, after_lease, ...input }, callers) {
    const tenantKey = { locationCode: input.location_code, tenantId: input.tenant_id }
    const file = await loadTenantForStaff(services, staffOf(callers), tenantKey)
    if (!file) return recordNotFound
    const { read } = services.db
    const selected = file.leases.find((lease) => lease.lease_number === lease_number) ?? file.leases[0]
    const firstLeases = file.leases.filter((lease, at) => at < FIRST_LEASES || lease === selected)
    const from = file.leases.findIndex((lease) => lease.lease_number === after_lease) + 1
    const page = all ? file.leases.slice(from, from + LEASES_PER_PAGE) : firstLeases
    const [leases, flags, portal, tasks, documents, reservations] = await Promise.all([
      loadTenantViewLeases(services, { ...file, leases: page }, staffOf(callers)),
      loadFlags(read, tenantKey, file.tenant),
      loadPortalState(services, file.tenant),
      loadOpenTasksAbout(read, tenantKey),
      loadDocuments(read, { ...tenantKey, leases: firstLeases }),
      loadRecentReservations(read, tenantKey),
      auditTenantOpening(services, callers, tenantKey),
    ])
    const timeline = await loadTimeline(
      services,
      {
        ...tenantKey,
        accountId: file.tenant.account_id,
        leaseNumbers: file.leases.map((lease) => lease.lease_number),
        reservationCodes: reservations.map((reservation) => reservation.reservation_code),
      },
      before,
    )
    return succeed({
      facts: file.facts,
      tenant: file.tenant,
      leases,
      flags,
      portal,
      tasks,
      documents,
      reservations,
      timeline,
      looked: selected ?? null,
      sensitive: listSensitiveValues(services, { ...file, leases: firstLeases }),
      /** Short rows of all leases. */
      leasesOnFile: file.leases.map((lease) => ({
        number: lease.lease_number,
        unit: lease.unit_number,
        status: lease.status,
        movedIn: lease.move_in_date,
        lienCase: lease.lien_case,
      })),
      first: firstLeases.map((lease) => lease.lease_number),
      nextLease: all && from + LEASES_PER_PAGE < file.leases.length ? (page.at(-1)?.lease_number ?? null) : null,
    })
  },
})

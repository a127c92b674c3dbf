import * as v from 'valibot'
import { leaseIsClosed } from '../../../domain/texts/office.ts'
import { audit, staffActor } from '../../../platform/audit/audit.ts'
import { may } from '../../../platform/operations/callers.ts'
import { integer, locationCode, plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { noLeaseWaits, noOpenLease, noSuchLease } from '../../facilities/texts/setup.ts'
import { requireTerms } from '../lease.ts'

/** Asks the tenants of a facility's open leases, or of one, to accept the updated terms at their next sign-in, or stops asking. */
export const RequireTerms = internalOperation({
  name: 'RequireTerms',
  access: { staff: may('setup.save') },
  input: v.object({
    location_code: locationCode(),
    /** '' for every open lease of the facility. */
    lease_number: v.optional(v.union([v.literal(''), integer()], 'Enter the number of a lease.'), ''),
    /** False takes it back where it has not been accepted. */
    ask: v.optional(v.boolean(), true),
    reason: v.pipe(plainLine, v.trim(), v.minLength(1, 'Say why.'), v.maxLength(500)),
  }),
  example: { input: { location_code: 'ATL01', lease_number: 10001, reason: 'New house rules' } },
  run: (services, { location_code, lease_number, ask, reason }, callers) =>
    services.db.transaction(async (tx) => {
      const one =
        lease_number === ''
          ? undefined
          : await tx
              .selectFrom('leases')
              .select(['unit_number', 'tenant_id', 'status'])
              .where((eb) => eb.and({ location_code, lease_number }))
              .executeTakeFirst()
      const wrong = (status: 404 | 409, says: string) =>
        refuse(status, 'no_open_lease', says, { fields: { lease_number: says } })
      if (lease_number !== '' && !one) return wrong(404, noSuchLease)
      if (one?.status === 'Closed') return wrong(409, leaseIsClosed)
      const only = { locationCode: location_code, ...(lease_number !== '' && { leaseNumber: lease_number }) }
      const leases = await requireTerms(tx, only, ask)
      if (leases === 0) return refuse(409, 'no_open_lease', ask ? noOpenLease : noLeaseWaits)
      await audit(tx, services, staffActor(callers), {
        kind: ask ? 'terms.required' : 'terms.withdrawn',
        details: { leases: `${leases} ${leases === 1 ? 'lease' : 'leases'}`, unit: one?.unit_number ?? '' },
        permission: 'setup.save',
        locationCode: location_code,
        reason,
        ...(one && lease_number !== '' && { tenantId: one.tenant_id, leaseNumber: lease_number }),
      })
      return succeed({ leases })
    }),
})

import * as v from 'valibot'
import { leaseIsClosed } from '../../domain/texts/office.ts'
import { noOpenLease, noSuchLease } from '../../domain/texts/setup.ts'
import { audit, staffActor } from '../../platform/audit/audit.ts'
import { may } from '../../platform/operations/callers.ts'
import { integer, locationCode, plainLine } from '../../platform/operations/input-fields.ts'
import { internalOperation } from '../../platform/operations/operation.ts'
import { refuse, succeed } from '../../platform/operations/outcome.ts'
import { requireTerms } from './lease.ts'

/** The tenants of a facility's open leases, or of one, are to accept the updated terms at their next sign-in. */
export const RequireTerms = internalOperation({
  name: 'RequireTerms',
  access: { staff: may('setup.save') },
  input: v.object({
    location_code: locationCode(),
    /** '' for every open lease of the facility. */
    lease_number: v.optional(v.union([v.literal(''), integer()], 'Enter the number of a lease.'), ''),
    reason: v.pipe(plainLine, v.trim(), v.minLength(1, 'Say why.'), v.maxLength(500)),
  }),
  example: { input: { location_code: 'ATL01', lease_number: 10001, reason: 'New house rules' } },
  run: (services, { location_code, lease_number, reason }, callers) =>
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
      const leases = await requireTerms(tx, {
        locationCode: location_code,
        ...(lease_number !== '' && { leaseNumber: lease_number }),
      })
      if (leases === 0) return refuse(409, 'no_open_lease', noOpenLease)
      await audit(tx, services, staffActor(callers), {
        kind: 'terms.required',
        details: { leases: `${leases} ${leases === 1 ? 'lease' : 'leases'}`, unit: one?.unit_number ?? '' },
        ...{ permission: 'setup.save', locationCode: location_code, reason },
        ...(one && lease_number !== '' && { tenantId: one.tenant_id, leaseNumber: lease_number }),
      })
      return succeed({ leases })
    }),
})

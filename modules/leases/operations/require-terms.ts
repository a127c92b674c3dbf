import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { leaseIsClosed } from '../../../domain/texts/office-refusals.ts'
import { integer, locationCode, plainLine } from '../../../platform/operations/input-fields.ts'
import { refusalError } from '../../../platform/operations/outcome.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { noLeaseWaits, noOpenLease, noSuchLease } from '../../facilities/texts/setup-and-appointment-errors.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { requireTerms } from '../lease.ts'

const required = { kind: 'terms.required', none: noOpenLease } as const
const withdrawn = { kind: 'terms.withdrawn', none: noLeaseWaits } as const

const loadLeaseByNumber = (tx: Kysely<Tables>, location_code: string, lease_number: number) =>
  tx
    .selectFrom('leases')
    .select(['lease_number', 'unit_number', 'tenant_id', 'status'])
    .where((eb) => eb.and({ location_code, lease_number }))
    .executeTakeFirst()

const leaseNumberError = (status: 404 | 409, message: string) =>
  refusalError(status, 'no_open_lease', message, { fields: { lease_number: message } })

/**
 * Requires the tenants of a facility's open leases, or of one of them, to accept updated terms at the next sign-in, or
 * withdraws the requirement.
 */
export const RequireTerms = officeOperation({
  name: 'RequireTerms',
  permission: 'setup.save',
  input: v.object({
    location_code: locationCode(),
    /** Number of the lease; '' for every open lease of the facility. */
    lease_number: v.optional(v.union([v.literal(''), integer()], 'Enter the number of a lease.'), ''),
    /** Whether to require acceptance; false withdraws the requirement where the terms have not been accepted. */
    ask: v.optional(v.boolean(), true),
    reason: v.pipe(plainLine, v.trim(), v.minLength(1, 'Say why.'), v.maxLength(500)),
  }),
  example: { location_code: 'ATL01', lease_number: 10001, reason: 'New house rules' },
  async work({ tx, audit }, { location_code, lease_number, ask }) {
    const lease = lease_number === '' ? null : await loadLeaseByNumber(tx, location_code, lease_number)
    if (lease === undefined) throw leaseNumberError(404, noSuchLease)
    if (lease?.status === 'Closed') throw leaseNumberError(409, leaseIsClosed)
    const only = { locationCode: location_code, ...(lease && { leaseNumber: lease.lease_number }) }
    const leases = await requireTerms(tx, only, ask)
    const { kind, none } = ask ? required : withdrawn
    if (leases === 0) throw refusalError(409, 'no_open_lease', none)
    await audit({
      kind,
      details: { leases: `${leases} ${leases === 1 ? 'lease' : 'leases'}`, unit: lease?.unit_number ?? '' },
      ...(lease && { tenantId: lease.tenant_id }),
    })
    return { leases }
  },
})

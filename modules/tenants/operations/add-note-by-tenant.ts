import * as v from 'valibot'
import { ownReservationsTenant, ownTenant } from '../../../platform/operations/callers.ts'
import { integer, lines } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { noLeaseFound } from '../../leases/texts/portal.ts'
import { addNote } from '../add-note.ts'
import { loadTenant, tenantNotFound } from '../tenant.ts'
import { tenantFields } from '../tenant-key-input.ts'

export const AddTenantNotes = operation({
  name: 'AddTenantNotes',
  summary: "Adds a note to a tenant's record. Notes are for the operator and are not read back.",
  access: { tenant: ownTenant, rental: ownReservationsTenant },
  input: v.object({
    ...tenantFields,
    lease_number: v.optional(integer()),
    note: v.pipe(lines(2000), v.minLength(1, 'is required')),
  }),
  output: v.object({ SaveSuccessful: v.string() }),
  limit: { points: 60, perSeconds: 3600 },
  writes: true,
  example: {
    input: { location_code: 'ATL01', tenant_id: 1001, note: 'Moved in online.' },
    output: { SaveSuccessful: 'True' },
  },
  async run(services, { location_code, tenant_id, lease_number, note }) {
    const lease =
      lease_number === undefined
        ? undefined
        : await services.db.read
            .selectFrom('leases')
            .select('lease_number')
            .where((eb) => eb.and({ location_code, lease_number, tenant_id }))
            .executeTakeFirst()
    if (lease_number !== undefined && !lease) return refuse(404, 'lease_not_found', noLeaseFound)
    if (!(await loadTenant(services.db.read, location_code, tenant_id))) return tenantNotFound()
    const noteKey = { locationCode: location_code, tenantId: tenant_id, leaseNumber: lease?.lease_number }
    await addNote(services.db.write, services, { ...noteKey, note })
    return succeed({ SaveSuccessful: 'True' })
  },
})

import { format } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import type { OfficeContext } from '../../staff/office-operation.ts'
import type { NewRent } from './rent-change-facts.ts'

const INSERT_BATCH_SIZE = 500

/** Stores the new rents as one batch of proposals, and writes an audit event for each facility. */
export async function writeProposals(
  { tx, services, staff, audit }: Pick<OfficeContext, 'tx' | 'services' | 'staff' | 'audit'>,
  rents: readonly NewRent[],
  terms: { wanted_from: IsoDate | null; reason: string },
): Promise<{ batch_id: string; proposed: number }> {
  const batch_id = services.random.uuid()
  const rows = rents.map(({ locationCode, lease, newRent }) => ({
    change_id: services.random.uuid(),
    batch_id,
    location_code: locationCode,
    lease_number: lease.lease_number,
    tenant_id: lease.tenant_id,
    old_rent: lease.rent,
    new_rent: newRent,
    wanted_from: terms.wanted_from,
    reason: terms.reason,
    state: 'proposed' as const,
    proposed_by: staff.staffId,
    proposed_at: services.clock.now(),
    decided_by: null,
    decided_at: null,
    decided_because: '',
    notice_on: null,
    not_before: null,
    applied_from: null,
    ended_at: null,
  }))
  for (let from = 0; from < rows.length; from += INSERT_BATCH_SIZE)
    await tx
      .insertInto('rent_changes')
      .values(rows.slice(from, from + INSERT_BATCH_SIZE))
      .execute()
  for (const [locationCode, facilityRents] of Map.groupBy(rents, (rent) => rent.locationCode)) {
    const [only] = facilityRents.length === 1 ? facilityRents : []
    await audit({
      kind: 'rent.proposed',
      details: {
        what: only
          ? `${format(only.lease.rent)} to ${format(only.newRent)} for ${locationCode} ${only.lease.unit_number}`
          : `${facilityRents.length} changes at ${locationCode}`,
      },
      locationCode,
      subject: batch_id,
      ...(only && { tenantId: only.lease.tenant_id, leaseNumber: only.lease.lease_number }),
    })
  }
  return { batch_id, proposed: rows.length }
}

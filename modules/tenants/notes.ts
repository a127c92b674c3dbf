import type { Kysely } from 'kysely'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'

interface Note {
  locationCode: string
  tenantId: number
  leaseNumber?: number | undefined
  note: string
  /** Who of the office has written it; left out for what the system or the tenant notes. */
  staffId?: string
}

/** Notes on a tenant's record what happened, for the office to read. The one insert into `tenant_notes`. @returns its id */
export async function addNote(
  tx: Kysely<Tables>,
  { random, clock }: Pick<Services, 'random' | 'clock'>,
  of: Note,
): Promise<string> {
  const note = {
    note_id: random.uuid(),
    location_code: of.locationCode,
    tenant_id: of.tenantId,
    lease_number: of.leaseNumber ?? null,
    note: of.note,
    created_at: clock.now(),
    staff_id: of.staffId ?? null,
  }
  await tx.insertInto('tenant_notes').values(note).execute()
  return note.note_id
}

import { type Kysely, sql } from 'kysely'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'

interface Note {
  locationCode: string
  tenantId: number
  leaseNumber?: number | undefined
  note: string
  /** Staff id of the author; omitted for notes by the system or the tenant. */
  staffId?: string
}

/**
 * Adds a note to a tenant's record, unless the tenant was erased.
 * @returns id of the note, even when the tenant was erased and no note was added
 */
export async function addNote(
  tx: Kysely<Tables>,
  { random, clock }: Pick<Services, 'random' | 'clock'>,
  newNote: Note,
): Promise<string> {
  const id = random.uuid()
  await tx
    .insertInto('tenant_notes')
    .columns(['location_code', 'tenant_id', 'note_id', 'note', 'staff_id', 'lease_number', 'created_at'])
    .expression((eb) =>
      eb
        .selectFrom('tenants')
        .select(['location_code', 'tenant_id'])
        .select([
          // Cast, since PostgreSQL does not infer the types of parameters in a select list.
          sql<string>`cast(${id} as text)`.as('note_id'),
          sql<string>`cast(${newNote.note} as text)`.as('note'),
          sql<string | null>`cast(${newNote.staffId ?? null} as text)`.as('staff_id'),
          sql<number | null>`cast(${newNote.leaseNumber ?? null} as bigint)`.as('lease_number'),
          sql<number>`cast(${clock.now()} as bigint)`.as('created_at'),
        ])
        .where((where) => where.and({ location_code: newNote.locationCode, tenant_id: newNote.tenantId }))
        .where('erased_at', 'is', null),
    )
    .execute()
  return id
}

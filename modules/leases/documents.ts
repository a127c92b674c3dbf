import type { Insertable, Kysely } from 'kysely'
import type { Services } from '../../platform/operations/services.ts'
import type { LeaseDocumentsTable, Tables } from '../../platform/schema/tables.ts'

export const leaseFileKey = (locationCode: string, documentId: string) =>
  `leases/${locationCode.toLowerCase()}/${documentId}.pdf`

export async function insertDocument(
  db: Kysely<Tables>,
  document: Omit<Insertable<LeaseDocumentsTable>, 'lease_number' | 'void'>,
): Promise<void> {
  await db
    .insertInto('lease_documents')
    .values({ ...document, lease_number: null, void: 0 })
    .execute()
}

export async function voidDocument(db: Kysely<Tables>, documentId: string): Promise<void> {
  await db.updateTable('lease_documents').set({ void: 1 }).where('document_id', '=', documentId).execute()
}

/** Voids every other document of the draft that is not a lease's. */
export async function voidOthers(db: Kysely<Tables>, draftId: string, documentId: string): Promise<void> {
  await db
    .updateTable('lease_documents')
    .set({ void: 1 })
    .where('draft_id', '=', draftId)
    .where('document_id', '!=', documentId)
    .where('lease_number', 'is', null)
    .execute()
}

/** The signed PDF of a draft's document, or null: none, void, or another draft's. */
export async function signedLeaseFile(
  services: Services,
  documentId: string,
  draftId: string,
): Promise<Uint8Array | null> {
  const row = await services.db.read
    .selectFrom('lease_documents')
    .select('file_key')
    .where('document_id', '=', documentId)
    .where('draft_id', '=', draftId)
    .where('void', '=', 0)
    .executeTakeFirst()
  const file = row && (await services.files.get(row.file_key))
  return file?.content ?? null
}

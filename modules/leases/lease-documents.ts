import type { Insertable, Kysely } from 'kysely'
import type { Services } from '../../platform/operations/services.ts'
import type { LeaseDocumentsTable, Tables } from '../../platform/schema/tables.ts'

/** Returns the file storage key of a signed lease agreement's PDF. */
export const leaseFileKey = (locationCode: string, documentId: string) =>
  `leases/${locationCode.toLowerCase()}/${documentId}.pdf`

/** Inserts a document of a lease, or of a draft that has no lease yet. */
export async function insertDocument(
  db: Kysely<Tables>,
  document: Omit<Insertable<LeaseDocumentsTable>, 'lease_number' | 'void'>,
  leaseNumber: number | null = null,
): Promise<void> {
  await db
    .insertInto('lease_documents')
    .values({ ...document, lease_number: leaseNumber, void: 0 })
    .execute()
}

/** Marks a lease document as void, so that it is no longer served. */
export async function voidDocument(db: Kysely<Tables>, documentId: string): Promise<void> {
  await db.updateTable('lease_documents').set({ void: 1 }).where('document_id', '=', documentId).execute()
}

/** Voids a draft's documents that belong to no lease, except one. */
export async function voidOtherDocuments(db: Kysely<Tables>, draftId: string, documentId: string): Promise<void> {
  await db
    .updateTable('lease_documents')
    .set({ void: 1 })
    .where('draft_id', '=', draftId)
    .where('document_id', '!=', documentId)
    .where('lease_number', 'is', null)
    .execute()
}

/** Loads the signed PDF of a draft's document; null if there is no file, or the document is void or another draft's. */
export async function loadSignedLeaseFile(
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

/** Loads an agreement for a staff member; null unless it is valid, stored, and of one of these leases of a tenant. */
export async function loadAgreementForStaff<L extends { lease_number: number }>(
  services: Services,
  { locationCode, leases }: { locationCode: string; leases: readonly L[] },
  documentId: string,
): Promise<{ lease: L; content: Uint8Array } | null> {
  const row = await services.db.read
    .selectFrom('lease_documents')
    .select(['file_key', 'lease_number'])
    .where((eb) => eb.and({ document_id: documentId, location_code: locationCode, void: 0 }))
    .executeTakeFirst()
  const lease = leases.find((lease) => lease.lease_number === row?.lease_number)
  const file = row && lease && (await services.files.get(row.file_key))
  return lease && file ? { lease, content: file.content } : null
}

/**
 * Attaches a signed document to its lease.
 * @returns false where the document is unknown or void, or belongs to a lease already
 */
export async function attachDocument(
  tx: Kysely<Tables>,
  { documentId, locationCode }: { documentId: string; locationCode: string },
  leaseNumber: number,
): Promise<boolean> {
  const document = await tx
    .updateTable('lease_documents')
    .set({ lease_number: leaseNumber })
    .where('document_id', '=', documentId)
    .where('location_code', '=', locationCode)
    .where('void', '=', 0)
    .where('lease_number', 'is', null)
    .returning('document_id')
    .executeTakeFirst()
  return document !== undefined
}

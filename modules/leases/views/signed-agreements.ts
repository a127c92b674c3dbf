import type { Kysely } from 'kysely'
import { ownTenant, type TenantCaller } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { loadSignedLeaseFile } from '../lease-documents.ts'
import { type AgreementReader, mayReadAgreement } from '../rules/agreement-access.ts'

/** Returns a lease's valid agreements, newest first. */
export const loadAgreements = (
  db: Kysely<Tables>,
  lease: { locationCode: string; leaseNumber: number },
): Promise<{ document_id: string; created_at: number }[]> =>
  db
    .selectFrom('lease_documents')
    .select(['document_id', 'created_at'])
    .where((eb) => eb.and({ location_code: lease.locationCode, lease_number: lease.leaseNumber, void: 0 }))
    .orderBy('created_at', 'desc')
    .orderBy('document_id')
    .execute()

/** Loads the signed agreement of a session's rental; null if none was signed or the session may not read it. */
export async function loadDraftAgreement(
  services: Services,
  draft: AgreementReader & { draftId: string; answers: { signature?: { documentId: string } } },
  account: TenantCaller | undefined,
): Promise<Uint8Array | null> {
  const documentId = draft.answers.signature?.documentId
  return documentId && mayReadAgreement(draft, account)
    ? loadSignedLeaseFile(services, documentId, draft.draftId)
    : null
}

/** Loads an agreement for its own tenant; null for another tenant's, a void or an unknown one. */
export async function loadAgreementFile(
  services: Services,
  account: TenantCaller,
  documentId: string,
): Promise<{ name: string; content: Uint8Array } | null> {
  if (!/^[0-9a-f-]{36}$/.test(documentId)) return null
  const row = await services.db.read
    .selectFrom('lease_documents')
    .innerJoin('leases', (join) =>
      join
        .onRef('leases.location_code', '=', 'lease_documents.location_code')
        .onRef('leases.lease_number', '=', 'lease_documents.lease_number'),
    )
    .select(['leases.location_code', 'tenant_id', 'unit_number', 'file_key'])
    .where('lease_documents.document_id', '=', documentId)
    .where('void', '=', 0)
    .executeTakeFirst()
  const file = row && ownTenant(account, row) ? await services.files.get(row.file_key) : null
  return row && file ? { name: `lease-${row.unit_number}.pdf`, content: file.content } : null
}

import * as v from 'valibot'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { staffOf } from '../../../platform/operations/callers.ts'
import { mayAtFacility } from '../../../platform/operations/facilities-of-staff.ts'
import { integer, locationCode, uuid } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { loadAgreementForStaff } from '../../leases/lease-documents.ts'
import { loadTenantForStaff, type OpenedTenant } from '../views/permitted-tenant-and-leases.ts'

interface DocumentFile {
  /** Name of the downloaded file. */
  name: string
  /** Description for the audit event. */
  what: string
  content: Uint8Array
}

/**
 * Reads a document of the tenant.
 * @returns null for another tenant's or a void document, and when the file is missing
 */
async function loadDocumentFile(
  services: Services,
  { tenant, leases }: OpenedTenant,
  kind: 'lease' | 'proof',
  id: string,
): Promise<DocumentFile | null> {
  const { location_code, tenant_id } = tenant
  if (kind === 'lease') {
    const found = await loadAgreementForStaff(services, { locationCode: location_code, leases }, id)
    if (!found) return null
    const { lease, content } = found
    const what = `lease of ${lease.unit_number}`
    return { name: `lease-${location_code}-${lease.lease_number}.pdf`, what, content }
  }
  const row = await services.db.read
    .selectFrom('insurance_proofs')
    .select(['file_key', 'file_name'])
    .where((eb) => eb.and({ proof_id: id, location_code, tenant_id }))
    .executeTakeFirst()
  const file = row && (await services.files.get(row.file_key))
  return file ? { name: row.file_name, what: 'proof of insurance', content: file.content } : null
}

/** Returns the file of a tenant's document. Each access is audited before the file is returned. */
export const OpenTenantDocument = internalOperation({
  name: 'OpenTenantDocument',
  access: { staff: mayAtFacility('file.read') },
  writes: false,
  input: v.object({
    location_code: locationCode(),
    tenant_id: integer(),
    kind: v.picklist(['lease', 'proof']),
    document_id: uuid(),
  }),
  example: {
    input: {
      location_code: 'ATL01',
      tenant_id: 1001,
      kind: 'lease',
      document_id: '5a1f1a68-1c3f-4a55-9a39-0f5b8f0f1c15',
    },
  },
  async run(services, { location_code, tenant_id, kind, document_id }, callers) {
    const tenantKey = { locationCode: location_code, tenantId: tenant_id }
    const opened = await loadTenantForStaff(services, staffOf(callers), tenantKey)
    const file = opened && (await loadDocumentFile(services, opened, kind, document_id))
    if (!file) return recordNotFound
    await writeAuditEvent(services.db.write, services, staffActor(callers), {
      kind: 'document.opened',
      details: { what: file.what },
      permission: 'file.read',
      subject: document_id,
      ...tenantKey,
    })
    return succeed(file)
  },
})

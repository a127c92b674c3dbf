import type { Services } from '../../../platform/operations/services.ts'
import { countHeldRows } from '../export-tenant.ts'
import { loadPrivacyTerms } from '../load-retention-terms.ts'
import { loadTenantKeys } from '../tenant-record-ids.ts'

/** Lists that a tenant's archive would contain, and how many tenants a staff member may export in 24 hours. */
export interface ExportPreview {
  held: { file: string; name: string; rows: number }[]
  exportsPerDay: number
}

/** Previews the export of a tenant's data; an unknown tenant has no lists. */
export async function loadExportPreview(
  services: Pick<Services, 'db'>,
  tenantKey: { locationCode: string; tenantId: number },
): Promise<ExportPreview> {
  const { read } = services.db
  const keys = await loadTenantKeys(read, tenantKey)
  const lists = keys ? await countHeldRows(services, keys) : []
  const { exportsPerDay } = await loadPrivacyTerms(read)
  return { held: lists.map(({ table, rows }) => ({ file: table.file, name: table.name, rows })), exportsPerDay }
}

import { officeNotFound } from '../../domain/texts/office-refusals.ts'
import { loadCounterReceiptFacts } from '../../modules/cash-drawers/views/receipt-details.ts'
import { loadListedReceipt } from '../../modules/cash-drawers/views/receipt-lists.ts'
import { openOfficePage } from './open-office-page.ts'
import { tenantPath } from './tenant-paths.ts'

/**
 * Opens a receipt's page.
 * @throws a redirect to sign-in; 404 when the receipt does not exist or the staff member may not read its tenant's file
 */
export async function openReceipt(args: Parameters<typeof openOfficePage>[0] & { params: { receipt: string } }) {
  const page = await openOfficePage(args)
  const { services } = page.site
  const [listed, facts] = await Promise.all([
    loadListedReceipt(services.db.read, page.staff, args.params.receipt),
    loadCounterReceiptFacts(services, args.params.receipt),
  ])
  if (!listed || !facts) throw new Response(officeNotFound, { status: 404 })
  return { page, listed, facts }
}

export type OpenedReceipt = Awaited<ReturnType<typeof openReceipt>>

export const receiptHead = ({ page, listed }: OpenedReceipt) => ({
  brand: page.site.brand.name,
  id: listed.receiptId,
  what: listed.what,
  cents: listed.cents,
  tenant: listed.tenant,
  file: tenantPath({ location: listed.locationCode, tenant: listed.tenantId }),
})

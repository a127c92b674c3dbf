import { officeNotFound } from '../../domain/texts/office-refusals.ts'
import { type DrawerWithNames, loadDrawerWithNames } from '../../modules/cash-drawers/views/receipt-lists.ts'
import { type OfficePage, openOfficePage } from './open-office-page.ts'

/**
 * Opens a drawer's page.
 * @throws a redirect to sign-in; 404 when the drawer does not exist or the staff member has no access to it
 */
export async function openDrawerPage(
  args: Parameters<typeof openOfficePage>[0],
  batch: string,
): Promise<DrawerWithNames & { page: OfficePage }> {
  const page = await openOfficePage(args)
  const drawer = await loadDrawerWithNames(page.site.services.db.read, page.staff, batch)
  if (!drawer) throw new Response(officeNotFound, { status: 404 })
  return { ...drawer, page }
}

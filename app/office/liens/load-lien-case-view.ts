import { officeNotFound } from '../../../domain/texts/office-refusals.ts'
import { gateVisitText } from '../../../modules/gate/rules/gate-reason-texts.ts'
import { loadLienCasePage, loadPermittedLienCase } from '../../../modules/liens/views/lien-case-page.ts'
import { formatShortTime } from '../office-time.ts'
import { openOfficePage } from '../open-office-page.ts'
import { leasePath, tenantPath } from '../tenant-paths.ts'

/**
 * Opens the lien case in the address.
 * @throws a redirect to sign-in; 404 when the case does not exist or the staff member has no access to its facility
 */
export async function requireLienCase(args: Parameters<typeof openOfficePage>[0] & { params: { case: string } }) {
  const page = await openOfficePage(args, 'file.read')
  const lien = await loadPermittedLienCase(page.site.services, page.staff, args.params.case)
  if (!lien) throw new Response(officeNotFound, { status: 404 })
  return { page, lien }
}

/** Loads an opened lien case for its page, with the addresses that the page links to. */
export async function loadLienCaseView({ page, lien }: Awaited<ReturnType<typeof requireLienCase>>) {
  const { services, brand } = page.site
  const { lastVisit, timeline, form, locationCode, tenantId, leaseNumber, today, ...view } = await loadLienCasePage(
    services,
    page.staff,
    lien,
  )
  const key = { location: locationCode, tenant: tenantId }
  return {
    ...view,
    brand: brand.name,
    lastAtGate: lastVisit
      ? gateVisitText(lastVisit.visit, formatShortTime(lastVisit.visit.at, lastVisit.timeZone, today))
      : '',
    file: tenantPath(key),
    leasePath: leasePath(key, leaseNumber),
    timeline: timeline.map(({ hasProof, ...step }) => ({
      ...step,
      file: hasProof ? `/office/liens/${view.id}/proofs/${step.id}` : null,
    })),
    form: { ...form, key: services.random.uuid() },
  }
}

export type LienCaseView = Awaited<ReturnType<typeof loadLienCaseView>>

import { loadDraftAgreement } from '../../modules/leases/views/signed-agreements.ts'
import { loadLeasePreviewPdf } from '../../modules/move-in/views/lease-preview-pdf.ts'
import { isLeaseReadable } from '../../modules/reservations/rules/journey/journey-navigation.ts'
import { loadDraftOfSession, loadFactsOfDraft, openStep } from '../open-journey-step.ts'
import { contextOf, type RequestContext } from '../request/context.ts'
import { fileNotFoundResponse } from '../request/file-not-found.ts'
import { pdfResponse } from '../request/pdf-response.ts'
import type { Route } from './+types/lease-pdf'
import { loadDraftOrCompletedRental } from './load-current-or-completed-draft.ts'

/**
 * Serves the lease of the session's rental as a PDF: 'preview' as it would be signed now, 'signed' as it was signed.
 */
export async function loader(args: Route.LoaderArgs) {
  const { request, params, context } = args
  const site = contextOf(context)
  const pdf =
    params.which === 'preview' ? await preview(args) : params.which === 'signed' ? await signedCopy(site) : null
  if (!pdf) throw fileNotFoundResponse()
  return pdfResponse(pdf, {
    name: `lease-${params.which}.pdf`,
    download: new URL(request.url).searchParams.has('download'),
    cache: 'private, no-store',
  })
}

async function preview(args: Route.LoaderArgs): Promise<Uint8Array> {
  const site = contextOf(args.context)
  const current = await loadDraftOfSession(site)
  const facts = current && (await loadFactsOfDraft(site, current))
  const isReadable = facts !== null && !facts.holdLapsed && isLeaseReadable(facts)
  const draft = current && isReadable ? current : (await openStep(args, '/lease')).draft
  return loadLeasePreviewPdf(site.services, draft, (await site.callers()).tenant)
}

async function signedCopy(site: RequestContext): Promise<Uint8Array | null> {
  const draft = await loadDraftOrCompletedRental(site)
  return draft && loadDraftAgreement(site.services, draft, (await site.callers()).tenant)
}

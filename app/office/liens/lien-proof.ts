import { officeNotFound } from '../../../domain/texts/office-refusals.ts'
import { caseById } from '../../../modules/liens/load-lien-cases.ts'
import { OpenLienProof } from '../../../modules/liens/operations/open-lien-proof.ts'
import { attachment } from '../download-response.ts'
import { openOfficePage } from '../open-office-page.ts'
import type { Route } from './+types/lien-proof'

/** Serves a proof of a lien case as a download, and writes an audit event. */
export async function loader(args: Route.LoaderArgs) {
  const { site } = await openOfficePage(args)
  const lienCase = await caseById(site.services, args.params.case)
  const outcome =
    lienCase &&
    (await site.call(OpenLienProof, {
      location_code: lienCase.row.location_code,
      case_id: args.params.case,
      step_id: args.params.step,
    }))
  if (!outcome?.ok) throw new Response(officeNotFound, { status: 404 })
  return attachment(outcome.value)
}

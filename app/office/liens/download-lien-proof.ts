import { officeNotFound } from '../../../domain/texts/office-refusals.ts'
import { OpenLienProof } from '../../../modules/liens/operations/open-lien-proof.ts'
import { loadFacilityOfCase } from '../../../modules/liens/views/facility-of-lien-case.ts'
import { attachment } from '../../request/uploaded-file-response.ts'
import { openOfficePage } from '../open-office-page.ts'
import type { Route } from './+types/download-lien-proof'

/** Serves a proof of a lien case as a download, and writes an audit event. */
export async function loader(args: Route.LoaderArgs) {
  const { site } = await openOfficePage(args)
  const location_code = await loadFacilityOfCase(site.services.db.read, args.params.case)
  const { case: case_id, step: step_id } = args.params
  const outcome = location_code === null ? null : await site.call(OpenLienProof, { location_code, case_id, step_id })
  if (!outcome?.ok) throw new Response(officeNotFound, { status: 404 })
  return attachment(outcome.value)
}

import { officeNotFound } from '../../domain/texts/office-refusals.ts'
import { OpenProofFile } from '../../modules/insurance/operations/open-proof-file.ts'
import { attachment } from '../request/uploaded-file-response.ts'
import type { Route } from './+types/insurance-proof-file'
import { openOfficePage } from './open-office-page.ts'

/** Serves a tenant's proof of insurance as a download, and writes an audit event. */
export async function loader(args: Route.LoaderArgs) {
  const { site } = await openOfficePage(args)
  const { location, proof } = args.params
  const outcome = await site.call(OpenProofFile, { location_code: location, proof_id: proof })
  if (!outcome.ok) throw new Response(officeNotFound, { status: 404 })
  return attachment(outcome.value)
}

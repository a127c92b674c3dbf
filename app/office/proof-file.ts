import { OpenProofFile } from '../../modules/insurance/operations/open-proof-file.ts'
import type { Route } from './+types/proof-file'
import { attachment } from './attachment.ts'
import { openOfficePage } from './open-office-page.ts'

/** A tenant's proof of insurance, to be saved, never shown in the page; that it was opened stands in the audit. */
export async function loader(args: Route.LoaderArgs) {
  const { site } = await openOfficePage(args)
  const { location, proof } = args.params
  const opened = await site.call(OpenProofFile, { location_code: location, proof_id: proof })
  if (!opened.ok) throw new Response('not found', { status: 404 })
  return attachment(opened.value)
}

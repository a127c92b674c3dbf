import { loadProofFile } from '../../modules/insurance/views/tenant-insurance-proofs.ts'
import { fileNotFoundResponse } from '../request/file-not-found.ts'
import { attachment } from '../request/uploaded-file-response.ts'
import type { Route } from './+types/download-insurance-proof'
import { openPortalPage } from './open-portal-page.ts'

/** Serves a proof of insurance to its own tenant, as a download that the browser never displays. */
export async function loader(args: Route.LoaderArgs) {
  const { site, account } = await openPortalPage(args, { beforeTerms: true, linkedOn: '/proof-of-insurance' })
  const file = await loadProofFile(site.services, account, args.params.proofId)
  if (!file) throw fileNotFoundResponse()
  return attachment(file)
}

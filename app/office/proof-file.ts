import { OpenProofFile } from '../../modules/leases/insurance/staff-operations.ts'
import type { Route } from './+types/proof-file'
import { openOfficePage } from './open-office-page.ts'

/** A tenant's proof of insurance, to be saved, never shown in the page; that it was opened stands in the audit. */
export async function loader(args: Route.LoaderArgs) {
  const { site } = await openOfficePage(args)
  const { location, proof } = args.params
  const opened = await site.call(OpenProofFile, { location_code: location, proof_id: proof })
  if (!opened.ok) throw new Response('not found', { status: 404 })
  const { name, content } = opened.value
  return new Response(content as Uint8Array<ArrayBuffer>, {
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': `attachment; filename="${name}"`,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, no-store',
    },
  })
}

import { proofFile } from '../../modules/leases/insurance/proofs.ts'
import { contextOf } from '../request/context.ts'
import type { Route } from './+types/proof-file'

/** A file that the tenant has sent: to themselves, and to be saved, never shown (fault case 29). */
export async function loader({ params, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  const { tenant } = await site.callers()
  const file = tenant && (await proofFile(site.services, tenant, params.proofId))
  if (!file) throw new Response('not found', { status: 404 })
  return new Response(file.content as Uint8Array<ArrayBuffer>, {
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': `attachment; filename="${file.name}"`,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, no-store',
    },
  })
}

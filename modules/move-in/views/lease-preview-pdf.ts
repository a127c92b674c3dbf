import type { TenantCaller } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Draft } from '../../reservations/rules/journey/draft.ts'
import { previewLease } from '../sign-lease.ts'

/**
 * Returns the PDF of a rental's lease as it would be signed now, with data masked that the caller may not read.
 * @param account the signed-in account, whose own tenant is not masked
 */
export const loadLeasePreviewPdf = async (
  services: Services,
  draft: Draft,
  account: TenantCaller | undefined,
): Promise<Uint8Array<ArrayBuffer>> => (await previewLease(services, draft, account)).pdf()

import { invalidPaymentSession } from '../../domain/texts/payment.ts'
import type { Callers } from '../../platform/operations/callers.ts'
import { type Refusal, refuse } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'
import { loadDraftOfCaller } from '../reservations/draft.ts'
import type { Draft } from '../reservations/rules/journey/draft.ts'

/** Returns the refusal of a request without the session that the payment needs. */
export const refuseMissingSession = () => refuse(401, 'unauthorized', invalidPaymentSession)

export async function loadOwnDraft(services: Services, callers: Callers): Promise<Draft | null> {
  return loadDraftOfCaller(services, callers.rental)
}

/**
 * Returns the refusal for a caller who turns out, from the payment's records, to have no access to it, which the access
 * rule of the operation cannot see. Records the refusal as a security event.
 */
export function recordDenial(services: Services, operation: string, { tenant }: Callers): Refusal {
  services.security.record('access.denied', { operation, account: tenant?.accountId })
  return refuse(403, 'forbidden', invalidPaymentSession)
}

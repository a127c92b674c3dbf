import { invalidPaymentSession } from '../../domain/texts/payment.ts'
import type { Callers } from '../../platform/operations/callers.ts'
import { type Refusal, refuse } from '../../platform/operations/outcome.ts'
import type { Services } from '../../platform/operations/services.ts'

/** Returns the refusal of a request without the session that the payment needs. */
export const refuseMissingSession = () => refuse(401, 'unauthorized', invalidPaymentSession)

/**
 * Returns the refusal of a caller who passed the operation's access rule but may not pay for this order or lease.
 * Records the refusal as a security event.
 */
export function recordDenial(services: Services, operation: string, { tenant }: Callers): Refusal {
  services.security.record('access.denied', { operation, account: tenant?.accountId })
  return refuse(403, 'forbidden', invalidPaymentSession)
}

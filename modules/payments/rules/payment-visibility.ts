/** Decides whether a caller made a payment, and whether the caller may see it or its receipt. */
import type { RentalProof } from '../../../domain/draft-ownership-proof-kinds.ts'
import type { PayerKind } from '../../../domain/payer-kinds.ts'
import { hasTenant } from '../../tenants/rules/account-has-tenant.ts'

interface TenantAtFacility {
  locationCode: string
  tenantId: number
}

interface RentalSession {
  draftId: string
  proof: RentalProof
  resumedId: string | null
}

/** Identities that a request has proved (`Callers`), as far as they decide about payments. */
interface PaymentCallers {
  rental?: RentalSession
  tenant?: { tenants: readonly TenantAtFacility[] }
  guest?: { tenants: readonly TenantAtFacility[]; signIn: string }
  auction?: { uuid: string }
  settlement?: { uuid: string }
}

/** Fields of a payment that decide which callers may see it. */
interface AccessedPayment {
  payer: PayerKind
  draft_id: string | null
  link_uuid: string | null
  opened_by: string | null
  location_code: string
  tenant_id: number | null
}

/**
 * Returns whether a rental session may see a payment. A session that found the rental by name sees only payments that
 * it opened itself.
 */
export const isPaymentOfSession = (
  { draftId, proof, resumedId }: RentalSession,
  payment: Pick<AccessedPayment, 'draft_id' | 'opened_by'>,
): boolean => payment.draft_id === draftId && (proof !== 'names' || payment.opened_by === resumedId)

/** Returns whether the caller made the payment, or autopay did for them; the caller may then see its card. */
export function isOwnPayment(callers: PaymentCallers, payment: AccessedPayment): boolean {
  const { payer, link_uuid, opened_by } = payment
  if (callers.rental && isPaymentOfSession(callers.rental, payment)) return true
  if (link_uuid !== null) {
    if (payer === 'auction') return callers.auction?.uuid === link_uuid
    if (payer === 'settlement' && callers.settlement?.uuid === link_uuid) return true
  }
  return payer === 'guest'
    ? opened_by !== null && opened_by === callers.guest?.signIn && isTenantOf(callers.guest, payment)
    : isTenantOf(callers.tenant, payment)
}

/** Returns whether the caller may read the receipt: the payer, or the tenant whose lease a guest paid. */
export const mayReadReceipt = (callers: PaymentCallers, payment: AccessedPayment): boolean =>
  isOwnPayment(callers, payment) || isTenantOf(callers.tenant, payment)

const isTenantOf = (
  caller: { tenants: readonly TenantAtFacility[] } | undefined,
  { location_code, tenant_id }: AccessedPayment,
): boolean => hasTenant(caller, { locationCode: location_code, tenantId: tenant_id })

import { hasFields, parseJson } from '../../../domain/parse-json-and-check-shape.ts'
import { type IsoDate, isValid } from '../../../domain/plain-date.ts'
import type { OwnInsurance } from '../../move-in/rules/move-in-form.ts'

/** Insurance of a lease as stored. */
interface StoredInsurance {
  /** 0 none, 1 the operator's plan, 2 an own policy (JSON in `insurance_notes`), 3 a vehicle's policy. */
  insurance_status: number
  insurance_notes: string
  insurance_scheme_id: number
  insurance_premium: number
}

interface InsurancePlan {
  scheme_id: number
  scheme_name: string
  coverage: number
}

/** A tenant's own insurance policy for a lease. */
export interface OwnPolicy {
  carrier: string
  policyNumber: string
  expires: IsoDate
}

/**
 * Returns the tenant's own policy for a lease; null when the lease has none, or its stored policy lacks a carrier, a
 * number or a valid expiration date.
 */
export function ownPolicyOf(lease: Pick<StoredInsurance, 'insurance_status' | 'insurance_notes'>): OwnPolicy | null {
  if (lease.insurance_status !== 2) return null
  const { carrier, policy_number, expiration_date } = parseJson(
    lease.insurance_notes,
    hasFields<Partial<OwnInsurance>>(),
  )
  return carrier && policy_number && isValid(expiration_date)
    ? { carrier, policyNumber: policy_number, expires: expiration_date }
    : null
}

export type LeaseInsurance =
  | { kind: 'plan'; name: string; coverage: number; premium: number }
  | ({ kind: 'own' } & OwnPolicy)
  | { kind: 'vehicle' }
  | { kind: 'none' }

/** Returns how a lease is insured; 'none' also for an own policy that `ownPolicyOf` finds incomplete. */
export function insuranceOf(
  lease: StoredInsurance,
  facts: { schemes: readonly InsurancePlan[]; retiredSchemes: readonly InsurancePlan[] },
): LeaseInsurance {
  if (lease.insurance_status === 1) {
    const scheme = [...facts.schemes, ...facts.retiredSchemes].find(
      (offered) => offered.scheme_id === lease.insurance_scheme_id,
    )
    return {
      kind: 'plan',
      name: scheme?.scheme_name ?? 'Insurance',
      coverage: scheme?.coverage ?? 0,
      premium: lease.insurance_premium,
    }
  }
  const policy = ownPolicyOf(lease)
  if (policy) return { kind: 'own', ...policy }
  return lease.insurance_status === 3 ? { kind: 'vehicle' } : { kind: 'none' }
}

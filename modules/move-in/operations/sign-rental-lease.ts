import { tooLong } from '../../../domain/texts/field-errors.ts'
import { formUnreadable } from '../../../domain/texts/general-errors.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import type { Services } from '../../../platform/operations/services.ts'
import {
  readSignature,
  type SignatureSubmission,
  signatureFaultMessages,
} from '../../agreements/signature/validate-drawn-or-typed-signature.ts'
import type { PriceChange } from '../../pricing/rules/changed-price-of-quote-type.ts'
import { consentToQuote } from '../../reservations/draft-quote.ts'
import type { Draft } from '../../reservations/rules/journey/draft.ts'
import { loadSignerName, signLease } from '../sign-lease.ts'
import { signatureConsentMissing, signerNameMissing } from '../texts/move-in.ts'

/** Submitted signing form of a lease. */
export interface SigningForm {
  quoteId: string
  /** Name that the renter typed; it counts where the session may not read the tenant's name. */
  typedName: string
  /** Whether the renter agreed to sign electronically. */
  agreed: boolean
  signature: SignatureSubmission
}

export type RentalSigned =
  | { ok: true; draft: Draft }
  /** 'gone': the draft no longer has a price. 'stale': the draft was changed, deleted or paid for meanwhile. */
  | { ok: false; why: 'gone' | 'stale' }
  | { ok: false; why: 'price_changed'; changes: PriceChange[] }
  | { ok: false; why: 'invalid'; fields: Record<string, string>; signer: string }
  /** The typed name or signature is not the tenant's. */
  | { ok: false; why: 'another_name' | 'another_signature'; signer: string }

/** Signs the lease of a session's rental, with the renter's consent to its price and to signing electronically. */
export async function signRentalLease(
  services: Services,
  draft: Draft,
  form: SigningForm,
  { tenant, address, agent }: Pick<Callers, 'tenant' | 'address' | 'agent'>,
): Promise<RentalSigned> {
  const consent = await consentToQuote(services, draft, form.quoteId)
  if (!consent.ok && consent.why === 'gone') return { ok: false, why: 'gone' }
  if (!consent.ok && (consent.why === 'changed' || consent.why === 'expired'))
    return { ok: false, why: 'price_changed', changes: consent.changes }
  const signer = (await loadSignerName(services, draft, tenant)) || form.typedName
  const signature = readSignature(form.signature)
  const fields: Record<string, string> = consent.ok ? {} : { form: formUnreadable }
  if (signer === '') fields.signer = signerNameMissing
  if (signer.length > 100) fields.signer = tooLong('Full name', 100)
  if (!form.agreed) fields.consent = signatureConsentMissing
  if (!signature.ok) fields.signature = signatureFaultMessages[signature.fault]
  if (!signature.ok || Object.keys(fields).length > 0) return { ok: false, why: 'invalid', fields, signer }
  const outcome = await signLease(services, draft, signature.signature, { claimed: signer, address, agent }, tenant)
  if (outcome.ok) return { ok: true, draft: outcome.draft }
  return outcome.why === 'stale' ? { ok: false, why: 'stale' } : { ok: false, why: outcome.why, signer }
}

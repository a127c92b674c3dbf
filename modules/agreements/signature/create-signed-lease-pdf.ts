import {
  consentHash,
  documentHash,
  evidenceLines,
  type SignatureEvidence,
} from '../internal/signature/signature-evidence.ts'
import { type LeaseDocumentInfo, leasePdf } from '../pdf/lease-pdf.ts'
import { agreementText } from '../texts/agreement-as-plain-text.ts'
import type { Section } from '../texts/lease-text.ts'
import type { Signature } from './validate-drawn-or-typed-signature.ts'

interface Agreement {
  sections: Section[]
  documentInfo: LeaseDocumentInfo
}

/**
 * Creates an agreement's signed PDF and the evidence of its signature.
 * @param agreementRead the agreement as the signer read it, if parts were masked that the document shows in full
 */
export async function createSignedLeasePdf(
  { sections, documentInfo }: Agreement,
  signature: Signature,
  signing: { signerName: string; signedAt: number; signedAtText: string; address: string; agent: string },
  agreementRead: Agreement = { sections, documentInfo },
): Promise<{ pdf: Uint8Array<ArrayBuffer>; evidence: SignatureEvidence }> {
  const evidenceBefore = {
    ...signing,
    method: signature.method,
    consentHash,
    hashBefore: documentHash(agreementText(agreementRead.sections, agreementRead.documentInfo)),
  }
  const pdf = await leasePdf(sections, documentInfo, {
    mark: signature,
    signerName: signing.signerName,
    signedAtText: signing.signedAtText,
    evidence: evidenceLines(evidenceBefore),
  })
  return { pdf, evidence: { ...evidenceBefore, hashAfter: documentHash(pdf) } }
}

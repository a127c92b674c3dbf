import { createHash } from 'node:crypto'
import { consentText } from '../../texts/electronic-signature-consent.ts'

/** Evidence of a signature: hashes of what was read and signed, time, network address and browser. */
export interface SignatureEvidence {
  /** SHA-256, hex, of the electronic signature disclosure that was agreed to. */
  consentHash: string
  /** SHA-256, hex, of the agreement's text as the signer read it (`agreementText`). */
  hashBefore: string
  /** SHA-256, hex, of the PDF with signature and signing record. */
  hashAfter: string
  /** Epoch milliseconds. */
  signedAt: number
  /** Time of the signature in the facility's time zone: 'November 20, 2026, 3:41 PM EST'. */
  signedAtText: string
  address: string
  agent: string
  method: 'drawn' | 'typed'
  signerName: string
}

/** Returns the SHA-256 of a text or file, hex. */
export function documentHash(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex')
}

export const consentHash = documentHash(consentText)

/**
 * Returns the signing record printed under the signature. It cannot include `hashAfter`, the hash of the PDF that
 * contains it.
 */
export function evidenceLines(evidence: Omit<SignatureEvidence, 'hashAfter'>): string[] {
  return [
    `Signed by ${evidence.signerName} on ${evidence.signedAtText}`,
    `Method: ${evidence.method === 'drawn' ? 'drawn on the screen' : 'typed name'}, after agreeing to sign electronically`,
    `Network address: ${evidence.address}`,
    `Browser: ${evidence.agent.length > 180 ? `${evidence.agent.slice(0, 179)}…` : evidence.agent}`,
    `Agreement as read (SHA-256): ${evidence.hashBefore}`,
    `Disclosure as agreed to (SHA-256): ${evidence.consentHash}`,
  ]
}

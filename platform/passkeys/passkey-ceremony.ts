/**
 * The WebAuthn ceremony: creates options for the browser and verifies its response. Independent of accounts and tables,
 * so that every passkey sign-in uses the same rules (docs/decisions/signing-in.md).
 */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import * as v from 'valibot'

/** Loads the library with the first ceremony, so that the start of the site does not wait for it. */
const loadLibrary = () => import('@simplewebauthn/server')

/** The site as WebAuthn's relying party. */
export interface RelyingParty {
  /** The host that passkeys are bound to. */
  id: string
  /** Name of the site, which the browser shows in its passkey dialog. */
  name: string
  origin: string
}

/** Derives the relying party from the site's URL, to whose host passkeys are bound. */
export const relyingParty = (publicUrl: string, name: string): RelyingParty => {
  const { hostname, origin } = new URL(publicUrl)
  return { id: hostname, name, origin }
}

/** A stored passkey. */
export interface Credential {
  credentialId: string
  /** COSE key, base64url. */
  publicKey: string
  counter: number
  transports: string[]
}

/** COSE ids of ES256, Ed25519 and RS256, which today's authenticators offer. */
const algorithms = [-7, -8, -257]

const bytesOf = (base64url: string) => new Uint8Array(Buffer.from(base64url, 'base64url'))

/** The account for which a passkey is created. */
export interface PasskeyAccount {
  /** At most 64 bytes, base64url; the same for all passkeys of the account, and not a name. */
  userHandle: string
  userName: string
  displayName: string
  /** The account's passkeys, whose authenticators are asked not to create another. */
  existing: Pick<Credential, 'credentialId' | 'transports'>[]
}

/** Creates the options for `navigator.credentials.create`. @param challenge base64url */
export async function creationOptions(
  party: RelyingParty,
  account: PasskeyAccount,
  challenge: string,
  timeoutMs: number,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await loadLibrary()
  return generateRegistrationOptions({
    rpID: party.id,
    rpName: party.name,
    timeout: timeoutMs,
    attestationType: 'none',
    userID: bytesOf(account.userHandle),
    userName: account.userName,
    userDisplayName: account.displayName,
    challenge: bytesOf(challenge),
    excludeCredentials: account.existing.map((passkey) => ({
      id: passkey.credentialId,
      transports: passkey.transports,
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  })
}

/** Creates the options for `navigator.credentials.get`, for any passkey of this site. @param challenge base64url */
export async function requestOptions(
  party: RelyingParty,
  challenge: string,
  timeoutMs: number,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await loadLibrary()
  return generateAuthenticationOptions({
    rpID: party.id,
    challenge: bytesOf(challenge),
    timeout: timeoutMs,
    userVerification: 'required',
  })
}

/** Maximum number of characters of a response in JSON. */
const MAX_RESPONSE_CHARS = 16_384

const base64url = (max: number) => v.pipe(v.string(), v.regex(/^[\w-]+$/), v.maxLength(max))
const credentialId = base64url(1400)

const assertion = v.object({
  id: credentialId,
  rawId: credentialId,
  type: v.literal('public-key'),
  response: v.object({
    clientDataJSON: base64url(4096),
    authenticatorData: base64url(4096),
    signature: base64url(2048),
    userHandle: v.nullish(v.pipe(v.string(), v.regex(/^[\w-]*$/), v.maxLength(88))),
  }),
})

const attestation = v.object({
  id: credentialId,
  rawId: credentialId,
  type: v.literal('public-key'),
  response: v.object({
    clientDataJSON: base64url(4096),
    attestationObject: base64url(12_000),
    transports: v.optional(v.pipe(v.array(v.pipe(v.string(), v.regex(/^[a-z-]{1,20}$/))), v.maxLength(10)), []),
  }),
})

type Assertion = v.InferOutput<typeof assertion>
type Attestation = v.InferOutput<typeof attestation>

export type WithChallenge<Answer> = Answer & { challenge: string }

function parseResponse<Schema extends v.GenericSchema<unknown, { response: { clientDataJSON: string } }>>(
  schema: Schema,
  text: string,
): WithChallenge<v.InferOutput<Schema>> | null {
  if (text.length > MAX_RESPONSE_CHARS) return null
  try {
    const answer = v.parse(schema, JSON.parse(text))
    const clientData = JSON.parse(Buffer.from(answer.response.clientDataJSON, 'base64url').toString())
    const challenge = v.parse(base64url(128), clientData.challenge)
    return { ...answer, challenge }
  } catch {
    return null
  }
}

/**
 * Parses a sign-in response.
 * @param text the response as JSON
 * @returns null if it is invalid or too long
 */
export const readAssertion = (text: string): WithChallenge<Assertion> | null => parseResponse(assertion, text)

/**
 * Parses a response that creates a passkey.
 * @returns null if it is invalid or too long
 */
export const readAttestation = (text: string): WithChallenge<Attestation> | null => parseResponse(attestation, text)

export type NewCredential = Credential & { synced: boolean }

/**
 * Verifies that a new passkey was created for this site and challenge by a verified user.
 * @returns null if any check fails
 */
export async function verifyCreation(
  party: RelyingParty,
  { challenge, ...answer }: WithChallenge<Attestation>,
): Promise<NewCredential | null> {
  const { verifyRegistrationResponse } = await loadLibrary()
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  try {
    const attestationObject = decodeAttestationObject(bytesOf(answer.response.attestationObject))
    // No attestation was requested; with a certificate the library would fetch the URLs in it.
    const hasCertificate =
      attestationObject.get('fmt') !== 'none' && attestationObject.get('attStmt').get('x5c') !== undefined
    if (hasCertificate || !['none', 'packed'].includes(attestationObject.get('fmt'))) return null
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...answer, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
    if (!verified || !registrationInfo || registrationInfo.credential.id !== answer.id) return null
    const { credential, credentialBackedUp } = registrationInfo
    return {
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: answer.response.transports,
      synced: credentialBackedUp,
    }
  } catch {
    return null
  }
}

export type AssertionResult =
  | { ok: true; counter: number; synced: boolean }
  /** 'counter': the signature is valid, but its counter is not above the stored one, so the passkey may have been copied. */
  | { ok: false; why: 'invalid' | 'counter' }

/** Verifies that a response was signed by this passkey for this site and challenge by a verified user. */
export async function verifyAssertion(
  party: RelyingParty,
  { challenge, ...answer }: WithChallenge<Assertion>,
  credential: Credential,
): Promise<AssertionResult> {
  const { verifyAuthenticationResponse } = await loadLibrary()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...answer,
        response: { ...answer.response, userHandle: answer.response.userHandle ?? undefined },
        clientExtensionResults: {},
      } as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: credential.credentialId,
        publicKey: bytesOf(credential.publicKey),
        // The counter is compared below, after the signature was verified.
        counter: 0,
        transports: credential.transports,
      },
    })
    if (!verified) return { ok: false, why: 'invalid' }
    const { newCounter, credentialBackedUp } = authenticationInfo
    const hasCounter = newCounter > 0 || credential.counter > 0
    if (hasCounter && newCounter <= credential.counter) return { ok: false, why: 'counter' }
    return { ok: true, counter: newCounter, synced: credentialBackedUp }
  } catch {
    return { ok: false, why: 'invalid' }
  }
}

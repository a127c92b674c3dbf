/**
 * The WebAuthn ceremony: what a browser is asked for, and whether its answer holds. It knows no account and no table,
 * so that every passkey sign-in uses the same rules (docs/decisions/accounts.md).
 */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import * as v from 'valibot'

/** Loaded with the first ceremony: a start of the site does not wait for it. */
const library = () => import('@simplewebauthn/server')

export interface RelyingParty {
  /** The host that passkeys are bound to. */
  id: string
  /** What the browser's dialog says. */
  name: string
  origin: string
}

/** @param publicUrl the site's own address, which alone says what passkeys are bound to */
export const relyingParty = (publicUrl: string, name: string): RelyingParty => {
  const { hostname, origin } = new URL(publicUrl)
  return { id: hostname, name, origin }
}

export interface Credential {
  credentialId: string
  /** COSE key, base64url. */
  publicKey: string
  counter: number
  transports: string[]
}

/** ES256, Ed25519, RS256: what authenticators in use offer. */
const algorithms = [-7, -8, -257]

const bytesOf = (base64url: string) => new Uint8Array(Buffer.from(base64url, 'base64url'))

export interface NewKeyFor {
  /** At most 64 bytes, base64url; the same for all passkeys of one account, and no name. */
  userHandle: string
  userName: string
  displayName: string
  /** Passkeys there are already: the same authenticator makes no second one. */
  existing: Pick<Credential, 'credentialId' | 'transports'>[]
}

/** @param challenge base64url @returns what `navigator.credentials.create` is asked with */
export async function creationOptions(
  party: RelyingParty,
  who: NewKeyFor,
  challenge: string,
  timeoutMs: number,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpID: party.id,
    rpName: party.name,
    timeout: timeoutMs,
    attestationType: 'none',
    userID: bytesOf(who.userHandle),
    userName: who.userName,
    userDisplayName: who.displayName,
    challenge: bytesOf(challenge),
    excludeCredentials: who.existing.map((one) => ({ id: one.credentialId, transports: one.transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  })
}

/** @param challenge base64url @returns what `navigator.credentials.get` is asked with: any passkey of this site */
export async function requestOptions(
  party: RelyingParty,
  challenge: string,
  timeoutMs: number,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: party.id,
    challenge: bytesOf(challenge),
    timeout: timeoutMs,
    userVerification: 'required',
  })
}

/** Characters of an answer; the longest honest one, an RSA key with a long id, has 5,000. */
export const MAX_ANSWER = 16_384

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

export type Claimed<Answer> = Answer & { challenge: string }

function read<Schema extends v.GenericSchema<unknown, { response: { clientDataJSON: string } }>>(
  schema: Schema,
  text: string,
): Claimed<v.InferOutput<Schema>> | null {
  if (text.length > MAX_ANSWER) return null
  try {
    const answer = v.parse(schema, JSON.parse(text))
    const clientData = JSON.parse(Buffer.from(answer.response.clientDataJSON, 'base64url').toString())
    const challenge = v.parse(base64url(128), clientData.challenge)
    return { ...answer, challenge }
  } catch {
    return null
  }
}

/** @param text JSON as the browser's library writes it @returns null where it is none, too long or of another form */
export const readAssertion = (text: string): Claimed<Assertion> | null => read(assertion, text)
export const readAttestation = (text: string): Claimed<Attestation> | null => read(attestation, text)

export type NewCredential = Credential & { synced: boolean }

/**
 * Whether a new passkey was made for this site and this challenge, with its user verified.
 * @returns null where anything about it does not hold
 */
export async function verifyCreation(
  party: RelyingParty,
  { challenge, ...answer }: Claimed<Attestation>,
): Promise<NewCredential | null> {
  const { verifyRegistrationResponse } = await library()
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  try {
    const attested = decodeAttestationObject(bytesOf(answer.response.attestationObject))
    // None was asked for. With a certificate the library would fetch what that names.
    const certified = attested.get('fmt') !== 'none' && attested.get('attStmt').get('x5c') !== undefined
    if (certified || !['none', 'packed'].includes(attested.get('fmt'))) return null
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...answer, clientExtensionResults: {} } as unknown as RegistrationResponseJSON,
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

export type Verified =
  | { ok: true; counter: number; synced: boolean }
  /** `counter`: the signature holds, but its counter has been seen before: the passkey was copied. */
  | { ok: false; why: 'invalid' | 'counter' }

/** Whether the answer was signed by this passkey, for this site and this challenge, with its user verified. */
export async function verifyAssertion(
  party: RelyingParty,
  { challenge, ...answer }: Claimed<Assertion>,
  credential: Credential,
): Promise<Verified> {
  const { verifyAuthenticationResponse } = await library()
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
        // Compared below, once the signature holds.
        counter: 0,
        transports: credential.transports,
      },
    })
    if (!verified) return { ok: false, why: 'invalid' }
    const { newCounter, credentialBackedUp } = authenticationInfo
    const counts = newCounter > 0 || credential.counter > 0
    if (counts && newCounter <= credential.counter) return { ok: false, why: 'counter' }
    return { ok: true, counter: newCounter, synced: credentialBackedUp }
  } catch {
    return { ok: false, why: 'invalid' }
  }
}

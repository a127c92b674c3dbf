import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

type Cbor = number | string | Uint8Array | Map<Cbor, Cbor>

/** Encodes the head of a CBOR item: its major type and a value below 65,536. */
function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}

/** Encodes the part of CBOR that `SoftwareAuthenticator` uses. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
  if (typeof value === 'string') return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([cborHead(2, value.length), value])
  return Buffer.concat([cborHead(5, value.size), ...[...value].flatMap(([key, entry]) => [cbor(key), cbor(entry)])])
}

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()
const base64url = (data: Uint8Array | string) => Buffer.from(data).toString('base64url')

/** Values that a response has in place of the right ones, to test that they are refused. */
export interface AuthenticatorOverrides {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  userVerified?: boolean
  counter?: number
  userHandle?: string | null
  /** Id of another credential to sign as. */
  credentialId?: string
  /** Format of the attestation. */
  format?: string
  crossOrigin?: { topOrigin: string }
}

/** Simulated passkey authenticator, with ES256 keys and attestation 'none'. */
export class SoftwareAuthenticator {
  readonly credentialId: string
  readonly #key: { publicKey: KeyObject; privateKey: KeyObject }
  readonly #origin: string
  #userHandle = ''
  counter: number

  /**
   * Creates an authenticator with its own key pair.
   * @param counter 0 for an authenticator without a counter, as for synced passkeys
   */
  constructor({ origin = 'https://rent.example', counter = 1, id = 'key-1' } = {}) {
    this.#origin = origin
    this.counter = counter
    this.credentialId = base64url(sha256(id))
    this.#key = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  }

  #clientData(type: string, challenge: string, overrides: AuthenticatorOverrides): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: overrides.type ?? type,
        challenge: overrides.challenge ?? challenge,
        origin: overrides.origin ?? this.#origin,
        crossOrigin: overrides.crossOrigin !== undefined,
        ...overrides.crossOrigin,
      }),
    )
  }

  #authenticatorData(flags: number, overrides: AuthenticatorOverrides): Buffer {
    const userVerified = overrides.userVerified ?? true
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(overrides.counter ?? this.counter)
    return Buffer.concat([
      sha256(overrides.rpId ?? new URL(this.#origin).hostname),
      // Flag 1: the user is present. Flag 4: the user is verified.
      Buffer.from([flags | 1 | (userVerified ? 4 : 0)]),
      counter,
    ])
  }

  /** Returns what the browser's library sends after `navigator.credentials.create`, as JSON text. */
  create(options: { challenge: string; user: { id: string } }, overrides: AuthenticatorOverrides = {}): string {
    this.#userHandle = options.user.id
    const jwk = this.#key.publicKey.export({ format: 'jwk' })
    const coordinate = (name: 'x' | 'y') => Buffer.from(jwk[name] ?? '', 'base64url')
    // COSE key (RFC 9053): type EC2 (2), algorithm ES256 (-7), curve P-256 (1), and the coordinates x and y.
    const key = cbor(
      new Map<Cbor, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, coordinate('x')],
        [-3, coordinate('y')],
      ]),
    )
    const id = Buffer.from(this.credentialId, 'base64url')
    // Flag 64: the data contain the credential, after 16 zero bytes in place of the authenticator's model.
    const authData = Buffer.concat([
      this.#authenticatorData(64, overrides),
      Buffer.alloc(16),
      Buffer.from([id.length >> 8, id.length & 255]),
      id,
      key,
    ])
    const attestation = new Map<Cbor, Cbor>([
      ['fmt', overrides.format ?? 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ])
    return JSON.stringify({
      id: overrides.credentialId ?? this.credentialId,
      rawId: overrides.credentialId ?? this.credentialId,
      type: 'public-key',
      response: {
        clientDataJSON: base64url(this.#clientData('webauthn.create', options.challenge, overrides)),
        attestationObject: base64url(cbor(attestation)),
        transports: ['internal'],
      },
      clientExtensionResults: {},
    })
  }

  /**
   * Returns what the browser's library sends after `navigator.credentials.get`, as JSON text. Increases a counter above
   * 0, unless the overrides have one.
   */
  get(options: { challenge: string }, overrides: AuthenticatorOverrides = {}): string {
    if (this.counter > 0 && overrides.counter === undefined) this.counter += 1
    const authenticatorData = this.#authenticatorData(0, overrides)
    const clientData = this.#clientData('webauthn.get', options.challenge, overrides)
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), this.#key.privateKey)
    const id = overrides.credentialId ?? this.credentialId
    return JSON.stringify({
      id,
      rawId: id,
      type: 'public-key',
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(signature),
        userHandle: overrides.userHandle === undefined ? this.#userHandle : overrides.userHandle,
      },
      clientExtensionResults: {},
    })
  }
}

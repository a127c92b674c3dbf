import { createCipheriv, createDecipheriv, createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { Sealed } from '../schema/json-and-sealed-types.ts'

const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16

/** An encryption key of 32 bytes with its id. */
export interface SealingKey {
  id: string
  key: Uint8Array
}

/**
 * Thrown when a text cannot be decrypted: it was altered, belongs to another context, or needs a key we do not have.
 */
export class DecryptionFailed extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.name = 'DecryptionFailed'
  }
}

/** Encrypts texts with AES-256-GCM. The first key encrypts, all decrypt; rotate by adding a new key in front. */
export class Sealer {
  readonly #first: { id: string; key: KeyObject }
  readonly #keys: Map<string, KeyObject>

  constructor(parts: { keys: SealingKey[] }) {
    for (const { id, key } of parts.keys) {
      if (!/^[A-Za-z0-9_-]+$/.test(id))
        throw new Error(`The sealing key's id "${id}" may hold letters, digits, - and _ only`)
      if (key.length !== KEY_BYTES)
        throw new Error(`The sealing key "${id}" must have ${KEY_BYTES} bytes, not ${key.length}`)
    }
    // Importing a key takes time, so each is imported once and not for every text.
    const keys = parts.keys.map(({ id, key }) => ({ id, key: createSecretKey(key) }))
    const [first] = keys
    if (!first) throw new Error('Sealing needs at least one key')
    this.#first = first
    this.#keys = new Map(keys.map(({ id, key }) => [id, key]))
    if (this.#keys.size !== parts.keys.length) throw new Error('Two sealing keys have the same id')
  }

  /**
   * Encrypts a text.
   * @param context row and use of the text ('tenant:L001:42:identity'); it can be decrypted only with the same context
   */
  seal(text: string, context: string): Sealed {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#first.key, iv)
    cipher.setAAD(additionalData(this.#first.id, context))
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return `s1.${this.#first.id}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`
  }

  /** Decrypts a text. @throws DecryptionFailed */
  open(sealed: Sealed, context: string): string {
    const [version, id, content, ...rest] = sealed.split('.')
    if (version !== 's1' || id === undefined || content === undefined || rest.length > 0) {
      throw new DecryptionFailed('This is not a sealed text')
    }
    const key = this.#keys.get(id)
    if (!key) throw new DecryptionFailed(`The key "${id}" that sealed this text is not among the keys given`)
    const bytes = Buffer.from(content, 'base64url')
    if (bytes.length < IV_BYTES + TAG_BYTES) throw new DecryptionFailed('The sealed text is too short')
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
      decipher.setAAD(additionalData(id, context))
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
    } catch (error) {
      throw new DecryptionFailed('The sealed text was changed or belongs elsewhere', { cause: error })
    }
  }

  /** Returns a keyed hash of a text, 64 hex digits; it changes with the first key. */
  fingerprint(text: string, context: string): string {
    return createHmac('sha256', this.#first.key).update(`f1\u0000${context}\u0000${text}`, 'utf8').digest('hex')
  }
}

function additionalData(id: string, context: string): Buffer {
  return Buffer.from(`s1\u0000${id}\u0000${context}`, 'utf8')
}

import { createCipheriv, createDecipheriv, createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { Sealed } from '../schema/text-columns.ts'

const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16

export interface SealingKey {
  id: string
  key: Uint8Array
}

/** Altered, sealed for another context, or with a key we do not have. */
export class SealBroken extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.name = 'SealBroken'
  }
}

/** AES-256-GCM. The first key seals, all open: rotate by putting a new key in front. */
export class Sealer {
  readonly #first: { id: string; key: KeyObject }
  readonly #keys: Map<string, KeyObject>

  constructor(parts: { keys: SealingKey[] }) {
    if (parts.keys.length === 0) throw new Error('Sealing needs at least one key')
    for (const { id, key } of parts.keys) {
      if (!/^[A-Za-z0-9_-]+$/.test(id))
        throw new Error(`The sealing key's id "${id}" may hold letters, digits, - and _ only`)
      if (key.length !== KEY_BYTES)
        throw new Error(`The sealing key "${id}" must have ${KEY_BYTES} bytes, not ${key.length}`)
    }
    // As KeyObject: importing the bytes for each text takes twice as long as sealing.
    const keys = parts.keys.map(({ id, key }) => ({ id, key: createSecretKey(key) }))
    this.#first = keys[0] as { id: string; key: KeyObject }
    this.#keys = new Map(keys.map(({ id, key }) => [id, key]))
    if (this.#keys.size !== parts.keys.length) throw new Error('Two sealing keys have the same id')
  }

  /** @param context what the text belongs to ('tenant:L001:42:identity'): moved to another row, it does not open */
  seal(text: string, context: string): Sealed {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#first.key, iv)
    cipher.setAAD(additionalData(this.#first.id, context))
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return `s1.${this.#first.id}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`
  }

  /** @throws SealBroken */
  open(sealed: Sealed, context: string): string {
    const [version, id, content, ...rest] = sealed.split('.')
    if (version !== 's1' || id === undefined || content === undefined || rest.length > 0) {
      throw new SealBroken('This is not a sealed text')
    }
    const key = this.#keys.get(id)
    if (!key) throw new SealBroken(`The key "${id}" that sealed this text is not among the keys given`)
    const bytes = Buffer.from(content, 'base64url')
    if (bytes.length < IV_BYTES + TAG_BYTES) throw new SealBroken('The sealed text is too short')
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
      decipher.setAAD(additionalData(id, context))
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
    } catch (error) {
      throw new SealBroken('The sealed text was changed or belongs elsewhere', { cause: error })
    }
  }

  /** A keyed hash, 64 hex digits; different after a change of keys. */
  fingerprint(text: string, context: string): string {
    return createHmac('sha256', this.#first.key).update(`f1\u0000${context}\u0000${text}`, 'utf8').digest('hex')
  }

  /** Whether it was sealed with an older key and should be sealed again. */
  isOld(sealed: Sealed): boolean {
    return !sealed.startsWith(`s1.${this.#first.id}.`)
  }
}

function additionalData(id: string, context: string): Buffer {
  return Buffer.from(`s1\u0000${id}\u0000${context}`, 'utf8')
}

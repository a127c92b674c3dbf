import { randomBytes } from 'node:crypto'
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasFields, parseJson } from '../../domain/parse-json-and-check-shape.ts'
import { errorCode, errorMessage } from '../../ports/errors/error-code-and-message.ts'
import type { SealingKey } from './sealer.ts'

/** The keys of an installation, newest first: for stored data, and for cookies, which are encrypted too. */
export interface Keys {
  sealing: SealingKey[]
  cookie: string[]
}

interface KeyFile {
  sealing: { id: string; key: string }[]
  cookie: string[]
}

export const keyFile = (dataDir: string): string => join(dataDir, 'keys.json')

/**
 * Returns a demo's keys from `keys.json`, which the first start generates. Concurrent starts get the same keys.
 * @throws Error naming the file if it is invalid
 */
export function developmentKeys(dataDir: string): Keys {
  const file = keyFile(dataDir)
  let text = read(file)
  if (text === null) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const fresh: KeyFile = {
      sealing: [{ id: 'k1', key: randomBytes(32).toString('base64') }],
      cookie: [randomBytes(32).toString('hex')],
    }
    // Linking fails if another process was faster.
    const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
    writeFileSync(draft, `${JSON.stringify(fresh, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true })
    try {
      linkSync(draft, file)
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
    } finally {
      rmSync(draft, { force: true })
    }
    text = readFileSync(file, 'utf8')
  }
  // A copied file may have wider permissions.
  chmodSync(file, 0o600)
  try {
    const { sealing, cookie } = parseJson(text, hasFields<KeyFile>('sealing', 'cookie'))
    if (cookie.length === 0 || cookie.some((secret) => secret.length < 32)) throw new Error('a key is too short')
    return { sealing: sealing.map(({ id, key }) => parseSealingKey(id, key)), cookie }
  } catch (error) {
    throw new Error(
      `${file} does not hold our keys (${errorMessage(error)}). Put the right file back: without it, what is sealed cannot be opened.`,
    )
  }
}

function parseSealingKey(id: string, base64: string): SealingKey {
  const key = Buffer.from(base64, 'base64')
  if (key.length !== 32) throw new Error(`the sealing key "${id}" must be 32 bytes in base64`)
  return { id, key }
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

import { randomBytes } from 'node:crypto'
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SealingKey } from './sealer.ts'

/** The secrets of an installation. */
export interface Keys {
  /** The first seals, all open; see `Sealer`. */
  sealing: SealingKey[]
  /** For the browser's cookie, newest first, each at least 32 characters. */
  cookie: string[]
  /** What our own website shows a remote storage system. */
  site: string
}

interface KeyFile {
  sealing: { id: string; key: string }[]
  cookie: string[]
  site: string
}

/**
 * The keys of a demo or development installation: made at the first start in `keys.json` of the data directory
 * (readable by its owner only), the same ever after. Of two processes that start together, both get the one set.
 * @throws Error with the file's name where it cannot be read
 */
export function developmentKeys(dataDir: string): Keys {
  const file = join(dataDir, 'keys.json')
  let text = read(file)
  if (text === null) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const fresh: KeyFile = {
      sealing: [{ id: 'k1', key: randomBytes(32).toString('base64') }],
      cookie: [randomBytes(32).toString('hex')],
      site: randomBytes(32).toString('hex'),
    }
    // Written whole under another name first, then linked, which fails where another process was quicker.
    const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
    writeFileSync(draft, `${JSON.stringify(fresh, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true })
    try {
      linkSync(draft, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      rmSync(draft, { force: true })
    }
    text = readFileSync(file, 'utf8')
  }
  // A copy from elsewhere may have come with wider permissions.
  chmodSync(file, 0o600)
  try {
    const { sealing, cookie, site } = JSON.parse(text) as KeyFile
    if (cookie.length === 0 || cookie.some((secret) => secret.length < 32) || site.length < 32)
      throw new Error('a key is too short')
    return { sealing: sealing.map(({ id, key }) => sealingKey(id, key)), cookie, site }
  } catch (error) {
    throw new Error(
      `${file} does not hold our keys (${error instanceof Error ? error.message : error}). Put the right file back: without it, what is sealed cannot be opened.`,
    )
  }
}

function sealingKey(id: string, base64: string): SealingKey {
  const key = Buffer.from(base64, 'base64')
  if (key.length !== 32) throw new Error(`the sealing key "${id}" must be 32 bytes in base64`)
  return { id, key }
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

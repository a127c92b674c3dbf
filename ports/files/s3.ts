import { AwsClient } from 'aws4fetch'
import { hostAndCause } from '../host-and-cause.ts'
import { checkedFileKey } from './check-file-key.ts'
import type { Files } from './files.ts'

const TIMEOUT_MS = 20_000

export interface S3Parts {
  url: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  timeoutMs?: number
}

interface StoreResponse {
  found: boolean
  content: Uint8Array<ArrayBuffer>
  contentType: string | null
}

/** Stores files in an S3-compatible object store. A call rejects with an Error if the store cannot be reached or refuses. */
export function s3Files(parts: S3Parts): Files {
  const client = new AwsClient({
    accessKeyId: parts.accessKeyId,
    secretAccessKey: parts.secretAccessKey,
    region: parts.region,
    service: 's3',
    // A page must not wait for the client's default of ten retries.
    retries: 1,
  })

  const unreachable = (error: unknown): never => {
    throw new Error(`The object store cannot be reached: ${hostAndCause(parts.url, error)}`)
  }

  /** Sends a request and reads the whole response within one timeout: a store that trickles a file counts as down. */
  async function send(method: string, key: string, options: RequestInit = {}): Promise<StoreResponse> {
    const address = `${parts.url}/${parts.bucket}/${checkedFileKey(key)}`
    const signal = AbortSignal.timeout(parts.timeoutMs ?? TIMEOUT_MS)
    const response = await client.fetch(address, { method, signal, redirect: 'error', ...options }).catch(unreachable)
    const content = new Uint8Array(await response.arrayBuffer().catch(unreachable))
    if (!response.ok && response.status !== 404)
      throw new Error(`The object store answers ${response.status} to ${method} ${key}`)
    return { found: response.ok, content, contentType: response.headers.get('content-type') }
  }

  return {
    async put(key, content, contentType) {
      const { found } = await send('PUT', key, {
        body: Buffer.from(content),
        headers: { 'Content-Type': contentType, 'Content-Length': String(content.byteLength) },
      })
      // 404 for a PUT means that the bucket is missing.
      if (!found) throw new Error(`The object store has no bucket ${parts.bucket}`)
    },
    async get(key) {
      const { found, content, contentType } = await send('GET', key)
      return found ? { content, contentType: contentType ?? 'application/octet-stream' } : null
    },
    async delete(key) {
      await send('DELETE', key)
    },
  }
}

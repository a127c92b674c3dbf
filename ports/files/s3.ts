import { AwsClient } from 'aws4fetch'
import { checkedFileKey } from './file-key.ts'
import type { Files } from './files.ts'

const TIMEOUT_MS = 20_000

export interface S3Parts {
  /** The store's address, such as https://s3.us-east-1.amazonaws.com; the bucket comes after it in the path. */
  url: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  timeoutMs?: number
}

/**
 * Files in an S3-compatible object store. A put is durable when the store answers it, and replaces the object at once.
 * @throws Error where the store cannot be reached or refuses: jobs try again, and pages say that it failed
 */
export function s3Files(parts: S3Parts): Files {
  const client = new AwsClient({
    accessKeyId: parts.accessKeyId,
    secretAccessKey: parts.secretAccessKey,
    region: parts.region,
    service: 's3',
    // Whoever asks has a way of trying again; a page must not wait for ten.
    retries: 1,
  })

  async function ask(method: string, key: string, more: RequestInit = {}): Promise<Response> {
    const address = `${parts.url}/${parts.bucket}/${checkedFileKey(key)}`
    const signal = AbortSignal.timeout(parts.timeoutMs ?? TIMEOUT_MS)
    const response = await client
      .fetch(address, { method, signal, redirect: 'error', ...more })
      .catch((error: unknown) => {
        throw new Error(`The object store cannot be reached: ${error instanceof Error ? error.name : 'failed'}`)
      })
    if (response.ok || response.status === 404) return response
    throw new Error(`The object store answers ${response.status} to ${method} ${key}`)
  }

  return {
    async put(key, content, contentType) {
      const response = await ask('PUT', key, {
        body: Buffer.from(content),
        headers: { 'Content-Type': contentType, 'Content-Length': String(content.byteLength) },
      })
      // For a put it is the bucket that is not there.
      if (response.status === 404) throw new Error(`The object store has no bucket ${parts.bucket}`)
      await response.arrayBuffer()
    },
    async get(key) {
      const response = await ask('GET', key)
      const content = new Uint8Array(await response.arrayBuffer())
      if (response.status === 404) return null
      return { content, contentType: response.headers.get('content-type') ?? 'application/octet-stream' }
    },
    async delete(key) {
      await (await ask('DELETE', key)).arrayBuffer()
    },
  }
}

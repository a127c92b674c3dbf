import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { BODY_LIMIT } from './parse-and-write-xml.ts'

export class TooLarge extends Error {}

/** Reads a request body. @throws TooLarge beyond BODY_LIMIT; the connection can still be answered */
export function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let size = 0
    request.on('data', (part: Buffer) => {
      size += part.length
      if (size <= BODY_LIMIT) parts.push(part)
      else {
        request.pause()
        reject(new TooLarge())
      }
    })
    request.on('end', () => resolve(Buffer.concat(parts).toString('utf8')))
    request.on('error', reject)
  })
}

/** Reads a JSON body; {} for the JSON value null, and null if the body is not JSON. @throws TooLarge */
export async function readJson<T>(request: IncomingMessage): Promise<Partial<T> | null> {
  const body = await readBody(request)
  try {
    return (JSON.parse(body) ?? {}) as Partial<T>
  } catch {
    return null
  }
}

export function isSameSecret(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}

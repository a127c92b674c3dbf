import { fileNotFoundResponse } from './file-not-found.ts'

/**
 * Returns a response with a stored photograph.
 * @param cache value of the Cache-Control header
 * @throws a 404 response if there is no content
 */
export function photographResponse(content: Uint8Array<ArrayBuffer> | null | undefined, cache: string): Response {
  if (!content) throw fileNotFoundResponse()
  return new Response(content, {
    headers: {
      'Content-Type': 'image/webp',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': cache,
    },
  })
}

/**
 * Reads a response's body as text.
 * @param maxBytes maximum size of the body
 * @throws RangeError when the body is larger
 */
export async function readResponseText(response: Response, maxBytes: number): Promise<string> {
  if (!response.body) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.byteLength
    if (size > maxBytes) throw new RangeError('too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

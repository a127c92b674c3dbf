/** Returns a response that downloads an uploaded file. Browsers never display the file. */
export const attachment = ({ name, content }: { name: string; content: Uint8Array<ArrayBuffer> }): Response =>
  new Response(content, {
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': `attachment; filename="${name}"`,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, no-store',
    },
  })

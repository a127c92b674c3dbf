/**
 * A PDF of ours as an answer. Its own content policy: the pages' policy forbids plugins, and some browsers' PDF viewer
 * counts as one.
 *
 * @param name the file's name when it is saved
 */
export function pdfResponse(
  pdf: Uint8Array,
  { name, download, cache }: { name: string; download: boolean; cache: string },
): Response {
  return new Response(new Uint8Array(pdf), {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Length': String(pdf.byteLength),
      'Content-Disposition': `${download ? 'attachment' : 'inline'}; filename="${name.replace(/[^\w.-]+/g, '-')}"`,
      'Content-Security-Policy': "frame-ancestors 'self'",
      'Cache-Control': cache,
    },
  })
}

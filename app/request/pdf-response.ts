/**
 * Returns a PDF response. The response has its own Content-Security-Policy, since the pages' policy blocks the PDF
 * viewer of some browsers.
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

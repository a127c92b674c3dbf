/** Returns a CSV file as a download that caches do not store. @param name file name without `.csv` */
export const csvResponse = (body: string | ReadableStream, name: string): Response =>
  new Response(body, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}.csv"`,
      'Cache-Control': 'private, no-store',
    },
  })

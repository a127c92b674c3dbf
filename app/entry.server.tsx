import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { renderToPipeableStream, renderToStaticMarkup } from 'react-dom/server'
import { type EntryContext, isRouteErrorResponse, type RouterContextProvider, ServerRouter } from 'react-router'
import { RequestId } from './error-page.tsx'
import { contextOf } from './request/context.ts'
import { sheetOf, withPageRoutesOnly } from './route-handles-for-page-layout.ts'

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entryContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const site = contextOf(context)
  const entry = pageEntryOf(entryContext)
  site.recordInlineSheet(sheetOf(entryContext))
  // A public page has no nonce and is not hydrated, so it is rendered in one go, without hydration data.
  if (site.nonce === '') {
    const page = renderToStaticMarkup(
      <RequestId value={site.requestId}>
        <ServerRouter context={{ ...entry, serverHandoffStream: undefined }} url={request.url} />
      </RequestId>,
    )
    headers.set('Content-Type', 'text/html; charset=utf-8')
    return Promise.resolve(new Response(new TextEncoder().encode(`<!DOCTYPE html>${page}`), { status, headers }))
  }
  return new Promise((resolve, reject) => {
    let code = status
    const { pipe, abort } = renderToPipeableStream(
      <RequestId value={site.requestId}>
        <ServerRouter context={entry} url={request.url} nonce={site.nonce} />
      </RequestId>,
      {
        nonce: site.nonce,
        // A lazy part of a streamed page would need a script to appear, so the page is sent whole.
        progressiveChunkSize: Number.POSITIVE_INFINITY,
        onAllReady() {
          headers.set('Content-Type', 'text/html; charset=utf-8')
          const stream = new PassThrough()
          text(stream).then(
            (page) =>
              resolve(new Response(new TextEncoder().encode(lowerScriptPriority(page)), { status: code, headers })),
            reject,
          )
          pipe(stream)
        },
        onShellError: reject,
        onError(error) {
          if (request.signal.aborted) return
          code = 500
          site.reportFailure(error, new URL(request.url).pathname)
        },
      },
    )
    request.signal.addEventListener('abort', () => abort(), { once: true })
  })
}

/**
 * Reduces the router's entry to the page's routes. In production, pages outside the office name the manifest without
 * office routes.
 */
function pageEntryOf(fullEntry: EntryContext): EntryContext {
  const entry = withPageRoutesOnly(fullEntry)
  const { routes, url } = entry.manifest
  const isOffice = Object.keys(routes).some((id) => id.startsWith('office/'))
  // The build writes this second, shorter manifest.
  const manifestUrl = import.meta.env.PROD && !isOffice ? url.replace('/manifest-', '/site-manifest-') : url
  return { ...entry, manifest: { ...entry.manifest, url: manifestUrl } }
}

/** Preloads a page's scripts with low priority, so that the sheets and fonts of the first paint load before them. */
const lowerScriptPriority = (page: string) =>
  page.replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"')

export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
) {
  if (!request.signal.aborted && !isRouteErrorResponse(error))
    contextOf(context).reportFailure(error, new URL(request.url).pathname)
}

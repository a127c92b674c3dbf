import { createRequestHandler, data, UNSAFE_withComponentProps, UNSAFE_withErrorBoundaryProps } from 'react-router'
import { expect, it } from 'vitest'
import * as entry from '../../app/entry.server.tsx'
import { referenceOf } from '../../app/error-page.tsx'
import * as notFound from '../../app/find-storage/not-found.tsx'
import { fileNotFoundResponse } from '../../app/request/file-not-found.ts'
import * as root from '../../app/root.tsx'
import { DatabaseUnavailable } from '../../platform/database/open.ts'
import { describeOnBothEngines } from '../../tests/support/databases.ts'
import { openTestSite } from '../../tests/support/site.ts'

function throwing(error: unknown) {
  throw error
}

const page = (id: string, path: string, module: Record<string, unknown>) => ({
  [id]: { id, parentId: 'root', path, module: { default: () => <p>a page</p>, ...module } },
})

/** Returns a route module with its components wrapped as React Router's build plugin wraps them. */
const asBuilt = (module: object) => {
  const { default: Page, ErrorBoundary } = module as {
    default: Parameters<typeof UNSAFE_withComponentProps>[0]
    ErrorBoundary?: Parameters<typeof UNSAFE_withErrorBoundaryProps>[0]
  }
  const boundary = ErrorBoundary && { ErrorBoundary: UNSAFE_withErrorBoundaryProps(ErrorBoundary) }
  return { ...module, default: UNSAFE_withComponentProps(Page), ...boundary }
}

const routes = {
  root: { id: 'root', path: '', module: asBuilt(root) },
  ...page('broken', 'broken', { loader: () => throwing(new Error('a fault')), action: () => throwing(new Error('x')) }),
  ...page('drawn', 'drawn', { default: () => throwing(new Error('a fault of the page')) }),
  ...page('away', 'away', { loader: () => throwing(new DatabaseUnavailable('lost')) }),
  ...page('gone', 'gone', { loader: () => throwing(data(null, { status: 404 })) }),
  file: { id: 'file', parentId: 'root', path: 'file', module: { loader: () => throwing(fileNotFoundResponse()) } },
  ...page('read', 'read', {}),
  ...page('nothing', '*', asBuilt(notFound)),
}
const build = {
  routes,
  assets: {
    routes: Object.fromEntries(
      Object.entries(routes).map(([id, route]) => [id, { ...route, module: '/x.js', imports: [] }]),
    ),
    entry: { module: '/entry.js', imports: [] },
    url: '/manifest.js',
    version: '1',
  },
  entry: { module: entry },
  prerender: [],
  publicPath: '/',
  ssr: true,
  future: {},
  isSpaMode: false,
  routeDiscovery: { mode: 'initial' },
}

describeOnBothEngines('the reference on error pages', (open) => {
  const site = async () => {
    const { services, app } = await openTestSite(await open(), {
      pages: createRequestHandler(build as never, 'production'),
    })
    // These pages fail on purpose, so reports of their errors are discarded.
    services.errors = { report: () => {} }
    return app
  }
  const form = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' }
  const send = (body: string, more: Record<string, string> = {}) => ({
    method: 'POST',
    body,
    headers: { ...form, ...more },
  })
  const failing: [string, RequestInit, number][] = [
    ['/broken', {}, 500],
    ['/drawn', {}, 500],
    ['/away', {}, 503],
    ['/gone', {}, 404],
    ['/file', { headers: { Accept: 'text/html' } }, 404],
    ['/no-such-page', {}, 404],
    ['/storage-units/zz', {}, 404],
    ['/broken', send('a=1'), 500],
    ['/read', send('a=1'), 405],
    ['/read', send('a=1', { Origin: 'https://elsewhere.example' }), 403],
    ['/read', send(`a=${'x'.repeat(70_000)}`), 413],
    ['/read', send('--b', { 'Content-Type': 'multipart/form-data; boundary=b' }), 415],
  ]

  it('is on every page that reports a failure or refusal', async () => {
    const app = await site()
    // Each page is requested twice: no cached page may hold another request's id.
    for (const [path, init, status] of [...failing, ...failing]) {
      const answer = await app.request(path, init)
      expect([path, answer.status]).toEqual([path, status])
      expect(await answer.text(), path).toContain(`>Reference: ${answer.headers.get('x-request-id')}<`)
    }
  })

  const toScripts: [string, RequestInit, number][] = [
    ['/broken.data', {}, 500],
    ['/broken.data', send('a=1'), 500],
    ['/away.data', {}, 503],
    ['/read.data', send('a=1'), 405],
  ]

  it('reaches the scripts of a page', async () => {
    const app = await site()
    for (const [path, init, status] of toScripts) {
      const answer = await app.request(path, init)
      expect([path, answer.status]).toEqual([path, status])
      // Without this header the router passes the response as text to the error page.
      expect(answer.headers.has('x-remix-response')).toBe(false)
      const error = { status, statusText: '', internal: false, data: await answer.text() }
      expect(referenceOf(error)).toBe(answer.headers.get('x-request-id'))
    }
    const answer = await app.request('/read.data', send(`a=${'x'.repeat(70_000)}`))
    expect(answer.status).toBe(413)
    expect(await answer.text()).toContain(`"reference","${answer.headers.get('x-request-id')}"`)
  })
})

import { serveStatic } from '@hono/node-server/serve-static'
import type { Hono } from 'hono'
import { sitemap } from '../../app/find-storage/build-sitemap-xml.ts'
import { unitDrawing } from '../../app/find-storage/cached-unit-drawing-svg.tsx'
import { frontFile } from '../../app/find-storage/facility-front-svg-files.tsx'
import {
  iconImage,
  iconKinds,
  iconPath,
  manifestOf,
  shareImage,
  shareImageNamePattern,
  sharePath,
} from '../../app/find-storage/render-share-image-and-icons.ts'
import { isKeyOf } from '../../domain/typed-keys.ts'
import { loadFacilityFacts } from '../../modules/facilities/facility-facts-for-pricing.ts'
import { parseBrand } from '../../modules/facilities/rules/brand.ts'
import { loadFacilitiesByCode } from '../../modules/facilities/views/find-facilities-by-place-or-name.ts'
import type { Env, WebServices } from './web-app-state-and-request-callers.ts'

const disallowed = ['/api/', '/rent/', '/choose/', '/tell-me/', '/reservation/', '/card-return/', '/dev/']

const immutable = 'public, max-age=31536000, immutable'

/** Adds the routes of files that are no pages, such as assets, drawings, icons and the sitemap. */
export function staticRoutes(app: Hono<Env>, web: WebServices): void {
  if (web.clientFolder) {
    const files = serveStatic({
      root: web.clientFolder,
      precompressed: true,
      onFound: (path, context) => {
        context.header('Cache-Control', /[\\/]assets[\\/]/.test(path) ? immutable : 'public, max-age=86400')
      },
    })
    for (const path of ['/assets/*', '/fonts/*', '/favicon.svg', '/og.png']) app.get(path, files)
  }
  app.get('/drawings/:name', (context) => {
    const svg = unitDrawing(context.req.param('name'))
    return svg === null
      ? context.text('not found', 404)
      : context.body(svg, 200, { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'public, max-age=604800' })
  })
  app.get('/favicon.ico', async (context) => {
    await web.settings.refresh()
    return context.redirect(web.settings.theme.icon?.path ?? '/favicon.svg', 302)
  })
  app.get('/robots.txt', (context) =>
    context.text(
      `User-agent: *\n${disallowed.map((path) => `Disallow: ${path}`).join('\n')}\nSitemap: ${web.config.publicUrl}/sitemap.xml\n`,
    ),
  )
  app.get('/sitemap.xml', async (context) =>
    context.body(await sitemap(web.services), 200, { 'Content-Type': 'application/xml; charset=utf-8' }),
  )
  app.get('/site.webmanifest', async (context) => {
    await web.settings.refresh()
    return context.body(JSON.stringify(manifestOf(brandNow(web))), 200, {
      'Content-Type': 'application/manifest+json',
      'Cache-Control': 'public, max-age=3600',
    })
  })
  pictureRoutes(app, web)
  themeRoute(app, web)
}

const brandNow = ({ settings }: WebServices) => settings.brand ?? parseBrand('{}')

/**
 * Returns the Cache-Control header: a file under an outdated name (of an older page or release) is requested again at
 * each use.
 */
const cacheHeader = (isCurrent: boolean) => ({ 'Cache-Control': isCurrent ? immutable : 'no-cache' })

function pictureRoutes(app: Hono<Env>, web: WebServices): void {
  app.get('/share/:name', async (context) => {
    await web.settings.refresh()
    const [, code = ''] = shareImageNamePattern.exec(context.req.param('name')) ?? []
    const [facility] = code ? await loadFacilitiesByCode(web.services, [code]) : []
    if (!facility) return context.text('not found', 404)
    const [photo] = (await loadFacilityFacts(web.services, [code])).get(code)?.photos ?? []
    const picture = [facility, photo?.photo_id, brandNow(web)] as const
    const path = sharePath(...picture)
    return context.body(await shareImage(web.services, ...picture), 200, {
      'Content-Type': path.endsWith('.jpg') ? 'image/jpeg' : 'image/png',
      ...cacheHeader(path === context.req.path),
    })
  })
  app.get('/icons/:name', async (context) => {
    await web.settings.refresh()
    const brand = brandNow(web)
    const [, kind] = /^[0-9a-f]{12}-([a-z0-9-]+)\.png$/.exec(context.req.param('name')) ?? []
    if (kind === undefined || !isKeyOf(iconKinds, kind)) return context.text('not found', 404)
    return context.body(await iconImage(brand, kind), 200, {
      'Content-Type': 'image/png',
      ...cacheHeader(iconPath(brand, kind) === context.req.path),
    })
  })
}

// An SVG that is opened directly must run no scripts.
const noScripts = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

function themeRoute(app: Hono<Env>, web: WebServices): void {
  const { settings } = web
  app.get('/fronts/:name', async (context) => {
    await settings.refresh()
    const match = frontFile(context.req.param('name'), brandNow(web))
    if (!match) return context.text('not found', 404)
    return context.body(match.svg, 200, {
      'Content-Type': 'image/svg+xml',
      ...cacheHeader(match.current),
      'Content-Security-Policy': noScripts,
    })
  })
  app.get('/look/:name', async (context) => {
    await settings.refresh()
    const match = Object.values(settings.theme).find((candidate) => candidate?.path === context.req.path)
    if (!match) return context.text('not found', 404)
    return context.body(match.body, 200, {
      'Content-Type': match.type,
      'Cache-Control': immutable,
      'Content-Security-Policy': noScripts,
    })
  })
}

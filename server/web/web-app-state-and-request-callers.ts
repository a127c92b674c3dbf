import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { RouterContextProvider } from 'react-router'
import { findMachineByToken } from '../../modules/staff/machine-keys.ts'
import { findStaffByToken } from '../../modules/staff/sign-ins.ts'
import { currentRequest } from '../../platform/current-request.ts'
import { type Callers, callerKinds } from '../../platform/operations/callers.ts'
import type { Services } from '../../platform/operations/services.ts'
import { clientAddress } from '../config/client-address.ts'
import type { Config } from '../config/config.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { AccessLog } from './access-log.ts'
import { loadSessionCallers } from './authenticate-callers.ts'
import { SiteSettings } from './cached-brand-and-notices.ts'
import { NearbyFacilitiesCache } from './cached-facilities-near-visitor.ts'
import { InFlight } from './limit-concurrent-requests.ts'
import { isApiPath, isOfficePath } from './office-and-api-paths.ts'
import { type OfficeCookies, openOfficeSession } from './office-cookies.ts'
import { PageCache } from './page-cache.ts'
import { openSession, type SealedSession } from './session.ts'

export type Env = { Bindings: HttpBindings }
export type WebContext = Context<Env>

export type PageRenderer = (request: Request, context: RouterContextProvider) => Promise<Response>

/** Dependencies that the server passes to the web app. */
export interface WebParts {
  services: Services
  config: Config
  log: Log
  metrics: Metrics
  pages: PageRenderer | null
  /** Folder of the built client files; null in development, where Vite serves them. */
  clientFolder: string | null
  accessLog?: AccessLog | undefined
  /** Finds a page's route pattern; absent in a worker, which serves no pages. */
  patternOf?: ((path: string) => string) | undefined
  cookieKeys: string[]
  /** Lists why the server is not ready. @param forPages ignores the first minute of a database outage */
  ready: (forPages?: boolean) => Promise<readonly string[]>
  /** Returns a warning for the operator although the server is ready, or null. */
  caution?: () => string | null
}

/** State of the web app that its middleware and routes share, such as sessions, cache and settings. */
export interface WebServices extends WebParts {
  readonly secure: boolean
  readonly ownOrigin: string
  readonly headers: Readonly<Record<string, string>>
  readonly inFlight: InFlight
  readonly settings: SiteSettings
  readonly nearby: NearbyFacilitiesCache
  readonly cache: PageCache
  readonly sessions: WeakMap<Request, SealedSession>
  readonly officeSessions: WeakMap<Request, OfficeCookies>
  readonly forms: WeakMap<Request, Uint8Array<ArrayBuffer>>
}

/**
 * Returns the security headers that `limitRequests` and the page cache set. Office pages get a stricter X-Frame-Options,
 * addresses with a secret a stricter Referrer-Policy.
 * @param cardPageOrigin origin whose frame may use the Payment Request API
 */
const securityHeaders = (secure: boolean, cardPageOrigin: string): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': `camera=(self), geolocation=(self), microphone=(), payment=(self "${cardPageOrigin}")`,
  'x-frame-options': 'SAMEORIGIN',
  'cross-origin-opener-policy': 'same-origin',
  ...(secure ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
})

/** Creates the services that the web app's middleware and routes share. */
export function openWebServices(parts: WebParts): WebServices {
  const secure = parts.config.publicUrl.startsWith('https:')
  const headers = securityHeaders(secure, parts.services.cardProvider.pageOrigin)
  const settings = new SiteSettings(parts.services)
  return {
    ...parts,
    secure,
    ownOrigin: new URL(parts.config.publicUrl).origin,
    headers,
    inFlight: new InFlight(parts.metrics),
    settings,
    nearby: new NearbyFacilitiesCache(parts.services, settings),
    cache: new PageCache(headers),
    sessions: new WeakMap(),
    officeSessions: new WeakMap(),
    forms: new WeakMap(),
  }
}

/** Returns the address of the connection: the client's, or a proxy's. */
export const socketAddressOf = (context: WebContext): string =>
  context.env?.incoming?.socket?.remoteAddress ?? '127.0.0.1'

/** Returns the client's address, past trusted proxies. */
export const addressOf = ({ config }: WebServices, context: WebContext): string =>
  clientAddress(config, socketAddressOf(context), context.req.header('x-forwarded-for'))

/** Returns a request's session, which is opened once. */
export async function sessionOf(web: WebServices, context: Context): Promise<SealedSession> {
  const existing = web.sessions.get(context.req.raw)
  if (existing) return existing
  const session = await openSession(context.req.header('cookie'), web.cookieKeys, web.secure, web.services.clock)
  web.sessions.set(context.req.raw, session)
  return session
}

/** Returns a request's office cookies, which are parsed once. */
export function officeSessionOf(web: WebServices, context: Context): OfficeCookies {
  const existing = web.officeSessions.get(context.req.raw)
  if (existing) return existing
  const session = openOfficeSession(context.req.header('cookie'), web.secure, web.services.random)
  web.officeSessions.set(context.req.raw, session)
  return session
}

/** Returns the callers of an office page: only the staff member, no other identity. */
async function loadStaffCaller(web: WebServices, context: Context, from: Callers): Promise<Callers> {
  const { token } = officeSessionOf(web, context)
  const staff = token === null ? undefined : await findStaffByToken(web.services, token)
  return staff ? { ...from, staff } : from
}

/**
 * Returns the callers of a request. Stores for the access log the last kind in `callerKinds` that the request proves,
 * or 'visitor'.
 */
export async function loadRequestCallers(web: WebServices, context: Context): Promise<Callers> {
  const from = {
    address: addressOf(web, context),
    agent: (context.req.header('user-agent') ?? '').slice(0, 300),
    requestId: currentRequest()?.id ?? '',
  }
  const callers = await loadCallers(web, context, from)
  const origin = currentRequest()
  if (origin) origin.role = callerKinds.findLast((kind) => callers[kind] !== undefined) ?? 'visitor'
  return callers
}

/** Returns the callers of a request with a machine key: only the machine, or why its key is refused. */
async function loadMachineCaller(web: WebServices, bearer: string, from: Callers): Promise<Callers> {
  const machine = await findMachineByToken(web.services, bearer, from.address)
  if (typeof machine === 'object') return { ...from, machine }
  web.services.security.record('key.refused', { key: /^lk_([0-9A-Za-z]{12})_/.exec(bearer)?.[1], why: machine })
  return { ...from, keyRefused: machine }
}

async function loadCallers(web: WebServices, context: Context, from: Callers): Promise<Callers> {
  if (isOfficePath(context.req.path)) return loadStaffCaller(web, context, from)
  const authorization = context.req.header('authorization') ?? ''
  const key = /^Bearer +(lk_.*)$/i.exec(authorization)?.[1]
  if (key !== undefined && isApiPath(context.req.path)) return loadMachineCaller(web, key, from)
  const session = await sessionOf(web, context)
  const bearer = /^Bearer ([\w.-]{16,200})$/.exec(authorization)?.[1]
  return loadSessionCallers(web.services, session.ids, { ...from, bearer })
}

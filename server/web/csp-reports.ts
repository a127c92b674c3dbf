import type { Hono } from 'hono'
import { readBytes } from '../../api/request-body.ts'
import { parseJson } from '../../domain/parse-json-and-check-shape.ts'
import { isRecord } from '../../domain/typed-keys.ts'
import type { Limit } from '../../platform/rate-limit-counters.ts'
import { addressOf, type Env, type WebServices } from './web-app-state-and-request-callers.ts'

/** Address for browsers' reports of Content-Security-Policy violations, such as a foreign script on a card page. */
export const policyReportPath = '/policy-reports'

const MAX_BYTES = 8 * 1024
const networkLimit: Limit = { points: 20, perSeconds: 60 }
const totalLimit: Limit = { points: 300, perSeconds: 60 }

/** Adds the route that logs reports by page pattern, directive and origin, without visitor address, path or query. */
export function policyReports(app: Hono<Env>, web: WebServices): void {
  const { services, log } = web
  app.post(policyReportPath, async (context) => {
    const byNetwork = await services.limits.consumeFrom(addressOf(web, context), 'policy report', networkLimit)
    const result = byNetwork.allowed ? await services.limits.consume('policy reports', totalLimit) : byNetwork
    if (!result.allowed) return context.body(null, 429, { 'Retry-After': String(result.retryAfterSeconds) })
    const body = await readBytes(context.req.raw, MAX_BYTES)
    if (!body.ok) return context.body(null, body.fault === 'too_large' ? 413 : 400)
    const report = parseReport(new TextDecoder().decode(body.bytes))
    if (!report) return context.body(null, 400)
    const path = URL.parse(report.page)?.pathname
    const page = path === undefined ? '*' : (web.patternOf?.(path) ?? '*')
    log.warn({ page, directive: report.directive, blocked: shortenBlocked(report.blocked) }, 'content policy violated')
    return context.body(null, 204)
  })
}

function parseReport(text: string): { page: string; directive: string; blocked: string } | null {
  try {
    const report = parseJson(text, isRecord)['csp-report']
    if (!isRecord(report)) return null
    const directive = String(report['effective-directive'] ?? report['violated-directive'] ?? '').split(' ')[0] ?? ''
    if (!/^[a-z-]{1,40}$/.test(directive)) return null
    return { page: String(report['document-uri'] ?? ''), directive, blocked: String(report['blocked-uri'] ?? '') }
  } catch {
    return null
  }
}

/**
 * Shortens the blocked address of a Content-Security-Policy report to its origin, which holds no personal data, or to its
 * scheme if it has no origin. Keywords such as 'inline' and 'eval' stay as they are; any other text becomes '*'.
 */
function shortenBlocked(text: string): string {
  if (/^[a-z-]{1,20}$/.test(text)) return text
  const url = URL.parse(text)
  return url === null ? '*' : url.origin === 'null' ? url.protocol.slice(0, 20) : url.origin.slice(0, 200)
}

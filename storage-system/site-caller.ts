/**
 * The caller *site*: a website that calls a storage system on another address proves itself by a key both hold (SITE_KEY)
 * and forwards who calls it. The header carries all that the website's request proved, signed together with the
 * time, the operation, the address and the body, so that it cannot be written by anybody else, kept for later, or put
 * before another call. The access rules then apply to the end caller exactly as they do in process; the website's own word (`site`) counts only where the
 * website called as itself.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import type { Callers } from './operation.ts'

export const siteCallerHeader = 'X-Site-Caller'
/** What a call granted, as JSON, to the website instead of a cookie to a browser. */
export const siteGrantsHeader = 'X-Site-Grants'

/** Clocks of two machines may differ by so much, ms. */
const tolerance = 5 * 60_000

const tenants = v.array(v.object({ locationCode: v.string(), tenantId: v.number() }))
const uuid = v.object({ uuid: v.string() })
const Forwarded = v.object({
  at: v.number(),
  callers: v.object({
    address: v.string(),
    agent: v.string(),
    rental: v.optional(
      v.object({
        draftId: v.string(),
        locationCode: v.string(),
        tenantId: v.nullable(v.number()),
        reservationCode: v.nullable(v.string()),
        existingTenant: v.boolean(),
      }),
    ),
    tenant: v.optional(v.object({ accountId: v.string(), tenants })),
    guest: v.optional(v.object({ tenants })),
    registrant: v.optional(v.object({ locationCode: v.string(), tenantId: v.number() })),
    knownAccounts: v.optional(v.array(v.string())),
    resetId: v.optional(v.string()),
    auction: v.optional(uuid),
    settlement: v.optional(uuid),
    site: v.optional(v.literal(true)),
  }),
})

/** What is asked: the operation's name, the address it is asked at, its idempotency key, and the body as it travels. */
interface Call {
  operation: string
  /** Path below '/api', with its query, as sent: what stands in them is as much of the input as the body is. */
  target: string
  /** Of a write: with another key, or with none, what was sent before would be done once more. */
  key: string | undefined
  body: string
}

function signature(key: string, payload: string, { operation, target, key: once, body }: Call): Buffer {
  const ofBody = createHash('sha256').update(body).digest('hex')
  const call = [operation, target, once ?? '', ofBody]
  return createHmac('sha256', key)
    .update(`site-caller.v2\n${payload}\n${call.join('\n')}`)
    .digest()
}

/** @returns the header's value for this call, good for five minutes */
export function signCallers(key: string, callers: Callers, call: Call, now: number): string {
  const payload = Buffer.from(JSON.stringify({ at: now, callers })).toString('base64url')
  return `v2.${payload}.${signature(key, payload, call).toString('base64url')}`
}

/** @returns who calls; null where the header is not the website's, not of now, or not of this call */
export function readCallers(key: string, header: string, call: Call, now: number): Callers | null {
  const [version, payload = '', mac = '', ...more] = header.split('.')
  const given = Buffer.from(mac, 'base64url')
  const wanted = signature(key, payload, call)
  if (version !== 'v2' || more.length > 0 || given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
    return null
  }
  try {
    const parsed = v.safeParse(Forwarded, JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')))
    if (!parsed.success || Math.abs(now - parsed.output.at) > tolerance) return null
    return parsed.output.callers as Callers
  } catch {
    return null
  }
}

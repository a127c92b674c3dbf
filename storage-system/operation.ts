/**
 * What an operation is: declared in one place with its name, who may call it, what goes in and out, an example and the
 * work. The catalogue is the list of these declarations; pages, the JSON door and the XML door all run them through
 * `perform`, so there is one parse, one access check and one result.
 */
import * as v from 'valibot'
import type { Database } from '../database/open.ts'
import type { Sealer } from '../database/sealed.ts'
import { networkOf } from '../platform/network.ts'
import type { Limit, RateLimits } from '../platform/rate-limits.ts'
import type { Bank } from '../ports/bank/bank.ts'
import type { BreachedPasswords } from '../ports/breached-passwords/breached-passwords.ts'
import type { CardProvider } from '../ports/card-provider/card-provider.ts'
import type { Clock, Random } from '../ports/clock.ts'
import type { ErrorReporter } from '../ports/errors/errors.ts'
import type { Files } from '../ports/files/files.ts'
import type { Geocoder } from '../ports/geocoder/geocoder.ts'
import type { IpLocation } from '../ports/ip-location/ip-location.ts'
import type { PropertyManagement } from '../ports/property-management/property-management.ts'
import type { SecurityLog } from '../ports/security-log/security-log.ts'
import type { Sms } from '../ports/sms/sms.ts'
import { isUnguessable, once } from './idempotency.ts'

/** What operations stand on. Wired once in server/services.ts. */
export interface House {
  db: Database
  limits: RateLimits
  clock: Clock
  random: Random
  sealer: Sealer
  cardProvider: CardProvider
  files: Files
  geocoder: Geocoder
  ipLocation: IpLocation
  errors: ErrorReporter
  /** Sign-ins, refusals, changes of an account: `house.security.record('password.changed', { account })`. */
  security: SecurityLog
  sms: Sms
  bank: Bank
  propertyManagement: PropertyManagement
  /** Absent where no such service is configured. */
  breachedPasswords?: BreachedPasswords
  /** argon2id, kept behind a function because it is native and slow on purpose. */
  passwords: { hash(password: string): Promise<string>; verify(hash: string, password: string): Promise<boolean> }
  /** Our own origin, without a trailing slash: links in mails, return URLs. */
  publicUrl: string
}

// ── Who calls ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The browser began the rental itself, opened the mailed link or an unguessable code, or named last name and digits. */
export type RentalProof = 'own' | 'link' | 'names'

/** The visitor's rental session: the draft behind the sealed cookie, and the reservation it made or found. */
export interface RentalCaller {
  draftId: string
  proof: RentalProof
  /** The resumed session of a browser that found the rental again; null in the one that began it. */
  resumedId: string | null
  locationCode: string
  /** The tenant its reservation stands on; null before there is one. */
  tenantId: number | null
  reservationCode: string | null
  /** The reservation belongs to a tenant who existed before: nothing of that tenant is revealed or changed. */
  existingTenant: boolean
}

/** A signed-in account and the tenants it may speak for. */
export interface TenantCaller {
  accountId: string
  tenants: { locationCode: string; tenantId: number }[]
}

export interface GuestCaller {
  tenants: { locationCode: string; tenantId: number }[]
  /** Hash of the sign-in's token. Several guests may have named one e-mail address: this tells them apart. */
  signIn: string
}

/** Somebody who named a tenant's last name, phone digits and unit number: may make that tenant's online account. */
export interface RegistrantCaller {
  locationCode: string
  tenantId: number
}

/** All that a request proves about who sent it. Several may hold at once: a tenant renting another unit. */
export interface Callers {
  /** The client address that is believed (TRUST_PROXY); limits count by it. */
  address: string
  agent: string
  rental?: RentalCaller
  tenant?: TenantCaller
  guest?: GuestCaller
  registrant?: RegistrantCaller
  /** Accounts that this browser has signed in to before, by the first digits of their id's hash. */
  knownAccounts?: readonly string[]
  /** The reset code that this browser asked for. */
  resetId?: string
  /** Uuid of the personal link that was opened. */
  auction?: { uuid: string }
  settlement?: { uuid: string }
}

export type CallerKind = 'rental' | 'tenant' | 'guest' | 'registrant' | 'auction' | 'settlement'

/**
 * Who may call: everybody, or for each kind of caller the test that this input is theirs. The tests look at the
 * credential and the input only, never at the record, so the answer is the same whether or not the record exists.
 */
export type Access<I> =
  | 'anyone'
  | {
      rental?: (caller: RentalCaller, input: I) => boolean
      tenant?: (caller: TenantCaller, input: I) => boolean
      guest?: (caller: GuestCaller, input: I) => boolean
      registrant?: (caller: RegistrantCaller, input: I) => boolean
      auction?: (caller: { uuid: string }, input: I) => boolean
      settlement?: (caller: { uuid: string }, input: I) => boolean
    }

interface NamesTenant {
  location_code: string
  tenant_id: number
}

/** The input names the tenant that this rental session's own reservation created. */
export const ownReservationsTenant = (caller: RentalCaller, input: NamesTenant): boolean =>
  !caller.existingTenant && caller.locationCode === input.location_code && caller.tenantId === input.tenant_id

/** The input names one of the account's tenants. */
export const ownTenant = (
  caller: { tenants: { locationCode: string; tenantId: number }[] },
  input: NamesTenant,
): boolean => caller.tenants.some((one) => one.locationCode === input.location_code && one.tenantId === input.tenant_id)

/** The caller's tenants that an input may mean: all of them where it names neither facility nor number. */
export const namedTenants = (
  caller: { tenants: { locationCode: string; tenantId: number }[] },
  input: { location_code?: string | undefined; tenant_id?: number | undefined },
): { locationCode: string; tenantId: number }[] =>
  caller.tenants.filter(
    (one) =>
      (input.location_code === undefined || one.locationCode === input.location_code) &&
      (input.tenant_id === undefined || one.tenantId === input.tenant_id),
  )

/** The input may mean one of the caller's tenants. */
export const ownTenantNamed = (
  caller: { tenants: { locationCode: string; tenantId: number }[] },
  input: { location_code?: string | undefined; tenant_id?: number | undefined },
): boolean => namedTenants(caller, input).length > 0

// ── What comes back ───────────────────────────────────────────────────────────────────────────────────────────────────

export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 429 | 503

/** An expected failure. `message` is for people, `code` for programs, `fields` for forms. */
export interface Refusal {
  ok: false
  status: RefusalStatus
  code: string
  message: string
  fields?: Record<string, string>
  /** Seconds, with 429 and 503. */
  retryAfter?: number
}

/** What the call lets the browser's session hold from now on; the doors put it into the sealed cookie. */
export interface Grants {
  draftId?: string
  /** 'ATL01:1001:<until>': see RegistrantCaller. */
  registers?: string
  resetId?: string
}

/** `replayed`: kept from an earlier call with the same idempotency key. */
export type Outcome<O> = ({ ok: true; value: O; grants?: Grants } | Refusal) & { replayed?: true }

export const done = <O>(value: O, grants?: Grants): Outcome<O> =>
  grants ? { ok: true, value, grants } : { ok: true, value }

export const refuse = (
  status: RefusalStatus,
  code: string,
  message: string,
  more: { fields?: Record<string, string>; retryAfter?: number } = {},
): Refusal => ({ ok: false, status, code, message, ...more })

// ── The declaration ───────────────────────────────────────────────────────────────────────────────────────────────────

// biome-ignore lint/suspicious/noExplicitAny: the schema's own issue type does not matter here
type Schema<T> = v.GenericSchema<any, T>

export interface Operation<I = unknown, O = unknown> {
  /** The wire name: `GetMoveInCostAll`, or for the site's own resources `GET /api/states/{region}`. */
  name: string
  /** One line for the API page. */
  summary: string
  access: Access<I>
  /** Parses what came over the wire (JSON values or XML text) into what `run` works with. Unknown fields are dropped. */
  input: Schema<I>
  /** The answer as it goes over the wire. */
  output: v.GenericSchema<unknown, O> | Schema<O>
  /** Root of the answer where the specification names one (`Rental`); else `<name>Result` in an envelope and none outside. */
  wrapper?: string
  /** At most so many calls per address: look-ups that could be guessed, and costly work. */
  limit?: Limit
  /** Changes something: takes an idempotency key, is never cached, GET never reaches it. */
  writes: boolean
  /** Also takes a form with a file, as browsers send one: its fields as text, the file as its bytes. */
  multipart?: true
  example: { input: Record<string, unknown>; output: unknown }
  run(house: House, input: I, callers: Callers): Promise<Outcome<O>>
}

/** Declares an operation with its types inferred from the two schemas. */
export function operation<const IS extends v.GenericSchema, const OS extends v.GenericSchema>(declaration: {
  name: string
  summary: string
  access: Access<v.InferOutput<IS>>
  input: IS
  output: OS
  wrapper?: string
  limit?: Limit
  writes: boolean
  multipart?: true
  example: { input: Record<string, unknown>; output: v.InferInput<OS> }
  run(house: House, input: v.InferOutput<IS>, callers: Callers): Promise<Outcome<v.InferInput<OS>>>
}): Operation<v.InferOutput<IS>, v.InferInput<OS>> {
  return declaration as unknown as Operation<v.InferOutput<IS>, v.InferInput<OS>>
}

/** First message for each field, by the field's wire name; nested fields are joined with dots. */
export function fieldMessages(issues: readonly v.BaseIssue<unknown>[]): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const issue of issues) {
    const name = issue.path?.map((step) => String(step.key)).join('.') || '(body)'
    // The schema's own words are about keys, which whoever fills in a form has none of.
    const missing = issue.input === undefined && issue.message.startsWith('Invalid key')
    fields[name] ??= missing ? 'is missing' : issue.message
  }
  return fields
}

const kinds = ['rental', 'tenant', 'guest', 'registrant', 'auction', 'settlement'] as const

export const unproven = refuse(401, 'unauthorized', 'Please sign in or start again from your reservation.')

const forbidden = refuse(403, 'forbidden', 'You may not do this.')

/** Whether the request proves to be anybody's. */
export const provesAnything = (callers: Callers): boolean => kinds.some((kind) => callers[kind] !== undefined)

/** null where the call is allowed. 401 when nothing was proven that could help, 403 when it was the wrong thing. */
export function refusedAccess<I>(access: Access<I>, callers: Callers, input: I): Refusal | null {
  if (access === 'anyone') return null
  let proven = false
  for (const kind of kinds) {
    const caller = callers[kind]
    if (!caller) continue
    proven = true
    const test = access[kind] as ((caller: unknown, input: I) => boolean) | undefined
    if (test?.(caller, input)) return null
  }
  return proven ? forbidden : unproven
}

const tooManyCalls = 'Too many tries. Please wait a little and try again.'

const whoAsked = ({ name }: { name: string }, { tenant }: Callers) => ({ operation: name, account: tenant?.accountId })

/**
 * What can be refused before an input is read, where reading it is costly: nobody of a kind that may call, or one who has
 * called too often. `perform` looks at both once more.
 */
export async function refusedUnread<I, O>(
  house: Pick<House, 'limits' | 'security'>,
  declared: Operation<I, O>,
  callers: Callers,
): Promise<Refusal | null> {
  const { access, limit, name } = declared
  if (access !== 'anyone' && !kinds.some((kind) => access[kind] !== undefined && callers[kind] !== undefined)) {
    if (!provesAnything(callers)) return unproven
    house.security.record('access.denied', whoAsked(declared, callers))
    return forbidden
  }
  if (!limit) return null
  const retryAfter = await house.limits.retryAfter(`op:${name}:${networkOf(callers.address)}`, limit)
  if (retryAfter === 0) return null
  house.security.record('limit.reached', whoAsked(declared, callers))
  return refuse(429, 'too_many', tooManyCalls, { retryAfter })
}

/**
 * Runs an operation: parse, access, limits, work.
 * @param idempotencyKey of a write: the same call with it is done once and answered alike for 24 hours
 * @returns the operation's outcome; 400 with field messages for input that does not parse; 401, 403, 429; 409 for an
 *   idempotency key of another call or of one still under way
 */
export async function perform<I, O>(
  house: House,
  declared: Operation<I, O>,
  raw: unknown,
  callers: Callers,
  idempotencyKey?: string,
): Promise<Outcome<O>> {
  // Whoever could not call it with any input learns nothing about its fields, and costs no reading of them.
  if (declared.access !== 'anyone' && !provesAnything(callers)) return unproven
  const parsed = v.safeParse(declared.input, raw)
  if (!parsed.success) {
    return refuse(400, 'invalid_input', 'Some fields are missing or not valid.', {
      fields: fieldMessages(parsed.issues),
    })
  }
  const refused = refusedAccess(declared.access, callers, parsed.output)
  if (refused) {
    if (refused.status === 403) house.security.record('access.denied', whoAsked(declared, callers))
    return refused
  }
  if (declared.limit) {
    const spent = await house.limits.consumeFrom(callers.address, `op:${declared.name}`, declared.limit)
    if (!spent.allowed) {
      house.security.record('limit.reached', whoAsked(declared, callers))
      return refuse(429, 'too_many', tooManyCalls, {
        retryAfter: spent.retryAfterSeconds,
      })
    }
  }
  if (idempotencyKey === undefined || !declared.writes) return declared.run(house, parsed.output, callers)
  if (!provesAnything(callers) && !isUnguessable(idempotencyKey))
    return refuse(400, 'invalid_idempotency_key', 'Without signing in, an idempotency key must be a uuid or as random.')
  const asked = { key: idempotencyKey, callers, operation: declared.name, input: parsed.output }
  return once(house, asked, () => declared.run(house, parsed.output, callers))
}

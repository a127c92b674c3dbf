/**
 * What an operation is: declared in one place with its name, who may call it, what goes in and out, an example and the
 * work. The catalogue is the list of these declarations; pages, the JSON door and the XML door all run them through
 * `perform`, so there is one parse, one access check and one result.
 */
import * as v from 'valibot'
import { networkOf } from '../network.ts'
import type { Limit } from '../rate-limits.ts'
import type { Access, Callers } from './callers.ts'
import { isUnguessable, withIdempotencyKey } from './idempotency.ts'
import { fieldMessages, type Outcome, type Refusal, refuse } from './outcome.ts'
import type { Services } from './services.ts'

// ── The declaration ───────────────────────────────────────────────────────────────────────────────────────────────────

// biome-ignore lint/suspicious/noExplicitAny: the schema's own issue type does not matter here
type Schema<T> = v.GenericSchema<any, T>

/** What `perform` runs. */
interface Performable<I, O> {
  /** The wire name: `GetMoveInCostAll`, or for the site's own resources `GET /api/states/{region}`. */
  name: string
  access: Access<I>
  /** Parses what came over the wire (JSON values or XML text) into what `run` works with. Unknown fields are dropped. */
  input: Schema<I>
  /** At most so many calls per address: look-ups that could be guessed, and costly work. */
  limit?: Limit
  /** Changes something: takes an idempotency key, is never cached, GET never reaches it. */
  writes: boolean
  example: { input: Record<string, unknown> }
  run(services: Services, input: I, callers: Callers): Promise<Outcome<O>>
}

/** Called by our own pages alone: on no wire and in no API document, so its answer has no schema. */
export interface InternalOperation<I = unknown, O = unknown> extends Performable<I, O> {
  exposure: 'internal'
}

/** Declares a write of our own pages. */
export const internalOperation = <const IS extends v.GenericSchema, O>(
  declaration: Pick<Performable<v.InferOutput<IS>, O>, 'name' | 'access' | 'example' | 'run'> & { input: IS },
): InternalOperation<v.InferOutput<IS>, O> =>
  ({ ...declaration, exposure: 'internal', writes: true }) as InternalOperation<v.InferOutput<IS>, O>

export interface Operation<I = unknown, O = unknown> extends Performable<I, O> {
  /** One line for the API page. */
  summary: string
  /** The answer as it goes over the wire. */
  output: v.GenericSchema<unknown, O> | Schema<O>
  /** Root of the answer where the specification names one (`Rental`); else `<name>Result` in an envelope and none outside. */
  wrapper?: string
  /** Also takes a form with a file, as browsers send one: its fields as text, the file as its bytes. */
  multipart?: true
  example: { input: Record<string, unknown>; output: unknown }
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
  run(services: Services, input: v.InferOutput<IS>, callers: Callers): Promise<Outcome<v.InferInput<OS>>>
}): Operation<v.InferOutput<IS>, v.InferInput<OS>> {
  return declaration as unknown as Operation<v.InferOutput<IS>, v.InferInput<OS>>
}

const kinds = ['rental', 'tenant', 'guest', 'registrant', 'auction', 'settlement'] as const

export const unauthenticated = refuse(401, 'unauthorized', 'Please sign in or start again from your reservation.')

const forbidden = refuse(403, 'forbidden', 'You may not do this.')

/** Whether the request proves to be anybody's. */
export const isAuthenticated = (callers: Callers): boolean => kinds.some((kind) => callers[kind] !== undefined)

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
  return proven ? forbidden : unauthenticated
}

const tooManyCalls = 'Too many tries. Please wait a little and try again.'

const whoAsked = ({ name }: { name: string }, { tenant }: Callers) => ({ operation: name, account: tenant?.accountId })

/**
 * What can be refused before an input is read, where reading it is costly: nobody of a kind that may call, or one who has
 * called too often. `perform` looks at both once more.
 */
export async function refusedUnread<I, O>(
  services: Pick<Services, 'limits' | 'security'>,
  declared: Operation<I, O>,
  callers: Callers,
): Promise<Refusal | null> {
  const { access, limit, name } = declared
  if (access !== 'anyone' && !kinds.some((kind) => access[kind] !== undefined && callers[kind] !== undefined)) {
    if (!isAuthenticated(callers)) return unauthenticated
    services.security.record('access.denied', whoAsked(declared, callers))
    return forbidden
  }
  if (!limit) return null
  const retryAfter = await services.limits.retryAfter(`op:${name}:${networkOf(callers.address)}`, limit)
  if (retryAfter === 0) return null
  services.security.record('limit.reached', whoAsked(declared, callers))
  return refuse(429, 'too_many', tooManyCalls, { retryAfter })
}

/**
 * Runs an operation: parse, access, limits, work.
 * @param idempotencyKey of a write: the same call with it is done once and answered alike for 24 hours
 * @returns the operation's outcome; 400 with field messages for input that does not parse; 401, 403, 429; 409 for an
 *   idempotency key of another call or of one still under way
 */
export async function perform<I, O>(
  services: Services,
  declared: Operation<I, O> | InternalOperation<I, O>,
  raw: unknown,
  callers: Callers,
  idempotencyKey?: string,
): Promise<Outcome<O>> {
  // A caller who could not call it with any input learns nothing about its fields, and costs no reading of them.
  if (declared.access !== 'anyone' && !isAuthenticated(callers)) return unauthenticated
  const parsed = v.safeParse(declared.input, raw)
  if (!parsed.success) {
    return refuse(400, 'invalid_input', 'Some fields are missing or not valid.', {
      fields: fieldMessages(parsed.issues),
    })
  }
  const refused = refusedAccess(declared.access, callers, parsed.output)
  if (refused) {
    if (refused.status === 403) services.security.record('access.denied', whoAsked(declared, callers))
    return refused
  }
  if (declared.limit) {
    const spent = await services.limits.consumeFrom(callers.address, `op:${declared.name}`, declared.limit)
    if (!spent.allowed) {
      services.security.record('limit.reached', whoAsked(declared, callers))
      return refuse(429, 'too_many', tooManyCalls, {
        retryAfter: spent.retryAfterSeconds,
      })
    }
  }
  if (idempotencyKey === undefined || !declared.writes) return declared.run(services, parsed.output, callers)
  if (!isAuthenticated(callers) && !isUnguessable(idempotencyKey))
    return refuse(400, 'invalid_idempotency_key', 'Without signing in, an idempotency key must be a uuid or as random.')
  const asked = { key: idempotencyKey, callers, operation: declared.name, input: parsed.output }
  return withIdempotencyKey(services, asked, () => declared.run(services, parsed.output, callers))
}

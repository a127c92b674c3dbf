/**
 * Declares and performs operations: name, access, input, output, example and work. Pages, JSON and XML call `perform`.
 */

import * as v from 'valibot'
import { machineKeyOperations } from '../../domain/machine-key-operations.ts'
import type { EntryReason } from '../../domain/office/ledger-entry-reasons.ts'
import type { Permission } from '../../domain/office/roles-and-permissions.ts'
import { officeNotFound, secondFactorNeeded } from '../../domain/texts/office-refusals.ts'
import { someFieldsInvalid } from '../../domain/texts/some-fields-invalid.ts'
import { tooManyTries } from '../../domain/texts/too-many-attempts.ts'
import { isRecord } from '../../domain/typed-keys.ts'
import { inSpan } from '../../ports/tracing.ts'
import { staffActor, writeAuditEvent } from '../audit/audit.ts'
import { withContentVersion } from '../database/content-version.ts'
import { networkOf } from '../network-of-address.ts'
import type { Limit } from '../rate-limit-counters.ts'
import {
  type Access,
  type Callers,
  callerKinds,
  hasFreshFactor,
  type MachineCaller,
  reachesFacility,
  type StaffAccess,
  testedKinds,
} from './callers.ts'
import { isUnguessable, withIdempotencyKey } from './idempotency.ts'
import { catchRefusal, fieldMessages, type Outcome, type Refusal, refuse } from './outcome.ts'
import { withoutPersonal } from './output-schemas-with-personal-marks.ts'
import type { Services } from './services.ts'

// biome-ignore lint/suspicious/noExplicitAny: the schema's own issue type does not matter here
type Schema<T> = v.GenericSchema<any, T>

interface Performable<I, O> {
  /** Wire name: `GetMoveInCostAll`, or for the site's own resources `GET /api/states/{region}`. */
  name: string
  access: Access<I>
  input: Schema<I>
  limit?: Limit
  /**
   * Requires a second factor given in the last ten minutes (staff only): always, or for inputs for which the function
   * returns true.
   */
  freshFactor?: true | ((input: I) => boolean)
  /** True when the operation writes: it then takes an idempotency key and is never called by GET or cached. */
  writes: boolean
  example: { input: Record<string, unknown> }
  run(services: Services, input: I, callers: Callers): Promise<Outcome<O>>
}

/** A button on a tenant's page in the office, which opens the operation's page. */
export interface TenantPageButton {
  label: string
  /** Keyboard shortcut; 'g' is pressed twice, since a single one starts the menu's shortcuts. */
  key: string
  /** Position in the row of buttons. */
  place: number
  /** Last segment of the page's path, such as 'waive' in '/office/tenants/<tenant>/leases/<lease>/waive'. */
  page: string
  /** Subject of the page: the tenant, or the lease that is selected on the tenant's page. */
  about: 'tenant' | 'lease'
  /**
   * Shows the button only for leases for which this returns true; for all if omitted. `balance` is in cents; `others`
   * is the number of the tenant's other leases.
   */
  when?: (lease: { status: string; balance: number; others: number }) => boolean
}

/** Display settings of an office operation: confirmation, button, reasons and preview. */
export interface OfficeDisplay {
  /** Permission without which the operation's page and button are not shown. */
  permission?: Permission
  /** Confirmation shown after the operation: 'Waived.' */
  done?: string
  button?: TenantPageButton
  /** Selectable reasons, most frequent first. */
  reasons?: readonly EntryReason[]
  /** True if the operation accepts `preview`, by which it returns what it would do and writes nothing. */
  previews?: boolean
}

/** An operation that only our own pages call: not part of the API, so its output has no schema. */
export interface InternalOperation<I = unknown, O = unknown> extends Performable<I, O>, OfficeDisplay {
  exposure: 'internal'
}

/** Declares an internal operation: a write, or with `writes: false` a read. */
export const internalOperation = <const IS extends v.GenericSchema, O>(
  declaration: Pick<Performable<v.InferOutput<IS>, O>, 'name' | 'access' | 'example' | 'run'> & { input: IS } & Partial<
      Pick<Performable<v.InferOutput<IS>, O>, 'limit' | 'freshFactor' | 'writes'>
    > &
    OfficeDisplay,
): InternalOperation<v.InferOutput<IS>, O> => ({ writes: true, ...declaration, exposure: 'internal' })

/** An operation of the public API. */
export interface Operation<I = unknown, O = unknown> extends Performable<I, O> {
  summary: string
  output: v.GenericSchema<unknown, O> | Schema<O>
  /** Root element of the response if the specification names one (`Rental`); else `<name>Result` in an envelope. */
  wrapper?: string
  /** Set if the operation also accepts a multipart form with a file. */
  multipart?: true
  /** Set if the operation takes the header `If-None-Match` as `if_none_match`, and answers `ETag` or 304. */
  conditional?: true
  /** Media type of responses that are text. */
  textType?: string
  example: { input: Record<string, unknown>; output: unknown }
}

type Declaration<I, O> = Omit<Operation<I, O>, 'input' | 'output' | 'example'>

export const operation = <const IS extends v.GenericSchema, const OS extends v.GenericSchema>(
  declaration: Declaration<v.InferOutput<IS>, v.InferInput<OS>> & {
    input: IS
    output: OS
    example: { input: Record<string, unknown>; output: v.InferInput<OS> }
  },
): Operation<v.InferOutput<IS>, v.InferInput<OS>> => declaration

export const unauthenticated = refuse(401, 'unauthorized', 'Please sign in or start again from your reservation.')

const forbidden = refuse(403, 'forbidden', 'You may not do this.')

/** The 404 for staff members and machine keys: the record does not exist or is at a facility that the caller may not see. */
export const recordNotFound = refuse(404, 'not_found', officeNotFound)

const factorNeeded = refuse(403, 'factor_needed', secondFactorNeeded)

export const isAuthenticated = (callers: Callers): boolean => callerKinds.some((kind) => callers[kind] !== undefined)

/**
 * Checks the access of callers other than machine keys.
 * @returns null if allowed; 401 for anonymous callers, 403 if the caller may not do this, 404 for a record at a
 *   facility where the staff member may not
 */
export function checkAccess<I>(access: Access<I>, callers: Callers, input: I): Refusal | null {
  if (access === 'anyone') return null
  let isKnownCaller = false
  for (const kind of testedKinds) {
    const caller = callers[kind]
    if (!caller) continue
    isKnownCaller = true
    const test = access[kind] as ((caller: unknown, input: I) => StaffAccess) | undefined
    const result = test?.(caller, input)
    if (result === 'absent') return recordNotFound
    if (result) return null
  }
  return isKnownCaller ? forbidden : unauthenticated
}

const callerDetails = ({ name }: { name: string }, { tenant, machine }: Callers) => ({
  operation: name,
  account: tenant?.accountId,
  key: machine?.keyId,
})

const wrongKey = refuse(401, 'unauthorized', 'This key is not valid.')
const keyEnded = refuse(401, 'key_ended', 'This key was revoked or replaced, or has expired.')

const restoreHeld = refuse(
  503,
  'held',
  'These books were put back to an earlier instant. Keys are answered again once the operator has looked; a gate goes on by the list it has.',
  { retryAfter: 30 },
)

/**
 * Refuses an invalid machine key, and any key while this database may be a restored copy, which lacks the keys created
 * and the revocations made since its backup.
 * @returns null for a working key, and for other callers
 */
async function refuseKey(
  { mayBeRestored }: Pick<Services, 'mayBeRestored'>,
  { machine, keyRefused }: Callers,
): Promise<Refusal | null> {
  if (!machine && keyRefused === undefined) return null
  if (await mayBeRestored?.()) return restoreHeld
  if (keyRefused === undefined) return null
  return keyRefused === 'ended' ? keyEnded : wrongKey
}

/**
 * Counts a call of a machine key against the key's limit of calls per minute; other callers have no such limit.
 * @returns a refusal with 429 above the limit; otherwise null
 */
async function consumeKey(services: Services, declared: { name: string }, callers: Callers): Promise<Refusal | null> {
  const { machine } = callers
  if (!machine) return null
  const result = await services.limits.consume(`key:${machine.keyId}`, { points: machine.perMinute, perSeconds: 60 })
  if (result.allowed) return null
  services.security.record('limit.reached', callerDetails(declared, callers))
  return refuse(429, 'too_many', tooManyTries(result.retryAfterSeconds), { retryAfter: result.retryAfterSeconds })
}

const isForKey = ({ name }: { name: string }, { role }: MachineCaller): boolean =>
  machineKeyOperations[role].includes(name)

/**
 * Checks that the key's role may call the operation and that its scope has the facility that the input names. If the
 * input names none, the operation must be open to anyone.
 * @returns the refusal or null
 */
function refuseMachine<I, O>(
  declared: Operation<I, O> | InternalOperation<I, O>,
  machine: MachineCaller,
  input: I,
): Refusal | null {
  if (!isForKey(declared, machine)) return forbidden
  const fields: Record<string, unknown> = isRecord(input) ? input : {}
  const locationCode = fields.facility ?? fields.location_code
  if (typeof locationCode === 'string') return reachesFacility(machine, locationCode) ? null : recordNotFound
  return declared.access === 'anyone' ? null : recordNotFound
}

/** Checks access and limits as far as possible before a large request body is read. @returns the refusal or null */
export async function checkBeforeBody<I, O>(
  services: Pick<Services, 'limits' | 'security' | 'mayBeRestored'>,
  declared: Operation<I, O> | InternalOperation<I, O>,
  callers: Callers,
): Promise<Refusal | null> {
  const { access, limit, name } = declared
  const keyRefusal = await refuseKey(services, callers)
  if (keyRefusal) return keyRefusal
  const { machine } = callers
  const isTested =
    access === 'anyone' || testedKinds.some((kind) => access[kind] !== undefined && callers[kind] !== undefined)
  if (!isTested && !(machine && isForKey(declared, machine))) {
    if (!isAuthenticated(callers)) return unauthenticated
    services.security.record('access.denied', callerDetails(declared, callers))
    return forbidden
  }
  if (!limit) return null
  const retryAfter = await services.limits.retryAfter(`op:${name}:${networkOf(callers.address)}`, limit)
  if (retryAfter === 0) return null
  services.security.record('limit.reached', callerDetails(declared, callers))
  return refuse(429, 'too_many', tooManyTries(retryAfter), { retryAfter })
}

/** Codes of refusals to staff members that are audited. */
const auditedCodes: readonly string[] = [forbidden.code, 'own_request', 'above_limit']

async function auditRefusal(services: Services, { name }: { name: string }, raw: unknown, callers: Callers) {
  const locationCode = isRecord(raw) ? raw.location_code : undefined
  const operationName = name.replace(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  await writeAuditEvent(services.db.write, services, staffActor(callers), {
    kind: 'act.refused',
    details: { what: operationName },
    outcome: 'refused',
    ...(typeof locationCode === 'string' && locationCode.length <= 20 && { locationCode }),
  })
}

/**
 * Performs an operation: parses the input, checks access and limits, and runs it.
 * @returns the outcome, or 400, 401, 403, 404, 429; 409 for a reused or busy idempotency key; 503 for a machine key
 *   while the database may be a restored copy
 */
export const perform = <I, O>(
  services: Services,
  declared: Operation<I, O> | InternalOperation<I, O>,
  raw: unknown,
  callers: Callers,
  idempotencyKey?: string,
): Promise<Outcome<O>> =>
  inSpan(declared.name, {}, async (span) => {
    const outcome = await runChecked(services, declared, raw, callers, idempotencyKey)
    if (!outcome.ok && callers.staff && auditedCodes.includes(outcome.code))
      await auditRefusal(services, declared, raw, callers)
    span?.setAttribute('latchkey.outcome', outcome.ok ? 'done' : outcome.code)
    return outcome
  })

/**
 * Counts the call against the limit.
 * @returns 429 if the address or key has called the operation too often, else null
 */
async function consumeLimit<I, O>(
  services: Services,
  declared: Operation<I, O> | InternalOperation<I, O>,
  callers: Callers,
): Promise<Refusal | null> {
  if (!declared.limit) return null
  const { machine, address } = callers
  const result = machine
    ? await services.limits.consume(`op:${declared.name}:key:${machine.keyId}`, declared.limit)
    : await services.limits.consumeFrom(address, `op:${declared.name}`, declared.limit)
  if (result.allowed) return null
  services.security.record('limit.reached', callerDetails(declared, callers))
  return refuse(429, 'too_many', tooManyTries(result.retryAfterSeconds), { retryAfter: result.retryAfterSeconds })
}

/** Checks that the caller may call the operation with this input, and records a refusal with 403. */
function checkCall<I, O>(
  services: Services,
  declared: Operation<I, O> | InternalOperation<I, O>,
  callers: Callers,
  input: I,
): Refusal | null {
  const { machine } = callers
  const refusal = machine ? refuseMachine(declared, machine, input) : checkAccess(declared.access, callers, input)
  if (refusal?.status === 403) services.security.record('access.denied', callerDetails(declared, callers))
  return refusal
}

/** Empties personal fields for a machine key that may not read them. */
const withoutHiddenFields = <I, O>(
  declared: Operation<I, O> | InternalOperation<I, O>,
  { machine }: Callers,
  outcome: Outcome<O>,
): Outcome<O> =>
  outcome.ok && machine && !machine.pii && 'output' in declared
    ? { ...outcome, value: withoutPersonal(declared.output, outcome.value) }
    : outcome

async function runChecked<I, O>(
  services: Services,
  declared: Operation<I, O> | InternalOperation<I, O>,
  raw: unknown,
  callers: Callers,
  idempotencyKey?: string,
): Promise<Outcome<O>> {
  const keyRefusal = (await refuseKey(services, callers)) ?? (await consumeKey(services, declared, callers))
  if (keyRefusal) return keyRefusal
  // Anonymous callers must learn nothing about the fields.
  if (declared.access !== 'anyone' && !isAuthenticated(callers)) return unauthenticated
  const parsed = v.safeParse(declared.input, raw)
  if (!parsed.success) {
    return refuse(400, 'invalid_input', someFieldsInvalid, {
      fields: fieldMessages(parsed.issues),
    })
  }
  const refusal = checkCall(services, declared, callers, parsed.output)
  if (refusal) return refusal
  const { freshFactor } = declared
  const needsFreshFactor = typeof freshFactor === 'function' ? freshFactor(parsed.output) : freshFactor
  if (needsFreshFactor && callers.staff && !hasFreshFactor(callers, services.clock.now())) return factorNeeded
  const limitRefusal = await consumeLimit(services, declared, callers)
  if (limitRefusal) return limitRefusal
  const run = async () =>
    withoutHiddenFields(declared, callers, await catchRefusal(() => declared.run(services, parsed.output, callers)))
  if (!declared.writes) return withContentVersion(run)
  if (idempotencyKey === undefined) return run()
  if (!isAuthenticated(callers) && !isUnguessable(idempotencyKey))
    return refuse(400, 'invalid_idempotency_key', 'Without signing in, an idempotency key must be a uuid or as random.')
  const call = { key: idempotencyKey, callers, operation: declared.name, input: parsed.output }
  return withIdempotencyKey(services, call, run)
}

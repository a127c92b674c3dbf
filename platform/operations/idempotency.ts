import { createHash } from 'node:crypto'
import type { ExpressionBuilder } from 'kysely'
import type { Tables } from '../schema/tables.ts'
import type { Callers } from './callers.ts'
import { type Outcome, refuse } from './outcome.ts'
import type { Services } from './services.ts'

export const idempotencyKey = /^[\x21-\x7e]{8,200}$/

/**
 * Returns whether a key is random enough for anonymous callers: another caller at the same address must not guess it.
 */
export const isUnguessable = (key: string): boolean => key.length >= 21 && new Set(key).size >= 8

const RETENTION_MS = 24 * 3600_000
/** Milliseconds after which a call without an outcome counts as abandoned, so that a repeated call runs. */
const ABANDONED_AFTER_MS = 120_000

export const idempotencyContext = (caller: string, key: string) => `idempotency:${caller}:${key}`

/**
 * Returns the owner of the caller's idempotency keys: the caller's identities, or for anonymous callers address and
 * user agent.
 */
function ownerOf(callers: Callers): string {
  const { rental, tenant, guest, registrant, auction, settlement, staff, machine, address, agent } = callers
  const parts = [
    ...(tenant ? [`tenant ${tenant.accountId}`] : []),
    ...(guest ? [`guest ${guest.signIn}`] : []),
    ...(rental ? [`rental ${rental.resumedId ?? rental.draftId}`] : []),
    ...(registrant ? [`registrant ${registrant.locationCode}:${registrant.tenantId}`] : []),
    ...(auction ? [`auction ${auction.uuid}`] : []),
    ...(settlement ? [`settlement ${settlement.uuid}`] : []),
    ...(staff ? [`staff ${staff.staffId}`] : []),
    ...(machine ? [`key ${machine.keyId}`] : []),
  ]
  return parts.length > 0 ? parts.join(', ').slice(0, 400) : `address ${address}, agent ${sha256(agent).slice(0, 16)}`
}

/**
 * Converts a value to JSON, with each file replaced by the result of `replaceFile`: writing each byte as a number would
 * block the process for a file of ten megabytes.
 */
const jsonOf = (content: unknown, replaceFile: (bytes: Uint8Array) => unknown): string =>
  JSON.stringify(content, function (this: Record<string, unknown>, name, value) {
    // JSON.stringify has already converted a Buffer in `value`.
    const original = this[name]
    return original instanceof Uint8Array ? replaceFile(original) : value
  })
const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')

const toJson = (outcome: Outcome<unknown>): string =>
  jsonOf(outcome, (bytes) => ({
    bytesInBase64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
  }))
const parseStoredOutcome = <O>(text: string): Outcome<O> =>
  JSON.parse(text, (_, value) =>
    value !== null && typeof value === 'object' && typeof value.bytesInBase64 === 'string'
      ? new Uint8Array(Buffer.from(value.bytesInBase64, 'base64'))
      : value,
  )

/**
 * Runs `work` once for each idempotency key and stores its outcome for 24 hours; repeated calls get the stored outcome.
 * After an error, a 429 or a 503, which are not stored, a repeated call runs `work` again.
 * @returns the outcome; 409 `key_reused` if the key belongs to a different call, 409 `in_progress` while the first call
 *   runs
 */
export async function withIdempotencyKey<O>(
  services: Services,
  call: { key: string; callers: Callers; operation: string; input: unknown },
  work: () => Promise<Outcome<O>>,
): Promise<Outcome<O>> {
  const { key } = call
  const caller = ownerOf(call.callers)
  const context = idempotencyContext(caller, key)
  const now = services.clock.now()
  const hash = sha256(jsonOf([call.operation, call.input], sha256))
  const claimed = await services.db.write
    .insertInto('idempotency')
    // Hash and outcome are encrypted, since an input may be a password and an outcome a token.
    .values({ key, caller, request_hash: services.sealer.seal(hash, context), status: 0, answer: '', created_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['caller', 'key'])
        .doUpdateSet({ created_at: now, request_hash: (e) => e.ref('excluded.request_hash') })
        .where('idempotency.status', '=', 0)
        .where('idempotency.created_at', '<=', now - ABANDONED_AFTER_MS),
    )
    .returning('key')
    .executeTakeFirst()
  if (!claimed) return loadStoredOutcome<O>(services, { key, caller, context, hash })

  // A call that lasts too long counts as abandoned, and a repeated call may then have claimed the key at a later time.
  const ownClaim = (eb: ExpressionBuilder<Tables, 'idempotency'>) => eb.and({ caller, key, created_at: now, status: 0 })
  const unclaim = () => services.db.write.deleteFrom('idempotency').where(ownClaim).execute()
  let outcome: Outcome<O>
  try {
    outcome = await work()
  } catch (error) {
    // The next attempt must be able to run.
    await unclaim().catch(() => {})
    throw error
  }
  // Temporary refusals are not stored.
  if (!outcome.ok && (outcome.status === 429 || outcome.status === 503)) {
    await unclaim()
    return outcome
  }
  await services.db.write
    .updateTable('idempotency')
    .set({ status: outcome.ok ? 200 : outcome.status, answer: services.sealer.seal(toJson(outcome), context) })
    .where(ownClaim)
    .execute()
  return outcome
}

async function loadStoredOutcome<O>(
  services: Services,
  call: { key: string; caller: string; context: string; hash: string },
): Promise<Outcome<O>> {
  const row = await services.db.read
    .selectFrom('idempotency')
    .selectAll()
    .where('caller', '=', call.caller)
    .where('key', '=', call.key)
    .executeTakeFirst()
  const busy = refuse(409, 'in_progress', 'The same call is still being worked on. Please ask again in a moment.', {
    retryAfter: 1,
  })
  // The first call has ended meanwhile without a stored outcome.
  if (!row) return busy
  if (services.sealer.open(row.request_hash, call.context) !== call.hash)
    return refuse(409, 'key_reused', 'This idempotency key was used for another call.')
  if (row.status === 0) return busy
  return { ...parseStoredOutcome<O>(services.sealer.open(row.answer, call.context)), replayed: true }
}

/**
 * Deletes stored outcomes of idempotency keys after 24 hours.
 * @returns number of deleted outcomes
 */
export async function deleteExpiredOutcomes(services: Services): Promise<number> {
  const deleted = await services.db.write
    .deleteFrom('idempotency')
    .where('created_at', '<=', services.clock.now() - RETENTION_MS)
    .executeTakeFirst()
  return Number(deleted.numDeletedRows)
}

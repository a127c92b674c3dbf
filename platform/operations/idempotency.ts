/**
 * Writes that carry an idempotency key run once: the key is claimed before the work, and the answer is kept under key and
 * caller for 24 hours. The same call sent again gets the same answer; another input under the same key is refused.
 */
import { createHash } from 'node:crypto'
import type { Callers } from './callers.ts'
import type { Outcome } from './outcome.ts'
import type { Services } from './services.ts'

/** What is taken as a key: a uuid, or anything as hard to meet by chance. */
export const idempotencyKey = /^[\x21-\x7e]{8,200}$/

/**
 * The same of a caller who proves nothing, and whom an address does not tell from others behind it: hard to guess, so that
 * another kiosk does not read this one's answers. A uuid, or 21 characters and more of which at least 8 differ.
 */
export const isUnguessable = (key: string): boolean => key.length >= 21 && new Set(key).size >= 8

const keptFor = 24 * 3600_000
/** A claim this old belongs to a process that died at its work: no call takes so long. ms */
const abandonedAfter = 120_000

/** Whose key it is: the same key of two callers is two keys. Strangers behind one address differ in their programs. */
function ownerOf(callers: Callers): string {
  const { rental, tenant, guest, registrant, auction, settlement, address, agent } = callers
  const parts = [
    ...(tenant ? [`tenant ${tenant.accountId}`] : []),
    ...(guest ? [`guest ${guest.signIn}`] : []),
    ...(rental ? [`rental ${rental.resumedId ?? rental.draftId}`] : []),
    ...(registrant ? [`registrant ${registrant.locationCode}:${registrant.tenantId}`] : []),
    ...(auction ? [`auction ${auction.uuid}`] : []),
    ...(settlement ? [`settlement ${settlement.uuid}`] : []),
  ]
  return parts.length > 0 ? parts.join(', ').slice(0, 400) : `address ${address}, agent ${sha256(agent).slice(0, 16)}`
}

/** JSON with files as `ofFile` writes them: number by number, as JSON would, ten megabytes would hold up everybody. */
const jsonOf = (value: unknown, ofFile: (bytes: Uint8Array) => unknown): string =>
  JSON.stringify(value, function (this: Record<string, unknown>, name, one) {
    // Not `one`: a Buffer has been turned into numbers by then.
    const original = this[name]
    return original instanceof Uint8Array ? ofFile(original) : one
  })
const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')

const written = (outcome: Outcome<unknown>): string =>
  jsonOf(outcome, (bytes) => ({
    bytesInBase64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
  }))
const readAgain = (text: string): Outcome<unknown> =>
  JSON.parse(text, (_, value) =>
    value !== null && typeof value === 'object' && typeof value.bytesInBase64 === 'string'
      ? new Uint8Array(Buffer.from(value.bytesInBase64, 'base64'))
      : value,
  )

/**
 * Runs `work`, or answers what it answered before.
 * @param asked.input parsed, so that both notations of the same call are the same
 * @returns 409 `key_reused` where the key came with another call, 409 `in_progress` with Retry-After while the first one
 *   is still at work
 */
export async function withIdempotencyKey<O>(
  services: Services,
  asked: { key: string; callers: Callers; operation: string; input: unknown },
  work: () => Promise<Outcome<O>>,
): Promise<Outcome<O>> {
  const { key } = asked
  const caller = ownerOf(asked.callers)
  const context = `idempotency:${caller}:${key}`
  const now = services.clock.now()
  const hash = sha256(jsonOf([asked.operation, asked.input], sha256))
  const claimed = await services.db.write
    .insertInto('idempotency')
    // Sealed, as is the answer: an input may be a password, an answer a token.
    .values({ key, caller, request_hash: services.sealer.seal(hash, context), status: 0, answer: '', created_at: now })
    .onConflict((known) =>
      known
        .columns(['caller', 'key'])
        .doUpdateSet({ created_at: now, request_hash: (e) => e.ref('excluded.request_hash') })
        .where('idempotency.status', '=', 0)
        .where('idempotency.created_at', '<=', now - abandonedAfter),
    )
    .returning('key')
    .executeTakeFirst()
  if (!claimed) return keptAnswer<O>(services, { key, caller, context, hash })

  const unclaim = () =>
    services.db.write.deleteFrom('idempotency').where('caller', '=', caller).where('key', '=', key).execute()
  let outcome: Outcome<O>
  try {
    outcome = await work()
  } catch (error) {
    // Nothing is known to be answered: the next try must be able to run.
    await unclaim().catch(() => {})
    throw error
  }
  // "Not now" is no answer to keep.
  if (!outcome.ok && (outcome.status === 429 || outcome.status === 503)) {
    await unclaim()
    return outcome
  }
  await services.db.write
    .updateTable('idempotency')
    .set({ status: outcome.ok ? 200 : outcome.status, answer: services.sealer.seal(written(outcome), context) })
    .where('caller', '=', caller)
    .where('key', '=', key)
    .execute()
  return outcome
}

async function keptAnswer<O>(
  services: Services,
  of: { key: string; caller: string; context: string; hash: string },
): Promise<Outcome<O>> {
  const row = await services.db.read
    .selectFrom('idempotency')
    .selectAll()
    .where('caller', '=', of.caller)
    .where('key', '=', of.key)
    .executeTakeFirst()
  const busy: Outcome<O> = {
    ok: false,
    status: 409,
    code: 'in_progress',
    message: 'The same call is still being worked on. Please ask again in a moment.',
    retryAfter: 1,
  }
  // Gone since: the first one failed, and this one may try again.
  if (!row) return busy
  if (services.sealer.open(row.request_hash, of.context) !== of.hash) {
    return {
      ok: false,
      status: 409,
      code: 'key_reused',
      message: 'This idempotency key was used for another call.',
    }
  }
  if (row.status === 0) return busy
  return { ...(readAgain(services.sealer.open(row.answer, of.context)) as Outcome<O>), replayed: true }
}

/** Forgets the answers that are older than a day. @returns how many */
export async function deleteExpiredResponses(services: Services): Promise<number> {
  const gone = await services.db.write
    .deleteFrom('idempotency')
    .where('created_at', '<=', services.clock.now() - keptFor)
    .executeTakeFirst()
  return Number(gone.numDeletedRows)
}

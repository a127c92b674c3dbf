import { createHash } from 'node:crypto'
import type { Callers } from './callers.ts'
import { type Outcome, refuse } from './outcome.ts'
import type { Services } from './services.ts'

export const idempotencyKey = /^[\x21-\x7e]{8,200}$/

/** For callers who prove nothing: another kiosk behind the same address must not guess the key. */
export const isUnguessable = (key: string): boolean => key.length >= 21 && new Set(key).size >= 8

const keptFor = 24 * 3600_000
const abandonedAfter = 120_000

export const idempotencyContext = (caller: string, key: string) => `idempotency:${caller}:${key}`

/** Keys are per caller; unauthenticated callers behind one address differ by user agent. */
function ownerOf(callers: Callers): string {
  const { rental, tenant, guest, registrant, auction, settlement, staff, address, agent } = callers
  const parts = [
    ...(tenant ? [`tenant ${tenant.accountId}`] : []),
    ...(guest ? [`guest ${guest.signIn}`] : []),
    ...(rental ? [`rental ${rental.resumedId ?? rental.draftId}`] : []),
    ...(registrant ? [`registrant ${registrant.locationCode}:${registrant.tenantId}`] : []),
    ...(auction ? [`auction ${auction.uuid}`] : []),
    ...(settlement ? [`settlement ${settlement.uuid}`] : []),
    ...(staff ? [`staff ${staff.staffId}`] : []),
  ]
  return parts.length > 0 ? parts.join(', ').slice(0, 400) : `address ${address}, agent ${sha256(agent).slice(0, 16)}`
}

/** JSON with files replaced: as numbers, ten megabytes would block the process. */
const jsonOf = (value: unknown, ofFile: (bytes: Uint8Array) => unknown): string =>
  JSON.stringify(value, function (this: Record<string, unknown>, name, one) {
    // `one` is a Buffer's numbers by now.
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
 * Claims the key, then runs `work`; the answer is kept for 24 hours. @returns 409 `key_reused` for another call, 409
 * `in_progress` while the first runs
 */
export async function withIdempotencyKey<O>(
  services: Services,
  asked: { key: string; callers: Callers; operation: string; input: unknown },
  work: () => Promise<Outcome<O>>,
): Promise<Outcome<O>> {
  const { key } = asked
  const caller = ownerOf(asked.callers)
  const context = idempotencyContext(caller, key)
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
    // The next try must be able to run.
    await unclaim().catch(() => {})
    throw error
  }
  // A temporary refusal is not kept.
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
  const busy = refuse(409, 'in_progress', 'The same call is still being worked on. Please ask again in a moment.', {
    retryAfter: 1,
  })
  // The first call failed meanwhile.
  if (!row) return busy
  if (services.sealer.open(row.request_hash, of.context) !== of.hash)
    return refuse(409, 'key_reused', 'This idempotency key was used for another call.')
  if (row.status === 0) return busy
  return { ...(readAgain(services.sealer.open(row.answer, of.context)) as Outcome<O>), replayed: true }
}

export async function deleteExpiredResponses(services: Services): Promise<number> {
  const gone = await services.db.write
    .deleteFrom('idempotency')
    .where('created_at', '<=', services.clock.now() - keptFor)
    .executeTakeFirst()
  return Number(gone.numDeletedRows)
}

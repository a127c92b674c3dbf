/** Pushes lists to gates: always the newest list, never a queue of changes. */

import { type Kysely, sql } from 'kysely'
import { HOUR } from '../../domain/durations.ts'
import { hasFields, parseJson } from '../../domain/parse-json-and-check-shape.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { type GateAcknowledgement, type GateBridge, type GateSettings, GateUnavailable } from '../../ports/gate/gate.ts'
import { loadPendingCommands } from './answer-gate-list-pull.ts'
import { gateAnswer } from './gate-list-message.ts'
import { gateSettingsContext } from './gate-settings-encryption-context.ts'
import { loadGateList } from './internal/gate-list.ts'
import { type Gate, loadGate } from './load-and-lock-facility-gate.ts'
import { refreshGate } from './refresh-stored-gate-lists.ts'
import { storeCodesRefusedByController } from './store-codes-refused-by-controller.ts'

/** Interval in milliseconds at which a gate gets its unchanged list again, so that silence is noticed. */
const HEARTBEAT_MS = 30_000
const FIRST_RETRY_MS = 5000
const LAST_RETRY_MS = HOUR

/**
 * Pushes the list to each gate that is due for a try and needs it (`pushGate`). Runs as a chore.
 * @returns the number of gates that took a new list
 */
export async function pushGates(services: Services, stopping: () => boolean): Promise<number> {
  const { db, clock, gateBridge } = services
  if (!gateBridge) return 0
  const now = clock.now()
  const due = await db.read
    .selectFrom('gates')
    .selectAll()
    .where('kind', '=', 'push')
    .where('settings_sealed', 'is not', null)
    .where((eb) => eb.or([eb('next_try_at', 'is', null), eb('next_try_at', '<=', now)]))
    .execute()
  // All at once, so that in this run no gate waits for a slower one.
  const results = await Promise.all(
    due.map(
      async (gate) => !stopping() && pushGate(services, gate.location_code, gateBridge(settingsOf(services, gate))),
    ),
  )
  return results.filter(Boolean).length
}

const settingsOf = ({ sealer }: Services, { location_code, settings_sealed }: Gate): GateSettings =>
  parseJson(
    sealer.open(settings_sealed ?? '', gateSettingsContext(location_code)),
    hasFields<GateSettings>('url', 'secret'),
  )

/**
 * Pushes its list of codes to one gate if the gate lacks it, a remote opening waits, or the gate was not heard for 30
 * seconds.
 * @returns whether the gate took a new list
 */
export async function pushGate(services: Services, locationCode: string, bridge: GateBridge): Promise<boolean> {
  const { db, clock } = services
  await db.transaction((tx) => refreshGate(tx, services, locationCode, { onlyAnnounced: true }))
  const gate = await loadGate(db.read, locationCode)
  const list = await loadGateList(db.read, locationCode)
  const commands = await loadPendingCommands(services, locationCode)
  if (!gate || !list) return false
  const isNew = gate.applied_version !== list.version || gate.epoch !== list.epoch
  if (!isNew && commands.length === 0 && (gate.heard_at ?? 0) > clock.now() - HEARTBEAT_MS) return false
  try {
    const acknowledgement = await bridge.send(gateAnswer(locationCode, { list, commands, pollSeconds: 0 }, clock.now()))
    await db.transaction((tx) =>
      storeAcknowledgement(
        tx,
        services,
        { locationCode, epoch: list.epoch, maxVersion: list.version },
        acknowledgement,
      ),
    )
    return isNew && acknowledgement.version === list.version
  } catch (error) {
    if (!(error instanceof GateUnavailable)) throw error
    await storeSilence(services, gate, error.message)
    return false
  }
}

/**
 * Stores the version of its code list that a gate has acknowledged, and the codes that it refuses. Both are ignored if
 * the version is negative or above the pushed one, or another epoch has begun since.
 */
async function storeAcknowledgement(
  tx: Kysely<Tables>,
  { clock }: Services,
  pushed: { locationCode: string; epoch: string; maxVersion: number },
  acknowledgement: GateAcknowledgement,
): Promise<void> {
  const now = clock.now()
  const heard = {
    heard_at: now,
    first_heard_at: sql<number>`coalesce(first_heard_at, ${now})`,
    next_try_at: null,
    last_error: '',
  }
  const isIssued = acknowledgement.version >= 0 && acknowledgement.version <= pushed.maxVersion
  const stored = await tx
    .updateTable('gates')
    .set(isIssued ? { ...heard, applied_version: acknowledgement.version, applied_at: now } : heard)
    .where('location_code', '=', pushed.locationCode)
    .where('epoch', '=', pushed.epoch)
    .returning('location_code')
    .executeTakeFirst()
  if (!stored || !isIssued) return
  await storeCodesRefusedByController(
    tx,
    { clock },
    { locationCode: pushed.locationCode, upTo: acknowledgement.version },
    acknowledgement.refused,
  )
}

/**
 * Stores why a gate could not be reached and when to try again: after half the time since its last contact (or its
 * connection), at least 5 seconds and at most an hour.
 */
async function storeSilence({ db, clock }: Services, gate: Gate, why: string): Promise<void> {
  const now = clock.now()
  const silence = (now - (gate.heard_at ?? gate.connected_at)) / 2
  const wait = Math.min(LAST_RETRY_MS, Math.max(FIRST_RETRY_MS, Math.floor(silence)))
  await db.withoutFsync((connection) =>
    connection
      .updateTable('gates')
      .set({ next_try_at: now + wait, last_error: why.slice(0, 200) })
      .where('location_code', '=', gate.location_code)
      .execute(),
  )
}

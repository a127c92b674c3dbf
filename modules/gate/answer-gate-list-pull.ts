/** Handles the contact of a gate that pulls its list, and loads the remote openings that wait for a gate. */
import { sql } from 'kysely'
import type { Instant } from '../../domain/time-zone-dates.ts'
import { skipLocked } from '../../platform/database/engine-differences.ts'
import type { Services } from '../../platform/operations/services.ts'
import { addSecondControllerTask } from './internal/add-gate-report-tasks.ts'
import { type GateList, loadGateList } from './internal/gate-list.ts'
import { hashFlatFileUnits } from './internal/gate-list-flat-file.ts'
import { type Gate, loadGate, lockGate } from './load-and-lock-facility-gate.ts'
import { refreshGate } from './refresh-stored-gate-lists.ts'
import { beginEpoch } from './restart-gate-list.ts'
import { GATE_DELAYED_MAX_MS, GATE_EPOCH_MIN_MS, GATE_EPOCH_UNHEARD_MIN_MS } from './rules/gate-contact-timeouts.ts'
import type { GateFormat } from './rules/json-or-flat-gate-list.ts'

/**
 * Minimum time between stored contacts of a gate that reports nothing new, in milliseconds. A remote opening needs a
 * stored contact from the last 10 seconds.
 */
const HEARD_EVERY_MS = 4000
/**
 * Maximum time between requests of two machine keys for the same gate's list, in milliseconds, at which the keys count
 * as two controllers and not as one key that replaced the other.
 */
const TWO_KEYS_WITHIN_MS = 10_000
/**
 * Number of pulling gates above which each gate polls the site every 5 seconds instead of every 2, to limit the
 * server's load.
 */
const MANY_GATES = 300

/** A remote opening that the gate has not answered yet. */
export interface PendingCommand {
  id: string
  point: string
  lapsesAt: Instant
}

export interface ConnectedGate {
  /** ETag of the newest list, without quotes: 'e3-42', for the flat file with a hash of its units: 'e3-42-0c9f21aa' */
  etag: string
  /** List and commands for the gate; null where the gate has the newest list and no command waits. */
  news: GateNews | null
}

export interface GateNews {
  list: GateList
  commands: PendingCommand[]
  /** Seconds until the gate asks again; 0 for a gate that the list is pushed to. */
  pollSeconds: number
}

/**
 * Handles a contact of a gate controller: stores which version of the code list it has acknowledged, and returns the
 * current version. If the gate lacks that version, its flat file has other units, or a remote opening waits, returns the
 * list, the pending remote openings and the polling interval too.
 * @param acknowledged value of `If-None-Match`: the version in use at the keypad
 * @param by id of the machine key
 * @param format format in which the controller asks for the list
 * @returns null when no gate is connected
 */
export async function handleGateContact(
  services: Services,
  locationCode: string,
  acknowledged: string,
  by: string,
  format: GateFormat = 'json',
): Promise<ConnectedGate | null> {
  const acknowledgedList = versionOf(acknowledged)
  const gate = await loadRefreshedGate(services, locationCode, acknowledgedList)
  if (!gate || gate.kind === 'none') return null
  const applied =
    acknowledgedList?.epoch === gate.epoch && acknowledgedList.version <= gate.version ? acknowledgedList.version : null
  if (isAskedByAnotherKey(gate, by, services.clock.now())) await addSecondControllerTask(services, locationCode)
  await storeContact(services, gate, { applied, by, format })
  const commands = await loadPendingCommands(services, locationCode)
  const units = format === 'flat' ? await hashFlatFileUnits(services, locationCode) : ''
  const hasUnits = format !== 'flat' || acknowledgedList?.units === units
  // Without news the list is not read, since gates poll every few seconds.
  if (applied === gate.version && hasUnits && commands.length === 0) return { etag: etagOf(gate, units), news: null }
  const list = await loadGateList(services.db.read, locationCode)
  if (!list || list.kind === 'none') return null
  const pollSeconds = (await countPullingGates(services)) > MANY_GATES ? 5 : 2
  return { etag: etagOf(list, units), news: { list, commands, pollSeconds } }
}

/**
 * Returns whether another machine key has requested this gate's list within the last ten seconds. With two controllers,
 * the acknowledgement of one hides what the other lacks.
 */
const isAskedByAnotherKey = ({ heard_at, heard_by }: Gate, by: string, now: Instant): boolean =>
  heard_by !== '' && heard_by !== by && heard_at !== null && heard_at > now - TWO_KEYS_WITHIN_MS

const etagOf = ({ epoch, version }: { epoch: string; version: number }, units: string): string =>
  [epoch, version, units].filter((part) => part !== '').join('-')

/**
 * Loads a gate for a controller's contact, after bringing its list of codes up to date with leases and overrides if it
 * is outdated. Begins a new list epoch if the controller has a newer version than the database, as after a restore.
 * @param acknowledgedList epoch and version that the controller has acknowledged; null if unknown
 * @returns undefined when the facility has no gate record
 */
async function loadRefreshedGate(
  services: Services,
  locationCode: string,
  acknowledgedList: { epoch: string; version: number } | null,
): Promise<Gate | undefined> {
  const gate = await loadGateWithMarks(services, locationCode)
  if (!gate || gate.kind === 'none') return gate
  const now = services.clock.now()
  // The gate is ahead of a database that was restored without notice. In a new epoch it takes the list again.
  const isAhead =
    acknowledgedList !== null &&
    acknowledgedList.epoch === gate.epoch &&
    acknowledgedList.version > gate.version &&
    mayBeginEpoch(gate, now)
  const isStale = gate.waits === 1 || (gate.next_change_at ?? now + 1) <= now
  if (!isAhead && !isStale) return gate
  await services.db.transaction(async (tx) => {
    const present = isAhead ? await lockGate(tx, locationCode) : undefined
    // Another contact may have begun an epoch.
    if (present?.epoch === gate.epoch) await beginEpoch(tx, present, now)
    if (isStale) await refreshGate(tx, services, locationCode, { onlyAnnounced: true })
  })
  return loadGate(services.db.read, locationCode)
}

/**
 * Returns whether a contact from the controller may start a new epoch of the gate's code list. At most one is started
 * per minute, or per hour if the controller has not acknowledged the current epoch.
 */
const mayBeginEpoch = ({ epoch_at, applied_at }: Gate, now: Instant): boolean =>
  epoch_at <= now - (applied_at === null ? GATE_EPOCH_UNHEARD_MIN_MS : GATE_EPOCH_MIN_MS)

/**
 * Parses an ETag of a gate's code list, such as `"e3-41"`, into epoch, version and, for the flat file, hash of its
 * units. Accepts a tag that a proxy has weakened (`W/`), given a suffix or sent without quotes.
 * @returns null for any other text
 */
function versionOf(etag: string): { epoch: string; version: number; units: string } | null {
  const [, epoch, version, units = ''] =
    /^(?:W\/)?"?(e[0-9a-z]+)-(\d{1,12})(?:-(\w+))?(?:-\w+)?"?$/.exec(etag.trim()) ?? []
  return epoch === undefined ? null : { epoch, version: Number(version), units }
}

/** Loads a gate; `waits` is 1 when a mark (`gate_marks`) announces a change that its list may lack, otherwise 0. */
const loadGateWithMarks = ({ db }: Services, locationCode: string) =>
  db.read
    .selectFrom('gates')
    .selectAll()
    .select((eb) =>
      sql<number>`case when ${eb.exists(
        eb.selectFrom('gate_marks').select('mark').whereRef('gate_marks.location_code', '=', 'gates.location_code'),
      )} then 1 else 0 end`.as('waits'),
    )
    .where('location_code', '=', locationCode)
    .executeTakeFirst()

/**
 * Stores when a gate was heard and which version it applies. Does so without fsync, and not at all while another
 * transaction has locked the gate, since the next contact repeats both.
 */
async function storeContact(
  { db, clock }: Services,
  gate: Gate,
  { applied, by, format }: { applied: number | null; by: string; format: GateFormat },
): Promise<void> {
  const now = clock.now()
  // A lower version comes from a delayed request, or from a controller that has restored an older list. It counts only
  // when no other contact has come for a while.
  const isLower = applied !== null && applied < gate.applied_version
  const heardAgo = gate.heard_at === null ? Number.POSITIVE_INFINITY : now - gate.heard_at
  if (isLower && heardAgo < GATE_DELAYED_MAX_MS) return
  const isNew = applied !== null && (applied !== gate.applied_version || gate.applied_at === null)
  const isSame = !isNew && gate.heard_format === format
  if (isSame && heardAgo >= 0 && heardAgo < HEARD_EVERY_MS) return
  await db.withoutFsync((connection) =>
    connection
      .updateTable('gates')
      .set({
        heard_at: now,
        heard_by: by,
        first_heard_at: sql`coalesce(first_heard_at, ${now})`,
        heard_format: format,
        ...(applied === null ? {} : { applied_version: applied, ...(isNew ? { applied_at: now } : {}) }),
      })
      .where(
        'location_code',
        'in',
        skipLocked(
          connection,
          connection.selectFrom('gates').select('location_code').where('location_code', '=', gate.location_code),
        ),
      )
      .where('epoch', '=', gate.epoch)
      .execute(),
  )
}

/** Loads the remote openings that a gate has not answered and that have not lapsed, oldest first. */
export async function loadPendingCommands({ db, clock }: Services, locationCode: string): Promise<PendingCommand[]> {
  const rows = await db.read
    .selectFrom('gate_commands')
    .select(['command_id', 'point', 'lapses_at'])
    .where('location_code', '=', locationCode)
    .where('lapses_at', '>', clock.now())
    .where('done_at', 'is', null)
    .orderBy('created_at')
    .execute()
  return rows.map((row) => ({ id: row.command_id, point: row.point, lapsesAt: row.lapses_at }))
}

async function countPullingGates({ db }: Services): Promise<number> {
  const row = await db.read
    .selectFrom('gates')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('kind', '=', 'pull')
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/**
 * A registry of the servers that use the database, with their releases, their heartbeats, and the settings with which
 * those of a command are compared.
 */
import { DAY, MINUTE } from '../../domain/durations.ts'
import type { Clock } from '../../ports/clock-and-random.ts'
import type { Database } from '../database/open.ts'
import { shortFingerprint } from './key-checks.ts'

const HEARTBEAT_MS = 10_000
const FRESH_MS = 5_000
const DELETE_AFTER_MS = 7 * DAY

/** Settings that must be the same for all servers and commands that use one database; a demo's URL may differ. */
export interface ServerSettings {
  mode: string
  publicUrl: string
  keyCheck: string
}

/** Time in milliseconds after its last heartbeat until a server counts as gone. */
const GONE_MS = MINUTE

/** Lists the servers that have not stopped and have sent a heartbeat in the last minute, the first started first. */
export const loadRunningServers = (db: Database, now: number) =>
  db.read
    .selectFrom('installations')
    .selectAll()
    .where('heartbeat_at', '>', now - GONE_MS)
    .where('stopped_at', 'is', null)
    .orderBy('started_at')
    .orderBy('instance')
    .execute()

/** Time in milliseconds after its last heartbeat within which a suspended or disconnected server may return. */
const BACK_MS = 5 * MINUTE

/**
 * Lists servers with a heartbeat in the last five minutes whose release is older than `version`. Stopped servers count
 * too, since their supervisor may still start the older release again.
 */
export async function loadOlderServers(db: Database, version: string, now: number) {
  const servers = await db.read
    .selectFrom('installations')
    .select(['instance', 'version', 'heartbeat_at'])
    .where('heartbeat_at', '>', now - BACK_MS)
    .orderBy('instance')
    .execute()
  return servers.filter((server) => isOlder(server.version, version))
}

/**
 * Returns whether a release such as 1.4.0 is older, by its numbers. A different text with equal numbers or none counts
 * as older.
 */
function isOlder(release: string, reference: string): boolean {
  if (release === reference) return false
  const [a, b] = [release, reference].map((text) => text.split('.').map((part) => Number.parseInt(part, 10)))
  const index = [0, 1, 2].find((place) => a![place] !== b![place])
  return index === undefined || !(a![index]! > b![index]!)
}

/** This server process's entry in the registry of servers that use the database. */
export interface Registration {
  /** Writes a heartbeat, at most every five seconds. @throws DatabaseUnavailable */
  beat(): Promise<void>
  /** Stops the heartbeat and marks the server as stopped. */
  leave(): Promise<void>
}

/**
 * Registers this process and sends heartbeats; deletes servers whose last heartbeat was over a week ago.
 * @param onError called when a heartbeat or the time of the stop cannot be written; the process continues
 * @param onForgotten receives the file markers of the deleted servers
 */
export async function registerServer(
  db: Database,
  {
    clock,
    onError,
    onForgotten = () => {},
    ...server
  }: ServerSettings & {
    instance: string
    version: string
    role?: string
    filesMarker?: string | null
    clock: Clock
    onError: (error: unknown) => void
    onForgotten?: (markers: string[]) => void
  },
): Promise<Registration> {
  const now = clock.now()
  const deleted = await db.write
    .deleteFrom('installations')
    .where('heartbeat_at', '<', now - DELETE_AFTER_MS)
    .returning('files_marker')
    .execute()
  onForgotten(deleted.flatMap(({ files_marker }) => files_marker ?? []))
  await db.write
    .insertInto('installations')
    .values({
      instance: server.instance,
      version: server.version,
      mode: server.mode,
      public_url: server.publicUrl,
      key_check: server.keyCheck,
      started_at: now,
      heartbeat_at: now,
      stopped_at: null,
      files_marker: server.filesMarker ?? null,
      role: server.role ?? null,
    })
    .execute()
  const write = (change: { heartbeat_at: number } | { stopped_at: number }) =>
    db.write.updateTable('installations').set(change).where('instance', '=', server.instance).execute()
  let lastBeatAt = performance.now()
  const beat = async () => {
    if (performance.now() - lastBeatAt < FRESH_MS) return
    await write({ heartbeat_at: clock.now() })
    lastBeatAt = performance.now()
  }
  const timer = setInterval(() => void beat().catch(onError), HEARTBEAT_MS)
  return {
    beat,
    async leave() {
      clearInterval(timer)
      await write({ stopped_at: clock.now() }).catch(onError)
    },
  }
}

/** Lists in sentences how our settings differ from those of the most recent server; empty if none is registered. */
export async function findSettingDifferences(db: Database, ownSettings: ServerSettings): Promise<string[]> {
  const server = await db.read
    .selectFrom('installations')
    .selectAll()
    .orderBy('heartbeat_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!server) return []
  const settings = [
    { name: 'MODE', own: ownSettings.mode, other: server.mode },
    // A demo may change its port.
    ...(server.mode === 'demo' ? [] : [{ name: 'PUBLIC_URL', own: ownSettings.publicUrl, other: server.public_url }]),
    { name: 'KEYS', own: shortFingerprint(ownSettings.keyCheck), other: shortFingerprint(server.key_check) },
  ]
  return settings
    .filter((setting) => setting.own !== setting.other)
    .map((setting) => `${setting.name} is ${setting.own} here, and ${setting.other} on the server.`)
}

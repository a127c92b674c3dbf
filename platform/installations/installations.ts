/** How the servers of a database were started, so that a command started otherwise is refused. */
import type { Clock } from '../../ports/clock.ts'
import type { Database } from '../database/open.ts'
import { fingerprint } from './key-checks.ts'

const HEARTBEAT_MS = 10_000
const FRESH_MS = 5_000
const FORGET_MS = 7 * 86_400_000

export interface Installation {
  mode: string
  publicUrl: string
  keyCheck: string
}

/** Silent for longer, a server counts as gone. */
const GONE_MS = 60_000

/** The servers that run, as far as their heartbeats tell. */
export const liveInstallations = (db: Database, now: number) =>
  db.read
    .selectFrom('installations')
    .selectAll()
    .where('heartbeat_at', '>', now - GONE_MS)
    .where('stopped_at', 'is', null)
    .orderBy('started_at')
    .orderBy('instance')
    .execute()

/** A server that was there so lately may come back. */
const BACK_MS = 5 * 60_000

/** The servers of the last five minutes whose release is older than this one. */
export async function olderInstallations(db: Database, version: string, now: number) {
  const seen = await db.read
    .selectFrom('installations')
    .select(['instance', 'version', 'heartbeat_at'])
    .where('heartbeat_at', '>', now - BACK_MS)
    .orderBy('instance')
    .execute()
  return seen.filter((one) => isOlder(one.version, version))
}

/** Releases such as 1.4.0 by their numbers; what is no number is older. */
function isOlder(one: string, than: string): boolean {
  if (one === than) return false
  const [a, b] = [one, than].map((text) => text.split('.').map((part) => Number.parseInt(part, 10)))
  const at = [0, 1, 2].find((place) => a![place] !== b![place])
  return at === undefined || !(a![at]! > b![at]!)
}

export interface Announced {
  /** Writes a heartbeat, unless one was written in the last five seconds. @throws DatabaseUnavailable */
  beat(): Promise<void>
  /** Ends the heartbeat; the row stays, as of a server that has stopped. */
  leave(): Promise<void>
}

/**
 * Leaves a row for this process and keeps it fresh.
 * @param onError of a heartbeat: the process goes on
 * @param onForgotten with the markers of servers that were last seen a week ago
 */
export async function announce(
  db: Database,
  {
    clock,
    onError,
    onForgotten = () => {},
    ...of
  }: Installation & {
    instance: string
    version: string
    role?: string
    filesMarker?: string | null
    clock: Clock
    onError: (error: unknown) => void
    onForgotten?: (markers: string[]) => void
  },
): Promise<Announced> {
  const now = clock.now()
  const gone = await db.write
    .deleteFrom('installations')
    .where('heartbeat_at', '<', now - FORGET_MS)
    .returning('files_marker')
    .execute()
  onForgotten(gone.flatMap(({ files_marker }) => files_marker ?? []))
  await db.write
    .insertInto('installations')
    .values({
      instance: of.instance,
      version: of.version,
      mode: of.mode,
      public_url: of.publicUrl,
      key_check: of.keyCheck,
      started_at: now,
      heartbeat_at: now,
      stopped_at: null,
      files_marker: of.filesMarker ?? null,
      role: of.role ?? null,
    })
    .execute()
  const write = (change: { heartbeat_at: number } | { stopped_at: number }) =>
    db.write.updateTable('installations').set(change).where('instance', '=', of.instance).execute()
  let beaten = performance.now()
  const beat = async () => {
    if (performance.now() - beaten < FRESH_MS) return
    await write({ heartbeat_at: clock.now() })
    beaten = performance.now()
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

/** What differs from the server that was last seen; none where none ever was. */
export async function differences(db: Database, here: Installation): Promise<string[]> {
  const server = await db.read
    .selectFrom('installations')
    .selectAll()
    .orderBy('heartbeat_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!server) return []
  const told = [
    { name: 'MODE', here: here.mode, there: server.mode },
    // A demo moves from port to port.
    ...(server.mode === 'demo' ? [] : [{ name: 'PUBLIC_URL', here: here.publicUrl, there: server.public_url }]),
    { name: 'KEYS', here: fingerprint(here.keyCheck), there: fingerprint(server.key_check) },
  ]
  return told
    .filter((one) => one.here !== one.there)
    .map((one) => `${one.name} is ${one.here} here, and ${one.there} on the server.`)
}

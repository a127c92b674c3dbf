/** How the servers of a database were started, so that a command started otherwise is refused. */
import type { Clock } from '../../ports/clock.ts'
import type { Database } from '../database/open.ts'
import { fingerprint } from './key-checks.ts'

const HEARTBEAT_MS = 10_000
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

/**
 * Leaves a row for this process and keeps it fresh.
 * @param onError of a heartbeat: the process goes on
 * @returns what ends the heartbeat; the row stays, as of a server that has stopped
 */
export async function announce(
  db: Database,
  {
    clock,
    onError,
    ...of
  }: Installation & {
    instance: string
    version: string
    clock: Clock
    onError: (error: unknown) => void
  },
): Promise<() => Promise<void>> {
  const now = clock.now()
  await db.write
    .deleteFrom('installations')
    .where('heartbeat_at', '<', now - FORGET_MS)
    .execute()
  await db.write
    .insertInto('installations')
    .values({
      ...{ instance: of.instance, version: of.version, mode: of.mode, public_url: of.publicUrl },
      ...{ key_check: of.keyCheck, started_at: now, heartbeat_at: now, stopped_at: null, files_marker: null },
    })
    .execute()
  const beat = () =>
    db.write
      .updateTable('installations')
      .set({ heartbeat_at: clock.now() })
      .where('instance', '=', of.instance)
      .execute()
      .catch(onError)
  const timer = setInterval(beat, HEARTBEAT_MS)
  return async () => {
    clearInterval(timer)
    await db.write
      .updateTable('installations')
      .set({ stopped_at: clock.now() })
      .where('instance', '=', of.instance)
      .execute()
      .catch(onError)
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

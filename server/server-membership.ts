/** Registers this process among the servers of its database, checks that they share their files, and watches for a restore. */
import { hostname } from 'node:os'
import type { Database } from '../platform/database/open.ts'
import { type Registration, registerServer } from '../platform/server-registry/running-servers-and-heartbeats.ts'
import { findMissingMarker, markerOf, writeMarkerFile } from './check-shared-file-store.ts'
import { type Config, StartupError } from './config/config.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { type Runtime, serverSettingsOf } from './services.ts'
import { watchRestored } from './watch-for-restored-database.ts'

const POLL_MS = 10_000

export interface ServerMembership {
  /** Unique name of this process. */
  instance: string
  beat: Registration['beat']
  /** Returns why the files are not shared with the other servers, so that this one must get no requests; or null. */
  filesApart(): string | null
  /** Returns a warning for the operator although the server is ready, or null. */
  caution(): string | null
  leave(): Promise<void>
}

/**
 * Registers this server, checks that the servers share their files, and starts `watchRestored`.
 * @throws StartupError if the servers do not share their files; DatabaseUnavailable
 */
export async function joinServers(
  runtime: Runtime,
  parts: { config: Config; version: string; log: Log; metrics: Metrics },
): Promise<ServerMembership> {
  const membership = await register(runtime, parts)
  const watch = await watchRestored(runtime, parts)
  const leave = async () => {
    await watch.leave()
    await membership.leave()
  }
  return { ...membership, caution: watch.message, leave }
}

async function register(
  { services, keys }: Runtime,
  { config, version, log }: { config: Config; version: string; log: Log },
): Promise<Omit<ServerMembership, 'caution'>> {
  const { db, files, clock, errors, random } = services
  const instance = `${hostname()}:${config.port}:${random.hex(4)}`
  const marker = (await writeMarker(db, files, instance, log)) ? markerOf(instance) : null
  const remove = (key: string) =>
    files.delete(key).catch((error: unknown) => errors.report(error, { chore: 'markers' }))
  const registration = await registerServer(db, {
    instance,
    version,
    clock,
    role: config.role,
    filesMarker: marker,
    ...serverSettingsOf(config, keys),
    onError: (error) => errors.report(error, { chore: 'heartbeat' }),
    onForgotten: (markers) => void Promise.all(markers.map(remove)),
  })
  let filesProblem: string | null = null
  let timer: NodeJS.Timeout | undefined
  const leave = async () => {
    clearInterval(timer)
    await registration.leave()
    if (marker) await remove(marker)
  }
  // SQLite has only one server.
  if (db.engine === 'sqlite') return { instance, beat: registration.beat, filesApart: () => null, leave }
  const findMissing = () => findMissingMarker({ db, files, clock }, instance)
  try {
    const missing = await findMissing()
    if (missing !== null) {
      await leave()
      throw new StartupError([missing])
    }
  } catch (error) {
    if (error instanceof StartupError) throw error
    // Markers or servers could not be read: most of the site works without files, and the check is repeated.
    log.error({ err: error }, 'whether all servers keep their files in one place is not known yet')
    timer = setInterval(async () => {
      const missing = await findMissing().catch(() => undefined)
      if (missing === undefined) return
      filesProblem = missing
      if (missing === null) clearInterval(timer)
      else log.error(missing)
    }, POLL_MS)
    timer.unref()
  }
  return { instance, beat: registration.beat, filesApart: () => filesProblem, leave }
}

/**
 * Writes this server's marker file, by which servers check that they share one file store.
 * @returns whether it was written: not on SQLite, nor when the store fails, which does not prevent the start
 */
async function writeMarker(
  db: Database,
  files: Runtime['services']['files'],
  instance: string,
  log: Log,
): Promise<boolean> {
  if (db.engine === 'sqlite') return false
  return writeMarkerFile(files, instance).then(
    () => true,
    (error: unknown) => {
      log.error({ err: error }, 'no marker could be left among the files')
      return false
    },
  )
}

/** This process among the servers of its database: its row, its heartbeat, its marker among the files. */
import { hostname } from 'node:os'
import type { Database } from '../platform/database/open.ts'
import { type Announced, announce } from '../platform/installations/installations.ts'
import { type Config, StartupError } from './config/config.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { watchRestored } from './restored.ts'
import { installationOf, type Runtime } from './services.ts'
import { leaveMarker, markerOf, missingMarker } from './shared-files.ts'

const LOOK_MS = 10_000

export interface Joined {
  /** The name of this process among all. */
  instance: string
  beat: Announced['beat']
  /** Why this server must not be sent requests, or null. */
  filesApart(): string | null
  /** What the operator should know while requests may come, or null. */
  caution(): string | null
  leave(): Promise<void>
}

/** @throws StartupError where another server keeps its files elsewhere; DatabaseUnavailable */
export async function join(
  runtime: Runtime,
  parts: { config: Config; version: string; log: Log; metrics: Metrics },
): Promise<Joined> {
  const entered = await enter(runtime, parts)
  const watch = await watchRestored(runtime, parts)
  const leave = async () => {
    await watch.leave()
    await entered.leave()
  }
  return { ...entered, caution: watch.says, leave }
}

async function enter(
  { services, keys }: Runtime,
  { config, version, log }: { config: Config; version: string; log: Log },
): Promise<Omit<Joined, 'caution'>> {
  const { db, files, clock, errors, random } = services
  const instance = `${hostname()}:${config.port}:${random.hex(4)}`
  const marker = (await marks(db, files, instance, log)) ? markerOf(instance) : null
  const remove = (key: string) =>
    files.delete(key).catch((error: unknown) => errors.report(error, { chore: 'markers' }))
  const announced = await announce(db, {
    instance,
    version,
    clock,
    role: config.role,
    filesMarker: marker,
    ...installationOf(config, keys),
    onError: (error) => errors.report(error, { chore: 'heartbeat' }),
    onForgotten: (markers) => void Promise.all(markers.map(remove)),
  })
  let apart: string | null = null
  let timer: NodeJS.Timeout | undefined
  const leave = async () => {
    clearInterval(timer)
    await announced.leave()
    if (marker) await remove(marker)
  }
  // SQLite is one server's alone.
  if (db.engine === 'sqlite') return { instance, beat: announced.beat, filesApart: () => null, leave }
  const look = () => missingMarker({ db, files, clock }, instance)
  try {
    const missing = await look()
    if (missing !== null) {
      await leave()
      throw new StartupError([missing])
    }
  } catch (error) {
    if (error instanceof StartupError) throw error
    // The store does not answer: most of the site works without, and it is looked for again.
    log.error({ err: error }, 'whether all servers keep their files in one place is not known yet')
    timer = setInterval(async () => {
      const missing = await look().catch(() => undefined)
      if (missing === undefined) return
      apart = missing
      if (missing === null) clearInterval(timer)
      else log.error(missing)
    }, LOOK_MS)
    timer.unref()
  }
  return { instance, beat: announced.beat, filesApart: () => apart, leave }
}

/** @returns whether the marker stands there; a store that does not answer stops no start */
async function marks(db: Database, files: Runtime['services']['files'], instance: string, log: Log): Promise<boolean> {
  if (db.engine === 'sqlite') return false
  return leaveMarker(files, instance).then(
    () => true,
    (error: unknown) => {
      log.error({ err: error }, 'no marker could be left among the files')
      return false
    },
  )
}

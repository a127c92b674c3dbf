/**
 * Checks that all servers of a database share one file store: each writes a marker file, and looks for the markers of
 * the servers that registered before it.
 */
import { createHash } from 'node:crypto'
import type { Database } from '../platform/database/open.ts'
import { loadRunningServers } from '../platform/server-registry/running-servers-and-heartbeats.ts'
import type { Clock } from '../ports/clock-and-random.ts'
import type { Files } from '../ports/files/files.ts'

/** Returns the file storage key of a server's marker. */
export const markerOf = (instance: string): string =>
  `servers/${createHash('sha256').update(instance).digest('hex').slice(0, 24)}.txt`

/** Writes this server's marker file. @throws Error of the store */
export const writeMarkerFile = (files: Files, instance: string): Promise<void> =>
  files.put(markerOf(instance), Buffer.from(instance), 'text/plain')

/**
 * Looks for the markers of the running servers that registered before this one, so that of two servers with separate
 * folders only the later one is refused. Servers that wrote no marker are skipped.
 * @param instance name of this server; null to check all servers
 * @returns an explanation of the first missing marker, or null
 * @throws Error of the store; DatabaseUnavailable
 */
export async function findMissingMarker(
  { db, files, clock }: { db: Database; files: Files; clock: Clock },
  instance: string | null,
): Promise<string | null> {
  const servers = await loadRunningServers(db, clock.now())
  const ownIndex = servers.findIndex((server) => server.instance === instance)
  for (const other of ownIndex === -1 ? servers : servers.slice(0, ownIndex)) {
    if (other.files_marker === null) continue
    const found = await files.get(other.files_marker)
    if (found && Buffer.from(found.content).toString() === other.instance) continue
    return `The files of ${other.instance}, which uses the same database, are not where this server keeps its own: leases and uploads would be found by one of them only. Give both the same S3_URL and S3_BUCKET, or a FILES_DIR that is the same folder. If that server has been taken away for good, start again a minute after its end.`
  }
  return null
}

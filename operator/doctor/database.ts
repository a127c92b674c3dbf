/**
 * Checks of the command `doctor` on the database, without writing: server, tables, keys, running servers, backups,
 * restore and audit.
 */

import { existsSync } from 'node:fs'
import { type Kysely, sql } from 'kysely'
import { HOUR } from '../../domain/durations.ts'
import { countReadableContacts } from '../../platform/audit/encrypt-old-plain-text-contacts.ts'
import { BACKUP } from '../../platform/chores/chore-locks.ts'
import { countSyncStandbys } from '../../platform/database/count-synchronous-standbys.ts'
import { type Database, sqliteFile } from '../../platform/database/open.ts'
import { keyFile } from '../../platform/encryption/encryption-key-file.ts'
import { operatorCommand } from '../../platform/operator-command-in-messages.ts'
import { findSchemaProblem, isUpToDate } from '../../platform/schema/migrations/migrate.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { RestoreGuard, restoredUntil } from '../../platform/server-registry/detect-restored-database.ts'
import { checkKeys, loadKeyChecks, shortFingerprint, WrongKeys } from '../../platform/server-registry/key-checks.ts'
import {
  findSettingDifferences,
  loadRunningServers,
} from '../../platform/server-registry/running-servers-and-heartbeats.ts'
import type { Clock } from '../../ports/clock-and-random.ts'
import { errorMessage } from '../../ports/errors/error-code-and-message.ts'
import { findMissingMarker } from '../../server/check-shared-file-store.ts'
import type { Config } from '../../server/config/config.ts'
import { damagedFile, emptyDatabase, hasFacility } from '../../server/readiness.ts'
import { createFileStore, loadEncryptionKeys, serverSettingsOf } from '../../server/services.ts'
import { systemRandom } from '../../server/system-clock-and-random.ts'
import { noteResult, ok, problemResult } from './finding.ts'

/** The oldest PostgreSQL version that is tested. */
const MIN_POSTGRES = 15
/** Age at which a backup counts as old, in milliseconds, as in the alert LatchkeyBackupOld. */
const BACKUP_OLD_MS = 26 * HOUR

const HIGH_AVAILABILITY = 'docs/running/high-availability.md'

const isElsewhere = (url: string | null) => {
  const host = url === null ? '' : new URL(url).hostname
  return !['', 'localhost', '[::1]'].includes(host) && !host.startsWith('127.')
}

/**
 * Checks the database itself: an SQLite file for damage, or a PostgreSQL server's version, settings, standby and
 * encryption of the connection.
 */
export async function checkDatabase(db: Database, config: Config) {
  if (db.engine === 'sqlite') {
    const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db.read)
    const checkResult = rows[0]?.quick_check ?? 'ok'
    return checkResult === 'ok'
      ? ok(`SQLite, ${sqliteFile(config.dataDir)}, undamaged`)
      : problemResult(damagedFile(sqliteFile(config.dataDir), checkResult), operatorCommand('restore <backup>'))
  }
  const { rows } = await sql<
    Record<'version' | 'readonly' | 'zone' | 'name', string> & Record<'standby' | 'tls', boolean>
  >`
    select current_setting('server_version') as version, pg_is_in_recovery() as standby,
      (select reset_val from pg_settings where name = 'default_transaction_read_only') as readonly,
      (select reset_val from pg_settings where name = 'TimeZone') as zone, current_database() as name,
      (select ssl from pg_stat_ssl where pid = pg_backend_pid()) as tls`.execute(db.read)
  const { version, standby, readonly, zone, name, tls } = rows[0]!
  if (standby)
    return problemResult(
      'DATABASE_URL leads to a standby, where nothing can be written.',
      `Let it lead to the primary, as deploy/postgres/haproxy-pg.cfg does; see ${HIGH_AVAILABILITY}`,
    )
  if (readonly === 'on')
    return problemResult(
      'The role of DATABASE_URL may only read.',
      'Give the role of the servers, such as latchkey_app',
    )
  const standbys = await countSyncStandbys(db.read)
  if (config.standbyRequired && standbys === 0)
    return problemResult(
      'DATABASE_HA is required, and no synchronous standby is connected: were the primary lost now, answered payments would be lost with it.',
      `Start the standby, or let this role see it: grant pg_read_all_stats to it; see ${HIGH_AVAILABILITY}`,
    )
  const description = `PostgreSQL ${version}, primary, synchronous standbys: ${standbys}`
  if (Number.parseInt(version, 10) < MIN_POSTGRES)
    return noteResult(`${description}: older than ${MIN_POSTGRES}, the oldest tried.`, 'Upgrade PostgreSQL')
  if (!tls && isElsewhere(config.databaseUrl))
    return noteResult(
      `${description}; what is sent to it is not encrypted.`,
      'Set DATABASE_CA to the file of the CA that has signed its certificate, or keep the way to it within your own network',
    )
  if (!/^(Etc\/)?(UTC|GMT|Universal|Zulu)$/.test(zone))
    return noteResult(
      `${description}; its log and its tools show times of ${zone}.`,
      `alter database "${name}" set timezone = 'UTC'; and log_timezone in postgresql.conf`,
    )
  return ok(`${description}, time zone ${zone}`)
}

/**
 * Lists the privileges that the servers need and this role lacks, such as `insert, update on leases`. The servers need
 * not update `audit_events` and `audit_days`, nor delete from `audit_days`, and only read the tables of Kysely's
 * migrations.
 */
async function loadMissingPrivileges(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string; lacks: string }>`
    select relname as name, string_agg(lower(wanted), ', ' order by wanted) as lacks
    from pg_class, unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE']) as wanted
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
      and (wanted in ('SELECT', 'INSERT') or relname not in ('audit_events', 'audit_days')
        or (wanted = 'DELETE' and relname = 'audit_events'))
      and (wanted = 'SELECT' or relname not like 'kysely%')
      and not has_table_privilege(oid, wanted)
    group by relname order by relname`.execute(db)
  return rows.map(({ name, lacks }) => `${lacks} on ${name}`)
}

/** Checks that the tables are those of this release, that the role has its privileges, and that there is a facility. */
export async function checkTables(db: Database) {
  const problem = await findSchemaProblem(db.read)
  if (problem !== null) return problemResult(problem.message, problem.cure)
  const [missingPrivileges, upToDate] =
    db.engine === 'postgres'
      ? [await loadMissingPrivileges(db.read), await isUpToDate(db.read)]
      : [[], await isUpToDate(db.read)]
  if (missingPrivileges.length > 0)
    return problemResult(
      `This role lacks ${missingPrivileges.slice(0, 3).join('; ')}${missingPrivileges.length > 3 ? `; and of ${missingPrivileges.length - 3} more tables` : ''}.`,
      "Grant that as the tables' owner; deploy/postgres/roles.sql does it for tables that the owner makes later",
    )
  if (!upToDate)
    return noteResult(
      'They are those of an earlier release.',
      `${operatorCommand('migrate')}, as their owner; or let the first start do it`,
    )
  return (await hasFacility(db))
    ? ok('up to date, all privileges are there')
    : problemResult(emptyDatabase(), operatorCommand('import <folder>'))
}

/** Compares the given encryption keys with those that the database knows. */
export async function checkEncryptionKeys(db: Database, config: Config, clock: Clock) {
  const registered = await loadKeyChecks(db)
  if (config.keys.length === 0 && !existsSync(keyFile(config.dataDir))) {
    if (registered.length === 0 && config.databaseUrl === null) return ok('none yet: the first start makes them')
    return problemResult(
      `None are given, and this database knows ${registered.map(shortFingerprint).join(', ') || 'none'}.`,
      'Set KEYS as the servers have it, or put keys.json back into DATA_DIR',
    )
  }
  if (registered.length === 0) return ok('this database knows none yet: the first server leaves its own')
  try {
    await checkKeys(db, loadEncryptionKeys(config).sealing, clock.now())
    return ok(registered.map(shortFingerprint).join(', '))
  } catch (error) {
    if (!(error instanceof WrongKeys)) throw error
    return problemResult(error.message, operatorCommand('keys'))
  }
}

/** Checks that the running servers have this command's settings and files, and are of one release. */
export async function checkServers(db: Database, config: Config, clock: Clock) {
  const servers = await loadRunningServers(db, clock.now())
  const hasKeys = config.keys.length > 0 || existsSync(keyFile(config.dataDir))
  const differences = hasKeys
    ? await findSettingDifferences(db, serverSettingsOf(config, loadEncryptionKeys(config)))
    : []
  if (differences.length > 0)
    return problemResult(differences.join(' '), 'Give this command the environment that the servers have: --env-file')
  if (servers.length === 0) return ok('none runs')
  const releases = [...new Set(servers.map(({ version }) => version))].sort()
  if (releases.length > 1)
    return noteResult(
      `${servers.length} run, of releases ${releases.join(' and ')}.`,
      'deploy/upgrade.sh roll, where one was left out',
    )
  const filesProblem =
    db.engine === 'postgres'
      ? await findMissingMarker({ db, files: createFileStore(config), clock }, null).catch((error) =>
          errorMessage(error),
        )
      : null
  return filesProblem === null
    ? ok(`${servers.length} ${servers.length === 1 ? 'runs' : 'run'}, release ${releases[0]}`)
    : problemResult(filesProblem, 'Set the same S3_URL and S3_BUCKET, or the same FILES_DIR, everywhere')
}

/** Checks when the last backup was made. */
export async function checkBackup(db: Database, config: Config, clock: Clock) {
  const backup = await db.read
    .selectFrom('chores')
    .select('succeeded_at')
    .where('chore', '=', BACKUP)
    .where('succeeded_at', 'is not', null)
    .executeTakeFirst()
  const cure = `systemctl start latchkey-backup; made by another tool: ${operatorCommand('backup --taken')}`
  if (!backup?.succeeded_at)
    return config.mode === 'demo' ? ok('none, as in a demo') : problemResult('No backup was ever noted.', cure)
  const hours = Math.round((clock.now() - backup.succeeded_at) / HOUR)
  return clock.now() - backup.succeeded_at > BACKUP_OLD_MS
    ? problemResult(`The last backup was noted ${hours} hours ago.`, cure)
    : ok(`noted ${hours} hours ago`)
}

/** Checks that contact data in the audit log are encrypted, so that an erasure makes them unreadable. */
export async function checkAudit(db: Database) {
  const readable = await countReadableContacts(db.read)
  if (readable === 0) return ok('contact data are under the tenants’ keys')
  const sentence = `${readable} ${readable === 1 ? 'event' : 'events'} of an earlier release ${readable === 1 ? 'holds' : 'hold'} contact data readable: an erasure leaves them.`
  return noteResult(sentence, `${operatorCommand('audit seal')}, with the address of the database’s owner`)
}

/** Checks whether this database was restored from a backup. */
export async function checkRestored(db: Database, config: Config, clock: Clock) {
  const guard = new RestoreGuard({ db, files: createFileStore(config), clock, random: systemRandom })
  const state = await guard.checkState().catch(() => 'unknown' as const)
  if (state === 'unknown')
    return noteResult('The files do not answer, so whether this database was put back is not known.', 'First the files')
  if (state === 'open') return ok('no: this database goes on')
  const restoredTo = restoredUntil(await guard.loadLastMark())
  return problemResult(
    `This database was put back to an earlier instant, or another copy of it goes on${restoredTo}: nothing is mailed, charged or billed.`,
    `${operatorCommand('resume')} says what waits; docs/running/runbook.md, Restore; then: ${operatorCommand('resume --after-restore')}`,
  )
}

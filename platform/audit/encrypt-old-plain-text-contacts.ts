/** Encrypts contact data that earlier releases wrote to audit events in plain text. */
import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { addDays, type IsoDate } from '../../domain/plain-date.ts'
import { startOfDay, todayIn } from '../../domain/time-zone-dates.ts'
import { engineOf } from '../database/engine-differences.ts'
import { Sealer } from '../encryption/sealer.ts'
import type { TenantRef } from '../encryption/tenant-keys.ts'
import type { Services } from '../operations/services.ts'
import type { Tables } from '../schema/tables.ts'
import { changesContext, sealChanges } from './audit.ts'
import { computeDayHash } from './day-hashes.ts'
import { saveResealedHash } from './encrypted-day-hashes.ts'
import { verifyAuditDay } from './verify-audit.ts'

type Parts = Pick<Services, 'db' | 'clock' | 'files' | 'sealer'>

const selectReadableEvents = (db: Kysely<Tables>) =>
  db
    .selectFrom('audit_events')
    .where('kind', '=', 'tenant.updated')
    .where('tenant_id', 'is not', null)
    .where('location_code', 'is not', null)
    .where('changes', 'not like', '{"sealed":%')
    .where('changes', '!=', '{}')

/** Counts the audit events that contain contact data in plain text. */
export async function countReadableContacts(db: Kysely<Tables>): Promise<number> {
  const { count } = await selectReadableEvents(db)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Thrown when a day is not hashed yet or fails verification: encrypting its events would hide an earlier change. */
export class DayNotVerified extends Error {}

/**
 * Encrypts the audit events that contain contact data in plain text, each day in one transaction, and stores the day's
 * new hash beside the original one. Safe to interrupt and to repeat.
 * @returns the number of events
 * @throws DayNotVerified
 */
export async function encryptReadableContacts(services: Parts): Promise<number> {
  const { db } = services
  for (let sealed = 0; ; ) {
    const next = await selectReadableEvents(db.read).select('at').orderBy('at').limit(1).executeTakeFirst()
    if (!next) return sealed
    const day = todayIn('UTC', next.at)
    const hashed = await db.read.selectFrom('audit_days').selectAll().where('day', '=', day).executeTakeFirst()
    if (!hashed) throw new DayNotVerified(`The audit of ${day} is not hashed yet: each night's chore does it.`)
    const problem = await verifyAuditDay(services, { day, hashed, previous: null })
    if (problem !== null) throw new DayNotVerified(`The audit of ${day} does not agree: ${problem}.`)
    sealed += await db.transaction(async (tx) => {
      const count = await withEventsChangeable(tx, () => sealDay(tx, services, day))
      await saveResealedHash(tx, services, await computeDayHash(tx, day, hashed.previous))
      return count
    })
  }
}

async function sealDay(tx: Kysely<Tables>, services: Parts, day: IsoDate): Promise<number> {
  const events = await selectReadableEvents(tx)
    .select(['event_id', 'location_code', 'tenant_id', 'changes'])
    .where('at', '>=', startOfDay('UTC', day))
    .where('at', '<', startOfDay('UTC', addDays(day, 1)))
    .execute()
  for (const { event_id, location_code, tenant_id, changes } of events) {
    if (location_code === null || tenant_id === null) continue
    const tenant = { locationCode: location_code, tenantId: tenant_id }
    // An erasure makes the values unreadable, so a text without them, sealed with a discarded key, replaces them.
    const sealed = (await isErased(tx, tenant))
      ? { sealed: new Sealer({ keys: [{ id: 'tenant', key: randomBytes(32) }] }).seal('{}', changesContext(tenant)) }
      : await sealChanges(tx, services, tenant, JSON.parse(changes))
    await tx
      .updateTable('audit_events')
      .set({ changes: JSON.stringify(sealed) })
      .where('event_id', '=', event_id)
      .execute()
  }
  return events.length
}

/** Returns whether the tenant was erased or has no row; locks the row, so that no erasure deletes the tenant's key meanwhile. */
async function isErased(tx: Kysely<Tables>, { locationCode, tenantId }: TenantRef): Promise<boolean> {
  const row = await tx
    .selectFrom('tenants')
    .select('erased_at')
    .where('location_code', '=', locationCode)
    .where('tenant_id', '=', tenantId)
    .$if(engineOf(tx) === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst()
  return row === undefined || row.erased_at !== null
}

/** Runs `work` with the trigger disabled that forbids changing events; on PostgreSQL only the table's owner may do so. */
async function withEventsChangeable<T>(tx: Kysely<Tables>, work: () => Promise<T>): Promise<T> {
  if (engineOf(tx) === 'postgres') {
    await sql`alter table audit_events disable trigger audit_events_no_change`.execute(tx)
    const result = await work()
    await sql`alter table audit_events enable trigger audit_events_no_change`.execute(tx)
    return result
  }
  const { rows } = await sql<{ statement: string }>`
    select sql as statement from sqlite_master where type = 'trigger' and name = 'audit_events_no_update'`.execute(tx)
  await sql`drop trigger audit_events_no_update`.execute(tx)
  const result = await work()
  for (const { statement } of rows) await sql.raw(statement).execute(tx)
  return result
}

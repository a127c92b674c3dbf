/**
 * Hashes the audit log day by day, each hash chained to the previous day's, so that a changed, added or removed event
 * is detected.
 */

import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { DAY, HOUR } from '../../domain/durations.ts'
import { addDays, type IsoDate } from '../../domain/plain-date.ts'
import { type Instant, startOfDay, todayIn } from '../../domain/time-zone-dates.ts'
import type { Services } from '../operations/services.ts'
import type { Tables } from '../schema/tables.ts'
import { sealDays, sealEarlierDays } from './encrypted-day-hashes.ts'

/**
 * Columns of an audit event that are hashed, in this order. The list never changes, so columns added later are not
 * hashed.
 */
export const hashedColumns = [
  'event_id',
  'at',
  'kind',
  'details',
  'staff_id',
  'actor',
  'sign_in',
  'address',
  'permission',
  'location_code',
  'tenant_id',
  'lease_number',
  'subject',
  'outcome',
  'cents',
  'reason',
  'changes',
  'request_id',
] as const

const PAGE = 1000

/**
 * Milliseconds after midnight (UTC) before which the previous day of the audit log is not hashed, so that the day's
 * last transactions have ended.
 */
const GRACE_MS = 2 * HOUR

/** A day of the audit log with its hash and the previous day's (SHA-256, hex), which is '' for the first day. */
export interface AuditDay {
  day: IsoDate
  events: number
  previous: string
  hash: string
}

/** Returns the last day (UTC) that ended at least `GRACE_MS` ago. */
export const lastFinishedDay = (now: Instant): IsoDate => addDays(todayIn('UTC', now - GRACE_MS), -1)

export const dayHashFileKey = (day: IsoDate) => `audit/${day}.json`

/** Computes a day's hash from its events, ordered by time and id, and the previous day's hash. */
export async function computeDayHash(db: Kysely<Tables>, day: IsoDate, previous: string): Promise<AuditDay> {
  const hash = createHash('sha256').update(`${previous}\n${day}\n`)
  let last: { at: Instant; event_id: string } | undefined
  for (let events = 0; ; ) {
    const rows = await db
      .selectFrom('audit_events')
      .select(hashedColumns)
      .where('at', '>=', last?.at ?? startOfDay('UTC', day))
      .where('at', '<', startOfDay('UTC', day) + DAY)
      .$if(last !== undefined, (query) =>
        query.where((eb) => eb.or([eb('at', '>', last?.at ?? 0), eb('event_id', '>', last?.event_id ?? '')])),
      )
      .orderBy('at')
      .orderBy('event_id')
      .limit(PAGE)
      .execute()
    for (const row of rows) hash.update(`${JSON.stringify(hashedColumns.map((column) => row[column]))}\n`)
    events += rows.length
    if (rows.length < PAGE) return { day, events, previous, hash: hash.digest('hex') }
    last = rows.at(-1)
  }
}

const loadNewestDay = (db: Kysely<Tables>) =>
  db.selectFrom('audit_days').selectAll().orderBy('day', 'desc').limit(1).executeTakeFirst()

/** Returns the day of the oldest event; undefined if there is none. */
export async function loadFirstEventDay(db: Kysely<Tables>): Promise<IsoDate | undefined> {
  const first = await db.selectFrom('audit_events').select('at').orderBy('at').limit(1).executeTakeFirst()
  return first && todayIn('UTC', first.at)
}

/** Function that makes further writes in the transaction that stores a day's audit hash. */
type WithDay = (tx: Kysely<Tables>, day: AuditDay) => Promise<unknown>

/**
 * Writes the hashes of the finished days after the last hashed one, at first from the oldest event on, to the database
 * and the file store. Existing files stay. Several processes may call this at once, and it may be interrupted.
 * @returns the number of hashed days
 */
export async function writeAuditDays(
  services: Services,
  stopping: () => boolean = () => false,
  withDay?: WithDay,
): Promise<number> {
  const { db, clock, files } = services
  await sealEarlierDays(services)
  const newest = await loadNewestDay(db.read)
  const from = newest ? addDays(newest.day, 1) : await loadFirstEventDay(db.read)
  let previous = newest?.hash ?? ''
  let written = 0
  for (let day = from; day && day <= lastFinishedDay(clock.now()) && !stopping(); day = addDays(day, 1)) {
    const hashed = await computeDayHash(db.read, day, previous)
    if (!(await files.get(dayHashFileKey(day))))
      await files.put(dayHashFileKey(day), new TextEncoder().encode(JSON.stringify(hashed)), 'application/json')
    await db.transaction(async (tx) => {
      const added = await tx
        .insertInto('audit_days')
        .values({ ...hashed, hashed_at: clock.now() })
        .onConflict((conflict) => conflict.column('day').doNothing())
        .executeTakeFirst()
      if (Number(added.numInsertedOrUpdatedRows ?? 0) === 0) return
      await sealDays(tx, services, [hashed])
      await withDay?.(tx, hashed)
    })
    previous = hashed.hash
    written += 1
  }
  return written
}

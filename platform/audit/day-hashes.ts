/** Hashes the audit log day by day, each hash chained to the previous day's, so that a changed, added or removed event is detected. */
import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { type Instant, todayIn } from '../../domain/dates.ts'
import { addDays, type IsoDate } from '../../domain/plain-date.ts'
import { SealBroken } from '../encryption/sealer.ts'
import type { Services } from '../operations/services.ts'
import type { Tables } from '../schema/tables.ts'
import { resealedHash, sealDays, sealDisagrees, sealEarlierDays } from './day-seals.ts'
import { firstKeptDay } from './retention.ts'

/** The columns that are hashed, in this order; never changed, so columns added later are not included. */
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
const DAY_MS = 86_400_000

/** How long after midnight a day is hashed: its last transactions have ended by then. */
const GRACE_MS = 2 * 3_600_000

/** A day of the audit log with its hash and the previous day's (SHA-256, hex). */
export interface AuditDay {
  day: IsoDate
  events: number
  previous: string
  hash: string
}

const startOf = (day: IsoDate): Instant => Date.parse(`${day}T00:00:00Z`)

/** Returns the last day (UTC) to which no event can be added any more. */
const lastDay = (now: Instant): IsoDate => addDays(todayIn('UTC', now - GRACE_MS), -1)

const fileOf = (day: IsoDate) => `audit/${day}.json`

/** Computes a day's hash from its events, ordered by time and id, and the previous day's hash. */
export async function hashOf(db: Kysely<Tables>, day: IsoDate, previous: string): Promise<AuditDay> {
  const hash = createHash('sha256').update(`${previous}\n${day}\n`)
  let last: { at: Instant; event_id: string } | undefined
  for (let events = 0; ; ) {
    const rows = await db
      .selectFrom('audit_events')
      .select(hashedColumns)
      .where('at', '>=', last?.at ?? startOf(day))
      .where('at', '<', startOf(day) + DAY_MS)
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

const newest = (db: Kysely<Tables>) =>
  db.selectFrom('audit_days').selectAll().orderBy('day', 'desc').limit(1).executeTakeFirst()

/** Returns the day of the oldest event; undefined if there is none. */
async function firstDay(db: Kysely<Tables>): Promise<IsoDate | undefined> {
  const first = await db.selectFrom('audit_events').select('at').orderBy('at').limit(1).executeTakeFirst()
  return first && todayIn('UTC', first.at)
}

/** Further writes in the transaction of a day's hash. */
type WithDay = (tx: Kysely<Tables>, day: AuditDay) => Promise<unknown>

/**
 * Writes the hash of every finished day to the database and to the file store; never replaces an existing file. Several
 * processes may run it, and it may be interrupted. @returns the number of days
 */
export async function writeAuditDays(
  services: Services,
  stopping: () => boolean = () => false,
  withDay?: WithDay,
): Promise<number> {
  const { db, clock, files } = services
  await sealEarlierDays(services)
  const before = await newest(db.read)
  const from = before ? addDays(before.day, 1) : await firstDay(db.read)
  let previous = before?.hash ?? ''
  let written = 0
  for (let day = from; day && day <= lastDay(clock.now()) && !stopping(); day = addDays(day, 1)) {
    const hashed = await hashOf(db.read, day, previous)
    if (!(await files.get(fileOf(day))))
      await files.put(fileOf(day), new TextEncoder().encode(JSON.stringify(hashed)), 'application/json')
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

/** The result of verifying the audit log. */
export interface AuditCheck {
  days: number
  events: number
  /** The last day that was verified; null if there is none. */
  through: IsoDate | null
  /** The first day that failed, and the reason. */
  wrong: { day: IsoDate; why: string } | null
}

/** Day hashes from a copy to which the server has no write access. */
export type AuditAnchor = ReadonlyMap<IsoDate, string>

/**
 * Recomputes the hashes and compares them with the stored ones.
 * @param options.most number of days, counted back from the last; all if omitted
 */
export async function verifyAudit(
  services: Pick<Services, 'db' | 'clock' | 'files' | 'sealer'>,
  { most, anchor = new Map() }: { most?: number | undefined; anchor?: AuditAnchor } = {},
): Promise<AuditCheck> {
  const { read } = services.db
  const end = lastDay(services.clock.now())
  const first = [
    await firstDay(read),
    (await read.selectFrom('audit_days').select('day').orderBy('day').limit(1).executeTakeFirst())?.day,
  ]
  const oldestDay = first.filter((day) => day !== undefined).sort()[0]
  // Days past the retention period have hashes but no events.
  const firstKept = firstKeptDay(services.clock.now())
  const oldest = oldestDay !== undefined && oldestDay < firstKept ? firstKept : oldestDay
  const recent = most === undefined ? undefined : addDays(end, 1 - most)
  const from = oldest && recent && recent > oldest ? recent : oldest
  const result: AuditCheck = { days: 0, events: 0, through: null, wrong: null }
  let previous = from === oldestDay ? '' : null
  for (let day = from; day && day <= end; day = addDays(day, 1)) {
    const hashed = await read.selectFrom('audit_days').selectAll().where('day', '=', day).executeTakeFirst()
    const why = (await disagreement(services, { day, hashed, previous })) ?? differsFromAnchor(anchor, day, hashed)
    if (why !== null) return { ...result, wrong: { day, why } }
    previous = hashed?.hash ?? ''
    result.days += 1
    result.events += hashed?.events ?? 0
    result.through = day
  }
  const missing = [...anchor.keys()].sort().find((day) => day >= firstKept && (!from || day < from || day > end))
  return missing === undefined ? result : { ...result, wrong: { day: missing, why: 'it has an anchor, and no events' } }
}

const differsFromAnchor = (anchor: AuditAnchor, day: IsoDate, hashed: AuditDay | undefined): string | null =>
  anchor.has(day) && anchor.get(day) !== hashed?.hash ? 'its anchor says otherwise' : null

/** Verifies one day. @returns the problem; null if all agree */
export async function disagreement(
  services: Pick<Services, 'db' | 'files' | 'sealer'>,
  hashedDay: { day: IsoDate; hashed: AuditDay | undefined; previous: string | null },
): Promise<string | null> {
  try {
    return await compared(services, hashedDay)
  } catch (error) {
    if (error instanceof SealBroken) return 'its seal was not made with the keys given'
    throw error
  }
}

async function compared(
  services: Pick<Services, 'db' | 'files' | 'sealer'>,
  hashedDay: { day: IsoDate; hashed: AuditDay | undefined; previous: string | null },
): Promise<string | null> {
  const { db, files } = services
  const { day, hashed, previous } = hashedDay
  const file = await files.get(fileOf(day))
  if (!hashed) return file ? 'its hash was removed from the database' : 'no hash of it was written'
  if (previous !== null && hashed.previous !== previous) return 'it does not follow the day before'
  const now = await hashOf(db.read, day, hashed.previous)
  if (now.events !== hashed.events) return `it has ${now.events} events, and had ${hashed.events}`
  if (now.hash !== ((await resealedHash(services, day)) ?? hashed.hash)) return 'an event was changed'
  if (!file) return 'its copy among the files is gone'
  const copy = JSON.parse(new TextDecoder().decode(file.content)) as AuditDay
  return copy.hash === hashed.hash ? sealDisagrees(services, hashed) : 'its copy among the files says otherwise'
}

/** One sealed hash for each day of the audit, chained to the day before: a changed, added or removed event is found. */
import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { type Instant, todayIn } from '../../domain/dates.ts'
import { addDays, type IsoDate } from '../../domain/plain-date.ts'
import type { Services } from '../operations/services.ts'
import type { Tables } from '../schema/tables.ts'
import { SealBroken } from '../sealing/sealer.ts'
import { resealedHash, sealDays, sealDisagrees, sealEarlierDays } from './day-seals.ts'
import { firstKeptDay } from './term.ts'

/** In this order for ever: a later column is not part of it. */
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

/** Transactions of the last minutes of a day have ended by then. */
const GRACE_MS = 2 * 3_600_000

export interface AuditDay {
  day: IsoDate
  events: number
  previous: string
  hash: string
}

const startOf = (day: IsoDate): Instant => Date.parse(`${day}T00:00:00Z`)

/** The last day, in UTC, of which nothing is written any more. */
const lastDay = (now: Instant): IsoDate => addDays(todayIn('UTC', now - GRACE_MS), -1)

const fileOf = (day: IsoDate) => `audit/${day}.json`

/** Reads a day's events in pages, in the order of their time and id. */
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

/** The day of the oldest event; undefined where there is none. */
async function firstDay(db: Kysely<Tables>): Promise<IsoDate | undefined> {
  const first = await db.selectFrom('audit_events').select('at').orderBy('at').limit(1).executeTakeFirst()
  return first && todayIn('UTC', first.at)
}

/** What else is written in the transaction of a day's hash. */
type WithDay = (tx: Kysely<Tables>, day: AuditDay) => Promise<unknown>

/**
 * Writes the hash of every day that is over, to the database and to the files. A file that is there is never replaced.
 * Safe to run in several processes and to kill. @returns how many days
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
    const one = await hashOf(db.read, day, previous)
    if (!(await files.get(fileOf(day))))
      await files.put(fileOf(day), new TextEncoder().encode(JSON.stringify(one)), 'application/json')
    await db.transaction(async (tx) => {
      const added = await tx
        .insertInto('audit_days')
        .values({ ...one, hashed_at: clock.now() })
        .onConflict((known) => known.column('day').doNothing())
        .executeTakeFirst()
      if (Number(added.numInsertedOrUpdatedRows ?? 0) === 0) return
      await sealDays(tx, services, [one])
      await withDay?.(tx, one)
    })
    previous = one.hash
    written += 1
  }
  return written
}

export interface AuditCheck {
  days: number
  events: number
  /** The last day that agrees; null where there is none yet. */
  through: IsoDate | null
  /** The first day that does not agree, and what is wrong. */
  wrong: { day: IsoDate; why: string } | null
}

/** Hashes of days as they are kept where the server cannot write. */
export type AuditAnchor = ReadonlyMap<IsoDate, string>

/**
 * Computes the days again and holds them against what was written.
 * @param asked.most how many of the last days; all where left out
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
  const known = first.filter((day) => day !== undefined).sort()[0]
  // Days whose term is over have hashes, and no events any more.
  const firstKept = firstKeptDay(services.clock.now())
  const oldest = known !== undefined && known < firstKept ? firstKept : known
  const recent = most === undefined ? undefined : addDays(end, 1 - most)
  const from = oldest && recent && recent > oldest ? recent : oldest
  const answer: AuditCheck = { days: 0, events: 0, through: null, wrong: null }
  let previous = from === known ? '' : null
  for (let day = from; day && day <= end; day = addDays(day, 1)) {
    const kept = await read.selectFrom('audit_days').selectAll().where('day', '=', day).executeTakeFirst()
    const why = (await disagreement(services, { day, kept, previous })) ?? unlikeAnchor(anchor, day, kept)
    if (why !== null) return { ...answer, wrong: { day, why } }
    previous = kept?.hash ?? ''
    answer.days += 1
    answer.events += kept?.events ?? 0
    answer.through = day
  }
  const missing = [...anchor.keys()].sort().find((day) => day >= firstKept && (!from || day < from || day > end))
  return missing === undefined ? answer : { ...answer, wrong: { day: missing, why: 'it has an anchor, and no events' } }
}

const unlikeAnchor = (anchor: AuditAnchor, day: IsoDate, kept: AuditDay | undefined): string | null =>
  anchor.has(day) && anchor.get(day) !== kept?.hash ? 'its anchor says otherwise' : null

/** @returns what is wrong with one day; null where it agrees */
export async function disagreement(
  services: Pick<Services, 'db' | 'files' | 'sealer'>,
  of: { day: IsoDate; kept: AuditDay | undefined; previous: string | null },
): Promise<string | null> {
  try {
    return await compared(services, of)
  } catch (error) {
    if (error instanceof SealBroken) return 'its seal was not made with the keys given'
    throw error
  }
}

async function compared(
  services: Pick<Services, 'db' | 'files' | 'sealer'>,
  of: { day: IsoDate; kept: AuditDay | undefined; previous: string | null },
): Promise<string | null> {
  const { db, files } = services
  const { day, kept, previous } = of
  const file = await files.get(fileOf(day))
  if (!kept) return file ? 'its hash was removed from the database' : 'no hash of it was written'
  if (previous !== null && kept.previous !== previous) return 'it does not follow the day before'
  const now = await hashOf(db.read, day, kept.previous)
  if (now.events !== kept.events) return `it has ${now.events} events, and had ${kept.events}`
  if (now.hash !== ((await resealedHash(services, day)) ?? kept.hash)) return 'an event was changed'
  if (!file) return 'its copy among the files is gone'
  const copy = JSON.parse(new TextDecoder().decode(file.content)) as AuditDay
  return copy.hash === kept.hash ? sealDisagrees(services, kept) : 'its copy among the files says otherwise'
}

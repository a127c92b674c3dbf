/** Verifies the audit log: recomputes each day's hash and compares it with the stored ones. */

import { addDays, type IsoDate } from '../../domain/plain-date.ts'
import { isRecord } from '../../domain/typed-keys.ts'
import { DecryptionFailed } from '../encryption/sealer.ts'
import type { Services } from '../operations/services.ts'
import { firstKeptDay } from './audit-retention.ts'
import { type AuditDay, computeDayHash, dayHashFileKey, lastFinishedDay, loadFirstEventDay } from './day-hashes.ts'
import { checkDaySeal, loadResealedHash } from './encrypted-day-hashes.ts'

export interface AuditCheck {
  days: number
  events: number
  /** The last day that was verified; null if there is none. */
  through: IsoDate | null
  /** The first day that failed, and the reason; null if none did. */
  wrong: { day: IsoDate; why: string } | null
}

/** Hashes of days of the audit log, by day, from a copy that the server cannot change. */
export type AuditAnchor = ReadonlyMap<IsoDate, string>

/**
 * Recomputes the hash of each day of audit events and compares it with the stored one.
 * @param options.most number of days, counted back from the last; all within the retention period if omitted
 * @param options.anchor hashes that the stored ones must equal; none by default
 */
export async function verifyAudit(
  services: Pick<Services, 'db' | 'clock' | 'files' | 'sealer'>,
  { most, anchor = new Map() }: { most?: number | undefined; anchor?: AuditAnchor } = {},
): Promise<AuditCheck> {
  const { read } = services.db
  const end = lastFinishedDay(services.clock.now())
  const firstDays = [
    await loadFirstEventDay(read),
    (await read.selectFrom('audit_days').select('day').orderBy('day').limit(1).executeTakeFirst())?.day,
  ]
  const oldestDay = firstDays.filter((day) => day !== undefined).sort()[0]
  // Days past the retention period have hashes but no events.
  const firstKept = firstKeptDay(services.clock.now())
  const oldest = oldestDay !== undefined && oldestDay < firstKept ? firstKept : oldestDay
  const recent = most === undefined ? undefined : addDays(end, 1 - most)
  const from = oldest && recent && recent > oldest ? recent : oldest
  const result: AuditCheck = { days: 0, events: 0, through: null, wrong: null }
  let previous = from === oldestDay ? '' : null
  for (let day = from; day && day <= end; day = addDays(day, 1)) {
    const hashed = await read.selectFrom('audit_days').selectAll().where('day', '=', day).executeTakeFirst()
    const why = (await verifyAuditDay(services, { day, hashed, previous })) ?? differsFromAnchor(anchor, day, hashed)
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

/**
 * Verifies one day of the audit log against its stored hash, the day before, its copy among the files and its seal.
 * @param hashedDay.previous hash of the day before; '' on the first day, null to skip this comparison
 * @returns the problem; null if all agree
 */
export async function verifyAuditDay(
  services: Pick<Services, 'db' | 'files' | 'sealer'>,
  hashedDay: { day: IsoDate; hashed: AuditDay | undefined; previous: string | null },
): Promise<string | null> {
  try {
    return await compareDay(services, hashedDay)
  } catch (error) {
    if (error instanceof DecryptionFailed) return 'its seal was not made with the keys given'
    throw error
  }
}

async function compareDay(
  services: Pick<Services, 'db' | 'files' | 'sealer'>,
  hashedDay: { day: IsoDate; hashed: AuditDay | undefined; previous: string | null },
): Promise<string | null> {
  const { db, files } = services
  const { day, hashed, previous } = hashedDay
  const file = await files.get(dayHashFileKey(day))
  if (!hashed) return file ? 'its hash was removed from the database' : 'no hash of it was written'
  if (previous !== null && hashed.previous !== previous) return 'it does not follow the day before'
  const recomputed = await computeDayHash(db.read, day, hashed.previous)
  if (recomputed.events !== hashed.events) return `it has ${recomputed.events} events, and had ${hashed.events}`
  if (recomputed.hash !== ((await loadResealedHash(services, day)) ?? hashed.hash)) return 'an event was changed'
  if (!file) return 'its copy among the files is gone'
  const copy: unknown = JSON.parse(new TextDecoder().decode(file.content))
  return isRecord(copy) && copy.hash === hashed.hash
    ? checkDaySeal(services, hashed)
    : 'its copy among the files says otherwise'
}

import type { Kysely } from 'kysely'
import type { Instant } from '../../domain/dates.ts'
import { type AuditAnchor, type AuditCheck, verifyAudit, writeAuditDays } from '../../platform/audit/days.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { setSetting, settingOf } from '../facilities/settings.ts'

/** Each night the last week is computed again; `operator audit verify` computes every day. */
const NIGHTLY_DAYS = 7

/** What the last look at the audit has found, and when. */
export type LastCheck = AuditCheck & { at: Instant }

/** Holds the audit against its hashes and keeps what came out. @param asked.most how many of the last days */
export async function checkAudit(
  services: Services,
  asked: { most?: number; anchor?: AuditAnchor } = {},
): Promise<AuditCheck> {
  const found = await verifyAudit(services, asked)
  const now = services.clock.now()
  await services.db.transaction((tx) => setSetting(tx, 'audit_checked', JSON.stringify({ ...found, at: now }), now))
  return found
}

/** null before the first night. */
export async function lastCheck(db: Kysely<Tables>): Promise<LastCheck | null> {
  return JSON.parse((await settingOf(db, 'audit_checked')) ?? 'null') as LastCheck | null
}

/**
 * The night's work: hashes of the days that are over, and a look at the last week.
 * @param parts.auditMailTo address that gets each day's hash by mail; null sends none. @returns how many days were hashed
 */
export async function keepAudit(
  services: Services,
  stopping: () => boolean,
  { auditMailTo: to }: { auditMailTo: string | null },
): Promise<number> {
  const now = services.clock.now()
  const written = await writeAuditDays(services, stopping, async (tx, { day, events, hash }) => {
    if (to === null) return
    await enqueue(tx, { kind: 'audit_hash', once: day, payload: { to, day, events, hash }, runAt: now, now })
  })
  if (written === 0) return 0
  const { wrong } = await checkAudit(services, { most: NIGHTLY_DAYS })
  if (wrong)
    services.errors.report(new Error(`The audit of ${wrong.day} does not agree: ${wrong.why}`), { chore: 'audit' })
  return written
}

import type { Kysely } from 'kysely'
import { hasFields, parseJson } from '../../domain/parse-json-and-check-shape.ts'
import type { Instant } from '../../domain/time-zone-dates.ts'
import { writeAuditDays } from '../../platform/audit/day-hashes.ts'
import { type AuditAnchor, type AuditCheck, verifyAudit } from '../../platform/audit/verify-audit.ts'
import { enqueue } from '../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { loadSetting, setSetting } from '../facilities/operator-settings-and-brand.ts'

/** Number of days that are verified after a day was hashed. */
const NIGHTLY_DAYS = 7

/** Result and time of the last audit verification. */
export type LastCheck = AuditCheck & { at: Instant }

/**
 * Verifies the audit events against their hashes and stores the result as a setting.
 * @param options.most number of days to verify, counted back from the last one that is over; when omitted, all within
 *   the retention period
 */
export async function checkAudit(
  services: Services,
  options: { most?: number; anchor?: AuditAnchor } = {},
): Promise<AuditCheck> {
  const check = await verifyAudit(services, options)
  const now = services.clock.now()
  await services.db.transaction((tx) => setSetting(tx, 'audit_checked', JSON.stringify({ ...check, at: now }), now))
  return check
}

/** Returns the result of the last audit verification; null before the first one. */
export async function loadLastAuditCheck(db: Kysely<Tables>): Promise<LastCheck | null> {
  const stored = await loadSetting(db, 'audit_checked')
  return stored === null ? null : parseJson(stored, hasFields<LastCheck>('at'))
}

/**
 * Hashes the audit days that are over. If there were any, verifies the last week and reports a mismatch as an error.
 * @param options.auditMailTo address that each day's hash is mailed to; null sends no mail
 * @returns number of days that were hashed
 */
export async function hashAndVerifyAudit(
  services: Services,
  stopping: () => boolean,
  { auditMailTo: to }: { auditMailTo: string | null },
): Promise<number> {
  const now = services.clock.now()
  const hashedDays = await writeAuditDays(services, stopping, async (tx, { day, events, hash }) => {
    if (to === null) return
    await enqueue(tx, { kind: 'audit_hash', once: day, payload: { to, day, events, hash }, runAt: now, now })
  })
  if (hashedDays === 0) return 0
  const { wrong } = await checkAudit(services, { most: NIGHTLY_DAYS })
  if (wrong)
    services.errors.report(new Error(`The audit of ${wrong.day} does not agree: ${wrong.why}`), { chore: 'audit' })
  return hashedDays
}

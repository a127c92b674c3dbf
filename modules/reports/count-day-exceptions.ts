/**
 * Counts exceptions (waivers, credits, voids …), received payments and opened tenant files of a facility's day by
 * staff member, from the audit.
 */

import type { Kysely } from 'kysely'
import type { Cents } from '../../domain/money.ts'
import { parseJson } from '../../domain/parse-json-and-check-shape.ts'
import type { IsoDate } from '../../domain/plain-date.ts'
import { endOfDay, startOfDay } from '../../domain/time-zone-dates.ts'
import { isRecord } from '../../domain/typed-keys.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import type { Facility } from './compute-day-snapshot.ts'
import { countedEvents, type ExceptionKind, exceptionOf } from './rules/staff-exception-kinds.ts'

/** Number and sum of a staff member's exceptions of a kind on a day. */
export interface Exceptions {
  staff_id: string
  kind: ExceptionKind
  acts: number
  /** Sum of the amounts that the operations moved, without sign, in cents. */
  cents: Cents
}

/** Counts the exceptions of a facility's day by staff member and kind. */
export async function loadExceptions(
  db: Kysely<Tables>,
  { location_code, time_zone }: Pick<Facility, 'location_code' | 'time_zone'>,
  day: IsoDate,
): Promise<Exceptions[]> {
  const rows = await db
    .selectFrom('audit_events')
    .leftJoin('approvals', (join) =>
      join.onRef('approval_id', '=', 'audit_events.subject').on('audit_events.kind', '=', 'approval.approved'),
    )
    .select(['audit_events.staff_id', 'audit_events.kind', 'details', 'audit_events.cents', 'asked_by'])
    .where('audit_events.location_code', '=', location_code)
    .where('at', '>=', startOfDay(time_zone, day))
    .where('at', '<', endOfDay(time_zone, day))
    .where('staff_id', 'is not', null)
    .where((eb) =>
      eb.or([
        eb.and([eb('outcome', '=', 'done'), eb('audit_events.kind', 'in', countedEvents)]),
        eb('audit_events.kind', '=', 'approval.approved'),
      ]),
    )
    .execute()
  const sums = new Map<string, Exceptions>()
  for (const { kind, details, cents, asked_by, ...row } of rows) {
    // An approved request counts for the requester, not the approver.
    const staff_id = asked_by ?? row.staff_id
    const eventDetails = parseJson(details, isRecord)
    const exceptionKind = exceptionOf(typeof eventDetails.event === 'string' ? eventDetails.event : kind, eventDetails)
    if (exceptionKind === null || staff_id === null) continue
    const key = `${staff_id}:${exceptionKind}`
    const total = sums.get(key) ?? { staff_id, kind: exceptionKind, acts: 0, cents: 0 }
    sums.set(key, { ...total, acts: total.acts + 1, cents: total.cents + Math.abs(cents ?? 0) })
  }
  return [...sums.values()]
}

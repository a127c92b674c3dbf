/** Loads and locks gates, numbers the versions of their lists, and determines the hours that gates follow. */

import type { Kysely, Selectable } from 'kysely'
import type { Instant } from '../../domain/time-zone-dates.ts'
import { engineOf } from '../../platform/database/engine-differences.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { GATE_DELAYED_MAX_MS } from './rules/gate-contact-timeouts.ts'
import { acknowledgedHours, connectedWeek } from './rules/hours-acknowledged-by-gate.ts'
import { gateHoursText } from './rules/parse-and-format-gate-week.ts'

export type Gate = Selectable<Tables['gates']>

/** Loads the gate of a facility; undefined until a kind of connection is saved. */
export const loadGate = (db: Kysely<Tables>, locationCode: string): Promise<Gate | undefined> =>
  db.selectFrom('gates').selectAll().where('location_code', '=', locationCode).executeTakeFirst()

/** Returns whether a gate is connected at a facility. */
export const isGateConnected = async (db: Kysely<Tables>, locationCode: string): Promise<boolean> =>
  ((await loadGate(db, locationCode))?.kind ?? 'none') !== 'none'

/** Locks a gate's row, so that concurrent changes of its code list get different version numbers. */
export const lockGate = (tx: Kysely<Tables>, locationCode: string): Promise<Gate | undefined> =>
  tx
    .selectFrom('gates')
    .selectAll()
    .where('location_code', '=', locationCode)
    .$if(engineOf(tx) === 'postgres', (query) => query.forNoKeyUpdate())
    .executeTakeFirst()

/** Instant from which the seconds of version numbers count, so that a version stays below 2^31 until 2094. */
const VERSIONS_BEGIN_AT = Date.UTC(2026, 0, 1)

/**
 * Returns the version of a gate's list that follows the present one: the seconds since 2026, at least one more than the
 * present version. Thereby a database that lost changes in an unnoticed restore issues none of their versions again.
 */
export const nextVersion = ({ version }: Pick<Gate, 'version'>, now: Instant): number =>
  Math.max(version + 1, Math.floor((now - VERSIONS_BEGIN_AT) / 1000))

/** Returns the columns of a gate to set when its hours or its time zone change with a new version of its list. */
export function changedHours(gate: Gate, { version, changed_at }: Pick<Gate, 'version' | 'changed_at'>) {
  const { week: applied_week, zone: applied_zone, applied_at, week_changed_at } = gate
  // The gate may follow the hours that are replaced now although their acknowledgement has not arrived.
  const mayFollow = applied_at !== null && week_changed_at <= mayHaveUntil(gate)
  return {
    week_version: version,
    week_changed_at: changed_at,
    ...(mayFollow ? { applied_week, applied_zone } : acknowledgedHours(gate)),
  }
}

/**
 * Returns the time up to which changes of codes, hours or time zone may have reached a gate without its
 * acknowledgement; -1 for a gate that was never heard. A push may arrive while its acknowledgement is lost, so for a
 * pushed gate the time is unlimited.
 */
export const mayHaveUntil = ({ kind, heard_at }: Gate): Instant =>
  kind === 'push' ? Number.MAX_SAFE_INTEGER : heard_at === null ? -1 : heard_at + GATE_DELAYED_MAX_MS

/** Loads the hours of a facility's gate in words: those that a connected gate follows, else the facility's text. */
export async function loadGateHours(
  db: Kysely<Tables>,
  { location_code, gate_hours }: { location_code: string; gate_hours: string },
): Promise<string> {
  return gateHoursText(connectedWeek(await loadGate(db, location_code)), gate_hours)
}

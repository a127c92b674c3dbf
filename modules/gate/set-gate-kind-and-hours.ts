import type { Kysely } from 'kysely'
import type { Instant } from '../../domain/time-zone-dates.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { endControllerTasks } from './internal/add-gate-report-tasks.ts'
import { changedHours, type Gate, lockGate, nextVersion } from './load-and-lock-facility-gate.ts'
import { refreshGate } from './refresh-stored-gate-lists.ts'
import { epochColumns, nextEpoch } from './restart-gate-list.ts'
import type { GateKind } from './rules/gate-access.ts'
import type { GateWeek } from './rules/gate-hours.ts'

/**
 * Sets the kind of connection of a facility's gate and its hours. Another kind begins a new epoch, since another
 * controller has none of the codes that the former one acknowledged. Runs in the caller's transaction, under the
 * facility's lock.
 */
export async function setGate(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'random'>,
  locationCode: string,
  to: { kind: GateKind; week: GateWeek | null },
): Promise<void> {
  const now = services.clock.now()
  const present = await lockGate(tx, locationCode)
  const week = to.week === null ? '' : JSON.stringify(to.week)
  if (!present)
    await tx
      .insertInto('gates')
      .values({
        location_code: locationCode,
        kind: to.kind,
        settings_sealed: null,
        week,
        zone: '',
        connected_at: now,
        epoch: nextEpoch(now),
        epoch_at: now,
        first_heard_at: null,
        week_version: 0,
        week_changed_at: now,
        applied_week: null,
        applied_zone: null,
        version: 0,
        changed_at: now,
        next_change_at: null,
        applied_version: 0,
        applied_at: null,
        heard_at: null,
        heard_by: '',
        next_try_at: null,
        last_error: '',
      })
      .execute()
  else {
    const version = present.week === week ? present.version : nextVersion(present, now)
    await tx
      .updateTable('gates')
      .set({ kind: to.kind, week, version })
      .$if(present.week !== week, (query) => query.set(changedHours(present, { version, changed_at: now })))
      .where('location_code', '=', locationCode)
      .execute()
    if (present.kind !== to.kind) {
      await clearController(tx, present, now)
      await endControllerTasks(tx, services, locationCode)
    }
  }
  await refreshGate(tx, services, locationCode)
  // The epoch is dated after the refresh, so that a code which the refresh added counts as late because of the new
  // connection, not because of a change of its own (`isOwnChange` in watch-gates.ts).
  if (present?.kind !== to.kind)
    await tx
      .updateTable('gates')
      .set({ epoch_at: services.clock.now() })
      .where('location_code', '=', locationCode)
      .execute()
}

/**
 * Begins a new epoch of a gate, and clears what its former controller acknowledged and reported, since another
 * controller is connected.
 */
async function clearController(tx: Kysely<Tables>, gate: Gate, now: Instant): Promise<void> {
  await tx
    .updateTable('gates')
    .set(epochColumns(gate, now))
    .set({ connected_at: now, heard_at: null, heard_by: '', first_heard_at: null, next_change_at: null })
    .set({ heard_format: null, next_try_at: null, last_error: '' })
    .set({ applied_week: null, applied_zone: null })
    .where('location_code', '=', gate.location_code)
    .execute()
  await tx
    .updateTable('gate_wanted')
    .set({ applied_opens: null, refused: null, refused_at: null, late_at: null })
    .where('location_code', '=', gate.location_code)
    .execute()
}

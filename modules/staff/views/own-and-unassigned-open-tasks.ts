import type { Selectable } from 'kysely'
import type { StaffCaller } from '../../../platform/operations/callers.ts'
import { facilitiesFor } from '../../../platform/operations/facilities-of-staff.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { TasksTable } from '../../../platform/schema/tables.ts'

/**
 * Returns open tasks that are assigned to the staff member, or unassigned at facilities where they may assign tasks,
 * earliest due day first.
 * @param options.facilities location codes to which the unassigned tasks are restricted
 * @param options.limit maximum number of tasks
 */
export async function loadOpenTasks(
  services: Pick<Services, 'db'>,
  caller: StaffCaller,
  { facilities: chosen, limit = 100 }: { facilities?: readonly string[]; limit?: number } = {},
): Promise<Selectable<TasksTable>[]> {
  const permitted = facilitiesFor(caller, 'task.assign')
  const codes = permitted === 'all' ? chosen : [...permitted].filter((code) => !chosen || chosen.includes(code))
  return services.db.read
    .selectFrom('tasks')
    .selectAll()
    .where('state', '=', 'open')
    .where((eb) =>
      eb.or([
        eb('assigned_to', '=', caller.staffId),
        ...(codes === undefined
          ? [eb('assigned_to', 'is', null)]
          : codes.length > 0
            ? [eb.and([eb('assigned_to', 'is', null), eb('location_code', 'in', codes)])]
            : []),
      ]),
    )
    .orderBy('due_on')
    .orderBy('created_at')
    .limit(limit)
    .execute()
}

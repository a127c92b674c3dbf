import * as v from 'valibot'
import { addDays, type IsoDate, parseUs } from '../../../domain/plain-date.ts'
import { followUpDay, writeNote } from '../../../domain/texts/office-refusals.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import { staffOf } from '../../../platform/operations/callers.ts'
import { integer, plainLine } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import { mayAtFacility } from '../../../platform/operations/staff-scope.ts'
import { loadToday } from '../../facilities/facility-price-facts.ts'
import { addTask, hasPermissionForTenant } from '../../staff/staff-tasks.ts'
import { addNote } from '../add-note.ts'
import { noteField, tenantFields } from '../internal/staff-tenant-input.ts'
import { loadTenant } from '../tenant.ts'

/** Maximum number of days until a follow-up. */
const FOLLOW_UP_DAYS = 366

/**
 * Parses the follow-up day.
 * @returns null for no follow-up; undefined for an invalid, past or too distant day
 */
function followUpOn(text: string, today: IsoDate | undefined): IsoDate | null | undefined {
  if (text === '') return null
  const day = parseUs(text)
  return day && today && day >= today && day <= addDays(today, FOLLOW_UP_DAYS) ? day : undefined
}

export const AddStaffNote = internalOperation({
  name: 'AddStaffNote',
  done: 'The note is kept.',
  button: { label: 'Note', key: 'n', place: 14, page: 'note', permission: 'note.write', about: 'tenant' },
  access: { staff: mayAtFacility('note.write') },
  input: v.object({
    ...tenantFields,
    lease_number: v.optional(integer()),
    note: v.pipe(noteField(2000), v.minLength(1, writeNote)),
    /** Follow-up day, mm/dd/yyyy or ISO; '' for none. */
    follow_up: v.optional(v.pipe(plainLine, v.trim()), ''),
    /** Assignee of the follow-up task. */
    follow_up_by: v.optional(v.picklist(['me', 'everybody']), 'me'),
  }),
  example: {
    input: { location_code: 'ATL01', tenant_id: 1001, note: 'Pays on Friday.', follow_up: '', follow_up_by: 'me' },
  },
  async run(services, input, callers) {
    const staff = staffOf(callers)
    const { staffId } = staff
    const tenantKey = { locationCode: input.location_code, tenantId: input.tenant_id }
    return services.db.transaction(async (tx) => {
      const tenant = await loadTenant(tx, tenantKey.locationCode, tenantKey.tenantId)
      if (tenant?.erased_at !== null || !(await hasPermissionForTenant(tx, staff, 'note.write', tenantKey)))
        return recordNotFound
      const today = await loadToday(tx, services, tenantKey.locationCode)
      const dueOn = followUpOn(input.follow_up, today)
      if (dueOn === undefined) return refuse(400, 'invalid_input', followUpDay, { fields: { follow_up: followUpDay } })
      const lease = input.lease_number === undefined ? {} : { leaseNumber: input.lease_number }
      const noteId = await addNote(tx, services, { ...tenantKey, ...lease, note: input.note, staffId })
      await writeAuditEvent(tx, services, staffActor(callers), {
        kind: 'note.added',
        details: { followUp: dueOn ?? '' },
        permission: 'note.write',
        subject: noteId,
        ...tenantKey,
        ...lease,
      })
      if (dueOn)
        await addTask(tx, services, callers, {
          kind: 'follow-up',
          once: noteId,
          note: firstLine(input.note),
          dueOn,
          ...tenantKey,
          ...lease,
          assignedTo: input.follow_up_by === 'me' ? staffId : null,
        })
      return succeed({ note_id: noteId })
    })
  },
})

const firstLine = (note: string): string => (note.split('\n')[0] ?? '').slice(0, 200)

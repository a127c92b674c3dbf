import * as v from 'valibot'
import { addDays, type IsoDate, parseUs } from '../../../domain/plain-date.ts'
import { followUpDay, writeNote } from '../../../domain/texts/office-refusals.ts'
import { integer, plainLine } from '../../../platform/operations/input-fields.ts'
import { recordNotFound } from '../../../platform/operations/operation.ts'
import { fieldError, RefusalError } from '../../../platform/operations/outcome.ts'
import { loadToday } from '../../facilities/facility-facts-for-pricing.ts'
import { officeOperation } from '../../staff/office-operation.ts'
import { addTask, hasPermissionForTenant } from '../../staff/staff-tasks.ts'
import { addNote } from '../add-note.ts'
import { noteField, requireTenant } from '../internal/note-field-and-require-tenant.ts'
import { officeTenantFields } from '../tenant-key-input.ts'

/** Maximum number of days until a follow-up. */
const FOLLOW_UP_DAYS = 366

/**
 * Parses the follow-up day.
 * @returns null for no follow-up; undefined for an invalid, past or too distant day
 */
function parseFollowUpDay(text: string, today: IsoDate | undefined): IsoDate | null | undefined {
  if (text === '') return null
  const day = parseUs(text)
  return day && today && day >= today && day <= addDays(today, FOLLOW_UP_DAYS) ? day : undefined
}

export const AddStaffNote = officeOperation({
  name: 'AddStaffNote',
  done: 'The note is kept.',
  button: { label: 'Note', key: 'n', place: 14, page: 'note', about: 'tenant' },
  permission: 'note.write',
  input: v.object({
    ...officeTenantFields,
    lease_number: v.optional(integer()),
    note: v.pipe(noteField(2000), v.minLength(1, writeNote)),
    /** Follow-up day, mm/dd/yyyy or ISO; '' for none. */
    follow_up: v.optional(v.pipe(plainLine, v.trim()), ''),
    /** Assignee of the follow-up task; 'everybody' leaves it unassigned. */
    follow_up_by: v.optional(v.picklist(['me', 'everybody']), 'me'),
  }),
  example: { location_code: 'ATL01', tenant_id: 1001, note: 'Pays on Friday.', follow_up: '', follow_up_by: 'me' },
  async work({ tx, services, callers, staff, audit }, input) {
    const { staffId } = staff
    const tenantKey = { locationCode: input.location_code, tenantId: input.tenant_id }
    await requireTenant(tx, input)
    if (!(await hasPermissionForTenant(tx, staff, 'note.write', tenantKey))) throw new RefusalError(recordNotFound)
    const dueOn = parseFollowUpDay(input.follow_up, await loadToday(tx, services, tenantKey.locationCode))
    if (dueOn === undefined) throw fieldError('follow_up', followUpDay)
    const noteKey = { ...tenantKey, ...(input.lease_number !== undefined && { leaseNumber: input.lease_number }) }
    const noteId = await addNote(tx, services, { ...noteKey, note: input.note, staffId })
    await audit({ kind: 'note.added', details: { followUp: dueOn ?? '' }, subject: noteId })
    if (dueOn)
      await addTask(tx, services, callers, {
        ...noteKey,
        kind: 'follow-up',
        once: noteId,
        note: firstLine(input.note),
        dueOn,
        assignedTo: input.follow_up_by === 'me' ? staffId : null,
      })
    return { note_id: noteId }
  },
})

const firstLine = (note: string): string => (note.split('\n')[0] ?? '').slice(0, 200)

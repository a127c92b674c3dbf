import type { Kysely } from 'kysely'
import * as v from 'valibot'
import { changedSince } from '../../../domain/texts/office.ts'
import { staffActor, writeAuditEvent } from '../../../platform/audit/audit.ts'
import type { Callers } from '../../../platform/operations/callers.ts'
import { locationCode, optionalText } from '../../../platform/operations/input-fields.ts'
import { internalOperation, recordNotFound } from '../../../platform/operations/operation.ts'
import { refuse, succeed, wrongFields } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { mayAtFacility } from '../../../platform/operations/staff-scope.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { lockFacility, setupReason } from '../../facilities/setup-lock.ts'
import { nothingChanged } from '../../facilities/texts/setup.ts'
import { confirmedHoursOf, lockGate, setGate } from '../gates.ts'
import type { GateWeek } from '../rules/gate-hours.ts'
import { formatDayHours, parseDayHours } from '../rules/gate-week.ts'

/** Kinds of gates that can be chosen, in words. */
export const gateKindNames = {
  none: 'no gate connected',
  pull: 'a controller that asks',
} as const

const hoursWrong = 'Write hours such as 5 AM to 9 PM, 24 hours, or Closed.'

/** Writes what is connected at a gate as one line, by which a stale form is known. */
export const gateVersionMark = (gate: { kind: string; week: string } | undefined): string =>
  gate ? `${gate.kind} ${gate.week}` : ''

/** Sets the connection of a facility's gate and the hours that its controller applies. */
export const SaveGate = internalOperation({
  name: 'SaveGate',
  access: { staff: mayAtFacility('setup.save') },
  input: v.object({
    location_code: locationCode(),
    kind: v.picklist(['none', 'pull'], 'Choose what is connected.'),
    /** Hours of each day, Monday first, as typed; read where a gate is connected. */
    days: v.pipe(v.array(optionalText(40)), v.length(7)),
    /** Mark of what the form showed (`gateVersionMark`). */
    before: optionalText(400),
    reason: setupReason,
  }),
  example: {
    input: {
      location_code: 'ATL01',
      kind: 'pull',
      days: Array.from({ length: 7 }, () => '5 AM to 9 PM'),
      before: '',
      reason: 'New controller',
    },
  },
  run: (services, input, callers) => services.db.transaction((tx) => save(tx, services, input, callers)),
})

interface Wanted {
  location_code: string
  kind: keyof typeof gateKindNames
  days: string[]
  before: string
  reason: string
}

async function save(tx: Kysely<Tables>, services: Services, input: Wanted, callers: Callers) {
  const { location_code: locationCode, kind, reason } = input
  if (!(await lockFacility(tx, locationCode))) return recordNotFound
  const now = await lockGate(tx, locationCode)
  if (gateVersionMark(now) !== input.before) return refuse(409, 'changed', changedSince)
  const typed = weekTyped(input.days)
  if (kind === 'pull' && typed.wrong) return wrongFields(typed.wrong)
  const week = kind === 'none' ? (now ? confirmedHoursOf(now) : null) : typed.week
  if (gateVersionMark({ kind, week: week === null ? '' : JSON.stringify(week) }) === gateVersionMark(now))
    return refuse(409, 'nothing', nothingChanged)
  await setGate(tx, services, locationCode, { kind, week })
  await writeAuditEvent(tx, services, staffActor(callers), {
    kind: 'gate.connected',
    details: { what: gateKindNames[kind], hours: kind === 'none' ? '' : typed.week.map(formatDayHours).join(', ') },
    permission: 'setup.save',
    locationCode,
    reason,
  })
  return succeed({ kind })
}

/** Reads the hours of a week. `wrong`: messages for the days whose text is no hours; null where all are. */
function weekTyped(days: readonly string[]): { week: GateWeek; wrong: Record<string, string> | null } {
  const read = days.map(parseDayHours)
  const wrong = read.flatMap((day, at) => (day === undefined ? [[`days.${at}`, hoursWrong]] : []))
  return {
    week: read.map((day) => day ?? null),
    wrong: wrong.length === 0 ? null : Object.fromEntries(wrong),
  }
}

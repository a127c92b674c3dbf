/** Report of exceptions by staff member: waivers, credits, voids and the like. */
import { keysOf, recordOf } from '../../../domain/typed-keys.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { loadStaffNames } from '../../staff/staff-members.ts'
import { type Exceptions, loadExceptions } from '../count-day-exceptions.ts'
import type { ViewReport } from '../internal/build-report-of-daily-figures.ts'
import {
  facilitiesWithDayInProgress,
  loadFigures,
  missingDays,
  needsCodeList,
  type ReportQuery,
} from '../internal/read-snapshot-figures.ts'
import type { ReportRow, ReportView } from '../rules/report-format.ts'
import { type ExceptionKind, exceptionLabels } from '../rules/staff-exception-kinds.ts'

interface StaffCounts {
  acts: Record<ExceptionKind, number>
  cents: Record<ExceptionKind, number>
}

const kinds = keysOf(exceptionLabels)
/**
 * Kinds of staff operations that count as exceptions: all but received payments and opened tenant files. The rates are
 * exceptions for each 100 opened files.
 */
const exceptionKinds = kinds.filter((kind) => kind !== 'received' && kind !== 'opened')
const zeros = () => recordOf(kinds, () => 0)
const sumOfExceptions = (acts: Record<ExceptionKind, number>) =>
  exceptionKinds.reduce((all, kind) => all + acts[kind], 0)

async function view(services: Services, query: ReportQuery): Promise<ReportView> {
  const countsByStaff = await loadCountsByStaff(services, query)
  const names = await loadStaffNames(services.db.read, [...countsByStaff.keys()])
  const all = [...countsByStaff.values()]
  const exceptionsPer100Files = (group: readonly StaffCounts[]) => {
    const opened = group.reduce((total, { acts }) => total + acts.opened, 0)
    return opened === 0 ? null : (group.reduce((total, { acts }) => total + sumOfExceptions(acts), 0) * 100) / opened
  }
  const rows = [...countsByStaff]
    .filter(([, { acts }]) => sumOfExceptions(acts) > 0)
    .sort(([, a], [, b]) => sumOfExceptions(b.acts) - sumOfExceptions(a.acts))
    .map(([id, counts]): ReportRow => {
      const rate = exceptionsPer100Files([counts])
      const others = exceptionsPer100Files(all.filter((other) => other !== counts))
      return {
        person: names.get(id) ?? id,
        ...Object.fromEntries(exceptionKinds.map((kind) => [kind, counts.acts[kind]])),
        forgiven: counts.cents.waived + counts.cents.credited,
        received: counts.acts.received,
        opened: counts.acts.opened,
        rate: rate === null ? null : Math.round(rate * 10) / 10,
        times: rate === null || others === null || others === 0 ? null : rate / others,
      }
    })
  const totalOf = (kind: ExceptionKind) => all.reduce((total, { acts }) => total + acts[kind], 0)
  return {
    figures: [
      { label: 'Fees waived', value: totalOf('waived'), as: 'count' },
      { label: 'Credits', value: totalOf('credited'), as: 'count' },
      { label: 'Receipts voided', value: totalOf('voided'), as: 'count' },
      { label: 'Refunds', value: totalOf('refunded'), as: 'count' },
    ],
    tables: [
      {
        title: 'By person',
        isFile: true,
        columns: [
          { key: 'person', label: 'Person', as: 'text' },
          ...exceptionKinds.map((kind) => ({
            key: kind,
            label: exceptionLabels[kind],
            as: 'count' as const,
            ...(kind !== 'waived' && { wide: true as const }),
          })),
          { key: 'forgiven', label: 'Forgiven', as: 'cents' },
          { key: 'received', label: 'Receipts', as: 'count', wide: true },
          { key: 'opened', label: 'Files opened', as: 'count', wide: true },
          { key: 'rate', label: 'Of 100 files', as: 'count', wide: true },
          { key: 'times', label: 'Against others', as: 'times' },
        ],
        rows,
        empty: 'There were none.',
      },
    ],
    notes: [
      '“Against others”: exceptions of 100 opened files, against those of everybody else here.',
      ...missingDays(query, await loadFigures(services, query, ['leases'], { missed: true })),
    ],
  }
}

export const exceptions: ViewReport = {
  title: 'Exceptions',
  about: 'Waivers, credits, voids, refunds and overrides by person, against the others.',
  period: 'span',
  group: 'People and work',
  rowsAre: 'people',
  view,
}

async function loadCountsByStaff(services: Services, query: ReportQuery): Promise<Map<string, StaffCounts>> {
  const snapshots = await services.db.read
    .selectFrom('daily_exceptions')
    .select((eb) => ['staff_id', 'kind', eb.fn.sum<number>('acts').as('acts'), eb.fn.sum<number>('cents').as('cents')])
    .where('day', '>=', query.from)
    .where('day', '<=', query.to)
    .$if(needsCodeList(query), (rows) =>
      rows.where(
        'location_code',
        'in',
        query.places.map(({ code }) => code),
      ),
    )
    .groupBy(['staff_id', 'kind'])
    .execute()
  const today: Exceptions[] = []
  for (const { place, day } of facilitiesWithDayInProgress(services, query)) {
    const facility = { location_code: place.code, time_zone: place.timeZone }
    today.push(...(await loadExceptions(services.db.read, facility, day)))
  }
  const countsByStaff = new Map<string, StaffCounts>()
  for (const { staff_id, kind, acts, cents } of [...snapshots, ...today]) {
    const counts = countsByStaff.get(staff_id) ?? { acts: zeros(), cents: zeros() }
    countsByStaff.set(staff_id, counts)
    counts.acts[kind] += Number(acts)
    counts.cents[kind] += Number(cents)
  }
  return countsByStaff
}

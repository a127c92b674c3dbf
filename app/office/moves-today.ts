import { formatShort } from '../../domain/plain-date.ts'
import { endOfDay, todayIn } from '../../domain/time-zone-dates.ts'
import { type FieldTask, loadFieldTasks } from '../../modules/leases/views/field-tasks.ts'
import { loadMovesToday, type MovesToday } from '../../modules/leases/views/moves-today.ts'
import type { StaffCaller } from '../../platform/operations/callers.ts'
import { facilitiesFor, grantAt } from '../../platform/operations/facilities-of-staff.ts'
import type { FacilitiesInView } from './facilities-in-view.ts'
import { formatOfficeTime } from './office-time.ts'
import type { OfficePage } from './open-office-page.ts'
import { owesText } from './owes-text.ts'
import { tenantPath } from './tenant-paths.ts'

/** Maximum number of facilities whose moves are read; with more in view, none are shown. */
const MAX_FACILITIES = 60
/** Maximum number of rows shown for move-ins, and for move-outs. */
const MAX_ROWS = 8

/**
 * Loads the move-ins and move-outs that are due today or earlier at the facilities in view, with their counts and those
 * of the holds that end within a day and of field work.
 * @returns null when there are too many facilities
 */
export async function loadMovesTodayView(page: OfficePage, { codes, options }: FacilitiesInView) {
  const { services } = page.site
  const facilities = codes === 'all' ? options : options.filter(({ code }) => codes.includes(code))
  if (facilities.length > MAX_FACILITIES) return null
  const permitted = facilitiesFor(page.staff, 'lock.set')
  const lockFacilities = facilities.map(({ code }) => code).filter((code) => permitted === 'all' || permitted.has(code))
  const [moves, tasks] = await Promise.all([
    loadMovesToday(services, facilities),
    loadFieldTasks(services, lockFacilities),
  ])
  const zones = new Map(facilities.map(({ code, timeZone }) => [code, timeZone]))
  const count = (kind: FieldTask['kind']) => tasks.filter((task) => task.kind === kind).length
  return {
    counts: {
      in: moves.coming.length,
      out: moves.leaving.length,
      holds: moves.holdsEnding,
      field:
        lockFacilities.length > 0
          ? { set: count('set lock'), lift: count('take lock off'), verify: count('verify') }
          : null,
    },
    rows: rowsOf(page.staff, moves, (code) => zones.get(code), services.clock.now()),
  }
}

/** Formats the end of a hold: 'midnight' when it ends with today. */
const untilText = (until: number, now: number, zone: string): string =>
  until === endOfDay(zone, todayIn(zone, now)) ? 'midnight' : formatOfficeTime(until, zone)

/**
 * Builds the rows of the due move-ins and move-outs. Names and balances are included only where the staff member may
 * open every tenant's page.
 */
function rowsOf(
  staff: StaffCaller,
  { coming, leaving }: MovesToday,
  zoneOf: (code: string) => string | undefined,
  now: number,
) {
  const mayOpenTenant = (move: MovesToday['coming' | 'leaving'][number]) =>
    grantAt(staff, 'file.read', move.locationCode) !== 'own'
  const zone = (code: string) => zoneOf(code) ?? 'UTC'
  const common = (move: MovesToday['coming' | 'leaving'][number]) => ({
    where: `${move.locationCode} ${move.unit}`,
    size: move.size,
    tenant: mayOpenTenant(move) ? move.tenant : '',
    href: mayOpenTenant(move) ? tenantPath({ location: move.locationCode, tenant: move.tenantId }) : null,
  })
  return [
    ...coming.slice(0, MAX_ROWS).map((move) => ({
      ...common(move),
      way: 'in' as const,
      state: move.signed ? 'signed, not paid' : 'reserved',
      note: `held until ${untilText(move.heldUntil, now, zone(move.locationCode))}`,
      owes: false,
    })),
    ...leaving.slice(0, MAX_ROWS).map((move) => ({
      ...common(move),
      way: 'out' as const,
      state:
        move.on < todayIn(zone(move.locationCode), now)
          ? `last day ${formatShort(move.on)}, not closed yet`
          : 'closes tonight',
      owes: mayOpenTenant(move) && move.balance > 0,
      note: mayOpenTenant(move) ? owesText(move.balance) : '',
    })),
  ]
}

export type MovesTodayView = NonNullable<Awaited<ReturnType<typeof loadMovesTodayView>>>

import { Link } from 'react-router'
import { formatShort } from '../../../domain/plain-date.ts'
import { loadUpcomingAppointments } from '../../../modules/appointments/views/upcoming-appointments.ts'
import { getLocationUnits } from '../../../modules/facilities/operations/get-units-on-location-map.ts'
import { unitStates } from '../../../modules/facilities/rules/office-unit-state-names.ts'
import { unitTypeName } from '../../../modules/facilities/rules/size-label.ts'
import {
  type CurrentUnit,
  loadCurrentUnits,
  loadReservationTenants,
  loadTenantNames,
} from '../../../modules/leases/views/facility-unit-list.ts'
import { EndWait } from '../../../modules/reservations/operations/end-wait.ts'
import { oblongOf } from '../../floor-plan/floor-plan-with-way-to-unit.ts'
import { LinkButton } from '../../ui/buttons.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { type Floor, serializeFloor } from '../../ui/floor-plan-svg.ts'
import { formatCents } from '../../ui/money.tsx'
import { paginate } from '../list-limits-and-page-slicing.ts'
import { officeAction } from '../office-action.ts'
import { OfficePageFrame, Section } from '../office-page-heading-and-sections.tsx'
import { MoreRows, OfficeTable } from '../office-table.tsx'
import { formatOfficeTime } from '../office-time.ts'
import type { OfficePage } from '../open-office-page.ts'
import { openOfficePageAtFacility } from '../open-office-page-at-facility.ts'
import { tenantPath } from '../tenant-paths.ts'
import type { Route } from './+types/units'
import { loadWaitlistRows } from './load-waitlist-rows.ts'
import { formatUnitSorting, parseUnitSorting, sortUnits, type UnitOrder, type UnitSorting } from './unit-sort.ts'
import { UnitStateMap } from './unit-state-map.tsx'
import { StateTag, stateName } from './unit-state-tag.tsx'
import { unitsPath } from './units-page-path.ts'
import { WaitlistTable } from './waitlist-table.tsx'

export async function loader(args: Route.LoaderArgs) {
  const unitsPage = await openOfficePageAtFacility(args)
  const { page, services, facts, location, maySeeTenants, may } = unitsPage
  const searchParams = page.url.searchParams
  const all = await loadCurrentUnits(services, location)
  const state = unitStates.find((unitState) => unitState === searchParams.get('state'))
  const view = (['map', 'appointments', 'waiting'] as const).find((name) => name === searchParams.get('view')) ?? 'list'
  const requestedOrder = parseUnitSorting(searchParams.get('sort'))
  // Staff members who may not see rents may not sort by them either.
  const order = maySeeTenants || requestedOrder.by !== 'rent' ? requestedOrder : parseUnitSorting(null)
  const typeOf = (id: number) => {
    const type = facts.unitTypes.find((unitType) => unitType.unit_type_id === id)
    return type && { area: type.length * type.breadth, street: type.rent }
  }
  const sorted = sortUnits(
    all.filter((unit) => state === undefined || unit.state === state),
    order,
    typeOf,
  )
  const { rows, next } = paginate(view === 'list' ? sorted : [], (unit) => unit.unitNumber, searchParams.get('after'))
  return {
    brand: page.site.brand.name,
    location,
    facility: facts.location.name,
    order,
    view,
    state: state ?? null,
    next,
    total: all.length,
    maySeeTenants,
    mayMoveIn: may('move-in.desk'),
    mayPropose: view === 'appointments' && may('link.send') && !services.propertyManagement.elsewhere,
    counts: unitStates.map((unitState) => ({
      state: unitState,
      count: all.filter((unit) => unit.state === unitState).length,
    })),
    rows: await loadRows({ services, facts, location, maySeeTenants }, rows),
    map:
      view === 'map' ? await loadMap(page.site, location, all, Number(searchParams.get('floor') ?? Number.NaN)) : null,
    appointments:
      view === 'appointments'
        ? (await loadUpcomingAppointments(services, [location])).map((appointment) => ({
            id: appointment.appointment_id,
            name: appointment.name,
            contact: appointment.phone || appointment.email,
            state: appointment.state,
            at: formatOfficeTime(appointment.starts_at, facts.location.time_zone),
          }))
        : [],
    waits: view === 'waiting' ? await loadWaitlistRows(unitsPage) : [],
  }
}

/** Removes one entry from the waitlist: the wait of one person for one unit type. */
export async function action(args: Route.ActionArgs) {
  const { page, location } = await openOfficePageAtFacility(args)
  return officeAction(page, args.request, {
    end: {
      operation: EndWait,
      input: ({ typed }) => ({ location_code: location, waitlist_id: typed.waitlist_id }),
      fieldNames: () => 'form',
      done: 'wait-ended',
      back: `${unitsPath(location)}?view=waiting`,
    },
  })
}

type Opened = Pick<
  Awaited<ReturnType<typeof openOfficePageAtFacility>>,
  'services' | 'facts' | 'location' | 'maySeeTenants'
>

async function loadRows({ services, facts, location, maySeeTenants }: Opened, units: CurrentUnit[]) {
  const { read } = services.db
  const tenantsByReservation = await loadReservationTenants(
    read,
    location,
    units.flatMap((unit) => unit.heldBy ?? []),
  )
  const tenantOf = (unit: CurrentUnit) =>
    unit.lease?.tenantId ?? (unit.heldBy === null ? undefined : tenantsByReservation.get(unit.heldBy))
  const names = maySeeTenants
    ? await loadTenantNames(
        read,
        location,
        units.flatMap((unit) => tenantOf(unit) ?? []),
      )
    : new Map<number, string>()
  return units.map((unit) => {
    const type = facts.unitTypes.find((unitType) => unitType.unit_type_id === unit.unitTypeId)
    const tenant = tenantOf(unit)
    return {
      id: unit.unitId,
      unit: unit.unitNumber,
      state: unit.state,
      kind: type ? unitTypeName(type) : '',
      street: type?.rent ?? null,
      rent: maySeeTenants ? (unit.lease?.rent ?? null) : null,
      tenant: tenant === undefined || !maySeeTenants ? null : { id: tenant, name: names.get(tenant) ?? '' },
      note: noteOf(unit, facts.location.time_zone, maySeeTenants),
    }
  })
}

function noteOf(unit: CurrentUnit, timeZone: string, maySeeTenants: boolean): string {
  const { lease, outOfService, heldUntil, lockOn } = unit
  const overlocked = lease?.overlocked === true
  return [
    heldUntil !== null && `held until ${formatOfficeTime(heldUntil, timeZone)}`,
    outOfService && `${outOfService.reason}${outOfService.backOn ? `, back ${formatShort(outOfService.backOn)}` : ''}`,
    overlocked && lease?.lifted && 'overlock lifted',
    overlocked && !lease?.lifted && (lockOn ? 'lock on' : 'lock to set'),
    !overlocked && lockOn && 'lock to take off',
    maySeeTenants && lease && lease.balance > 0 && `owes ${formatCents(lease.balance)}`,
    lease?.movesOut && `moves out ${formatShort(lease.movesOut)}`,
  ]
    .filter(Boolean)
    .join(' · ')
}

async function loadMap(site: OfficePage['site'], location: string, all: CurrentUnit[], requestedFloor: number) {
  const outcome = await site.call(getLocationUnits, { location_code: location })
  const mapItems = outcome.ok ? outcome.value : []
  const floors = [...new Set(mapItems.filter((item) => !item.system).map(({ floor_no }) => floor_no))].sort(
    (a, b) => a - b,
  )
  const shown = floors.includes(requestedFloor) ? requestedFloor : floors[0]
  if (shown === undefined) return null
  const unitsById = new Map(all.map((unit) => [unit.unitId, unit]))
  const itemsOnFloor = mapItems.filter((item) => item.floor_no === shown)
  const floor: Floor = {
    units: itemsOnFloor
      .filter((unit) => !unit.system)
      .map((unit) => ({
        unit_no: unit.unit_no,
        kind: unitsById.get(unit.unit_id)?.state ?? 'free',
        ...oblongOf(unit),
      })),
    fixtures: itemsOnFloor
      .filter(({ system }) => system)
      .map((item) => ({ name: item.category_name, ...oblongOf(item) })),
    way: [],
  }
  return { floors, shown, floor: serializeFloor(floor) }
}

const views = [
  { view: 'list', label: 'List' },
  { view: 'map', label: 'Map' },
  { view: 'appointments', label: 'Appointments' },
  { view: 'waiting', label: 'Waitlist' },
] as const

/** Office page of a facility's units, with four views: list (filtered by state), map, appointments and waitlist. */
export default function Units({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, location, facility, view, state, order, counts, total, mayMoveIn, mayPropose } = loaderData
  const hrefWith = (more: Record<string, string | null>) => {
    const query = new URLSearchParams(
      Object.entries({ view: view === 'list' ? null : view, state, sort: formatUnitSorting(order), ...more }).filter(
        (pair): pair is [string, string] => pair[1] !== null,
      ),
    )
    return `${unitsPath(location)}${query.size > 0 ? `?${query}` : ''}`
  }
  return (
    <OfficePageFrame
      title={`Units of ${facility}`}
      brand={brand}
      failed={actionData !== undefined}
      actions={
        <>
          {mayPropose && (
            <LinkButton to={`${unitsPath(location)}/appointment`} kind="secondary">
              Propose an appointment
            </LinkButton>
          )}
          {mayMoveIn && (
            <LinkButton to={`${unitsPath(location)}/move-in`} kind="secondary">
              Desk move-in
            </LinkButton>
          )}
        </>
      }
    >
      <ErrorSummary errors={actionData?.fields ?? {}} />
      <nav className="office-switch" aria-label="Views">
        {views.map((option) => (
          <Link
            key={option.view}
            to={hrefWith({ view: option.view === 'list' ? null : option.view, state: null, sort: null })}
            aria-current={option.view === view ? 'page' : undefined}
          >
            {option.label}
          </Link>
        ))}
      </nav>
      {view === 'list' && (
        <nav className="office-switch" aria-label="What they are now">
          <Link to={hrefWith({ state: null })} aria-current={state === null ? 'true' : undefined}>
            All <span className="soft num">{total}</span>
          </Link>
          {counts
            .filter((count) => count.count > 0)
            .map((entry) => (
              <Link
                key={entry.state}
                to={hrefWith({ state: entry.state })}
                aria-current={entry.state === state ? 'true' : undefined}
              >
                {stateName(entry.state)} <span className="soft num">{entry.count}</span>
              </Link>
            ))}
        </nav>
      )}
      {view === 'list' && <UnitList {...loaderData} hrefWith={hrefWith} />}
      {view === 'map' && <UnitStateMap {...loaderData} path={hrefWith} />}
      {view === 'appointments' && <Appointments {...loaderData} />}
      {view === 'waiting' && <WaitlistTable {...loaderData} />}
    </OfficePageFrame>
  )
}

type Data = Route.ComponentProps['loaderData']

/** Returns a function that returns the sort link of a column head; following the link again reverses the order. */
const columnSort =
  (hrefWith: (more: Record<string, string | null>) => string, current: UnitSorting) => (by: UnitOrder) => {
    const isCurrent = current.by === by
    return {
      href: hrefWith({ sort: formatUnitSorting({ by, isDescending: isCurrent && !current.isDescending }) }),
      now: isCurrent ? (current.isDescending ? ('descending' as const) : ('ascending' as const)) : ('none' as const),
    }
  }

function UnitList({
  location,
  rows,
  next,
  order,
  maySeeTenants,
  hrefWith,
}: Data & { hrefWith: (more: Record<string, string | null>) => string }) {
  const sort = columnSort(hrefWith, order)
  return (
    <>
      <OfficeTable
        caption={order.by === 'unit' && !order.isDescending ? 'Units in walking order' : 'Units'}
        rows={rows}
        rowKey={(row) => String(row.id)}
        open={(row) => `${unitsPath(location)}/${row.id}`}
        empty="No unit is like that now."
        columns={[
          { label: 'Unit', sort: sort('unit'), cell: (row) => row.unit },
          { label: 'State', sort: sort('state'), cell: (row) => <StateTag state={row.state} /> },
          { label: 'Size', wide: true, sort: sort('size'), cell: (row) => row.kind },
          ...(maySeeTenants
            ? [
                {
                  label: 'Tenant',
                  cell: (row: Data['rows'][number]) =>
                    row.tenant && (
                      <Link to={tenantPath({ location, tenant: row.tenant.id })}>
                        {row.tenant.name || row.tenant.id}
                      </Link>
                    ),
                },
                {
                  label: 'Rent',
                  right: true,
                  wide: true,
                  sort: sort('rent'),
                  cell: (row: Data['rows'][number]) => (row.rent === null ? '' : formatCents(row.rent)),
                },
              ]
            : []),
          {
            label: 'Street rate',
            right: true,
            wide: true,
            sort: sort('street'),
            cell: (row) => (row.street === null ? '' : formatCents(row.street)),
          },
          { label: 'Note', cell: (row) => <span className="small">{row.note}</span> },
        ]}
      />
      <MoreRows next={next} />
    </>
  )
}

const answerNames = {
  proposed: 'Not answered',
  confirmed: 'Confirmed',
  other: 'Wants another time',
  cancelled: 'Cancelled',
}

const Appointments = ({ appointments }: Data) => (
  <Section title="Appointments ahead" count={appointments.length}>
    <OfficeTable
      caption="Appointments ahead"
      rows={appointments}
      rowKey={(row) => String(row.id)}
      empty="No appointment is ahead."
      columns={[
        { label: 'When', cell: (row) => row.at },
        { label: 'Who', cell: (row) => row.name },
        { label: 'Answer', cell: (row) => answerNames[row.state] },
        { label: 'Contact', wide: true, cell: (row) => row.contact },
      ]}
    />
  </Section>
)

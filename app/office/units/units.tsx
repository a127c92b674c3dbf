import { Link } from 'react-router'
import { formatShort } from '../../../domain/plain-date.ts'
import { loadUpcomingAppointments } from '../../../modules/appointments/appointments.ts'
import { getLocationUnits } from '../../../modules/facilities/operations/get-location-units.ts'
import { sizeLabel } from '../../../modules/facilities/rules/size-label.ts'
import { unitStates } from '../../../modules/facilities/rules/unit-states.ts'
import {
  type CurrentUnit,
  loadCurrentUnits,
  loadReservationTenants,
  tenantNames,
} from '../../../modules/leases/views/facility-unit-list.ts'
import { EndWait } from '../../../modules/reservations/operations/end-wait.ts'
import { LinkButton } from '../../ui/buttons.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import type { Floor } from '../../ui/floor-picture.ts'
import { formatCents } from '../../ui/money.tsx'
import { officeAction } from '../office-action.ts'
import { MoreRows, OfficeList } from '../office-list.tsx'
import { OfficePageFrame, Section } from '../office-page-frame.tsx'
import { officeTime } from '../office-time.ts'
import type { OfficePage } from '../open-office-page.ts'
import { paginate } from '../pagination.ts'
import { tenantPath } from '../tenant-paths.ts'
import type { Route } from './+types/units'
import { openUnitsPage } from './open-units-page.ts'
import { unitsPath } from './unit-paths.ts'
import { formatUnitSorting, parseUnitSorting, sortUnits, type UnitOrder, type UnitSorting } from './unit-sort.ts'
import { UnitStateMap } from './unit-state-map.tsx'
import { StateTag, stateName } from './unit-state-tag.tsx'
import { WaitlistTable } from './waitlist.tsx'
import { loadWaitlistRows } from './waitlist-rows.ts'

export async function loader(args: Route.LoaderArgs) {
  const opened = await openUnitsPage(args)
  const { page, services, facts, location, seesTenants, may } = opened
  const ask = page.url.searchParams
  const all = await loadCurrentUnits(services, location)
  const state = unitStates.find((unitState) => unitState === ask.get('state'))
  const view = (['map', 'appointments', 'waiting'] as const).find((one) => one === ask.get('view')) ?? 'list'
  const order = parseUnitSorting(ask.get('sort'))
  const typeOf = (id: number) => {
    const type = facts.unitTypes.find((unitType) => unitType.unit_type_id === id)
    return type && { area: type.length * type.breadth, street: type.rent }
  }
  const shown = sortUnits(
    all.filter((unit) => state === undefined || unit.state === state),
    // Staff members who may not see rents may not sort by them either.
    seesTenants || order.by !== 'rent' ? order : parseUnitSorting(null),
    typeOf,
  )
  const { rows, next } = paginate(view === 'list' ? shown : [], (unit) => unit.unitNumber, ask.get('after'))
  return {
    brand: page.site.brand.name,
    location,
    facility: facts.location.name,
    order,
    view,
    state: state ?? null,
    next,
    total: all.length,
    seesTenants,
    mayMoveIn: may('move-in.desk'),
    mayPropose: view === 'appointments' && may('link.send') && !services.propertyManagement.elsewhere,
    counts: unitStates.map((unitState) => ({
      state: unitState,
      count: all.filter((unit) => unit.state === unitState).length,
    })),
    rows: await rowsOf({ services, facts, location, seesTenants }, rows),
    map: view === 'map' ? await mapOf(page.site, location, all, Number(ask.get('floor') ?? Number.NaN)) : null,
    appointments:
      view === 'appointments'
        ? (await loadUpcomingAppointments(services, [location])).map((appointment) => ({
            id: appointment.appointment_id,
            name: appointment.name,
            contact: appointment.phone || appointment.email,
            state: appointment.state,
            at: officeTime(appointment.starts_at, facts.location.time_zone),
          }))
        : [],
    waits: view === 'waiting' ? await loadWaitlistRows(opened) : [],
  }
}

/** Removes an e-mail address from the waitlist. */
export async function action(args: Route.ActionArgs) {
  const { page, location } = await openUnitsPage(args)
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

type Opened = Pick<Awaited<ReturnType<typeof openUnitsPage>>, 'services' | 'facts' | 'location' | 'seesTenants'>

async function rowsOf({ services, facts, location, seesTenants }: Opened, units: CurrentUnit[]) {
  const { read } = services.db
  const held = await loadReservationTenants(
    read,
    location,
    units.flatMap((unit) => unit.heldBy ?? []),
  )
  const tenantOf = (unit: CurrentUnit) =>
    unit.lease?.tenantId ?? (unit.heldBy === null ? undefined : held.get(unit.heldBy))
  const names = seesTenants
    ? await tenantNames(
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
      kind: type ? `${sizeLabel(type)} ${type.category_name}` : '',
      street: type?.rent ?? null,
      rent: seesTenants ? (unit.lease?.rent ?? null) : null,
      tenant: tenant === undefined ? null : { id: tenant, name: names.get(tenant) ?? '' },
      note: noteOf(unit, facts.location.time_zone, seesTenants),
    }
  })
}

function noteOf(unit: CurrentUnit, timeZone: string, seesTenants: boolean): string {
  const { lease, outOfService, heldUntil, lockOn } = unit
  const overlocked = lease?.overlocked === true
  return [
    heldUntil !== null && `held until ${officeTime(heldUntil, timeZone)}`,
    outOfService && `${outOfService.reason}${outOfService.backOn ? `, back ${formatShort(outOfService.backOn)}` : ''}`,
    overlocked && lease?.lifted && 'overlock lifted',
    overlocked && !lease?.lifted && (lockOn ? 'lock on' : 'lock to set'),
    !overlocked && lockOn && 'lock to take off',
    seesTenants && lease && lease.balance > 0 && `owes ${formatCents(lease.balance)}`,
    lease?.movesOut && `moves out ${formatShort(lease.movesOut)}`,
  ]
    .filter(Boolean)
    .join(' · ')
}

async function mapOf(site: OfficePage['site'], location: string, all: CurrentUnit[], asked: number) {
  const found = await site.call(getLocationUnits, { location_code: location })
  const things = found.ok ? found.value : []
  const floors = [...new Set(things.filter((thing) => !thing.system).map((one) => one.floor_no))].sort((a, b) => a - b)
  const shown = floors.includes(asked) ? asked : floors[0]
  if (shown === undefined) return null
  const stateOf = new Map(all.map((unit) => [unit.unitId, unit]))
  const here = things.filter((thing) => thing.floor_no === shown)
  const place = (unit: (typeof things)[number]) => ({
    left: unit.left_coordinate,
    top: unit.top_coordinate,
    length: unit.length,
    width: unit.width,
    rotate: unit.rotate + unit.system_rotation,
  })
  const floor: Floor = {
    units: here
      .filter((unit) => !unit.system)
      .map((unit) => ({ unit_no: unit.unit_no, kind: stateOf.get(unit.unit_id)?.state ?? 'free', ...place(unit) })),
    fixtures: here.filter((one) => one.system).map((one) => ({ name: one.category_name, ...place(one) })),
    way: [],
  }
  return { floors, shown, floor: JSON.stringify(floor) }
}

const views = [
  { view: 'list', label: 'List' },
  { view: 'map', label: 'Map' },
  { view: 'appointments', label: 'Appointments' },
  { view: 'waiting', label: 'Waitlist' },
] as const

/** Page of a facility's units, as list and map, by state. */
export default function Units({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, location, facility, view, state, order, counts, total, mayMoveIn, mayPropose } = loaderData
  const to = (more: Record<string, string | null>) => {
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
        {views.map((one) => (
          <Link
            key={one.view}
            to={to({ view: one.view === 'list' ? null : one.view, state: null, sort: null })}
            aria-current={one.view === view ? 'page' : undefined}
          >
            {one.label}
          </Link>
        ))}
      </nav>
      {view === 'list' && (
        <nav className="office-switch" aria-label="What they are now">
          <Link to={to({ state: null })} aria-current={state === null ? 'true' : undefined}>
            All <span className="soft num">{total}</span>
          </Link>
          {counts
            .filter((count) => count.count > 0)
            .map((one) => (
              <Link
                key={one.state}
                to={to({ state: one.state })}
                aria-current={one.state === state ? 'true' : undefined}
              >
                {stateName(one.state)} <span className="soft num">{one.count}</span>
              </Link>
            ))}
        </nav>
      )}
      {view === 'list' && <UnitList {...loaderData} to={to} />}
      {view === 'map' && <UnitStateMap {...loaderData} path={to} />}
      {view === 'appointments' && <Appointments {...loaderData} />}
      {view === 'waiting' && <WaitlistTable {...loaderData} />}
    </OfficePageFrame>
  )
}

type Data = Route.ComponentProps['loaderData']

/** Returns the link of a column head; following it again reverses the order. */
const sorting = (to: (more: Record<string, string | null>) => string, now: UnitSorting) => (by: UnitOrder) => {
  const on = now.by === by
  return {
    href: to({ sort: formatUnitSorting({ by, isDescending: on && !now.isDescending }) }),
    now: on ? (now.isDescending ? ('descending' as const) : ('ascending' as const)) : ('none' as const),
  }
}

function UnitList({
  location,
  rows,
  next,
  order,
  seesTenants,
  to,
}: Data & { to: (more: Record<string, string | null>) => string }) {
  const sort = sorting(to, order)
  return (
    <>
      <OfficeList
        caption={order.by === 'unit' && !order.isDescending ? 'Units in walking order' : 'Units'}
        rows={rows}
        rowKey={(row) => String(row.id)}
        open={(row) => `${unitsPath(location)}/${row.id}`}
        empty="No unit is like that now."
        columns={[
          { label: 'Unit', sort: sort('unit'), cell: (row) => row.unit },
          { label: 'State', sort: sort('state'), cell: (row) => <StateTag state={row.state} /> },
          { label: 'Size', wide: true, sort: sort('size'), cell: (row) => row.kind },
          ...(seesTenants
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

const answers = {
  proposed: 'Not answered',
  confirmed: 'Confirmed',
  other: 'Wants another time',
  cancelled: 'Cancelled',
}

const Appointments = ({ appointments }: Data) => (
  <Section title="Appointments ahead" count={appointments.length}>
    <OfficeList
      caption="Appointments ahead"
      rows={appointments}
      rowKey={(row) => String(row.id)}
      empty="No appointment is ahead."
      columns={[
        { label: 'When', cell: (row) => row.at },
        { label: 'Who', cell: (row) => row.name },
        { label: 'Answer', cell: (row) => answers[row.state] },
        { label: 'Contact', wide: true, cell: (row) => row.contact },
      ]}
    />
  </Section>
)

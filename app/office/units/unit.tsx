import { Link } from 'react-router'
import { formatLong } from '../../../domain/plain-date.ts'
import { officeNotFound } from '../../../domain/texts/office-refusals.ts'
import { ReturnUnitToService } from '../../../modules/facilities/operations/return-unit-to-service.ts'
import { TakeUnitOutOfService } from '../../../modules/facilities/operations/take-unit-out-of-service.ts'
import { sizeLabel } from '../../../modules/facilities/rules/size-label.ts'
import { loadUnitPhotos } from '../../../modules/facilities/views/unit-photographs.ts'
import {
  loadCurrentUnits,
  loadReservationTenants,
  loadTenantNames,
} from '../../../modules/leases/views/facility-unit-list.ts'
import { loadFieldTasks } from '../../../modules/leases/views/field-tasks.ts'
import { hasTenantTextConsent } from '../../../modules/tenants/views/has-tenant-text-consent.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { revalidateOnConflict } from '../../request/submit-or-report-offline.ts'
import { LinkButton } from '../../ui/buttons.tsx'
import { Callout } from '../../ui/card-tag-and-callout.tsx'
import { DataList, type Fact } from '../../ui/data-tables.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { DateField } from '../../ui/fields/text.tsx'
import { formatCents } from '../../ui/money.tsx'
import { WhyField } from '../note-and-reason-fields.tsx'
import { officeAction } from '../office-action.ts'
import { OfficePageFrame, Section } from '../office-page-heading-and-sections.tsx'
import { formatOfficeTime } from '../office-time.ts'
import { OperationForm } from '../one-button-form.tsx'
import { openOfficePageAtFacility } from '../open-office-page-at-facility.ts'
import { parseRecordNumber } from '../parse-record-number.ts'
import { leasePath, tenantPath } from '../tenant-paths.ts'
import type { Route } from './+types/unit'
import { UnitPhotos } from './unit-photo-gallery.tsx'
import { toUnitPhotoView } from './unit-photo-view.ts'
import { StateTag } from './unit-state-tag.tsx'
import { unitsPath } from './units-page-path.ts'

async function loadVerifyPath(services: Services, location: string, unitNumber: string): Promise<string> {
  const fieldTask = (await loadFieldTasks(services, [location])).find((task) => task.unitNumber === unitNumber)
  return fieldTask ? `/office/field/${location}/${fieldTask.leaseNumber}` : ''
}

export async function loader(args: Route.LoaderArgs) {
  const { page, services, facts, location, maySeeTenants, may } = await openOfficePageAtFacility(args)
  const { read } = services.db
  const unitId = parseRecordNumber(args.params.unit)
  const [unit] = unitId === undefined ? [] : await loadCurrentUnits(services, location, { unitId })
  if (!unit) throw new Response(officeNotFound, { status: 404 })
  const type = facts.unitTypes.find((unitType) => unitType.unit_type_id === unit.unitTypeId)
  const photos = await loadUnitPhotos(read, { locationCode: location, unitId: unit.unitId })
  const holdTenant =
    unit.heldBy === null ? undefined : (await loadReservationTenants(read, location, [unit.heldBy])).get(unit.heldBy)
  const tenant = unit.lease?.tenantId ?? holdTenant
  const name = tenant === undefined ? '' : ((await loadTenantNames(read, location, [tenant])).get(tenant) ?? '')
  return {
    brand: page.site.brand.name,
    location,
    facility: facts.location.name,
    id: unit.unitId,
    unit: unit.unitNumber,
    state: unit.state,
    floor: unit.floor,
    kind: type ? `${sizeLabel(type)}, ${type.category_name}` : '',
    street: type?.rent ?? 0,
    texts: holdTenant !== undefined && (await hasTenantTextConsent(read, location, holdTenant)),
    tenant: maySeeTenants && tenant !== undefined ? { id: tenant, name } : null,
    lease:
      maySeeTenants && unit.lease
        ? { number: unit.lease.leaseNumber, rent: unit.lease.rent, balance: unit.lease.balance }
        : null,
    photos: photos.map((photo) => toUnitPhotoView(photo, facts)),
    heldUntil: unit.heldUntil === null ? '' : formatOfficeTime(unit.heldUntil, facts.location.time_zone),
    service: unit.outOfService,
    lockOn: unit.lockOn,
    verify: unit.state === 'to verify' ? await loadVerifyPath(services, location, unit.unitNumber) : '',
    isJustHeld: page.url.searchParams.get('done') === 'held',
    mayRetire: may('setup.save'),
    mayMoveIn: may('move-in.desk'),
    mayService: may('unit.service'),
    mayVerify: may('move-out.verify'),
    formKey: services.random.uuid(),
  }
}

export async function action(args: Route.ActionArgs) {
  const { page, location } = await openOfficePageAtFacility(args, 'unit.service')
  const unitKey = { location_code: location, unit_id: args.params.unit }
  return officeAction(page, args.request, {
    back: { operation: ReturnUnitToService, input: () => unitKey },
    off: { operation: TakeUnitOutOfService, input: ({ typed }) => ({ ...typed, ...unitKey }) },
  })
}

export const shouldRevalidate = revalidateOnConflict

/** Page of a unit: its state, and taking it out of service and back. */
export default function Unit({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, location, facility, id, unit, state, mayMoveIn, mayVerify, verify, isJustHeld, texts, tenant } =
    loaderData
  const fields = actionData?.fields ?? {}
  return (
    <OfficePageFrame
      title={`Unit ${unit}`}
      brand={brand}
      failed={Object.keys(fields).length > 0}
      lead={<Link to={unitsPath(location)}>{facility}</Link>}
      actions={
        <>
          {state === 'free' && mayMoveIn && (
            <LinkButton to={`${unitsPath(location)}/move-in?unit=${id}`}>Desk move-in</LinkButton>
          )}
          {state === 'to verify' && mayVerify && verify && <LinkButton to={verify}>Verify the move-out</LinkButton>}
        </>
      }
    >
      {isJustHeld && tenant && (
        <Callout tone="success" live className="my-3">
          <p>
            Held, and the link is on its way to {tenant.name} {texts ? 'by mail and text' : 'by mail'}.{' '}
            <Link to={`${tenantPath({ location, tenant: tenant.id })}/link`}>Send it again</Link>
          </p>
        </Callout>
      )}
      <ErrorSummary errors={fields} general={['', 'form']} />
      <div className="office-form">
        <DataList facts={factsOf(loaderData)} />
      </div>
      <Service
        {...loaderData}
        values={actionData?.values ?? {}}
        fields={fields}
        formKey={actionData?.key ?? loaderData.formKey}
      />
      <UnitPhotos location={location} unit={unit} photos={loaderData.photos} />
      {loaderData.mayRetire && (
        <p className="mt-6">
          <Link to={`/office/setup/${location}/letting/unit/${id}`}>
            {state === 'retired' ? 'Let this unit again' : 'Retire this unit'}
          </Link>
        </p>
      )}
    </OfficePageFrame>
  )
}

type Data = Route.ComponentProps['loaderData']

function factsOf(data: Data): Fact[] {
  const { state, kind, floor, street, tenant, lease, location, heldUntil, service, lockOn } = data
  const key = tenant && { location, tenant: tenant.id }
  return [
    { label: 'Now', value: <StateTag state={state} /> },
    ...(service
      ? [
          { label: 'Why', value: service.reason },
          ...(service.backOn ? [{ label: 'Expected back', value: formatLong(service.backOn) }] : []),
        ]
      : []),
    ...(heldUntil ? [{ label: 'Held until', value: heldUntil }] : []),
    ...(key ? [{ label: 'Tenant', value: <Link to={tenantPath(key)}>{tenant.name}</Link> }] : []),
    ...(key && lease
      ? [
          {
            label: 'Lease',
            value: (
              <>
                <Link to={leasePath(key, lease.number)}>{lease.number}</Link>, {formatCents(lease.rent)}
                {lease.balance > 0 && `, owes ${formatCents(lease.balance)}`}
              </>
            ),
          },
        ]
      : []),
    ...(lockOn ? [{ label: 'Lock', value: 'Our lock is on it' }] : []),
    { label: 'Size', value: kind },
    { label: 'Floor', value: String(floor) },
    { label: 'Street rate', value: formatCents(street) },
  ]
}

type FormState = { values: Record<string, string>; fields: Record<string, string>; formKey: string }

function Service({ state, mayService, formKey, values, fields }: Data & FormState) {
  if (!mayService) return null
  if (state === 'out of service')
    return (
      <Section title="Back in service">
        <OperationForm formKey={formKey} intent="back" button="Let it again" letter="b" />
      </Section>
    )
  if (state !== 'free') return null
  return (
    <Section title="Out of service">
      <OperationForm formKey={formKey} intent="off" button="Take out of service" kind="secondary" letter="o">
        <WhyField value={values.reason} error={fields.reason} />
        <DateField name="back_on" label="Expected back" optional defaultValue={values.back_on} error={fields.back_on} />
      </OperationForm>
    </Section>
  )
}

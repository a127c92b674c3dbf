import { Form, Link, useSubmit } from 'react-router'
import { formatUs } from '../../../domain/plain-date.ts'
import { unitNotFree } from '../../../domain/texts/office-refusals.ts'
import { unitTypeName } from '../../../modules/facilities/rules/size-label.ts'
import { unitNumberSpellings } from '../../../modules/facilities/rules/unit-number-spellings.ts'
import type { OpenedFacility } from '../../../modules/facilities/views/facility-for-staff.ts'
import { type CurrentUnit, loadCurrentUnits } from '../../../modules/leases/views/facility-unit-list.ts'
import { deskTextConsent } from '../../../modules/messages/texts/sms-consent.ts'
import { PERIOD_DAYS } from '../../../modules/pricing/rules/fixed-billing-period-length.ts'
import { newRenterRent } from '../../../modules/pricing/rules/web-price-or-street-rate.ts'
import { type DeskQuote, quoteAtDesk } from '../../../modules/reservations/operations/quote-at-desk.ts'
import { StartDeskMoveIn } from '../../../modules/reservations/operations/start-desk-move-in.ts'
import { reservationWindow } from '../../../modules/reservations/rules/first-and-last-reservable-day.ts'
import { loadDeskTenant } from '../../../modules/reservations/views/desk-tenant.ts'
import { revalidateOnConflict } from '../../request/submit-or-report-offline.ts'
import { Button, useHydrated } from '../../ui/buttons.tsx'
import { Callout } from '../../ui/card-tag-and-callout.tsx'
import { CheckboxField, SelectField } from '../../ui/fields/choice.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { DateField, EmailField, PhoneField, TextField } from '../../ui/fields/text.tsx'
import { formatCents } from '../../ui/money.tsx'
import { MAX_OPTIONS } from '../list-limits-and-page-slicing.ts'
import { officeAction, readOfficeForm } from '../office-action.ts'
import { OfficePageFrame } from '../office-page-heading-and-sections.tsx'
import { OperationForm } from '../one-button-form.tsx'
import { openOfficePageAtFacility } from '../open-office-page-at-facility.ts'
import { parseRecordNumber } from '../parse-record-number.ts'
import type { Route } from './+types/start-desk-move-in'
import { unitsPath } from './units-page-path.ts'

export async function loader(args: Route.LoaderArgs) {
  const { page, services, facts, location } = await openOfficePageAtFacility(args, 'move-in.desk')
  const searchParams = page.url.searchParams
  const units = (await loadCurrentUnits(services, location)).filter((unit) => unit.state === 'free')
  const typedNumber = (searchParams.get('number') ?? '').trim().slice(0, 20)
  const listedUnit = searchParams.get('unit') ?? ''
  const chosen =
    units.find((unit) => unit.unitId === parseRecordNumber(listedUnit)) ??
    unitNumberSpellings(typedNumber)
      .map((spelling) => units.find((unit) => unit.unitNumber === spelling))
      .find(Boolean)
  const tenantId = parseRecordNumber(searchParams.get('tenant'))
  const tenant = tenantId === undefined ? null : await loadDeskTenant(services.db.read, location, tenantId)
  const type = chosen && typeOf(facts, chosen)
  const window = reservationWindow(facts.today, facts.location.reservation_window)
  return {
    brand: page.site.brand.name,
    location,
    facility: facts.location.name,
    freeCount: units.length,
    typedNumber,
    error: (typedNumber !== '' || listedUnit !== '') && !chosen ? unitNotFree : undefined,
    units:
      units.length > MAX_OPTIONS
        ? []
        : units.map((unit) => ({ value: String(unit.unitId), label: labelOf(facts, unit) })),
    chosen: chosen
      ? {
          id: String(chosen.unitId),
          label: labelOf(facts, chosen),
          price: type ? await quoteAtDesk(services, facts, type) : null,
        }
      : null,
    tenant,
    days: { first: window.earliest, last: window.latest },
    formKey: services.random.uuid(),
  }
}

const typeOf = (facts: OpenedFacility, unit: CurrentUnit) =>
  facts.unitTypes.find((unitType) => unitType.unit_type_id === unit.unitTypeId)

function labelOf(facts: OpenedFacility, unit: CurrentUnit): string {
  const type = typeOf(facts, unit)
  return type ? `${unit.unitNumber} · ${unitTypeName(type)} · ${formatCents(newRenterRent(type))}` : unit.unitNumber
}

export async function action(args: Route.ActionArgs) {
  const { page, location } = await openOfficePageAtFacility(args, 'move-in.desk')
  const form = await readOfficeForm(page, args.request)
  return officeAction(page, form, {
    hold: {
      operation: StartDeskMoveIn,
      input: ({ typed }) => ({ ...typed, location_code: location }),
      back: `${unitsPath(location)}/${form.typed.unit_id}?done=held`,
    },
  })
}

export const shouldRevalidate = revalidateOnConflict

/** Page on which staff begin a renter's move-in: the unit is held, and the renter signs and pays through a link. */
export default function DeskMoveIn({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, location, facility, chosen, tenant, days } = loaderData
  const fields = actionData?.fields ?? {}
  const values = actionData?.values ?? {}
  return (
    <OfficePageFrame
      title="Desk move-in"
      brand={brand}
      failed={Object.keys(fields).length > 0}
      lead={<Link to={unitsPath(location)}>{facility}</Link>}
    >
      <ErrorSummary errors={fields} general={errorsWithoutField(loaderData.freeCount)} />
      {loaderData.freeCount === 0 ? (
        <p className="soft">No unit is free here now.</p>
      ) : (
        <>
          <Choice {...loaderData} error={fields.unit_id ?? loaderData.error} />
          {chosen && loaderData.units.length === 0 && <p>{chosen.label}</p>}
          {chosen?.price && <Price {...chosen.price} />}
          {tenant?.isBarred && (
            <Callout tone="error">
              <p>{tenant.name} is marked “do not rent”.</p>
            </Callout>
          )}
          {chosen && !tenant?.isBarred && (
            <OperationForm
              formKey={actionData?.key ?? loaderData.formKey}
              hidden={{
                unit_id: chosen.id,
                quote: chosen.price?.quoteId ?? '',
                ...(tenant && { tenant_id: String(tenant.id) }),
              }}
              intent="hold"
              button="Hold the unit and send the link"
              letter="h"
            >
              {tenant ? (
                <p>
                  For {tenant.name}, {tenant.email || 'who has no e-mail address on file'}
                </p>
              ) : (
                <ContactFields values={values} fields={fields} />
              )}
              <DateField
                name="move_in_date"
                label="Move-in"
                defaultValue={values.move_in_date ?? formatUs(days.first)}
                hint={`mm/dd/yyyy, through ${formatUs(days.last)}. Held to the end of that day, and for 24 hours at least.`}
                error={fields.move_in_date}
              />
              <CheckboxField name="texts" label={deskTextConsent} defaultChecked={values.texts === '1'} />
            </OperationForm>
          )}
        </>
      )}
    </OfficePageFrame>
  )
}

type Data = Route.ComponentProps['loaderData']

/** Returns the names of errors without a field on the page, which shows no units to choose from if none is free. */
const errorsWithoutField = (freeCount: number) => ['', 'form', 'tenant_id', ...(freeCount === 0 ? ['unit_id'] : [])]

/** Form that chooses the unit, submitted by GET; with scripts at once when the unit is chosen from a list. */
function Choice({ units, chosen, tenant, typedNumber, error }: Omit<Data, 'error'> & { error: string | undefined }) {
  const submit = useSubmit()
  const hydrated = useHydrated()
  return (
    <Form method="get" className="office-form">
      {tenant && <input type="hidden" name="tenant" value={tenant.id} />}
      {units.length === 0 ? (
        <TextField
          name="number"
          id="unit_id"
          label="Unit"
          hint="The number of a free one"
          width={10}
          maxLength={20}
          autoComplete="off"
          defaultValue={typedNumber}
          error={error}
        />
      ) : (
        <SelectField
          key={chosen?.id ?? ''}
          name="unit"
          id="unit_id"
          label="Unit"
          options={units}
          defaultValue={chosen?.id ?? ''}
          onChange={(event) => void submit(event.currentTarget.form, { replace: true, preventScrollReset: true })}
          error={error}
        />
      )}
      {(!hydrated || units.length === 0) && <Button kind="secondary">Choose this unit</Button>}
    </Form>
  )
}

/** Price that the staff member tells the renter; the unit is held at this price. */
const Price = ({ rent, discount, charges, assumptions }: DeskQuote) => (
  <p className="my-3">
    Rent <strong className="num">{formatCents(rent)}</strong> for {PERIOD_DAYS} days
    {discount && `, with the discount ${discount}`}. <strong className="num">{formatCents(charges.dueToday)}</strong> to
    move in, then <strong className="num">{formatCents(charges.thenPerPeriod)}</strong> every {PERIOD_DAYS} days, taxes
    in
    {assumptions.length > 0 && `, ${assumptions.join(', ')}`}.
  </p>
)

const ContactFields = ({ values, fields }: { values: Record<string, string>; fields: Record<string, string> }) => (
  <>
    <div className="office-pair">
      <TextField
        name="first"
        label="First name"
        autoComplete="off"
        maxLength={60}
        defaultValue={values.first}
        error={fields.first}
      />
      <TextField
        name="last"
        label="Last name"
        autoComplete="off"
        maxLength={60}
        defaultValue={values.last}
        error={fields.last}
      />
    </div>
    <EmailField
      name="email"
      label="E-mail"
      autoComplete="off"
      defaultValue={values.email}
      hint="The link goes here, and to the phone as a text."
      error={fields.email}
    />
    <PhoneField
      name="cell_phone"
      label="Phone"
      autoComplete="off"
      defaultValue={values.cell_phone}
      error={fields.cell_phone}
    />
  </>
)

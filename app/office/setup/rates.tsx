import { Form, Link, useNavigation } from 'react-router'
import { toWire } from '../../../domain/money.ts'
import { SaveStreetRates } from '../../../modules/facilities/operations/save-street-rates.ts'
import { unitTypeName } from '../../../modules/facilities/rules/size-label.ts'
import { offeredTypes } from '../../../modules/facilities/rules/unretired-unit-types.ts'
import { formatRentChange } from '../../../modules/rent-changes/rules/rent-change.ts'
import { Button, ButtonRow } from '../../ui/buttons.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { inputClass } from '../../ui/fields/field.tsx'
import { formatCents } from '../../ui/money.tsx'
import type { FieldErrors, FormValues } from '../../ui/use-form-checks.ts'
import { WhyField } from '../note-and-reason-fields.tsx'
import { formAnswer, officeAction, readOfficeForm, withPageData } from '../office-action.ts'
import { Section } from '../office-page-heading-and-sections.tsx'
import { OfficeTable } from '../office-table.tsx'
import { parseDollars } from '../parse-dollars.ts'
import type { Route } from './+types/rates'
import { openSetup } from './open-setup.ts'
import { SetupPage } from './setup-frame.tsx'

export async function loader(args: Route.LoaderArgs) {
  const { page, facts, about } = await openSetup(args)
  return {
    about,
    key: page.site.services.random.uuid(),
    rates: offeredTypes(facts).map((type) => ({
      id: type.unit_type_id,
      label: unitTypeName(type),
      street: type.rent,
      web: type.internet_price,
      onWeb: type.internet_price_available === 1,
    })),
  }
}

/** Parses the rates that the form showed for a unit type: '16900 13900 1' (street, web in cents; 1 with a web rate). */
const parseShownRates = (text: string | undefined) => {
  const [rent, internet_price, onWeb] = (text ?? '').split(' ').map(Number)
  return { rent, internet_price, internet_price_available: onWeb }
}

const ratesOf = (form: FormValues) =>
  Object.keys(form).flatMap((name) => {
    const id = /^before-(\d{1,9})$/.exec(name)?.[1]
    if (id === undefined) return []
    return [
      {
        unit_type_id: Number(id),
        rent: parseDollars(form[`street-${id}`]),
        internet_price: parseDollars(form[`web-${id}`]),
        internet_price_available: form[`on-${id}`] === '1' ? 1 : 0,
        before: parseShownRates(form[name]),
      },
    ]
  })

const formFieldNames: Record<string, string> = { rent: 'street', internet_price: 'web' }

export async function action(args: Route.ActionArgs) {
  const { page, facts } = await openSetup(args)
  const form = await readOfficeForm(page, args.request)
  const rates = ratesOf(form.values)
  if (form.intent === 'review') {
    const fields = amountErrors(rates)
    const review = Object.keys(fields).length === 0
    return withPageData(formAnswer(page, form, { fields }, review ? 200 : 400), { review })
  }
  const answer = await officeAction(page, form, {
    save: {
      operation: SaveStreetRates,
      input: ({ typed }) => ({ location_code: facts.location.location_code, rates, reason: typed.reason ?? '' }),
      fieldNames: (name) => {
        const [, index, field] = /^rates\.(\d+)\.(\w+)$/.exec(name) ?? []
        return field ? `${formFieldNames[field]}-${rates[Number(index)]?.unit_type_id}` : name
      },
      done: 'saved',
    },
  })
  return withPageData(answer, { review: false })
}

/** Returns the error for the first typed rate that is not an amount; {} when all are. */
function amountErrors(rates: ReturnType<typeof ratesOf>): FieldErrors {
  const invalid = rates.find((rate) => Number.isNaN(rate.rent) || Number.isNaN(rate.internet_price))
  if (!invalid) return {}
  return {
    [`${Number.isNaN(invalid.rent) ? 'street' : 'web'}-${invalid.unit_type_id}`]: 'Enter an amount in dollars.',
  }
}

type Loaded = Route.ComponentProps['loaderData']
type Rate = Loaded['rates'][number]

/** Page of a facility's street and web rates, with a preview of what saving would change. */
export default function StreetRates({ loaderData, actionData }: Route.ComponentProps) {
  const { about, rates } = loaderData
  const fields = actionData?.fields ?? {}
  const busy = useNavigation().state === 'submitting'
  const values = actionData?.values
  const changed = actionData?.review ? rates.filter((rate) => differs(rate, actionData.values)) : []
  const cell = (rate: Rate, name: 'street' | 'web', cents: number) => (
    <>
      <input
        type="text"
        inputMode="decimal"
        id={`${name}-${rate.id}`}
        name={`${name}-${rate.id}`}
        aria-label={`${name === 'street' ? 'Street' : 'Web'} rate of ${rate.label}, dollars`}
        aria-invalid={fields[`${name}-${rate.id}`] ? true : undefined}
        defaultValue={values?.[`${name}-${rate.id}`] ?? toWire(cents)}
        className={`${inputClass(5)} num`}
      />
    </>
  )
  return (
    <SetupPage about={about} at="" title="Street rates" failed={Object.keys(fields).length > 0}>
      <ErrorSummary errors={fields} />
      <Form method="post">
        <input type="hidden" name="key" value={actionData?.key ?? loaderData.key} />
        {rates.map((rate) => (
          <input
            key={rate.id}
            type="hidden"
            name={`before-${rate.id}`}
            value={values?.[`before-${rate.id}`] ?? `${rate.street} ${rate.web} ${rate.onWeb ? 1 : 0}`}
          />
        ))}
        {changed.length > 0 && values && <Review changed={changed} values={values} />}
        <Section title="Unit types" count={rates.length}>
          <OfficeTable
            caption="Rates by unit type"
            rows={rates}
            rowKey={(rate) => String(rate.id)}
            empty="No unit type."
            columns={[
              { label: 'Unit type', cell: (rate) => rate.label },
              { label: 'Street rate', cell: (rate) => cell(rate, 'street', rate.street) },
              { label: 'Web rate', cell: (rate) => cell(rate, 'web', rate.web) },
              {
                label: 'On the web',
                cell: (rate) => (
                  <input
                    type="checkbox"
                    name={`on-${rate.id}`}
                    value="1"
                    aria-label={`${rate.label} has a web rate`}
                    defaultChecked={values ? values[`on-${rate.id}`] === '1' : rate.onWeb}
                  />
                ),
              },
            ]}
          />
          <div className="office-form">
            <WhyField value={values?.reason} error={fields.reason} />
          </div>
          <ButtonRow>
            <Button name="intent" value="save" busy={busy}>
              Save the rates
            </Button>
            <Button kind="secondary" name="intent" value="review" formNoValidate>
              See what changes
            </Button>
          </ButtonRow>
          <p className="small soft">
            They count at once for who rents from now on. Reservations and leases keep their rent; a change of rent is
            proposed on <Link to="/office/rent-changes">Rent changes</Link>.
          </p>
        </Section>
      </Form>
    </SetupPage>
  )
}

/** Returns whether the submitted form changes the rate; false for one that the form did not show. */
const differs = (rate: Rate, values: FormValues) =>
  values[`before-${rate.id}`] !== undefined &&
  (parseDollars(values[`street-${rate.id}`]) !== rate.street ||
    parseDollars(values[`web-${rate.id}`]) !== rate.web ||
    (values[`on-${rate.id}`] === '1') !== rate.onWeb)

function Review({ changed, values }: { changed: Rate[]; values: FormValues }) {
  const formatChange = (before: number, text: string | undefined) =>
    parseDollars(text) === before
      ? formatCents(before)
      : `${formatCents(before)} to ${formatCents(parseDollars(text))} (${formatRentChange(before, parseDollars(text))})`
  return (
    <Section title="This changes" count={changed.length}>
      <OfficeTable
        caption="Rates before and after"
        rows={changed}
        rowKey={(rate) => String(rate.id)}
        empty=""
        columns={[
          { label: 'Unit type', cell: (rate) => rate.label },
          { label: 'Street rate', cell: (rate) => formatChange(rate.street, values[`street-${rate.id}`]) },
          { label: 'Web rate', cell: (rate) => formatChange(rate.web, values[`web-${rate.id}`]) },
          {
            label: 'On the web',
            cell: (rate) => {
              const [before, after] = [rate.onWeb, values[`on-${rate.id}`] === '1'].map((on) => (on ? 'yes' : 'no'))
              return before === after ? before : `${before} to ${after}`
            },
          },
        ]}
      />
    </Section>
  )
}

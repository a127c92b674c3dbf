import { Form, useNavigation } from 'react-router'
import { officeNotFound } from '../../../domain/texts/office-refusals.ts'
import { isOneOf } from '../../../domain/typed-keys.ts'
import { AddOffer } from '../../../modules/facilities/operations/add-fee-plan-or-discount.ts'
import {
  feeTimingLabels,
  type OfferKind,
  offerKinds,
} from '../../../modules/facilities/rules/fee-timing-labels-and-offer-kinds.ts'
import { unitTypeName } from '../../../modules/facilities/rules/size-label.ts'
import { offeredTypes } from '../../../modules/facilities/rules/unretired-unit-types.ts'
import { Button, ButtonRow, LinkButton } from '../../ui/buttons.tsx'
import { RadioCards, SelectField } from '../../ui/fields/choice.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { TextArea, TextField } from '../../ui/fields/text.tsx'
import type { FormValues } from '../../ui/use-form-checks.ts'
import { WhyField } from '../note-and-reason-fields.tsx'
import { officeAction } from '../office-action.ts'
import { parseDollars, withoutPercentSign } from '../parse-dollars.ts'
import type { Route } from './+types/add-fee-plan-or-discount'
import { NameAndAmount } from './name-and-amount-fields.tsx'
import { openSetup } from './open-setup.ts'
import { SetupPage } from './setup-frame.tsx'

async function openNewOffer(args: Route.LoaderArgs | Route.ActionArgs) {
  const setup = await openSetup(args)
  const { kind } = args.params
  if (!isOneOf(offerKinds, kind)) throw new Response(officeNotFound, { status: 404 })
  return { ...setup, kind }
}

export async function loader(args: Route.LoaderArgs) {
  const { page, facts, about, kind } = await openNewOffer(args)
  return {
    about,
    kind,
    key: page.site.services.random.uuid(),
    types: offeredTypes(facts).map((type) => ({
      value: String(type.unit_type_id),
      label: unitTypeName(type),
    })),
    timings: Object.entries(feeTimingLabels).map(([value, label]) => ({ value, label })),
  }
}

export async function action(args: Route.ActionArgs) {
  const { page, about, kind } = await openNewOffer(args)
  return officeAction(page, args.request, {
    add: {
      operation: AddOffer,
      input: ({ typed }) => newOffer(about.code, kind, typed),
      back: `/office/setup/${about.code}/offers`,
    },
  })
}

const newOffer = (code: string, kind: OfferKind, typed: FormValues) => ({
  location_code: code,
  kind,
  name: typed.name ?? '',
  // Percents and dollars are both stored in hundredths.
  amount: parseDollars(withoutPercentSign(typed.amount)),
  reason: typed.reason ?? '',
  unit_type_id: kind === 'plan' || !typed.unit_type_id ? null : Number(typed.unit_type_id),
  ...(kind === 'fee' && { charged: typed.charged ?? '' }),
  ...(kind === 'plan' && { coverage: parseDollars(typed.coverage), terminology: typed.terminology ?? '' }),
  ...(kind === 'discount' && { by: typed.by ?? '' }),
})

const offerKindNames: Record<OfferKind, string> = { fee: 'fee', plan: 'insurance plan', discount: 'discount' }

/** Page that adds a fee, insurance plan or discount. */
export default function NewOffer({ loaderData, actionData }: Route.ComponentProps) {
  const { about, kind, types, timings } = loaderData
  const fields = actionData?.fields ?? {}
  const values = actionData?.values ?? {}
  const busy = useNavigation().state === 'submitting'
  return (
    <SetupPage about={about} at="/offers" title={`New ${offerKindNames[kind]}`} failed={Object.keys(fields).length > 0}>
      <ErrorSummary errors={fields} />
      <Form method="post" className="office-form">
        <input type="hidden" name="key" value={actionData?.key ?? loaderData.key} />
        {kind === 'discount' && (
          <RadioCards
            name="by"
            legend="What it gives"
            options={[
              { value: 'percent', label: 'Percent off', detail: 'off the rent of the first 30 days' },
              { value: 'price', label: 'A fixed price', detail: 'for the first 30 days' },
            ]}
            defaultValue={values.by}
            error={fields.by}
          />
        )}
        <NameAndAmount
          unit={
            kind === 'plan' ? 'Premium each 30 days, dollars' : kind === 'discount' ? 'Percent, or dollars' : 'Dollars'
          }
          fields={fields}
          values={values}
        />
        {kind === 'fee' && (
          <SelectField
            name="charged"
            label="Charged"
            options={timings}
            defaultValue={values.charged}
            error={fields.charged}
          />
        )}
        {kind !== 'plan' && (
          <SelectField
            name="unit_type_id"
            label="For"
            options={types}
            empty="Every unit type"
            optional
            defaultValue={values.unit_type_id}
            error={fields.unit_type_id}
          />
        )}
        {kind === 'plan' && (
          <>
            <TextField
              name="coverage"
              label="Covers up to, dollars"
              inputMode="decimal"
              width={10}
              defaultValue={values.coverage}
              error={fields.coverage}
            />
            <TextArea
              name="terminology"
              label="What it pays for"
              hint="In sentences, as the brochure and the agreement say it."
              optional
              rows={5}
              maxLength={4000}
              defaultValue={values.terminology}
              error={fields.terminology}
            />
          </>
        )}
        <WhyField value={values.reason} error={fields.reason} />
        <ButtonRow>
          <Button busy={busy}>Add it</Button>
          <LinkButton kind="quiet" to={`/office/setup/${about.code}/offers`}>
            Cancel
          </LinkButton>
        </ButtonRow>
        <p className="small soft">
          {kind === 'discount'
            ? 'It counts at once. Of several for a unit type, visitors get the first in the list.'
            : 'It counts at once, for who rents from now on.'}
        </p>
      </Form>
    </SetupPage>
  )
}

import { data, Form, Link, redirect, useNavigation } from 'react-router'
import { officeNotFound } from '../../../domain/texts/office.ts'
import { SaveOffer } from '../../../modules/facilities/offer-operations.ts'
import { namesItsAmount, offerAmount, offersAt } from '../../../modules/facilities/offers.ts'
import { readForm } from '../../request/form-fields.ts'
import { Button, ButtonRow } from '../../ui/buttons.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { TextField } from '../../ui/fields/text.tsx'
import type { FieldErrors } from '../../ui/form-checks.ts'
import { dollarsTyped } from '../dollars.ts'
import { callForForm } from '../open-office-page.ts'
import { OfficePageFrame } from '../page.tsx'
import type { Route } from './+types/offer'
import { Offered } from './offers.tsx'
import { openSetup } from './open-setup.ts'

async function open(args: Route.LoaderArgs | Route.ActionArgs) {
  const { page, facts } = await openSetup(args)
  const offers = await offersAt(page.site.services.db.read, facts.location.location_code)
  const offer = offers.find((one) => one.kind === args.params.kind && String(one.id) === args.params.id)
  if (!offer) throw new Response(officeNotFound, { status: 404 })
  return { page, facts, offer }
}

export async function loader(args: Route.LoaderArgs) {
  const { page, facts, offer } = await open(args)
  return {
    brand: page.site.brand.name,
    facility: facts.location.name,
    back: `/office/setup/${facts.location.location_code}/offers`,
    key: page.site.services.random.uuid(),
    offer: { ...offer, costs: offerAmount(offer), typed: (offer.amount / 100).toFixed(2) },
    fixed: namesItsAmount(offer),
  }
}

export async function action(args: Route.ActionArgs) {
  const { page, facts, offer } = await open(args)
  const form = await readForm(args.request)
  const before = { amount: Number(form.before), offered: form.was_offered === '1' }
  // Percent and dollars alike are kept in hundredths.
  const amount = form.amount === undefined ? before.amount : dollarsTyped(form.amount.replace(/\s*%$/, ''))
  const { location_code } = facts.location
  const input = {
    ...{ location_code, kind: offer.kind, id: offer.id, before, reason: form.reason ?? '' },
    ...(form.intent === 'save'
      ? { amount, offered: before.offered }
      : { amount: before.amount, offered: form.intent === 'offer' }),
  }
  const outcome = await callForForm(page, SaveOffer, input, form.key || undefined)
  if (outcome.ok) throw redirect(`/office/setup/${location_code}/offers`)
  const fields: FieldErrors = outcome.fields ?? { form: outcome.message }
  return data({ fields, values: form, key: page.site.services.random.uuid() }, { status: outcome.status })
}

/** One fee, plan or discount: its amount, and whether it is offered. */
export default function OfferPage({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, facility, back, offer, fixed } = loaderData
  const fields = actionData?.fields ?? {}
  const values = actionData?.values
  const busy = useNavigation().state === 'submitting'
  const offered = offer.retiredOn === null
  return (
    <OfficePageFrame
      title={offer.name}
      brand={brand}
      failed={Object.keys(fields).length > 0}
      lead={<Link to={back}>Fees, plans, discounts of {facility}</Link>}
    >
      <ErrorSummary errors={fields} />
      <p>
        <Offered retiredOn={offer.retiredOn} /> {offer.costs}, {offer.when}.
      </p>
      <Form method="post" className="office-form">
        <input type="hidden" name="key" value={actionData?.key ?? loaderData.key} />
        <input type="hidden" name="before" value={values?.before ?? offer.amount} />
        <input type="hidden" name="was_offered" value={values?.was_offered ?? (offered ? '1' : '0')} />
        {fixed ? (
          <p className="small soft">Its name says what it comes to, so its amount stays.</p>
        ) : (
          <TextField
            name="amount"
            label={offer.byPercent ? 'Percent' : 'Dollars'}
            inputMode="decimal"
            width={5}
            defaultValue={values?.amount ?? offer.typed}
            error={fields.amount}
          />
        )}
        <TextField name="reason" label="Why" maxLength={500} defaultValue={values?.reason} error={fields.reason} />
        <ButtonRow>
          {!fixed && (
            <Button name="intent" value="save" busy={busy}>
              Save the amount
            </Button>
          )}
          {offered ? (
            <Button kind="danger" name="intent" value="retire">
              Retire
            </Button>
          ) : (
            <Button kind="secondary" name="intent" value="offer">
              Offer it again
            </Button>
          )}
        </ButtonRow>
        <p className="small soft">
          It counts at once. What a lease or a reservation has agreed to stays: recurring fees, premium, discount.
        </p>
      </Form>
    </OfficePageFrame>
  )
}

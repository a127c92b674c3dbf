import { Form, Link, useNavigation } from 'react-router'
import { officeNotFound } from '../../../domain/texts/office-refusals.ts'
import { SaveOffer } from '../../../modules/facilities/operations/change-fee-insurance-plan-or-discount.ts'
import { loadOfferPage } from '../../../modules/facilities/views/fees-plans-discounts.ts'
import { revalidateOnConflict } from '../../request/submit-or-report-offline.ts'
import { Button, ButtonRow } from '../../ui/buttons.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { WhyField } from '../note-and-reason-fields.tsx'
import { officeAction, readOfficeForm } from '../office-action.ts'
import { parseDollars, withoutPercentSign } from '../parse-dollars.ts'
import type { Route } from './+types/fee-plan-or-discount'
import { NameAndAmount } from './name-and-amount-fields.tsx'
import { openSetup } from './open-setup.ts'
import { OfferedOrRetiredTag, SetupPage } from './setup-frame.tsx'

async function openOffer(args: Route.LoaderArgs | Route.ActionArgs) {
  const { page, about } = await openSetup(args)
  const offer = await loadOfferPage(page.site.services.db.read, about.code, args.params)
  if (!offer) throw new Response(officeNotFound, { status: 404 })
  return { page, about, offer }
}

export async function loader(args: Route.LoaderArgs) {
  const { page, about, offer } = await openOffer(args)
  return { about, key: page.site.services.random.uuid(), offer }
}

export async function action(args: Route.ActionArgs) {
  const { page, about, offer } = await openOffer(args)
  const form = await readOfficeForm(page, args.request)
  const { typed } = form
  const before = { name: typed.was_named ?? '', amount: Number(typed.before), offered: typed.was_offered === '1' }
  const offerInput = { location_code: about.code, kind: offer.kind, id: offer.id, before, reason: typed.reason ?? '' }
  // Percents and dollars are both stored in hundredths.
  const amount = typed.amount === undefined ? before.amount : parseDollars(withoutPercentSign(typed.amount))
  const back = `/office/setup/${about.code}/offers`
  const saveOffered = (isOffered: boolean) => ({
    operation: SaveOffer,
    input: () => ({ ...offerInput, name: before.name, amount: before.amount, offered: isOffered }),
    back,
  })
  return officeAction(page, form, {
    save: {
      operation: SaveOffer,
      input: () => ({ ...offerInput, name: typed.name ?? before.name, amount, offered: before.offered }),
      back,
    },
    offer: saveOffered(true),
    retire: saveOffered(false),
  })
}

export const shouldRevalidate = revalidateOnConflict

/** Page of a fee, insurance plan or discount: name, amount and whether it is offered. */
export default function OfferPage({ loaderData, actionData }: Route.ComponentProps) {
  const { about, offer } = loaderData
  const fields = actionData?.fields ?? {}
  const busy = useNavigation().state === 'submitting'
  const isOffered = offer.retiredOn === null
  return (
    <SetupPage about={about} at="/offers" title={offer.name} failed={Object.keys(fields).length > 0}>
      <ErrorSummary errors={fields} />
      <p>
        <OfferedOrRetiredTag retiredOn={offer.retiredOn} /> {offer.costs}, {offer.when}.{' '}
        <Link to={`/office/setup/${about.code}/offers`}>All of them</Link>
      </p>
      <Form method="post" className="office-form">
        <input type="hidden" name="key" value={actionData?.key ?? loaderData.key} />
        <input type="hidden" name="was_named" value={offer.name} />
        <input type="hidden" name="before" value={offer.amount} />
        <input type="hidden" name="was_offered" value={isOffered ? '1' : '0'} />
        <NameAndAmount
          unit={offer.byPercent ? 'Percent' : 'Dollars'}
          fields={fields}
          values={actionData?.values ?? { name: offer.name, amount: offer.amountText }}
        />
        {offer.nameHasAmount && <p className="small soft">Its name says what it comes to: change both, or neither.</p>}
        {offer.isAmountShared && (
          <p className="small soft">A facility charges one amount for it: a change counts for all unit types.</p>
        )}
        <WhyField value={actionData?.values.reason} error={fields.reason} />
        <ButtonRow>
          <Button name="intent" value="save" busy={busy}>
            Save
          </Button>
          {isOffered ? (
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
          {offer.kind === 'plan' && ' What a plan covers stays too; for another cover, add another plan.'}
        </p>
      </Form>
    </SetupPage>
  )
}

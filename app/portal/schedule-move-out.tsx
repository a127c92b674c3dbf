import '../styles/form-pages.css'
import { data, Form, redirect, useNavigation } from 'react-router'
import { COMMENT_MAX } from '../../domain/field-lengths.ts'
import { validate } from '../../domain/forms/form-rules.ts'
import { daysBetween, formatUs } from '../../domain/plain-date.ts'
import { unsentFilledIn } from '../../domain/texts/account.ts'
import { isParking, moveOutInstruction } from '../../modules/facilities/rules/room-or-parking-wording.ts'
import { loadFactsAt } from '../../modules/facilities/views/facility-of-tenant-pages.ts'
import { moveOutFailed } from '../../modules/leases/texts/portal.ts'
import { ScheduleMoveOutWithFeedback } from '../../modules/move-outs/operations/schedule-move-out-with-feedback.ts'
import { earliestMoveOutDate } from '../../modules/move-outs/rules/earliest-move-out.ts'
import { moveOutFeedback, moveOutReasons } from '../../modules/move-outs/rules/feedback-form.ts'
import { MOVE_OUT } from '../../modules/move-outs/rules/stated-move-out-fees-and-terms.ts'
import { PERIOD_DAYS } from '../../modules/pricing/rules/fixed-billing-period-length.ts'
import { redirectWithAlert } from '../request/context.ts'
import { revalidateOnConflict } from '../request/submit-or-report-offline.ts'
import { useRestoredForm } from '../request/unsent-form-storage.ts'
import { useFieldRules } from '../request/use-form-rules.ts'
import { Button, ButtonRow, LinkButton } from '../ui/buttons.tsx'
import { Callout, Card } from '../ui/card-tag-and-callout.tsx'
import { CheckboxGroup, RatingField } from '../ui/fields/choice.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { TextArea } from '../ui/fields/text.tsx'
import { PhoneLink } from '../ui/phone-link.tsx'
import { type FormValues, useFormChecks } from '../ui/use-form-checks.ts'
import type { Route } from './+types/schedule-move-out'
import { CleaningAndTowingCharges } from './cleaning-and-towing-charges.tsx'
import { type OpenPortalPage, openPortalPage, tenantKey } from './open-portal-page.ts'
import { PortalFrame } from './portal-frame.tsx'
import { type LeaseReference, leaseQuery, readLeaseReference, selectLease } from './selected-lease.ts'

export { submitOrStore as clientAction } from '../request/unsent-form-storage.ts'

const title = 'Schedule Your Move-Out'

/**
 * Loads the lease to move out of, with the earliest move-out date.
 * @throws a redirect when there is no such lease or facility, a move-out is scheduled or a balance is due
 */
async function loadLeaseToLeave(page: OpenPortalPage, reference: LeaseReference) {
  const lease = await selectLease(page, reference)
  const details = `/unit-lease-details?${leaseQuery(lease)}`
  if (lease.scheduled_move_out !== null) throw redirect(details)
  if (lease.balance > 0) return redirectWithAlert(page.site, 'payBeforeMoveOut', details)
  const facts = await loadFactsAt(page.site.services, page.facts, lease.location_code)
  if (!facts) return redirectWithAlert(page.site, 'noLeaseFound', '/my-units')
  const type = facts.unitTypes.find((unitType) => unitType.unit_type_id === lease.unit_type_id)
  return { lease, details, date: earliestMoveOutDate(facts.today), category: type?.category_name ?? '' }
}

export async function loader(args: Route.LoaderArgs) {
  const page = await openPortalPage(args)
  const { lease, details, date, category } = await loadLeaseToLeave(page, readLeaseReference(args.request))
  return {
    chrome: page.chrome,
    lease: lease.lease_number,
    at: tenantKey({ locationCode: lease.location_code, tenantId: lease.tenant_id }),
    unitNumber: lease.unit_number,
    autopay: lease.autopay === 1,
    paidAhead: daysBetween(date, lease.paid_through) >= PERIOD_DAYS ? formatUs(lease.paid_through) : null,
    date: formatUs(date),
    day: date,
    back: details,
    reasons: [...moveOutReasons],
    terms: MOVE_OUT,
    toDo: moveOutInstruction(isParking(category)),
  }
}

export async function action(args: Route.ActionArgs) {
  const page = await openPortalPage(args)
  const form = await args.request.formData().catch(() => new FormData())
  const text = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }
  const { lease } = await loadLeaseToLeave(page, { lease: text('lease') || null, at: text('at') || null })
  const values = {
    star_rating: text('star_rating') || 0,
    comment: text('comment'),
    reasons: form.getAll('reasons').filter((reason) => typeof reason === 'string'),
  }
  const checked = validate(moveOutFeedback, values)
  if (!checked.ok) return data({ fields: toFormFields(checked.fields), values }, { status: 400 })
  const { location_code, tenant_id, lease_number } = lease
  const input = { location_code, tenant_id, lease_number, day: text('day'), feedback: checked.value }
  const outcome = await page.site.call(ScheduleMoveOutWithFeedback, input).catch((error: unknown) => {
    // The transaction was rolled back, so the tenant can try again.
    page.site.services.errors.report(error, { page: '/schedule-move-out', lease: lease_number })
    return null
  })
  // Refused, for example because the form was loaded before midnight and submitted after it.
  if (outcome?.ok === false) return data({ fields: { form: outcome.message }, values }, { status: outcome.status })
  if (!outcome?.value.ok) return data({ fields: { form: moveOutFailed }, values }, { status: 503 })
  return redirectWithAlert(page.site, 'moveOutIsScheduled', '/my-units')
}

export const shouldRevalidate = revalidateOnConflict

/** Assigns errors of single checkboxes to the field of their group, and errors without a field to the form. */
const toFormFields = (fields: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, message]) => [name.split('.')[0] || 'form', message]))

export default function ScheduleMoveOutPage({ loaderData, actionData }: Route.ComponentProps) {
  const { chrome, lease, at, unitNumber, date, day, autopay, paidAhead, back, reasons, terms, toDo } = loaderData
  const busy = useNavigation().formMethod === 'POST'
  const rules = useFieldRules()
  const check =
    rules &&
    ((form: FormValues): Record<string, string> => {
      const checked = rules.validate(rules.moveOutFeedback, {
        star_rating: form.star_rating ?? 0,
        comment: form.comment ?? '',
      })
      return checked.ok ? {} : checked.fields
    })
  const checks = useFormChecks(check, actionData?.fields)
  const unsent = useRestoredForm(checks.form.ref, `/schedule-move-out ${at} ${lease}`)
  const values = actionData && 'values' in actionData ? actionData.values : undefined
  const { errors } = checks.summary
  return (
    <PortalFrame
      chrome={chrome}
      title={title}
      lead={`Thank you for storing with us. We are sorry to see you go from unit ${unitNumber}.`}
      back={back}
      wrong={Object.keys(errors).length > 0}
    >
      {/* The style sheet chooses the question that follows the stars, so that it works without scripts. */}
      <Form method="post" className="group mt-6" {...checks.form} {...unsent.attributes}>
        <ErrorSummary {...checks.summary} />
        {unsent.filled && <Callout live>{unsentFilledIn}</Callout>}
        <input type="hidden" name="lease" value={lease} />
        <input type="hidden" name="at" value={at} />
        <input type="hidden" name="day" value={day} />
        <Card as="section">
          <h2 className="text-lead">Your last day is {date}</h2>
          <ul className="mt-3 grid gap-2 list-disc pl-5 max-w-text">
            <li>{toDo}</li>
            <CleaningAndTowingCharges terms={terms} />
            <li>The property manager verifies your move-out in {terms.verifiedIn}.</li>
            <li>
              {autopay ? 'Autopay is turned off.' : 'Autopay is off and stays off.'} Your gate code works through your
              last day.
            </li>
            {paidAhead && (
              <li>
                You have paid ahead, through {paidAhead}. Moving out gives none of it back by itself: call{' '}
                <PhoneLink phone={chrome.facility.phone} /> before you confirm.
              </li>
            )}
          </ul>
        </Card>
        <RatingField
          name="star_rating"
          legend="How was your time with us?"
          {...(values && Number(values.star_rating) > 0 && { defaultValue: Number(values.star_rating) })}
        />
        <div className="hidden group-has-[[value='1']:checked]:block group-has-[[value='2']:checked]:block group-has-[[value='3']:checked]:block">
          <CheckboxGroup
            name="reasons"
            legend="Why are you leaving?"
            hint="Choose all that apply."
            options={reasons.map((reason) => ({ value: reason, label: reason }))}
            defaultValues={values?.reasons ?? []}
            error={checks.errors.reasons}
          />
        </div>
        <div className={checks.errors.comment ? '' : 'hidden group-has-[.stars_:checked]:block'}>
          <TextArea
            {...checks.field('comment')}
            label="Anything you would like to tell us"
            hint={`Up to ${COMMENT_MAX} characters.`}
            rows={4}
            optional
            defaultValue={values?.comment}
          />
        </div>
        <ButtonRow>
          <Button busy={busy} busyLabel="Scheduling…">
            Confirm
          </Button>
          <LinkButton kind="secondary" to={back}>
            Cancel
          </LinkButton>
        </ButtonRow>
      </Form>
    </PortalFrame>
  )
}

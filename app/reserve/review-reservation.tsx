import { data, Form, redirect } from 'react-router'
import { formatUs, formatUsDay } from '../../domain/plain-date.ts'
import { sizeLabel } from '../../modules/facilities/rules/size-label.ts'
import { storeShownPrice } from '../../modules/reservations/operations/store-shown-price.ts'
import { designatedAgentOf } from '../../modules/reservations/rules/journey/journey-answers.ts'
import {
  asksForDefaultNotice,
  asksForDesignatedAgent,
} from '../../modules/reservations/rules/state-specific-questions.ts'
import { confirmReservation } from '../../modules/reservations/texts/reserve.ts'
import { choosePath } from '../find-storage/choose-unit-page-path.ts'
import { JourneyPage } from '../journey-page.tsx'
import { openStep, redirectToNextStep } from '../open-journey-step.ts'
import { readForm } from '../request/read-form-fields.ts'
import { revalidateOnConflict } from '../request/submit-or-report-offline.ts'
import { STEP_FORM } from '../ui/action-bar.tsx'
import { LinkButton, SubmitButton } from '../ui/buttons.tsx'
import { Card } from '../ui/card-tag-and-callout.tsx'
import { DataList } from '../ui/data-tables.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { formatCents } from '../ui/money.tsx'
import { PriceChanged } from '../ui/price-changed.tsx'
import type { Route } from './+types/review-reservation'
import { AgentBox } from './designated-agent-checkbox.tsx'
import { agentLine, contactRows, loadRenterContact, type Row } from './renter-contact-visible-to-session.ts'
import {
  changesSinceShown,
  draftUnitKey,
  makeReservation,
  requireSameUnit,
  saveDraftAnswers,
} from './save-and-reserve.ts'
import { SaveFailedDialog } from './save-failed-dialog.tsx'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

const noticeRow = (delivery: 'mail' | 'email'): Row => ({
  label: 'Default notices',
  value: delivery === 'mail' ? 'By mail' : 'By email',
  change: '/default-notice',
})

export async function loader(args: Route.LoaderArgs) {
  const page = await openStep(args, '/reservation-details')
  const { chrome, draft, facts, quote, site } = page
  if (draft.proof !== 'own') throw redirect('/reservation-confirmed')
  const { location, today } = facts.facility
  const { answers } = facts
  const quoteId = await storeShownPrice(site.services, draft, facts)
  const renter = await loadRenterContact(site, draft)
  const isContactTyped = !facts.visitor.signedIn && draft.answers.contact !== undefined
  const rows: Row[] = [
    {
      label: 'Unit',
      value: `${sizeLabel(quote.unitType)} ft, ${quote.unitType.category_name}${answers.unit ? `, unit ${answers.unit.number}` : ''}`,
      change: answers.unit ? choosePath(draft.locationCode, draft.unitTypeId, answers.unit.id) : facts.facilityPath,
      away: true,
    },
    {
      label: 'Location',
      value: `${location.name}, ${location.address}, ${location.city}, ${location.state} ${location.zip}`,
    },
    {
      label: 'Move-in date',
      value:
        answers.moveInDate === today || !answers.moveInDate
          ? `Today, ${formatUs(today)}`
          : formatUsDay(answers.moveInDate),
      change: draft.rentNow ? undefined : '/reservation-date',
    },
    { label: 'Rent', value: `${formatCents(quote.rent)} per month, billed every 30 days` },
    ...(quote.discount ? [{ label: 'Discount', value: quote.discount.description }] : []),
  ]
  const person = contactRows(renter, isContactTyped ? '/add-contact' : undefined)
  const agent = designatedAgentOf(facts)
  if (agent) person.push({ label: 'Designated agent', value: agentLine(agent), change: '/designated-agent' })
  if (answers.defaultNotice && asksForDefaultNotice(facts.place.state)) person.push(noticeRow(answers.defaultNotice))
  return {
    chrome,
    unit: draftUnitKey(draft),
    quoteId: quoteId ?? '',
    rows,
    person,
    unitTypesPath: facts.facilityPath,
    asksAgent: asksForAgentInReview(facts),
    namesAgent: agent !== null,
  }
}

/** Visitors who are not signed in choose in the contact form whether to name an agent. */
const asksForAgentInReview = ({ visitor, place }: Awaited<ReturnType<typeof openStep>>['facts']): boolean =>
  visitor.signedIn && asksForDesignatedAgent(place.state)

export async function action(args: Route.ActionArgs) {
  const page = await openStep(args, '/reservation-details')
  const { site, draft, chrome } = page
  const values = await readForm(args.request)
  requireSameUnit(page, values)
  if (draft.proof !== 'own') return redirect('/reservation-confirmed')
  const asksAgent = asksForAgentInReview(page.facts)
  const wantsAgent = values.designated_agent === '1'
  const savedDraft = asksAgent ? await saveDraftAnswers(site, draft, { wantsAgent }) : draft
  if (asksAgent && wantsAgent && !savedDraft.answers.designatedAgent) return redirect('/designated-agent')
  const changes = await changesSinceShown(site, savedDraft, values.quote)
  if (changes) return data({ changes }, { status: 409 })
  const result = await makeReservation(site, savedDraft, chrome.phone)
  if (!result.ok) return data({ failed: result.sentence })
  return redirectToNextStep(site, result.draft, '/reservation-details')
}

export const shouldRevalidate = revalidateOnConflict

const title = 'Check your reservation'

export default function ReservationDetails({ loaderData, actionData }: Route.ComponentProps) {
  const { chrome, unit, quoteId, rows, person, unitTypesPath, asksAgent, namesAgent } = loaderData
  const changes = actionData && 'changes' in actionData ? actionData.changes : undefined
  const unsent = actionData && 'networkError' in actionData ? actionData : undefined
  const failed = actionData && 'failed' in actionData ? actionData.failed : unsent?.networkError
  return (
    <JourneyPage
      chrome={chrome}
      title={title}
      lead="Confirming is free. You pay nothing until you move in, and can let the reservation lapse."
      wrong={Boolean(actionData)}
      action={
        <>
          <SubmitButton form={STEP_FORM} busyLabel="Confirming">
            {confirmReservation}
          </SubmitButton>
          <LinkButton kind="secondary" to={chrome.back}>
            Back
          </LinkButton>
        </>
      }
    >
      <Card as="section" className="mt-6">
        <h2 className="text-lead mb-1">Your unit</h2>
        <DataList facts={rows} />
      </Card>
      <Card as="section" className="mt-5">
        <h2 className="text-lead mb-1">About you</h2>
        <DataList facts={person} />
      </Card>
      <Form method="post" id={STEP_FORM}>
        {unsent && <ErrorSummary errors={unsent.fields} />}
        <input type="hidden" name="unit" value={unit} />
        <input type="hidden" name="quote" value={quoteId} />
        {asksAgent && <AgentBox isTicked={namesAgent} />}
        {changes && (
          <PriceChanged changes={changes} label={chrome.summary.totalLabel} total={chrome.summary.totalCents} />
        )}
      </Form>
      {actionData && failed && <SaveFailedDialog answer={actionData} sentence={failed} unitTypesPath={unitTypesPath} />}
    </JourneyPage>
  )
}

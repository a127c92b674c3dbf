import '../styles/move-in.css'
import { Form } from 'react-router'
import { insuranceBrochure } from '../../modules/move-in/texts/move-in.ts'
import { JourneyPage } from '../journey-page.tsx'
import { openStep, saveStep } from '../open-journey-step.ts'
import { STEP_FORM } from '../ui/action-bar.tsx'
import { ButtonRow, LinkButton, SubmitButton } from '../ui/buttons.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import type { Route } from './+types/read-insurance-brochure'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

export async function loader(args: Route.LoaderArgs) {
  const { chrome, facts } = await openStep(args, '/shield-brochure')
  return { chrome, title: insuranceBrochure, brochure: `/brochure/${facts.facility.location.location_code}` }
}

export async function action(args: Route.ActionArgs) {
  return saveStep(await openStep(args, '/shield-brochure'), { brochureSeen: true })
}

/**
 * Insurance brochure to read before Next (spec 1 §2).
 * Narrow screens hide the frame, since many phones do not show a whole PDF in a frame; the buttons open the file.
 */
export default function ReadInsuranceBrochure({ loaderData, actionData }: Route.ComponentProps) {
  const { chrome, title, brochure } = loaderData
  return (
    <JourneyPage
      chrome={chrome}
      title={title}
      lead="What is covered, what it costs, and how to make a claim. Keep a copy if you like."
      wrong={Boolean(actionData)}
      action={
        <SubmitButton form={STEP_FORM} busyLabel="One moment…">
          Next
        </SubmitButton>
      }
    >
      {actionData && <ErrorSummary errors={actionData.fields} />}
      <iframe className="frame brochure" src={brochure} title="Insurance brochure, PDF" />
      <p className="sm:hidden mt-4">The brochure is a PDF. It opens in a page of its own; come back here to go on.</p>
      <ButtonRow>
        <LinkButton
          kind="secondary"
          href={brochure}
          target="_blank"
          rel="noopener"
          label="Open the brochure (PDF, new tab)"
        >
          Open the brochure
        </LinkButton>
        <LinkButton kind="quiet" href={`${brochure}?download=1`}>
          Download
        </LinkButton>
      </ButtonRow>
      <Form method="post" id={STEP_FORM} />
    </JourneyPage>
  )
}

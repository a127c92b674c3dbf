import { Form, Link, useLocation, useSearchParams } from 'react-router'
import { ON_FILE } from '../../modules/reservations/rules/masked-answers.ts'
import { JourneyPage } from '../journey-page.tsx'
import type { JourneyFrameData } from '../open-journey-step.ts'
import { STEP_FORM } from '../ui/action-bar.tsx'
import { LinkButton, SubmitButton } from '../ui/buttons.tsx'
import { DataList } from '../ui/data-tables.tsx'

/**
 * Shows a step whose answer is on file but hidden, because this session found the rental by name and phone digits or,
 * if `byLink` is false, by the mailed link or the reservation code. The visitor can keep or replace the answer.
 */
export function MaskedAnswer({
  chrome,
  title,
  label,
  byLink = true,
}: {
  chrome: JourneyFrameData
  title: string
  label: string
  /** True when the mailed link shows the answer. */
  byLink?: boolean
}) {
  const [searchParams] = useSearchParams()
  const changeParams = new URLSearchParams(searchParams)
  changeParams.set('change', '1')
  return (
    <JourneyPage
      chrome={chrome}
      title={title}
      lead={`You have answered this. We show it only to the browser it was given in${byLink ? ' and to the link in your mail' : ''}.`}
      action={
        <>
          <SubmitButton form={STEP_FORM} busyLabel="One moment…">
            Next
          </SubmitButton>
          <LinkButton kind="secondary" to={`?${changeParams}`}>
            Replace
          </LinkButton>
        </>
      }
    >
      <div className="mt-6 max-w-text">
        <DataList facts={[{ label, value: ON_FILE }]} />
      </div>
      <Form method="post" id={STEP_FORM}>
        <input type="hidden" name="keep" value="1" />
      </Form>
    </JourneyPage>
  )
}

export function KeepStoredAnswerLink() {
  const { pathname } = useLocation()
  const [searchParams] = useSearchParams()
  if (!searchParams.has('change')) return null
  const otherParams = new URLSearchParams(searchParams)
  otherParams.delete('change')
  return (
    <p className="mt-6">
      <Link to={{ pathname, search: otherParams.toString() }}>Keep what I gave you before</Link>
    </p>
  )
}

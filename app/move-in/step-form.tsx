import type { ReactNode } from 'react'
import { Form } from 'react-router'
import { JourneyPage } from '../journey-page.tsx'
import type { JourneyFrameData } from '../open-journey-step.ts'
import { type FormName, useFormValidation } from '../request/use-form-rules.ts'
import { KeepStoredAnswerLink } from '../reserve/keep-or-replace-answer.tsx'
import { STEP_FORM } from '../ui/action-bar.tsx'
import { SubmitButton } from '../ui/buttons.tsx'
import { RadioCards } from '../ui/fields/choice.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import type { FormChecks, FormResponse } from '../ui/use-form-checks.ts'

export const typedValue = (returned: FormResponse | undefined, name: string): string | undefined =>
  returned?.values?.[name]

/**
 * Step page with one form, validated in the browser by the action's schema.
 * @param below content below the form
 */
export function StepForm({
  chrome,
  title,
  lead,
  rule,
  returned,
  children,
  below,
}: {
  chrome: JourneyFrameData
  title: string
  lead?: ReactNode
  rule: FormName
  returned: FormResponse | undefined
  children: (checks: FormChecks) => ReactNode
  below?: ReactNode
}) {
  const checks = useFormValidation(rule, returned?.fields)
  return (
    <JourneyPage
      chrome={chrome}
      title={title}
      lead={lead}
      wrong={checks.wrong}
      action={
        <SubmitButton form={STEP_FORM} busyLabel="One moment…">
          Next
        </SubmitButton>
      }
    >
      <ErrorSummary {...checks.summary} />
      <Form method="post" id={STEP_FORM} {...checks.form}>
        {children(checks)}
      </Form>
      <KeepStoredAnswerLink />
      {below}
    </JourneyPage>
  )
}

interface AnswerOption {
  detail?: ReactNode
  side?: ReactNode
}

export function Question({
  chrome,
  title,
  lead,
  chosen,
  returned,
  yes = {},
  no = {},
  below,
}: {
  chrome: JourneyFrameData
  title: string
  lead?: ReactNode
  chosen: string | undefined
  returned: FormResponse | undefined
  yes?: AnswerOption
  no?: AnswerOption
  below?: ReactNode
}) {
  return (
    <StepForm chrome={chrome} title={title} lead={lead} rule="yesOrNo" returned={returned} below={below}>
      {(checks) => (
        <RadioCards
          {...checks.field('answer')}
          legend={title}
          legendHidden
          defaultValue={typedValue(returned, 'answer') ?? chosen}
          options={[
            { value: 'yes', label: 'Yes', ...yes },
            { value: 'no', label: 'No', ...no },
          ]}
        />
      )}
    </StepForm>
  )
}

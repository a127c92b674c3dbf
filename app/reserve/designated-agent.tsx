import { data, Form } from 'react-router'
import { ADDRESS_MAX, EMAIL_MAX } from '../../domain/field-lengths.ts'
import { validate } from '../../domain/forms/form-rules.ts'
import { designatedAgent } from '../../modules/reservations/rules/reservation-form.ts'
import { JourneyPage } from '../journey-page.tsx'
import { openStep, redirectIfAnswerKept, visibleStepAnswer } from '../open-journey-step.ts'
import { readForm } from '../request/read-form-fields.ts'
import { useFormValidation } from '../request/use-form-rules.ts'
import { STEP_FORM } from '../ui/action-bar.tsx'
import { ButtonRow, SubmitButton, useHydrated } from '../ui/buttons.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { FieldPair } from '../ui/fields/field.tsx'
import { StateSelect } from '../ui/fields/state-select.tsx'
import { EmailField, TextField, ZipField } from '../ui/fields/text.tsx'
import type { Route } from './+types/designated-agent'
import { KeepStoredAnswerLink, MaskedAnswer } from './keep-or-replace-answer.tsx'
import { saveAndContinue } from './save-and-reserve.ts'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

export async function loader(args: Route.LoaderArgs) {
  const page = await openStep(args, '/designated-agent')
  const { chrome, draft } = page
  const { onFile, shown } = visibleStepAnswer(page, args.request)
  // A signed-in tenant who rents now sees no earlier page that asks whether to name an agent.
  const optional = page.facts.visitor.signedIn && draft.rentNow
  return { chrome, onFile, agent: shown(draft.answers.designatedAgent) ?? null, optional }
}

export async function action(args: Route.ActionArgs) {
  const page = await openStep(args, '/designated-agent')
  const submitted = await readForm(args.request)
  const redirected = await redirectIfAnswerKept(page, submitted)
  if (redirected) return redirected
  if (submitted.without === '1') return saveAndContinue(page, { wantsAgent: false })
  const checked = validate(designatedAgent, submitted)
  if (!checked.ok) return data({ fields: checked.fields, values: submitted }, { status: 400 })
  return saveAndContinue(page, { designatedAgent: checked.value, wantsAgent: true })
}

const title = 'Your designated agent'

const fieldLabels: Record<string, string> = {
  agent_name: 'name',
  agent_email: 'a valid email',
  agent_address: 'address',
  agent_city: 'city',
  agent_state: 'state',
  agent_zip: '5-digit zip code',
}

export default function DesignatedAgent({ loaderData, actionData }: Route.ComponentProps) {
  const { chrome, onFile, agent, optional } = loaderData
  const checks = useFormValidation('designatedAgent', actionData?.fields)
  const hydrated = useHydrated()
  if (onFile && !actionData)
    return <MaskedAnswer chrome={chrome} title={title} label="Designated agent" byLink={false} />
  const values: Record<string, string> = actionData && 'values' in actionData ? actionData.values : { ...agent }
  // The note at the form's end names the missing fields, since the rules' messages ('State must be valid') suit only
  // fields that the renter has been in.
  const missing = Object.keys(checks.missing ?? {}).flatMap((name) => fieldLabels[name] ?? [])
  return (
    <JourneyPage
      chrome={chrome}
      title={title}
      lead="Georgia lets you name someone who also hears from us if a payment is missed. They owe nothing by it."
      wrong={checks.wrong}
      action={
        <SubmitButton
          form={STEP_FORM}
          busyLabel="Saving"
          disabled={hydrated && missing.length > 0}
          aria-describedby="lacking"
        >
          Next
        </SubmitButton>
      }
    >
      <Form method="post" id={STEP_FORM} className="mt-6" {...checks.form}>
        <ErrorSummary {...checks.summary} />
        <TextField {...checks.field('agent_name')} label="Name" autoComplete="off" defaultValue={values.agent_name} />
        <EmailField
          {...checks.field('agent_email')}
          label="Email"
          autoComplete="off"
          maxLength={EMAIL_MAX}
          width={undefined}
          defaultValue={values.agent_email}
        />
        <TextField
          {...checks.field('agent_address')}
          label="Address"
          autoComplete="off"
          maxLength={ADDRESS_MAX}
          defaultValue={values.agent_address}
        />
        <FieldPair wide>
          <TextField {...checks.field('agent_city')} label="City" autoComplete="off" defaultValue={values.agent_city} />
          <StateSelect
            {...checks.field('agent_state')}
            label="State"
            autoComplete="off"
            width={undefined}
            defaultValue={values.agent_state}
          />
          <ZipField
            {...checks.field('agent_zip')}
            label="Zip code"
            autoComplete="off"
            defaultValue={values.agent_zip}
          />
        </FieldPair>
        <p id="lacking" className="small soft mt-5" role="status">
          {missing.length > 0 && `Still needed: ${missing.join(', ')}.`}
        </p>
      </Form>
      <KeepStoredAnswerLink />
      {optional && (
        <Form method="post">
          <ButtonRow>
            <SubmitButton kind="secondary" name="without" value="1" busyLabel="Saving">
              Go on without an agent
            </SubmitButton>
          </ButtonRow>
        </Form>
      )}
    </JourneyPage>
  )
}

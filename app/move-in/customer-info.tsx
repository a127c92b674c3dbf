import { Form } from 'react-router'
import { formatUs } from '../../domain/plain-date.ts'
import { stateName } from '../../domain/states.ts'
import { birthDateFaults } from '../../modules/move-in/rules/birth-date-and-policy-errors.ts'
import { customerInfo } from '../../modules/move-in/rules/move-in-form.ts'
import { JourneyPage } from '../journey-page.tsx'
import { type JourneyFrameData, openStep, visibleStepAnswer } from '../open-journey-step.ts'
import { MaskedAnswer } from '../reserve/keep-or-replace-answer.tsx'
import { STEP_FORM } from '../ui/action-bar.tsx'
import { Button } from '../ui/buttons.tsx'
import { DataList } from '../ui/data-tables.tsx'
import { StateSelect } from '../ui/fields/state-select.tsx'
import { DateField, TextArea, TextField } from '../ui/fields/text.tsx'
import { PrivacyNote } from '../ui/privacy-note.tsx'
import type { Route } from './+types/customer-info'
import { saveStepForm } from './save-step.ts'
import { StepForm, typedValue } from './step-form.tsx'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

const title = 'About you'
const change = '/customer-info?change=1'

export async function loader(args: Route.LoaderArgs) {
  const page = await openStep(args, '/customer-info')
  const { chrome, facts } = page
  const { onFile, shown } = visibleStepAnswer(page, args.request)
  const saved = shown(facts.answers.customerInfo)
  const masked = saved && {
    license: `•••• ${saved.drivers_license.slice(-4).padStart(4, '•')}`,
    state: saved.issued_state,
    stateName: stateName(saved.issued_state),
    birth: `••/••/${saved.birth_date.slice(0, 4)}`,
    expires: formatUs(saved.expiration_date),
    goods: saved.brief_description,
  }
  return { chrome, onFile, masked, isEditing: !masked || new URL(args.request.url).searchParams.has('change') }
}

export const action = (args: Route.ActionArgs) =>
  saveStepForm(
    args,
    '/customer-info',
    customerInfo,
    (info) => ({ customerInfo: info }),
    (info, { facts }) => birthDateFaults(info, facts.facility.today),
  )

export default function CustomerInfo({ loaderData, actionData }: Route.ComponentProps) {
  const { chrome, onFile, masked, isEditing } = loaderData
  if (onFile && !actionData)
    return <MaskedAnswer chrome={chrome} title={title} label="Driver's license and what you will store" />
  if (masked && !isEditing && !actionData) return <MaskedAnswers chrome={chrome} masked={masked} />
  const value = (name: string) => typedValue(actionData, name)
  return (
    <StepForm
      chrome={chrome}
      title={title}
      lead="As it stands on your driver's license. We keep it encrypted and use it only to know who rents the unit."
      rule="customerInfo"
      returned={actionData}
    >
      {({ field }) => (
        <>
          <TextField
            {...field('drivers_license')}
            label="Driver's license number"
            hint="Digits only, without letters or dashes"
            inputMode="numeric"
            autoComplete="off"
            spellCheck={false}
            maxLength={25}
            width={20}
            defaultValue={value('drivers_license')}
          />
          <StateSelect
            {...field('issued_state')}
            label="Issued state"
            autoComplete="off"
            defaultValue={value('issued_state') ?? masked?.state}
          />
          <div className="pair">
            <DateField
              {...field('birth_date')}
              label="Birth date"
              autoComplete="bday"
              defaultValue={value('birth_date')}
            />
            <DateField
              {...field('expiration_date')}
              label="License expiration date"
              autoComplete="off"
              defaultValue={value('expiration_date')}
            />
          </div>
          <TextArea
            {...field('brief_description')}
            label="Brief description"
            hint="What will you store? Such as furniture and boxes from a two-bedroom apartment. It stands in your lease."
            rows={3}
            maxLength={500}
            defaultValue={value('brief_description') ?? masked?.goods}
          />
          <PrivacyNote asked="your license" />
        </>
      )}
    </StepForm>
  )
}

function MaskedAnswers({
  chrome,
  masked,
}: {
  chrome: JourneyFrameData
  masked: NonNullable<Route.ComponentProps['loaderData']['masked']>
}) {
  return (
    <JourneyPage
      chrome={chrome}
      title={title}
      lead="This is what you told us. For your safety we show only part of it."
      action={<Button form={STEP_FORM}>Next</Button>}
    >
      <div className="mt-6 max-w-text">
        <DataList
          facts={[
            { label: "Driver's license number", value: <span className="num">{masked.license}</span>, change },
            { label: 'Issued state', value: masked.stateName, change },
            { label: 'Birth date', value: <span className="num">{masked.birth}</span>, change },
            { label: 'License expiration date', value: <span className="num">{masked.expires}</span>, change },
            { label: 'What you will store', value: masked.goods, change },
          ]}
        />
      </div>
      <Form method="post" id={STEP_FORM}>
        <input type="hidden" name="keep" value="1" />
      </Form>
    </JourneyPage>
  )
}

import type { ReactNode } from 'react'
import { Form } from 'react-router'
import { UPLOAD_MAX_MB } from '../../../domain/upload-size-and-file-types.ts'
import type { LienStep } from '../../../modules/liens/rules/next-lien-step.ts'
import { ButtonRow, SubmitButton } from '../../ui/buttons.tsx'
import { CheckboxGroup, RadioCards } from '../../ui/fields/choice.tsx'
import { DateField, FileField, TextField } from '../../ui/fields/text.tsx'
import type { FieldErrors, FormValues } from '../../ui/use-form-checks.ts'
import { AmountField } from '../amount-field.tsx'
import { NoteField, WhyField } from '../note-and-reason-fields.tsx'
import { OperationForm } from '../one-button-form.tsx'
import type { LienCaseView } from './load-lien-case-view.ts'

interface StepFormProps {
  lien: LienCaseView
  formKey: string
  answer: { fields: FieldErrors; values: FormValues; ticked: string[] }
}

const acceptedFiles = '.jpg,.jpeg,.png,.pdf,image/jpeg,image/png,application/pdf'

/** Form of the next step of a lien case. */
export function LienStepForm({ step, ...props }: StepFormProps & { step: LienStep }) {
  const { lien, formKey, answer } = props
  const renderFields = fieldsOfStep[step]
  if (!renderFields) return null
  const { fields, values } = answer
  return (
    <Form method="post" encType={step === 'sale' ? undefined : 'multipart/form-data'} className="office-form">
      <input type="hidden" name="key" value={formKey} />
      <input type="hidden" name="made_from" value={lien.form.madeFrom} />
      <input type="hidden" name="step" value={step} />
      {renderFields(props)}
      <NoteField values={values} fields={fields} />
      <ButtonRow>
        <SubmitButton name="intent" value={step === 'sale' ? 'sale' : 'record'}>
          {step === 'sale' ? 'Record the sale' : 'Record'}
        </SubmitButton>
      </ButtonRow>
    </Form>
  )
}

const Ways = ({ legend, lien, answer }: StepFormProps & { legend: string }) => (
  <RadioCards
    name="way"
    legend={legend}
    options={lien.form.ways}
    defaultValue={answer.values.way}
    error={answer.fields.way}
    row
  />
)

const Day = ({ label, lien, answer }: StepFormProps & { label: string }) => (
  <DateField
    name="done_on"
    label={label}
    width={10}
    defaultValue={answer.values.done_on ?? lien.form.today}
    error={answer.fields.done_on}
  />
)

const ProofFileField = ({
  label,
  hint,
  answer,
  optional,
}: StepFormProps & { label: string; hint: string; optional?: boolean }) => (
  <FileField
    name="file"
    label={label}
    hint={hint}
    accept={acceptedFiles}
    optional={optional}
    error={answer.fields.file}
  />
)

const ProofTextField = ({ label, hint, answer }: StepFormProps & { label: string; hint: string }) => (
  <TextField
    name="proof"
    label={label}
    hint={hint}
    maxLength={300}
    autoComplete="off"
    defaultValue={answer.values.proof}
    error={answer.fields.proof}
  />
)

const fieldsOfStep: Partial<Record<LienStep, (props: StepFormProps) => ReactNode>> = {
  military: (props) => (
    <>
      <Ways {...props} legend="What the status look-up says" />
      <Day {...props} label="Looked up on" />
      <ProofFileField {...props} label="The certificate" hint={`A photo or PDF, at most ${UPLOAD_MAX_MB} MB.`} />
    </>
  ),
  notice: (props) => <NoticeFields {...props} />,
  advertisement: (props) => (
    <>
      <Ways {...props} legend="Where" />
      <Day {...props} label="Published on" />
      <ProofTextField {...props} label="Edition, or address of the page" hint="As it can be found again." />
      <ProofFileField {...props} label="Tear sheet" hint="A photo or PDF; of a newspaper it is needed." optional />
    </>
  ),
  check: (props) => (
    <>
      <p className="small soft">
        The office has looked: it is still owed, no payment is on its way, no flag stands in the way. It looks again
        when the second person confirms.
      </p>
      <CheckboxGroup
        name="ticks"
        legend="Looked at today"
        options={props.lien.form.lines}
        defaultValues={props.answer.ticked}
        error={props.answer.fields.ticks}
      />
      <ProofFileField {...props} label="Photo of the door" hint="With the unit’s number on it." />
    </>
  ),
  sale: (props) => <SaleFields {...props} />,
}

const NoticeFields = (props: StepFormProps) => (
  <>
    <details>
      <summary>What it has to say</summary>
      <ul className="list-disc pl-[1.2rem]">
        {props.lien.form.wording.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </details>
    <Ways {...props} legend="How it was delivered" />
    <CheckboxGroup
      name="answered"
      legend="E-mail"
      options={[{ value: '1', label: 'The tenant has answered it' }]}
      defaultValues={props.answer.values.answered === '1' ? ['1'] : []}
      error={props.answer.fields.answered}
    />
    <Day {...props} label="Delivered on" />
    <ProofTextField {...props} label="Proof of delivery" hint="Tracking number, or who took it." />
    <ProofFileField {...props} label="The notice" hint="As it was sent: a photo or PDF." />
    {props.lien.form.copies.length > 0 && (
      <CheckboxGroup
        name="copies"
        legend="Copies sent to"
        options={props.lien.form.copies.map((to) => ({ value: to, label: `the ${to} on file` }))}
        defaultValues={props.answer.ticked}
        error={props.answer.fields.copies}
      />
    )}
  </>
)

const winnerFields = [
  { name: 'name', label: 'Winner', maxLength: 100 },
  { name: 'email', label: 'E-mail', optional: true, maxLength: 254 },
  { name: 'city', label: 'City', optional: true, maxLength: 60 },
  { name: 'zip', label: 'ZIP code', optional: true, width: 5, maxLength: 10 },
] as const

const SaleFields = ({ answer: { fields, values } }: StepFormProps) => (
  <>
    <p className="small soft">
      Recorded once it was held. A second person confirms it; then the winner’s link is made.
    </p>
    {winnerFields.map(({ name, ...field }) => (
      <TextField
        key={name}
        name={name}
        {...field}
        autoComplete="off"
        defaultValue={values[name]}
        error={fields[name]}
      />
    ))}
    <AmountField name="amount" label="Sold for" defaultValue={values.amount} error={fields.amount} />
  </>
)

/** Form in which a second staff member confirms or refuses a recorded step. */
export const DecideForm = ({
  lien,
  formKey,
  answer: { fields, values },
  waiting,
}: StepFormProps & { waiting: string }) => (
  <Form method="post" className="office-form">
    <input type="hidden" name="key" value={formKey} />
    <input type="hidden" name="made_from" value={lien.form.madeFrom} />
    <input type="hidden" name="step_id" value={waiting} />
    <WhyField
      id="reason-decide"
      label="Note"
      optional
      max={300}
      value={values.intent === 'confirm' || values.intent === 'refuse' ? values.reason : undefined}
      error={fields['reason-decide']}
    />
    <ButtonRow>
      <SubmitButton name="intent" value="confirm" data-key="a">
        Confirm
      </SubmitButton>
      <SubmitButton kind="secondary" name="intent" value="refuse" data-key="x">
        Not so
      </SubmitButton>
    </ButtonRow>
  </Form>
)

export const SurplusForm = ({ lien, formKey, answer }: StepFormProps) => (
  <OperationForm
    formKey={formKey}
    intent="surplus"
    button="Record the payment"
    hidden={{ made_from: lien.form.madeFrom }}
  >
    <RadioCards
      name="to"
      legend="Paid"
      options={[
        { value: 'tenant', label: 'To the tenant' },
        { value: 'state', label: 'To the state' },
      ]}
      defaultValue={answer.values.to ?? 'tenant'}
      error={answer.fields.to}
      row
    />
    <TextField
      name="how"
      label="How"
      hint="As the payee reads it: check 1042"
      maxLength={80}
      autoComplete="off"
      defaultValue={answer.values.how}
      error={answer.fields.how}
    />
  </OperationForm>
)

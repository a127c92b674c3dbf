import type { ReactNode } from 'react'
import { Form, Link } from 'react-router'
import { callOutcomeNames, callOutcomes } from '../../../modules/collections/rules/past-due-calls-and-promises.ts'
import { Button, ButtonRow, SubmitButton } from '../../ui/buttons.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { DateField, TextArea } from '../../ui/fields/text.tsx'
import { formatCents } from '../../ui/money.tsx'
import type { FieldErrors, FormValues } from '../../ui/use-form-checks.ts'
import { AmountField } from '../amount-field.tsx'
import { NoteField, WhyField } from '../note-and-reason-fields.tsx'
import { type RowAct, rowActs } from './past-due-row-operations.ts'
import type { CallingRow } from './read-past-due.ts'

interface OpenForm {
  act: RowAct
  key: string
  hidden: Record<string, string>
  promiseOn: string
}

interface RowFormProps {
  form: OpenForm
  row: CallingRow
  values: FormValues
  fields: FieldErrors
}

/** Form of an operation, below its row. `goOn` is the key of the row with which the list continues. */
export function RowForm({
  form,
  row,
  goOn,
  answer,
  close,
}: {
  form: OpenForm
  row: CallingRow
  goOn: string
  answer: { fields: FieldErrors; values: FormValues; key: string } | undefined
  close: string
}) {
  const fieldProps = { form, row, values: answer?.values ?? {}, fields: answer?.fields ?? {} }
  const { label } = rowActs[form.act]
  return (
    <Form
      method="post"
      className="flex flex-wrap items-end gap-x-4 gap-y-2 [&>.field]:m-0 max-[48rem]:[&>.field]:flex-[1_1_100%] [&>.problem]:basis-full"
      preventScrollReset
      aria-label={`${label}, unit ${row.unit}`}
    >
      <ErrorSummary errors={fieldProps.fields} general={['', 'form', 'reason_code', 'balance']} />
      <input type="hidden" name="key" value={answer?.key ?? form.key} />
      <input type="hidden" name="of" value={`${row.location} ${row.tenantId} ${row.lease}`} />
      <input type="hidden" name="go_on" value={goOn} />
      {Object.entries(form.hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {fieldsOfAct[form.act](fieldProps)}
      <Link className="ml-auto inline-flex min-h-10 items-center" to={close} preventScrollReset data-key="x">
        Close
      </Link>
    </Form>
  )
}

/** Keyboard key on the past-due page, in the font of the text around it. */
export const RowKey = ({ children }: { children: ReactNode }) => (
  <kbd className="rounded-[0.25rem] px-[0.35em] [font:inherit]">{children}</kbd>
)

const fieldsOfAct: Record<RowAct, (props: RowFormProps) => ReactNode> = {
  called: (props) => <CallFields {...props} />,
  promise: (props) => <PromiseFields {...props} />,
  settle: (props) => <SettlementFields {...props} />,
  note: (props) => <NoteFields {...props} />,
  case: (props) => <OpenCaseFields {...props} />,
}

/**
 * Fields of the form that records a call to a past-due tenant. Its submit buttons are the outcomes of the call, so that
 * recording a call takes two clicks.
 */
const CallFields = ({ values, fields }: RowFormProps) => (
  <>
    <input type="hidden" name="intent" value="called" />
    <NoteField values={values} fields={fields} />
    <ButtonRow>
      {callOutcomeNames.map((outcome, index) => (
        <Button
          key={outcome}
          kind={index === 0 ? 'primary' : 'secondary'}
          name="outcome"
          value={outcome}
          data-key={String(index + 1)}
          data-first={index === 0 ? '' : undefined}
        >
          {callOutcomes[outcome]} <RowKey>{index + 1}</RowKey>
        </Button>
      ))}
    </ButtonRow>
  </>
)

const SubmitRow = ({ act, children }: { act: RowAct; children: ReactNode }) => (
  <ButtonRow>
    <SubmitButton name="intent" value={act}>
      {children}
    </SubmitButton>
  </ButtonRow>
)

const PromiseFields = ({ form, row, values, fields }: RowFormProps) => (
  <>
    <DateField
      name="on"
      label="Pays on"
      width={10}
      defaultValue={values.on ?? form.promiseOn}
      error={fields.on}
      data-first=""
    />
    <AmountField
      name="amount"
      label="How much"
      defaultValue={values.amount ?? formatCents(row.owed)}
      error={fields.amount}
    />
    <NoteField values={values} fields={fields} />
    <SubmitRow act="promise">Save the promise</SubmitRow>
  </>
)

const SettlementFields = ({ row, values, fields }: RowFormProps) => (
  <>
    <AmountField
      name="amount"
      label="Settles for"
      hint={`of ${formatCents(row.owed)}; the rest is written off once it is paid`}
      defaultValue={values.amount}
      error={fields.amount}
      data-first=""
    />
    <WhyField max={300} value={values.reason} error={fields.reason} />
    <SubmitRow act="settle">Send the link</SubmitRow>
  </>
)

const NoteFields = ({ values, fields }: RowFormProps) => (
  <>
    <TextArea
      name="note"
      label="Note"
      rows={2}
      maxLength={2000}
      defaultValue={values.note}
      error={fields.note}
      data-first=""
    />
    <DateField
      name="follow_up"
      label="Follow up on"
      optional
      width={10}
      defaultValue={values.follow_up}
      error={fields.follow_up}
    />
    <SubmitRow act="note">Save the note</SubmitRow>
  </>
)

const OpenCaseFields = ({ row }: RowFormProps) => (
  <>
    <p>
      Opens a lien case for {row.unit}: {formatCents(row.owed)}, {row.days} days. From then on only the full sum is
      taken by hand.
    </p>
    <ButtonRow>
      <SubmitButton name="intent" value="case" data-first="">
        Open the case
      </SubmitButton>
    </ButtonRow>
  </>
)

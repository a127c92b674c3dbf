import type { SyntheticEvent } from 'react'
import { Form, Link, useSubmit } from 'react-router'
import { formatLong, formatUs, parseUs } from '../../../../domain/plain-date.ts'
import { unitTypeName } from '../../../../modules/facilities/rules/size-label.ts'
import { PERIOD_DAYS } from '../../../../modules/pricing/rules/fixed-billing-period-length.ts'
import { loadTextConsentState } from '../../../../modules/tenants/views/text-consent-state.ts'
import { CancelTransfer } from '../../../../modules/transfers/operations/cancel-transfer.ts'
import type { FreeSize, TransferQuote } from '../../../../modules/transfers/operations/quote-transfer.ts'
import { QuoteTransfer } from '../../../../modules/transfers/operations/quote-transfer.ts'
import { TransferUnit } from '../../../../modules/transfers/operations/start-transfer-by-tenant-or-staff.ts'
import { formatRentDifference, transferDays } from '../../../../modules/transfers/texts/transfer.ts'
import { errorsOf } from '../../../request/refusal-messages-by-field.ts'
import { revalidateOnConflict } from '../../../request/submit-or-report-offline.ts'
import { Button, useHydrated } from '../../../ui/buttons.tsx'
import { Callout } from '../../../ui/card-tag-and-callout.tsx'
import { SelectField } from '../../../ui/fields/choice.tsx'
import { ErrorSummary } from '../../../ui/fields/error-summary.tsx'
import { DateField, TextField } from '../../../ui/fields/text.tsx'
import { UnitTransferDateFields } from '../../../ui/fields/unit-transfer-day-and-overlap-fields.tsx'
import { formatCents } from '../../../ui/money.tsx'
import { LedgerPreview } from '../../ledger-preview.tsx'
import { officeAction, type SentForm } from '../../office-action.ts'
import { Section } from '../../office-page-heading-and-sections.tsx'
import { OperationForm } from '../../one-button-form.tsx'
import { withFieldSentences } from '../../open-office-page.ts'
import { type OpenedLeasePage, openLeasePage } from '../../open-tenant-or-lease-page.ts'
import { OperationPage, operationFactsOf } from '../lease-operation-page-frame.tsx'
import type { Route } from './+types/transfer'

/** Days for which both leases run, as preselected in the form. */
const DEFAULT_OVERLAP = '2'

const keyOf = ({ location, tenant, lease }: OpenedLeasePage) => ({
  location_code: location.location_code,
  tenant_id: tenant.tenant_id,
  lease_number: lease.lease_number,
})

const optionsOf = (sizes: readonly FreeSize[]) =>
  sizes.flatMap(({ type, rent, difference, units }) =>
    units.map((unit) => ({
      value: String(unit.unitId),
      label: `${unit.unitNumber} · ${unitTypeName(type)} · floor ${unit.floor} · ${formatCents(rent)} (${formatRentDifference(difference, formatCents)})`,
    })),
  )

export async function loader(args: Route.LoaderArgs) {
  const file = await openLeasePage(args, TransferUnit)
  const searchParams = file.page.url.searchParams
  const values = {
    unit_id: searchParams.get('unit_id') ?? '',
    transfer_date: searchParams.get('transfer_date') ?? formatUs(file.facts.today),
    overlap_days: searchParams.get('overlap_days') ?? DEFAULT_OVERLAP,
  }
  const outcome = withFieldSentences(await file.page.site.call(QuoteTransfer, { ...keyOf(file), ...values }))
  // If the choices in the address are refused, the page shows the reason and no preview.
  const quote = outcome.ok ? outcome : await file.page.site.call(QuoteTransfer, keyOf(file))
  if (!quote.ok) throw new Response(quote.message, { status: quote.status })
  const { value } = quote
  return {
    about: operationFactsOf(file),
    values,
    errors: outcome.ok ? {} : errorsOf(outcome),
    options: optionsOf(value.sizes),
    rent: value.rent,
    texts: (await loadTextConsentState(file.services.db.read, file.tenant.cell_phone)) === 'on',
    ...toPageData(value),
    formKey: file.services.random.uuid(),
  }
}

const toPageData = ({ blocked, open, preview, days, balance }: TransferQuote) => ({
  blocked,
  preview,
  days,
  balance,
  open: open && {
    id: open.transfer_id,
    unit: open.to_unit_number,
    starts: open.starts_on,
    ends: open.ends_on,
    signed: open.state === 'moving',
  },
})

export async function action(args: Route.ActionArgs) {
  const file = await openLeasePage(args, TransferUnit)
  const input = ({ typed }: SentForm) => ({ ...typed, ...keyOf(file) })
  const back = operationFactsOf(file).lease
  return officeAction(file.page, args.request, {
    offer: { operation: TransferUnit, input, done: 'transfer-offered', back },
    cancel: { operation: CancelTransfer, input, done: 'transfer-cancelled', back },
  })
}

export const shouldRevalidate = revalidateOnConflict

/** Page that offers a tenant another unit of the facility. The tenant signs and pays through a link. */
export default function Transfer({ loaderData, actionData }: Route.ComponentProps) {
  const { about, blocked, open, options, preview } = loaderData
  const fields = { ...loaderData.errors, ...actionData?.fields }
  const formKey = actionData?.key ?? loaderData.formKey
  return (
    <OperationPage about={about} title={`Transfer from ${about.unit}`} failed={Object.keys(fields).length > 0}>
      <ErrorSummary errors={fields} general={['', 'form', 'unit_type_id', 'balance']} />
      {open ? (
        <OpenTransfer open={open} formKey={formKey} />
      ) : blocked ? (
        <Callout tone="warn" className="mt-3">
          <p>{blocked}</p>
        </Callout>
      ) : options.length === 0 ? (
        <p className="soft">No unit is free here now.</p>
      ) : (
        <>
          <Choice {...loaderData} fields={fields} />
          {preview && (
            <>
              <Preview preview={preview} rent={loaderData.rent} />
              <Offer
                {...loaderData}
                preview={preview}
                formKey={formKey}
                fields={fields}
                reason={actionData?.values.reason}
              />
            </>
          )}
        </>
      )}
    </OperationPage>
  )
}

type Data = Route.ComponentProps['loaderData']
type Errors = Record<string, string>

/** Form that submits by GET: with scripts each choice updates the preview, without them a button does. */
function Choice({ options, values, days, fields }: Data & { fields: Errors }) {
  const submit = useSubmit()
  const hydrated = useHydrated()
  const submitForm = (form: HTMLFormElement | null) => void submit(form, { replace: true, preventScrollReset: true })
  // A complete day updates the preview at once, an incomplete one when its field loses focus.
  const isIncompleteDay = ({ target }: SyntheticEvent) =>
    target instanceof HTMLInputElement && target.name === 'transfer_date' && parseUs(target.value) === null
  return (
    <Form
      method="get"
      className="office-form"
      onChange={(event) => isIncompleteDay(event) || submitForm(event.currentTarget)}
      onBlur={(event) => isIncompleteDay(event) && submitForm(event.currentTarget)}
    >
      <SelectField
        name="unit_id"
        label="To"
        options={options}
        defaultValue={options.some(({ value }) => value === values.unit_id) ? values.unit_id : ''}
        error={fields.unit_id}
      />
      <div className="office-pair">
        <UnitTransferDateFields
          begins={
            <DateField
              name="transfer_date"
              label="New lease begins"
              hint={`mm/dd/yyyy, through ${formatUs(days.latest)}. Held to the end of that day.`}
              defaultValue={values.transfer_date}
              error={fields.transfer_date}
            />
          }
          overlapHint="The old lease ends after them."
          values={values}
          fields={fields}
        />
      </div>
      {!hydrated && <Button kind="secondary">Show what it writes</Button>}
    </Form>
  )
}

function Preview({ preview, rent }: { preview: NonNullable<Data['preview']>; rent: number }) {
  const { dueAtSigning, thenPerPeriod, startsOn, endsOn, moved, leases, assumptions } = preview
  // `leases` contains the old lease, then the new one.
  const newRent = leases[1].entries.find(({ kind }) => kind === 'rent')?.cents ?? 0
  return (
    <>
      <p className="my-3">
        Rent <span className="num">{formatCents(rent)}</span> → <strong className="num">{formatCents(newRent)}</strong>{' '}
        ({formatRentDifference(newRent - rent, formatCents)}). Due when signing{' '}
        <strong className="num">{formatCents(dueAtSigning)}</strong>, then{' '}
        <strong className="num">{formatCents(thenPerPeriod)}</strong> every {PERIOD_DAYS} days, taxes in
        {assumptions.length > 0 && ` (${assumptions.join(', ')})`}.
      </p>
      <p className="my-3">
        {transferDays(startsOn, endsOn)}{' '}
        {moved > 0
          ? `${formatCents(moved)} of what was paid goes beyond that; it goes over and is taken off the next bill.`
          : 'Nothing was paid beyond that.'}
      </p>
      <Section title="This will write">
        <LedgerPreview leases={leases} />
        <p className="small soft">
          The new lease’s entries when it is signed and paid, the rest when the old lease ends. A period that begins
          before that is charged as always, and its days left go over too.
        </p>
      </Section>
    </>
  )
}

const Offer = ({
  values,
  preview,
  balance,
  texts,
  formKey,
  fields,
  reason,
}: Omit<Data, 'preview'> & {
  preview: NonNullable<Data['preview']>
  formKey: string
  fields: Errors
  reason: string | undefined
}) => (
  <OperationForm
    formKey={formKey}
    hidden={{
      ...values,
      balance: String(balance),
      due_at_signing: String(preview.dueAtSigning),
      then_per_period: String(preview.thenPerPeriod),
    }}
    intent="offer"
    button="Hold the unit and send the link"
    letter="h"
  >
    {balance > 0 && (
      <p className="text-brick">{formatCents(balance)} is due and stays on the old lease. Nothing of it moves.</p>
    )}
    <TextField name="reason" label="Why" maxLength={500} defaultValue={reason} error={fields.reason} />
    <p className="mt-2 small soft">
      The tenant gets the link {texts ? 'by mail and text' : 'by mail'}, signs and pays. Autopay is asked for again; the
      gate code stays.
    </p>
  </OperationForm>
)

function OpenTransfer({ open, formKey }: { open: NonNullable<Data['open']>; formKey: string }) {
  return (
    <>
      <Callout className="mt-3">
        {open.signed ? (
          <p>
            Unit {open.unit} is signed. This lease ends on {open.ends ? formatLong(open.ends) : 'its last day'}. To keep
            both, cancel its move-out.
          </p>
        ) : (
          <p>
            Unit {open.unit} is held for {formatLong(open.starts)} and waits for signature and payment.{' '}
            <Link to="../../../link" relative="path">
              Send the link again
            </Link>
            .
          </p>
        )}
      </Callout>
      {!open.signed && (
        <OperationForm
          formKey={formKey}
          hidden={{ transfer_id: open.id }}
          intent="cancel"
          button="Cancel the transfer"
          kind="secondary"
        />
      )}
    </>
  )
}

import type { ComponentProps } from 'react'
import { Link } from 'react-router'
import { allFieldValues } from '../../../domain/forms/all-values-of-field.ts'
import { uploadFaultMessages } from '../../../domain/upload-size-and-file-types.ts'
import { DecideLienStep } from '../../../modules/liens/operations/confirm-or-refuse-lien-step.ts'
import { PaySurplus } from '../../../modules/liens/operations/pay-surplus.ts'
import { RecordLienStep } from '../../../modules/liens/operations/record-lien-step.ts'
import { CloseSale } from '../../../modules/liens/operations/record-sale.ts'
import { StopLienCase } from '../../../modules/liens/operations/stop-lien-case.ts'
import { revalidateOnConflict } from '../../request/submit-or-report-offline.ts'
import { Callout, Tag } from '../../ui/card-tag-and-callout.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { formatCents } from '../../ui/money.tsx'
import type { FieldErrors, FormValues } from '../../ui/use-form-checks.ts'
import { loadStoredFormOfPage } from '../form-awaiting-second-factor.ts'
import { FormWhyField, reasonOfForm } from '../note-and-reason-fields.tsx'
import { officeAction, readOfficeForm } from '../office-action.ts'
import { OfficePageFrame, Section } from '../office-page-heading-and-sections.tsx'
import { OperationForm } from '../one-button-form.tsx'
import { parseDollarsOrZero } from '../parse-dollars.ts'
import type { Route } from './+types/lien-case'
import { type LienCaseView, loadLienCaseView, requireLienCase } from './load-lien-case-view.ts'
import { DecideForm, LienStepForm, SurplusForm } from './step-form.tsx'

export async function loader(args: Route.LoaderArgs) {
  const opened = await requireLienCase(args)
  return {
    ...(await loadLienCaseView(opened)),
    storedValues: (await loadStoredFormOfPage(opened.page))?.values ?? null,
  }
}

export async function action(args: Route.ActionArgs) {
  const { page, lien } = await requireLienCase(args)
  const caseKey = { location_code: lien.row.location_code, case_id: lien.row.case_id }
  const filesOfForm = { operation: RecordLienStep, tooLarge: uploadFaultMessages.too_large }
  const form = await readOfficeForm(page, args.request, filesOfForm)
  const caseInput = { ...form.typed, ...caseKey }
  const decideAct = {
    operation: DecideLienStep,
    input: () => ({ ...caseInput, decision: form.intent }),
    fieldNames: reasonOfForm('decide'),
  }
  return officeAction(page, form, {
    record: {
      operation: RecordLienStep,
      input: () => ({
        ...caseInput,
        ticks: allFieldValues(form.all, 'ticks'),
        copies: allFieldValues(form.all, 'copies'),
        file: form.files[0] ?? null,
      }),
      done: 'recorded',
    },
    sale: {
      operation: CloseSale,
      input: () => ({ ...caseInput, cents: parseDollarsOrZero(form.typed.amount) }),
      fieldNames: { cents: 'amount' },
      done: 'recorded',
    },
    confirm: { ...decideAct, done: 'seconded' },
    refuse: { ...decideAct, done: 'not-confirmed' },
    stop: {
      operation: StopLienCase,
      input: () => caseInput,
      fieldNames: reasonOfForm('stop'),
      done: 'stopped',
    },
    surplus: { operation: PaySurplus, input: () => caseInput, done: 'recorded' },
  })
}

export const shouldRevalidate = revalidateOnConflict

/** Page of a lien case: past steps, the next step with its earliest day, and proofs. */
export default function LienCase({ loaderData, actionData }: Route.ComponentProps) {
  const lien = loaderData
  const fields = actionData?.fields ?? {}
  const formKey = actionData?.key ?? lien.form.key
  const answer = {
    fields,
    values: actionData?.values ?? lien.storedValues ?? {},
    ticked: actionData ? [...allFieldValues(actionData.all, 'ticks'), ...allFieldValues(actionData.all, 'copies')] : [],
  }
  return (
    <OfficePageFrame
      title={`Lien case, unit ${lien.unit}`}
      brand={lien.brand}
      failed={Object.keys(fields).length > 0}
      lead={
        <>
          <Link to={lien.file}>{lien.tenant}</Link> · <Link to={lien.leasePath}>unit {lien.unit}</Link> ·{' '}
          {lien.facility} · <Link to="/office/liens">all cases</Link>
        </>
      }
    >
      <ErrorSummary errors={fields} general={['', 'form', 'made_from', 'step', 'case_id', 'step_id', 'decision']} />
      <p className="mt-2">
        <Tag tone={lien.state === 'open' ? 'door' : 'plain'}>{lien.stateName}</Tag>{' '}
        <strong className={lien.owed > 0 ? 'num text-brick' : 'num'}>{formatCents(lien.owed)}</strong>{' '}
        {lien.owed > 0 ? 'owed' : 'balance'} · rules {lien.version}
        {lien.lastAtGate && ` · last at the gate ${lien.lastAtGate}`}
      </p>
      {lien.ended && (
        <p>
          Ended {lien.ended.on}
          {lien.ended.by && ` by ${lien.ended.by}`}
          {lien.ended.because && `: ${lien.ended.because}`}
        </p>
      )}
      {lien.blocks.length > 0 && (
        <Callout tone="error" title="Blocked">
          <p>The tenant’s file has the flag: {lien.blocks.join(', ')}. No step is recorded while it stands.</p>
        </Callout>
      )}
      <div className="office-halves">
        <div>
          <NextStep lien={lien} formKey={formKey} answer={answer} />
        </div>
        <Section title="Steps">
          <Steps lien={lien} />
        </Section>
      </div>
      {lien.may.stop && (
        <details className="mt-8" open={answer.values.intent === 'stop'}>
          <summary>Stop the case</summary>
          <OperationForm
            formKey={formKey}
            intent="stop"
            button="Stop the case"
            kind="danger"
            hidden={{ made_from: lien.form.madeFrom }}
          >
            <FormWhyField form="stop" sent={answer} max={300} />
          </OperationForm>
        </details>
      )}
    </OfficePageFrame>
  )
}

/**
 * Section of a lien case's page for what comes next: the step with its form, the confirmation, the winner's link or the
 * surplus.
 */
function NextStep(props: {
  lien: LienCaseView
  formKey: string
  answer: { fields: FieldErrors; values: FormValues; ticked: string[] }
}) {
  const { lien } = props
  const { next, waiting, winner, surplus } = lien
  if (waiting)
    return (
      <Section title={`${waiting.name}: waits for a second person`}>
        <p>Recorded by {waiting.by}. It counts once another person has confirmed it.</p>
        {lien.may.decide && !waiting.own ? (
          <DecideForm {...props} waiting={waiting.id} />
        ) : (
          <p className="soft">
            {waiting.own ? 'You recorded it, so another staff member has to confirm it.' : 'A manager confirms it.'}
          </p>
        )}
      </Section>
    )
  if (winner)
    return (
      <Section title="The winner pays">
        <p>Send this link to the winner. Their payment is posted to the lease by itself.</p>
        <p>
          <a className="wrap-anywhere" href={winner}>
            {winner}
          </a>
        </p>
      </Section>
    )
  if (lien.state === 'surplus' && surplus) return <SurplusSection {...props} surplus={surplus} />
  if (!next) return null
  return (
    <Section title={`Next: ${next.name}`}>
      <p>
        Not before <strong>{next.earliest}</strong>: {next.because}.{next.missing && ` So far ${next.missing}.`}
      </p>
      {next.ready && lien.may.record && <LienStepForm {...props} step={next.step} />}
      {next.ready && !lien.may.record && <p className="soft">This step is not yours to record.</p>}
    </Section>
  )
}

function SurplusSection({
  surplus,
  ...form
}: ComponentProps<typeof SurplusForm> & { surplus: NonNullable<LienCaseView['surplus']> }) {
  const { lien, formKey } = form
  const left = surplus.left > 0 ? formatCents(surplus.left) : 'nothing'
  return (
    <Section title="Surplus held">
      <p>
        <strong className="num">{formatCents(surplus.cents)}</strong> came in beyond what was owed. It is held until{' '}
        {surplus.until}.{surplus.left < surplus.cents && ` Charges since the sale leave ${left} of it.`}
      </p>
      {lien.may.paySurplus && surplus.left > 0 && <SurplusForm {...form} />}
      {lien.may.paySurplus && surplus.left === 0 && (
        <OperationForm
          formKey={formKey}
          intent="surplus"
          button="Close the case"
          hidden={{ made_from: lien.form.madeFrom, to: 'none' }}
        />
      )}
    </Section>
  )
}

const Steps = ({ lien }: { lien: LienCaseView }) => (
  <ol className="office-steps border-l-2 border-line pl-5 *:relative *:py-[0.35rem]">
    <li>
      <strong>Opened</strong> <span className="num">{lien.opened.on}</span>
      <span className="office-under">
        {lien.opened.by}, {formatCents(lien.opened.owed)} owed since {lien.opened.from}
      </span>
    </li>
    {lien.timeline.map((step) => (
      <li key={step.id} className={step.state === 'refused' ? 'text-soft' : undefined}>
        <strong>{step.name}</strong> <span className="num">{step.on}</span>
        {step.state === 'waiting' && <Tag tone="door">waits</Tag>}
        {step.state === 'refused' && ' (does not count)'}
        <span className="office-under">
          {[step.how, [step.by, step.second].filter(Boolean).join(' and ')].filter(Boolean).join(' · ')}
          {step.file && (
            <>
              {' · '}
              <a href={step.file}>proof</a>
            </>
          )}
        </span>
      </li>
    ))}
    {lien.planned.map((step) => (
      <li key={step.id} className="office-planned text-soft">
        {step.name} <span className="num">from {step.on}</span>
        <span className="office-under">
          {step.because}
          {step.two && ' · two people'}
        </span>
      </li>
    ))}
  </ol>
)

import { isTextList, parseJson } from '../../domain/parse-json-and-check-shape.ts'
import { formatUs } from '../../domain/plain-date.ts'
import { errorsOf } from '../request/refusal-messages-by-field.ts'
import '../styles/form-pages.css'
import { type FormEvent, useState } from 'react'
import { data, Form, redirect, useNavigate } from 'react-router'
import { readMultipart } from '../../api/request-body.ts'
import { unsentFilledIn } from '../../domain/texts/account.ts'
import { formUnreadable } from '../../domain/texts/general-errors.ts'
import { sizeFault, UPLOAD_MAX_MB, uploadFaultMessages } from '../../domain/upload-size-and-file-types.ts'
import { postInsuranceUpload } from '../../modules/insurance/operations/post-insurance-upload.ts'
import { loadProofs } from '../../modules/insurance/views/tenant-insurance-proofs.ts'
import { GetTenantUnitList_V1 } from '../../modules/leases/operations/get-tenant-unit-list-v1.ts'
import { proofOfInsurance } from '../../modules/leases/texts/portal.ts'
import { checkBeforeBody } from '../../platform/operations/operation.ts'
import { useRestoredForm } from '../request/unsent-form-storage.ts'
import { useFormValidation } from '../request/use-form-rules.ts'
import { Button, ButtonRow, LinkButton } from '../ui/buttons.tsx'
import { Callout } from '../ui/card-tag-and-callout.tsx'
import { CheckboxGroup } from '../ui/fields/choice.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { DateField, FileField, TextField } from '../ui/fields/text.tsx'
import { withNoBreakSpaces } from '../ui/no-break.ts'
import type { FieldErrors, FormValues } from '../ui/use-form-checks.ts'
import { useSubmitting } from '../ui/use-submitting.ts'
import type { Route } from './+types/proof-of-insurance'
import { openPortalPage, tenantKey } from './open-portal-page.ts'
import { PortalFrame } from './portal-frame.tsx'
import { uploadWithProgress } from './upload-with-progress.ts'

const path = '/proof-of-insurance'
const acceptedFiles =
  '.jpg,.jpeg,.gif,.png,.pdf,.eps,image/jpeg,image/gif,image/png,application/pdf,application/postscript'

export async function loader(args: Route.LoaderArgs) {
  const { site, tenantInView, chrome } = await openPortalPage(args, { without: 'alert' })
  const [unitList, proofs] = await Promise.all([
    site.call(GetTenantUnitList_V1, { location_code: tenantInView.locationCode, tenant_id: tenantInView.tenantId }),
    loadProofs(site.services, tenantInView),
  ])
  return {
    chrome,
    tenantInView,
    at: tenantKey(tenantInView),
    units: unitList.ok ? unitList.value.Unit.map((unit) => unit.UnitNumber) : [],
    sent: new URL(args.request.url).searchParams.has('sent'),
    proofs: proofs.map((proof) => ({
      id: proof.proof_id,
      units: parseJson(proof.unit_numbers, isTextList).join(', '),
      carrier: proof.insurance_carrier,
      expires: formatUs(proof.expiration_date),
      name: proof.file_name,
      decision: proof.decision,
      because: proof.decided_because ?? '',
    })),
  }
}

/** Handles the form without scripts. With scripts `useUpload` sends the form to /api/insurance/upload instead. */
export async function action(args: Route.ActionArgs) {
  const { site, tenantInView } = await openPortalPage(args, { without: 'alert' })
  const refuse = (message: string, status: number) =>
    data<{ fields: FieldErrors; values: FormValues; chosen: string[] }>(
      { fields: { form: message }, values: {}, chosen: [] },
      { status },
    )
  const refusal = await checkBeforeBody(site.services, postInsuranceUpload, await site.callers())
  if (refusal) return refuse(refusal.message, refusal.status)
  const body = await readMultipart(args.request)
  if (!body.ok)
    return body.fault === 'too_large' ? refuse(uploadFaultMessages.too_large, 413) : refuse(formUnreadable, 400)
  const {
    fields,
    files: [file],
  } = body.form
  const text = (name: string) => fields.find(([field]) => field === name)?.[1] ?? ''
  const unitNumbers = fields.flatMap(([name, value]) => (name === 'unit_numbers' ? [value] : []))
  const outcome = await site.call(postInsuranceUpload, {
    location_code: tenantInView.locationCode,
    tenant_id: tenantInView.tenantId,
    unit_numbers: unitNumbers,
    policy_number: text('policy_number'),
    insurance_carrier: text('insurance_carrier'),
    expiration_date: text('expiration_date'),
    file: file?.bytes ?? new Uint8Array(),
  })
  if (outcome.ok) return redirect(`${path}?sent=1`)
  return data(
    { fields: errorsOf(outcome), values: Object.fromEntries(fields), chosen: unitNumbers },
    { status: outcome.status },
  )
}

export default function ProofOfInsurance({ loaderData, actionData }: Route.ComponentProps) {
  const { chrome, tenantInView, at, units, proofs, sent } = loaderData
  const [uploadErrors, setUploadErrors] = useState<FieldErrors>()
  const checks = useFormValidation('proofOfInsurance', uploadErrors ?? actionData?.fields)
  const upload = useUpload(setUploadErrors)
  const unsent = useRestoredForm(checks.form.ref, `${path} ${at}`)
  const busy = useSubmitting() || upload.progress !== null
  const submittedValue = (name: string) => actionData?.values?.[name]
  return (
    <PortalFrame
      chrome={chrome}
      title={proofOfInsurance}
      lead="If you have insurance of your own for what you store, show it here. It stands in for the coverage we offer."
      path={path}
      wrong={checks.wrong}
    >
      {sent && (
        <Callout className="mt-6" tone="success" live title="Your proof of insurance has arrived">
          <p>We keep it with your lease and have confirmed it to your e-mail address.</p>
          <p>We look at it and write to you. Until then your coverage stays as it is.</p>
        </Callout>
      )}
      {units.length === 0 ? (
        <Callout className="mt-6">
          <p>You rent no unit at this facility, so there is nothing to insure here.</p>
        </Callout>
      ) : (
        <Form
          method="post"
          encType="multipart/form-data"
          className="mt-6 max-w-text"
          {...checks.form}
          {...unsent.attributes}
          onSubmit={(event: FormEvent<HTMLFormElement>) => {
            checks.form.onSubmit?.(event)
            if (!event.defaultPrevented) upload.send(event)
          }}
        >
          <ErrorSummary {...checks.summary} general={['file', 'unit_numbers']} />
          {unsent.filled && <Callout live>{unsentFilledIn}</Callout>}
          <input type="hidden" name="location_code" value={tenantInView.locationCode} />
          <input type="hidden" name="tenant_id" value={tenantInView.tenantId} />
          <TextField
            {...checks.field('policy_number')}
            label="Policy number"
            autoComplete="off"
            maxLength={40}
            defaultValue={submittedValue('policy_number') ?? ''}
          />
          <TextField
            {...checks.field('insurance_carrier')}
            label="Carrier"
            hint="The company that insures you."
            autoComplete="off"
            maxLength={100}
            defaultValue={submittedValue('insurance_carrier') ?? ''}
          />
          <DateField
            {...checks.field('expiration_date')}
            label="Expiration date"
            autoComplete="off"
            defaultValue={submittedValue('expiration_date') ?? ''}
          />
          <CheckboxGroup
            {...checks.field('unit_numbers')}
            legend={units.length === 1 ? 'Unit' : 'Units it covers'}
            options={units.map((unit) => ({ value: unit, label: `Unit ${unit}` }))}
            defaultValues={actionData?.chosen ?? (units.length === 1 ? units : [])}
          />
          <FileField
            {...checks.field('file')}
            label="The policy, or a photo of it"
            hint={`JPEG, GIF, PNG, PDF or EPS, up to ${UPLOAD_MAX_MB} MB.`}
            accept={acceptedFiles}
          />
          {upload.progress !== null && (
            <p className="mt-4" aria-live="polite">
              <progress className="w-full" max={100} value={upload.progress} aria-label="Upload" />
              <span className="small soft">{upload.progress} % sent</span>
            </p>
          )}
          <ButtonRow>
            <Button busy={busy} busyLabel="Sending">
              Submit
            </Button>
            <LinkButton kind="secondary" to="/my-units">
              Cancel
            </LinkButton>
          </ButtonRow>
        </Form>
      )}
      {proofs.length > 0 && (
        <section className="mt-12">
          <h2>What you have sent</h2>
          <ul className="mt-4 grid gap-3">
            {proofs.map((proof) => (
              <li key={proof.id}>
                {/* No `download` attribute, which would also save an error page; the file has Content-Disposition. */}
                <a href={`/proof-of-insurance/${proof.id}`}>{proof.carrier}</a>{' '}
                <span className="soft">
                  for unit {proof.units}, until {withNoBreakSpaces(proof.expires)}
                  {proof.decision === 'accepted' && '. Accepted.'}
                  {proof.decision === 'refused' && `. Not accepted: ${proof.because}`}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </PortalFrame>
  )
}

/**
 * Uploads the form by XMLHttpRequest, which reports progress.
 * @param onRefused called with the errors by field, when the file is empty or too large, the server refuses the form or
 *   the connection is lost
 */
function useUpload(onRefused: (fields: FieldErrors) => void) {
  const [progress, setProgress] = useState<number | null>(null)
  const navigate = useNavigate()
  return {
    progress,
    send(event: FormEvent<HTMLFormElement>) {
      event.preventDefault()
      const formElement = event.currentTarget
      const form = new FormData(formElement)
      const file = form.get('file')
      // Checks the size first, so that a file that is too large is not uploaded in vain.
      const fault = file instanceof Blob && sizeFault(file.size)
      if (fault) return onRefused({ file: uploadFaultMessages[fault] })
      uploadWithProgress({
        to: '/api/insurance/upload',
        form,
        progress: setProgress,
        done() {
          setProgress(null)
          formElement.reset()
          void navigate(`${path}?sent=1`, { replace: true })
        },
        refused(fields) {
          setProgress(null)
          onRefused(fields)
        },
      })
    },
  }
}

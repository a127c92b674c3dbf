import { data, Form } from 'react-router'
import { validate } from '../../domain/forms/form-rules.ts'
import { defaultNotice } from '../../modules/reservations/rules/reservation-form.ts'
import { JourneyPage } from '../journey-page.tsx'
import { openStep, redirectIfAnswerKept, visibleStepAnswer } from '../open-journey-step.ts'
import { readForm } from '../request/read-form-fields.ts'
import { useFormValidation } from '../request/use-form-rules.ts'
import { STEP_FORM } from '../ui/action-bar.tsx'
import { SubmitButton } from '../ui/buttons.tsx'
import { RadioCards } from '../ui/fields/choice.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import type { Route } from './+types/delivery-of-notices-of-default'
import { KeepStoredAnswerLink, MaskedAnswer } from './keep-or-replace-answer.tsx'
import { loadRenterContact } from './renter-contact-visible-to-session.ts'
import { saveAndContinue } from './save-and-reserve.ts'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

export async function loader(args: Route.LoaderArgs) {
  const page = await openStep(args, '/default-notice')
  const { chrome, draft, site } = page
  const { onFile, shown } = visibleStepAnswer(page, args.request)
  const renter = await loadRenterContact(site, draft)
  return {
    chrome,
    onFile,
    chosen: shown(draft.answers.defaultNotice) ?? null,
    // A masked address tells the renter nothing, so the page says only that the address is on file.
    address: renter?.address.startsWith('*') ? '' : (renter?.address ?? ''),
    email: renter?.email ?? '',
  }
}

export async function action(args: Route.ActionArgs) {
  const page = await openStep(args, '/default-notice')
  const submitted = await readForm(args.request)
  const redirected = await redirectIfAnswerKept(page, submitted)
  if (redirected) return redirected
  const checked = validate(defaultNotice, submitted)
  if (!checked.ok) return data({ fields: checked.fields }, { status: 400 })
  return saveAndContinue(page, { defaultNotice: checked.value.default_notice })
}

const title = 'How should we send default notices?'

export default function DefaultNotice({ loaderData, actionData }: Route.ComponentProps) {
  const { chrome, onFile, chosen, address, email } = loaderData
  const checks = useFormValidation('defaultNotice', actionData?.fields)
  if (onFile && !actionData) return <MaskedAnswer chrome={chrome} title={title} label="Default notices" />
  return (
    <JourneyPage
      chrome={chrome}
      title={title}
      lead="In South Carolina you choose how you hear from us if rent stays unpaid. Your choice is kept encrypted."
      wrong={checks.wrong}
      action={
        <SubmitButton form={STEP_FORM} busyLabel="Saving">
          Next
        </SubmitButton>
      }
    >
      <Form method="post" id={STEP_FORM} className="mt-6" {...checks.form}>
        <ErrorSummary {...checks.summary} />
        <RadioCards
          name="default_notice"
          legend={title}
          legendHidden
          row
          error={checks.errors.default_notice}
          defaultValue={chosen ?? undefined}
          options={[
            { value: 'mail', label: 'By mail', detail: address ? `To ${address}` : 'To your address on file' },
            { value: 'email', label: 'By email', detail: email ? `To ${email}` : 'To your email on file' },
          ]}
        />
      </Form>
      <KeepStoredAnswerLink />
    </JourneyPage>
  )
}

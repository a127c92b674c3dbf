import { readForm } from '../request/read-form-fields.ts'
import '../styles/move-in.css'
import { useEffect, useRef, useState } from 'react'
import { data, Form, redirect, useNavigation, useSubmit } from 'react-router'
import { formUnreadable } from '../../domain/texts/general-errors.ts'
import {
  consentAgreement,
  consentHeading,
  consentParagraphs,
} from '../../modules/agreements/texts/electronic-signature-consent.ts'
import { mayReadAgreement } from '../../modules/leases/rules/agreement-access.ts'
import { chooseAutopay } from '../../modules/move-in/operations/choose-autopay.ts'
import { offerLease } from '../../modules/move-in/operations/offer-lease.ts'
import { type SigningForm, signRentalLease } from '../../modules/move-in/operations/sign-rental-lease.ts'
import {
  signatureConsentMissing,
  signatureNameDiffers,
  signerNameDiffers,
} from '../../modules/move-in/texts/move-in.ts'
import { isSignatureValid } from '../../modules/reservations/rules/journey/journey-answers.ts'
import { JourneyPage } from '../journey-page.tsx'
import { openStep, redirectToNextStep, type StepPage } from '../open-journey-step.ts'
import { redirectWithAlert } from '../request/context.ts'
import { Button, useHydrated } from '../ui/buttons.tsx'
import { Callout } from '../ui/card-tag-and-callout.tsx'
import { CheckboxField } from '../ui/fields/choice.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { LeaseView } from '../ui/lease-view.tsx'
import { formatCents } from '../ui/money.tsx'
import { withNoBreakSpaces } from '../ui/no-break.ts'
import { PriceChanged } from '../ui/price-changed.tsx'
import { useBrowserFilledValues } from '../ui/use-browser-filled-values.ts'
import { type FieldErrors, useFormChecks } from '../ui/use-form-checks.ts'
import type { Route } from './+types/lease'
import { LeaseAction, LeaseSigningForm, SignedLeaseNotice } from './lease-signing-form.tsx'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

const title = 'Your lease'

export async function loader(args: Route.LoaderArgs) {
  const page = await openStep(args, '/lease')
  const { site, draft, facts, chrome } = page
  const { tenant } = await site.callers()
  const offer = await offerLease(site.services, page, tenant)
  return {
    chrome,
    autopay: offer.autopay,
    dueToday: offer.dueToday,
    otherDueToday: offer.otherDueToday,
    autopayPerPeriod: offer.autopayPerPeriod,
    nextBilling: offer.nextBilling,
    freeMonth: offer.freeMonth,
    cardFee: offer.cardFee,
    sections: offer.sections,
    quoteId: offer.quoteId,
    signer: offer.signer,
    missing: offer.missing,
    signed: isSignatureValid(facts),
    signedCopy: mayReadAgreement(draft, tenant),
    consent: { heading: consentHeading, paragraphs: consentParagraphs, agreement: consentAgreement },
  }
}

/**
 * Reloads the data of the lease page even after a refused submission, since a changed price or quote must show at once.
 * After a lost connection the page stays, as its loader could not be reached either.
 */
export const shouldRevalidate = ({ actionStatus = 200 }: { actionStatus?: number }) => actionStatus < 500

export async function action(args: Route.ActionArgs) {
  const page = await openStep(args, '/lease')
  const values = await readForm(args.request)
  const { site, draft, facts } = page
  const { intent, typed = '', signer = '' } = values
  if (intent === 'autopay') {
    if (!(await chooseAutopay(site.services, draft, values.autopay === '1'))) site.alertNext('changedElsewhere')
    return redirect('/lease')
  }
  if (intent === 'go-on' && isSignatureValid(facts)) return redirectToNextStep(site, draft, '/lease')
  // If the signature has become invalid, Next is refused like a form that was not signed.
  if (intent === 'sign' || intent === 'go-on') return sign(page, values)
  return data({ fields: { form: formUnreadable }, values: { typed, signer } }, { status: 400 })
}

async function sign({ site, draft }: StepPage, values: Record<string, string>) {
  const { method, image = '', typed = '' } = values
  const form: SigningForm = {
    quoteId: values.quote ?? '',
    typedName: (values.signer ?? '').replace(/[\p{C}\s]+/gu, ' ').trim(),
    agreed: values.consent === '1',
    signature: method === 'drawn' ? { method, image } : { method: 'typed', name: typed },
  }
  const outcome = await signRentalLease(site.services, draft, form, await site.callers())
  if (outcome.ok) return redirectToNextStep(site, outcome.draft, '/lease')
  switch (outcome.why) {
    case 'gone':
      return redirectWithAlert(site, 'invalidSession', '/')
    case 'price_changed':
      return data({ fields: {}, values: { typed }, changes: outcome.changes }, { status: 409 })
    case 'invalid':
      return data({ fields: outcome.fields, values: { typed, signer: outcome.signer } }, { status: 400 })
    case 'another_name':
      return data({ fields: { signer: signerNameDiffers }, values: { signer: outcome.signer } }, { status: 400 })
    case 'another_signature':
      return data(
        { fields: { signature: signatureNameDiffers }, values: { typed, signer: outcome.signer } },
        { status: 400 },
      )
    case 'stale':
      site.alertNext('changedElsewhere')
      return redirect('/lease')
  }
}

export default function Lease({ loaderData, actionData }: Route.ComponentProps) {
  const { chrome, signed, sections, dueToday, missing } = loaderData
  const checks = useFormChecks((form): FieldErrors => {
    const errors: FieldErrors = {}
    if (form.consent === undefined) errors.consent = signatureConsentMissing
    if (form.signer?.trim() === '') errors.signer = missing.signer
    if (!(form.image || form.typed?.trim())) errors.signature = missing.signature
    return errors
  }, actionData?.fields)
  const changes = actionData && 'changes' in actionData ? actionData.changes : undefined
  return (
    <JourneyPage
      chrome={chrome}
      title={title}
      lead="Read it, sign it here, and pay on the next page. Nothing is binding until you have done both."
      wrong={checks.wrong}
      action={<LeaseAction signed={signed} />}
    >
      <ErrorSummary {...checks.summary} />
      {changes && <PriceChanged changes={changes} total={dueToday} />}
      <Autopay {...loaderData} />
      <section className="mt-12" aria-labelledby="read-lease">
        <h2 id="read-lease">Read your lease</h2>
        <p className="mt-2">
          This is the whole agreement.{' '}
          <a href="/lease-document/preview" target="_blank" rel="noopener">
            Open it as a PDF<span className="sr"> in a new tab</span>
          </a>{' '}
          to read it on paper or keep it.
        </p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
        <section className="lease-sheet" aria-label="Lease" tabIndex={0}>
          <LeaseView sections={sections} headingLevel={3} renderText={withNoBreakSpaces} />
        </section>
      </section>
      {signed ? (
        <SignedLeaseNotice copy={loaderData.signedCopy} />
      ) : (
        <LeaseSigningForm {...loaderData} checks={checks} returned={actionData} />
      )}
    </JourneyPage>
  )
}

interface AutopayTerms {
  autopay: boolean
  dueToday: number
  otherDueToday: number
  /** Charge per period with autopay, in cents, whether autopay is on or off now. */
  autopayPerPeriod: number
  nextBilling: string
  freeMonth: string
  cardFee: number
}

/** Shows the autopay choice, on by default, and what declining costs before it is done (spec 1 §4). */
function Autopay({
  autopay,
  dueToday,
  otherDueToday,
  autopayPerPeriod,
  nextBilling,
  freeMonth,
  cardFee,
}: AutopayTerms) {
  const hydrated = useHydrated()
  const submit = useSubmit()
  const navigation = useNavigation()
  const [hasChanged, setHasChanged] = useState(false)
  const [checked, setChecked] = useState(autopay)
  const form = useRef<HTMLFormElement>(null)
  const save = (choice: boolean) => {
    setChecked(choice)
    setHasChanged(true)
    submit(form.current)
  }
  const busy = navigation.formData?.get('intent') === 'autopay'
  // When a save has ended, refused or not, the checkbox shows the saved choice as the sentence below it does.
  useEffect(() => {
    if (!busy) setChecked(autopay)
  }, [busy, autopay])
  // This call comes after the effect above, which would otherwise undo the choice that the browser filled in.
  useBrowserFilledValues(form, (values) => {
    const choice = values.autopay === '1'
    if (choice !== autopay) save(choice)
  })
  const dueWithout = autopay ? otherDueToday : dueToday
  const dueWith = autopay ? dueToday : otherDueToday
  const losses = [
    freeMonth && `${freeMonth} comes with autopay and is taken off your lease without it`,
    cardFee > 0 && `each card payment without autopay carries a fee of ${formatCents(cardFee)}`,
  ].filter((part) => part !== '' && part !== false)
  return (
    <section className="mt-8" aria-labelledby="autopay-title">
      <h2 id="autopay-title">Autopay</h2>
      <Form method="post" ref={form}>
        <input type="hidden" name="intent" value="autopay" />
        <CheckboxField
          name="autopay"
          label="Pay automatically"
          checked={checked}
          hint={withNoBreakSpaces(
            `The way you pay today is charged ${formatCents(autopayPerPeriod)} every 30 days, first on ${nextBilling}. You can stop it whenever you like.`,
          )}
          onChange={(event) => save(event.currentTarget.checked)}
        />
        {losses.length > 0 && (
          <div className="mt-3 max-w-text">
            <Callout>
              {losses.join('; ').replace(/^./, (letter) => letter.toUpperCase())}. Due today is{' '}
              <strong className="num">{formatCents(dueWith)}</strong> with autopay and{' '}
              <strong className="num">{formatCents(dueWithout)}</strong> without. Your lease is written again when you
              change this.
            </Callout>
          </div>
        )}
        {!hydrated && (
          <div className="mt-3">
            <Button kind="secondary">Save autopay choice</Button>
          </div>
        )}
        <p className="small soft mt-3" role="status">
          {busy
            ? 'Writing your lease again…'
            : hasChanged
              ? `Autopay is ${autopay ? 'on' : 'off'}. Due today: ${formatCents(dueToday)}.`
              : ''}
        </p>
      </Form>
    </section>
  )
}

import { readForm } from '../request/form-fields.ts'
import '../styles/move-in.css'
import { useRef, useState } from 'react'
import { data, Form, redirect, useNavigation, useSubmit } from 'react-router'
import { formatUs } from '../../domain/plain-date.ts'
import { required, tooLong } from '../../domain/texts/fields.ts'
import { formUnreadable } from '../../domain/texts/site.ts'
import { readSignature, signatureFaultMessages } from '../../modules/agreements/signature/check-submitted-signature.ts'
import { consentAgreement, consentHeading, consentParagraphs } from '../../modules/agreements/texts/consent.ts'
import { mayReadAgreement } from '../../modules/leases/documents.ts'
import { loadSignerName, previewLease, signLease } from '../../modules/move-in/sign-lease.ts'
import { signatureNameDiffers, signerNameDiffers } from '../../modules/move-in/texts/move-in.ts'
import { isFirstMonthFree } from '../../modules/pricing/rules/discount.ts'
import { cardFeeOf } from '../../modules/pricing/rules/unit-type-fees.ts'
import { saveAnswers } from '../../modules/reservations/draft.ts'
import { priceDraft } from '../../modules/reservations/draft-price.ts'
import { consentToQuote, storeQuote } from '../../modules/reservations/draft-quote.ts'
import { isSignatureValid, wantsAutopay } from '../../modules/reservations/rules/journey/journey-answers.ts'
import { JourneyPage } from '../journey-page.tsx'
import { openStep, redirectToNextStep, type StepPage } from '../open-journey-step.ts'
import { redirectWithAlert } from '../request/context.ts'
import { Button, useHydrated } from '../ui/buttons.tsx'
import { CheckboxField } from '../ui/fields/choice.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { type FieldErrors, useFormChecks } from '../ui/form-checks.ts'
import { LeaseView } from '../ui/lease-view.tsx'
import { formatCents } from '../ui/money.tsx'
import { withNoBreakSpaces } from '../ui/no-break.ts'
import { PriceChanged } from '../ui/price-changed.tsx'
import { Callout } from '../ui/surfaces.tsx'
import { usePrefilled } from '../ui/use-browser-filled-values.ts'
import type { Route } from './+types/lease'
import { LeaseAction, LeaseSigningForm, SignedLeaseNotice } from './lease-signing-form.tsx'

export { submit as clientAction } from '../request/form-client-action.ts'

const title = 'Your lease'

const nameMissing = required('Full name')

export async function loader(args: Route.LoaderArgs) {
  const page = await openStep(args, '/lease')
  const { site, draft, facts, quote, chrome } = page
  const { services } = site
  const autopay = wantsAutopay(facts.answers)
  const { tenant } = await site.callers()
  const [lease, stored, signer] = await Promise.all([
    previewLease(services, draft, tenant),
    storeQuote(services, draft),
    loadSigner(page),
  ])
  // Price with the opposite autopay choice, to show what a change would cost before it is made.
  const otherQuote = priceDraft(
    facts.facility,
    { ...draft, answers: { ...draft.answers, autopay: !autopay } },
    facts.reservation,
  )
  const firstMonthFree = [quote.discount, otherQuote?.discount].find((discount) => isFirstMonthFree(discount ?? null))
  return {
    chrome,
    sections: lease.sections,
    quoteId: stored?.quoteId ?? '',
    dueToday: quote.charges.dueToday,
    autopayPerPeriod: ((autopay ? quote : otherQuote) ?? quote).charges.thenPerPeriod,
    nextBilling: formatUs(quote.charges.nextBilling),
    autopay,
    otherDueToday: otherQuote?.charges.dueToday ?? quote.charges.dueToday,
    freeMonth: firstMonthFree ? firstMonthFree.description : '',
    cardFee: cardFeeOf(facts.facility, draft.unitTypeId)?.amount ?? 0,
    signer,
    signed: isSignatureValid(facts),
    signedCopy: mayReadAgreement(draft, tenant),
    consent: { heading: consentHeading, paragraphs: consentParagraphs, agreement: consentAgreement },
    missing: { signature: signatureFaultMessages.missing, signer: nameMissing },
  }
}

/**
 * Reloads the data of the lease page after every submission, even a refused one: a changed price or quote must show at
 * once.
 */
export const shouldRevalidate = () => true

export async function action(args: Route.ActionArgs) {
  const page = await openStep(args, '/lease')
  const values = await readForm(args.request)
  const { site, draft, facts } = page
  const { intent, typed = '', signer = '' } = values
  if (intent === 'autopay') {
    const outcome = await saveAnswers(site.services, draft, { autopay: values.autopay === '1' })
    if (!outcome.ok) site.alertNext('changedElsewhere')
    return redirect('/lease')
  }
  if (intent === 'go-on' && isSignatureValid(facts)) return redirectToNextStep(site, draft, '/lease')
  // When the signature no longer holds, going on means signing again.
  if (intent === 'sign' || intent === 'go-on') return sign(page, values)
  return data({ fields: { form: formUnreadable }, values: { typed, signer } }, { status: 400 })
}

/**
 * Reads the submitted signing form.
 * @returns the signature or null, and a message for each wrong field
 */
function readSigning(values: Record<string, string>, signer: string) {
  const fields: Record<string, string> = {}
  if (signer === '') fields.signer = nameMissing
  if (signer.length > 100) fields.signer = tooLong('Full name', 100)
  if (values.consent !== '1') fields.consent = consentMissing
  const { method, image = '', typed = '' } = values
  const result = readSignature(method === 'drawn' ? { method, image } : { method: 'typed', name: typed })
  if (!result.ok) fields.signature = signatureFaultMessages[result.fault]
  return { fields, signature: result.ok ? result.signature : null }
}

async function sign(page: StepPage, values: Record<string, string>) {
  const { site, draft } = page
  const { typed = '' } = values
  const consent = await consentToQuote(site.services, draft, values.quote ?? '')
  if (!consent.ok && consent.why === 'gone') return redirectWithAlert(site, 'invalidSession', '/')
  if (!consent.ok && (consent.why === 'changed' || consent.why === 'expired'))
    return data({ fields: {}, values: { typed }, changes: consent.changes }, { status: 409 })
  const signer = (await loadSigner(page)) || (values.signer ?? '').replace(/[\p{C}\s]+/gu, ' ').trim()
  const { signature, ...signing } = readSigning(values, signer)
  const fields = { ...(!consent.ok && { form: formUnreadable }), ...signing.fields }
  if (!signature || Object.keys(fields).length > 0) return data({ fields, values: { typed, signer } }, { status: 400 })
  const { address, agent, tenant } = await site.callers()
  const signedBy = { claimed: signer, address, agent }
  const outcome = await signLease(site.services, draft, signature, signedBy, tenant)
  if (outcome.ok) return redirectToNextStep(site, outcome.draft, '/lease')
  if (outcome.why === 'another_name')
    return data({ fields: { signer: signerNameDiffers }, values: { signer } }, { status: 400 })
  if (outcome.why === 'another_signature')
    return data({ fields: { signature: signatureNameDiffers }, values: { typed, signer } }, { status: 400 })
  site.alertNext('changedElsewhere')
  return redirect('/lease')
}

const loadSigner = async ({ site, draft }: StepPage) =>
  loadSignerName(site.services, draft, (await site.callers()).tenant)

const consentMissing = 'Please agree to sign electronically, or call us to sign on paper.'

export default function Lease({ loaderData, actionData }: Route.ComponentProps) {
  const { chrome, signed, sections, dueToday, missing } = loaderData
  const checks = useFormChecks((form): FieldErrors => {
    const errors: FieldErrors = {}
    if (form.consent === undefined) errors.consent = consentMissing
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
          <LeaseView sections={sections} headingLevel={3} shown={withNoBreakSpaces} />
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
  const form = useRef<HTMLFormElement>(null)
  const save = () => {
    setHasChanged(true)
    submit(form.current)
  }
  usePrefilled(form, (values) => {
    if ((values.autopay === '1') !== autopay) save()
  })
  const busy = navigation.formData?.get('intent') === 'autopay'
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
          // A new key shows the saved value after each response.
          key={String(autopay)}
          name="autopay"
          label="Pay automatically"
          defaultChecked={autopay}
          hint={withNoBreakSpaces(
            `The way you pay today is charged ${formatCents(autopayPerPeriod)} every 30 days, first on ${nextBilling}. You can stop it whenever you like.`,
          )}
          {...(hydrated && { onChange: save })}
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
            ? 'Writing your lease anew…'
            : hasChanged
              ? `Autopay is ${autopay ? 'on' : 'off'}. Due today: ${formatCents(dueToday)}.`
              : ''}
        </p>
      </Form>
    </section>
  )
}

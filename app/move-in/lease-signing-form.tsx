import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Form, useNavigation } from 'react-router'
import { STEP_FORM } from '../ui/action-bar.tsx'
import { Button, ButtonRow, LinkButton, useHydrated } from '../ui/buttons.tsx'
import { Skeleton } from '../ui/data-tables.tsx'
import { CheckboxField } from '../ui/fields/choice.tsx'
import { TextField } from '../ui/fields/text.tsx'
import { Icon } from '../ui/icons.tsx'
import { formatCents } from '../ui/money.tsx'
import type { Signature } from '../ui/signature-pad.tsx'
import { useBrowserFilledValues } from '../ui/use-browser-filled-values.ts'
import type { FormChecks, FormResponse } from '../ui/use-form-checks.ts'
import type { Route } from './+types/lease'
import { typedValue } from './step-form.tsx'

const SignaturePad = lazy(() => import('../ui/signature-pad.tsx'))

export function LeaseAction({ signed }: { signed: boolean }) {
  const busy = useNavigation().formData?.get('intent') === 'sign'
  return (
    <Button form={STEP_FORM} busy={busy} busyLabel="Signing…">
      {signed ? 'Next' : 'Accept'}
    </Button>
  )
}

export function SignedLeaseNotice({ copy }: { copy: boolean }) {
  return (
    <section className="mt-12 max-w-text" aria-labelledby="signed-title">
      <h2 id="signed-title">You have signed</h2>
      <p className="mt-2">
        Your signature stands as long as nothing in the lease changes. We mail you the signed copy when you have moved
        in.
      </p>
      {copy && (
        <ButtonRow>
          <LinkButton kind="secondary" href="/lease-document/signed" target="_blank" rel="noopener">
            Open the signed copy
          </LinkButton>
        </ButtonRow>
      )}
      <Form method="post" id={STEP_FORM}>
        <input type="hidden" name="intent" value="go-on" />
      </Form>
    </section>
  )
}

export function LeaseSigningForm({
  consent,
  quoteId,
  signer,
  dueToday,
  checks,
  returned,
}: Pick<Route.ComponentProps['loaderData'], 'consent' | 'quoteId' | 'signer' | 'dueToday'> & {
  checks: FormChecks
  returned: FormResponse | undefined
}) {
  const hydrated = useHydrated()
  const [signature, setSignature] = useState<Signature | null>(null)
  const [name, setName] = useState(signer || (typedValue(returned, 'signer') ?? ''))
  const { ref } = checks.form
  useBrowserFilledValues(ref, (values) => values.signer && setName(values.signer))
  const isFirstRun = useRef(true)
  // Changes of hidden fields raise no input event. The effect raises one, so that the checks drop the message that asks
  // for a signature.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect must run for each new signature
  useEffect(() => {
    if (!isFirstRun.current) ref.current?.dispatchEvent(new Event('input', { bubbles: true }))
    isFirstRun.current = false
  }, [signature, ref])
  return (
    <Form method="post" id={STEP_FORM} {...checks.form} className="mt-12">
      <input type="hidden" name="intent" value="sign" />
      <input type="hidden" name="quote" value={quoteId} />
      <section aria-labelledby="consent-title" className="max-w-text">
        <h2 id="consent-title">{consent.heading}</h2>
        <div className="prose mt-2">
          {consent.paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
        <CheckboxField {...checks.field('consent')} label={consent.agreement} />
      </section>
      <section aria-labelledby="sign-title" className="mt-12">
        <h2 id="sign-title">Sign</h2>
        {signer === '' && (
          <TextField
            {...checks.field('signer')}
            label="Your full name"
            autoComplete="name"
            maxLength={100}
            width={20}
            defaultValue={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
        {hydrated ? (
          // biome-ignore lint/a11y/useSemanticElements: the pad has a fieldset of its own for the way of signing
          <div
            id="signature"
            role="group"
            aria-label="Your signature"
            tabIndex={-1}
            className={`field sign-place${checks.errors.signature ? ' wrong' : ''}`}
          >
            {checks.errors.signature && (
              <p className="error">
                <Icon name="alert" />
                <span>
                  <span className="sr">Error: </span>
                  {checks.errors.signature}
                </span>
              </p>
            )}
            <Suspense fallback={<Skeleton shape="card" />}>
              <SignaturePad signer={name} onChange={setSignature} />
            </Suspense>
            <input type="hidden" name="method" value={signature?.method ?? 'drawn'} />
            <input type="hidden" name="typed" value={signature?.typed ?? ''} />
            <input type="hidden" name="image" value={signature?.method === 'drawn' ? signature.png : ''} />
          </div>
        ) : (
          <div className="sign-place">
            <input type="hidden" name="method" value="typed" />
            <TextField
              name="typed"
              id="signature"
              label="Type your full name to sign"
              hint={signer && `Signing as ${signer}`}
              error={checks.errors.signature}
              autoComplete="name"
              maxLength={100}
              width={20}
              defaultValue={typedValue(returned, 'typed')}
            />
          </div>
        )}
        <p className="mt-6 max-w-text">
          You agree to this lease and to pay <strong className="num">{formatCents(dueToday)}</strong> today. Nothing is
          charged until you pay on the next page.
        </p>
      </section>
    </Form>
  )
}

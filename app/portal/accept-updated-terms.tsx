import { readForm } from '../request/read-form-fields.ts'
import { sameSitePath } from '../request/same-site-path.ts'
import '../styles/form-pages.css'
import { useState } from 'react'
import { data, Form, redirect } from 'react-router'
import { formatDate } from '../../domain/plain-date.ts'
import { loadAccountHeader } from '../../modules/accounts/views/account-tenants-and-pending-terms.ts'
import { AcceptTerms } from '../../modules/agreements/operations/accept-terms.ts'
import { UPDATED_TERMS_EFFECTIVE } from '../../modules/agreements/rules/updated-terms-fixed-effective-date.ts'
import { loadAgreementToAccept } from '../../modules/agreements/views/updated-agreement.ts'
import { loadFactsAt } from '../../modules/facilities/views/facility-of-tenant-pages.ts'
import { leasePdfFailed, reviewLease, updatedLeaseTerms } from '../../modules/leases/texts/portal.ts'
import { redirectWithAlert } from '../request/context.ts'
import { LinkButton, SubmitButton } from '../ui/buttons.tsx'
import { Callout, Card } from '../ui/card-tag-and-callout.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Frame } from '../ui/document-frame.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { LeaseView } from '../ui/lease-view.tsx'
import { withNoBreakSpaces } from '../ui/no-break.ts'
import { PageFrame } from '../ui/page.tsx'
import type { Route } from './+types/accept-updated-terms'
import { openPortalPage } from './open-portal-page.ts'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

const pdf = '/complete-lease/agreement'

/**
 * Loads the lease whose new terms wait for acceptance (spec 2 §2 /complete-lease).
 * @throws a redirect without a session or facility, when no terms wait, the address names another lease or no valid one,
 *   or the agreement cannot be loaded
 */
async function loadLeaseToAccept(args: Route.LoaderArgs | Route.ActionArgs) {
  const page = await openPortalPage(args, { without: 'home', beforeTerms: true })
  const { site, needsTerms: pendingLease } = page
  if (!pendingLease) throw redirect('/')
  const facts = await loadFactsAt(site.services, page.facts, pendingLease.locationCode)
  if (!facts) return redirectWithAlert(site, 'locationDataFailed', '/')
  const leaseParam = new URL(args.request.url).searchParams.get('lease')
  if (leaseParam !== null && !/^\d{1,9}$/.test(leaseParam)) return redirectWithAlert(site, 'invalidLeaseNumber', '/')
  if (leaseParam !== null && Number(leaseParam) !== pendingLease.leaseNumber)
    return redirectWithAlert(site, 'noLeaseFound', '/')
  const lease = await loadAgreementToAccept(site.services, pendingLease, facts, site.brand)
  if (!lease) return redirectWithAlert(site, 'noLeaseFound', '/')
  return { ...page, pendingLease, lease }
}

export async function loader(args: Route.LoaderArgs) {
  const { site, pendingLease, lease } = await loadLeaseToAccept(args)
  return {
    brand: site.brand.name,
    leaseNumber: pendingLease.leaseNumber,
    unitNumber: lease.unitNumber,
    facility: lease.facilityName,
    effective: formatDate(UPDATED_TERMS_EFFECTIVE),
    sections: lease.sections,
    hash: lease.hash,
  }
}

export async function action(args: Route.ActionArgs) {
  const { site, pendingLease, lease, account } = await loadLeaseToAccept(args)
  const form = await readForm(args.request)
  // The page showed the agreement of a unit that another tab has accepted since, or the terms have changed since.
  if (form.hash !== lease.hash) return redirectWithAlert(site, 'changedElsewhere', '/complete-lease')
  const { locationCode: location_code, tenantId: tenant_id, leaseNumber: lease_number } = pendingLease
  const outcome = await site.call(AcceptTerms, { location_code, tenant_id, lease_number, hash: lease.hash })
  if (!outcome.ok) return data({ fields: { form: outcome.message } }, { status: outcome.status })
  // Terms are accepted unit by unit, so the terms of the account's next unit may still wait.
  if ((await loadAccountHeader(site.services, account)).needsTerms) return redirect('/complete-lease')
  const next = sameSitePath(site.session.ids.next, '/my-units')
  site.session.set({ next: undefined })
  return redirect(next)
}

export default function CompleteLease({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, unitNumber, leaseNumber, facility, effective, sections, hash } = loaderData
  const [review, setReview] = useState<'closed' | 'loading' | 'open' | 'failed'>('closed')
  const fields = actionData?.fields ?? {}

  /**
   * Fetches the agreement's PDF before opening the dialog that shows it, so that a network failure shows a message
   * instead of an empty frame.
   */
  async function openReview() {
    setReview('loading')
    const response = await fetch(pdf).catch(() => null)
    setReview(response?.ok && response.headers.get('Content-Type') === 'application/pdf' ? 'open' : 'failed')
  }

  return (
    <PageFrame narrow title={updatedLeaseTerms} brand={brand} wrong={Object.keys(fields).length > 0}>
      <h1>{updatedLeaseTerms}</h1>
      <ErrorSummary errors={fields} />
      <p className="lead mt-2">The updated rental agreement is effective {effective}.</p>
      <p className="mt-4">
        It is for unit {unitNumber} at {facility}, lease {leaseNumber}. Your unit, your gate code and what you pay stay
        as they are. Please read it, then accept it to go on to your account.
      </p>
      <div className="btn-row">
        <a
          className="btn btn-secondary btn-short"
          href={pdf}
          target="_blank"
          rel="noopener"
          aria-busy={review === 'loading' || undefined}
          onClick={(event) => {
            event.preventDefault()
            void openReview()
          }}
        >
          {reviewLease}
        </a>
        <Form method="post">
          <input type="hidden" name="hash" value={hash} />
          <SubmitButton busyLabel="One moment…">Accept</SubmitButton>
        </Form>
      </div>
      <div role="status" className="mt-4">
        {review === 'failed' && (
          <Callout tone="error">
            <p>{leasePdfFailed}</p>
          </Callout>
        )}
      </div>
      <Card className="mt-6">
        <details>
          <summary>
            <strong>Read it here</strong>
          </summary>
          <div className="mt-4 wrap-anywhere">
            <LeaseView sections={sections} renderText={withNoBreakSpaces} />
          </div>
        </details>
      </Card>
      <Dialog
        wide
        open={review === 'open'}
        onClose={() => setReview('closed')}
        title="Updated rental agreement"
        actions={
          <LinkButton kind="secondary" href={`${pdf}?download`}>
            Download
          </LinkButton>
        }
      >
        {review === 'open' && (
          <Frame
            src={pdf}
            title={`Updated rental agreement for unit ${unitNumber}`}
            wayOut="Does it stay empty? Some phones do not show a PDF here: download it, or read it on the page behind."
          />
        )}
      </Dialog>
    </PageFrame>
  )
}

import { Form } from 'react-router'
import { officeNotFound } from '../../domain/texts/office-refusals.ts'
import { DecideApproval } from '../../modules/staff/operations/decide-approval.ts'
import { WithdrawApproval } from '../../modules/staff/operations/withdraw-approval.ts'
import { findOpenApproval } from '../../modules/staff/views/single-approval-request.ts'
import { revalidateOnConflict } from '../request/submit-or-report-offline.ts'
import { Button, ButtonRow } from '../ui/buttons.tsx'
import { DataList } from '../ui/data-tables.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { formatCents } from '../ui/money.tsx'
import type { Route } from './+types/approval'
import { loadApprovalPreview } from './approval-preview.ts'
import { loadStoredFormOfPage } from './form-awaiting-second-factor.ts'
import { LedgerPreview } from './ledger-preview.tsx'
import { WhyField } from './note-and-reason-fields.tsx'
import { officeAction, type SentForm } from './office-action.ts'
import { OfficePageFrame, Section } from './office-page-heading-and-sections.tsx'
import { loadTimeFormatter } from './office-time.ts'
import { openOfficePage } from './open-office-page.ts'
import { tenantPath } from './tenant-paths.ts'

export async function loader(args: Route.LoaderArgs) {
  const page = await openOfficePage(args)
  const { site, staff } = page
  const approval = await findOpenApproval(site.services, staff, { approval_id: args.params.approvalId })
  if (!approval) throw new Response(officeNotFound, { status: 404 })
  const timeAt = await loadTimeFormatter(page)
  return {
    brand: site.brand.name,
    approval: { ...approval, askedAt: timeAt(approval.askedAt, approval.locationCode) },
    because: (await loadStoredFormOfPage(page))?.values.because,
    isOwn: approval.askedBy === staff.staffId,
    seen: approval.askedBy === staff.staffId ? null : await loadApprovalPreview(page, approval.approvalId),
  }
}

export async function action(args: Route.ActionArgs) {
  const page = await openOfficePage(args)
  const { approvalId: approval_id } = args.params
  const decide = {
    operation: DecideApproval,
    input: ({ intent, typed }: SentForm) => ({
      approval_id,
      location_code: typed.location_code,
      decision: intent,
      because: typed.because ?? '',
      seen: typed.seen,
    }),
    back: '/office/queue',
  }
  return officeAction(page, args.request, {
    approve: decide,
    refuse: decide,
    withdraw: {
      operation: WithdrawApproval,
      input: ({ typed }) => ({ approval_id, location_code: typed.location_code }),
      back: '/office/queue',
    },
  })
}

export const shouldRevalidate = revalidateOnConflict

/** Page of a request that waits for a second person's approval. */
export default function Approval({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, approval, isOwn, seen } = loaderData
  const fields = actionData?.fields ?? {}
  const { cents, summary } = seen?.now ?? approval
  const { locationCode: location, tenantId: tenant } = approval
  const tenantHref = tenant === null ? null : tenantPath({ location, tenant })
  return (
    <OfficePageFrame title={summary} brand={brand} failed={Object.keys(fields).length > 0}>
      <ErrorSummary errors={fields} general={['', 'form', 'decision', 'cents', 'way', 'fee_id', 'period_start']} />
      <DataList
        facts={[
          ...(cents === 0 ? [] : [{ label: 'Amount', value: formatCents(cents) }]),
          { label: 'Reason', value: approval.reason },
          { label: 'Asked by', value: `${approval.askedByName}, ${approval.askedAt}` },
          {
            label: 'About',
            value:
              tenantHref === null ? (
                approval.locationCode
              ) : (
                <a href={tenantHref}>
                  {approval.locationCode} {approval.tenantId}
                </a>
              ),
          },
        ]}
      />
      {seen && (seen.leases || seen.hasChanged || seen.refused) && (
        <Section title="This will write">
          {seen.hasChanged && (
            <p role="status">The ledger has changed since this was asked for. This is what it would write now.</p>
          )}
          {seen.leases && <LedgerPreview leases={seen.leases} />}
          {seen.refused && <p className="office-asks">{seen.refused}</p>}
        </Section>
      )}
      {approval.operation === 'EraseTenant' && tenantHref !== null && (
        <p className="office-asks">
          <a href={`${tenantHref}/erase`}>What goes, and what stays</a>
        </p>
      )}
      <Form method="post" className="office-form mt-6">
        <input type="hidden" name="location_code" value={approval.locationCode} />
        {seen && <input type="hidden" name="seen" value={seen.seen} />}
        {isOwn ? (
          <Button kind="secondary" name="intent" value="withdraw">
            Withdraw the request
          </Button>
        ) : (
          <>
            <WhyField name="because" label="Note" optional value={actionData?.values.because ?? loaderData.because} />
            <ButtonRow>
              <Button name="intent" value="approve" data-key="a">
                Approve
              </Button>
              <Button kind="secondary" name="intent" value="refuse" data-key="x">
                Refuse
              </Button>
            </ButtonRow>
          </>
        )}
      </Form>
    </OfficePageFrame>
  )
}

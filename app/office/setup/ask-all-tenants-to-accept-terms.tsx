import { Link, redirect } from 'react-router'
import { noLeaseWaits, noOpenLease } from '../../../modules/facilities/texts/setup-and-appointment-errors.ts'
import { RequireTerms } from '../../../modules/leases/operations/require-terms.ts'
import { countAwaitedTerms } from '../../../modules/leases/views/count-awaited-terms.ts'
import { refuse } from '../../../platform/operations/outcome.ts'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { loadFacilitiesInView } from '../facilities-in-view.ts'
import { FormWhyField, reasonOfForm } from '../note-and-reason-fields.tsx'
import { readOfficeForm, refusedForm, withDone } from '../office-action.ts'
import { OfficePageFrame, Section } from '../office-page-heading-and-sections.tsx'
import { OperationForm } from '../one-button-form.tsx'
import { callForForm, type OfficePage, openOfficePage } from '../open-office-page.ts'
import type { Route } from './+types/ask-all-tenants-to-accept-terms'

async function loadFacilities(page: OfficePage) {
  const { codes, options } = await loadFacilitiesInView(page, 'setup.save')
  const all = options.filter(({ code }) => codes === 'all' || codes.includes(code)).map(({ code }) => code)
  return { all, codes }
}

export async function loader(args: Route.LoaderArgs) {
  const page = await openOfficePage(args, 'setup.save')
  const { brand, services } = page.site
  const { all, codes } = await loadFacilities(page)
  const leases = await countAwaitedTerms(services.db.read, codes)
  return { brand: brand.name, count: all.length, ...leases, formKey: services.random.uuid() }
}

export async function action(args: Route.ActionArgs) {
  const page = await openOfficePage(args, 'setup.save')
  const form = await readOfficeForm(page, args.request)
  const { reason = '' } = form.typed
  const requiresAcceptance = form.intent !== 'stop'
  let leases = 0
  // Each facility has its own transaction and audit event, so earlier changes stay if a later facility is refused.
  for (const code of (await loadFacilities(page)).all) {
    const key = form.key && `${form.key}-${code}`
    const outcome = await callForForm(page, RequireTerms, { location_code: code, ask: requiresAcceptance, reason }, key)
    if (outcome.ok) leases += outcome.value.leases
    else if (outcome.code !== 'no_open_lease') return refusedForm(page, form, outcome, reasonOfForm(form.intent))
  }
  if (leases > 0) {
    const chosen = page.url.searchParams.get('at')
    const back = chosen ? `${page.url.pathname}?at=${encodeURIComponent(chosen)}` : page.url.pathname
    throw redirect(withDone(back, requiresAcceptance ? 'terms' : 'terms-stopped'))
  }
  return refusedForm(page, form, refuse(409, 'no_open_lease', requiresAcceptance ? noOpenLease : noLeaseWaits))
}

/** Page that asks tenants of every facility in view to accept updated terms, or withdraws the request. */
export default function AllTerms({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, count, open, waiting } = loaderData
  const fields = actionData?.fields ?? {}
  const formKey = actionData?.key ?? loaderData.formKey
  const facilitiesText = count === 1 ? 'one facility' : `${count} facilities`
  return (
    <OfficePageFrame
      title="Terms"
      brand={brand}
      failed={Object.keys(fields).length > 0}
      lead={<Link to="/office/setup">Setup</Link>}
    >
      <ErrorSummary errors={fields} general={['form']} />
      <p>
        Every tenant with an open lease at {facilitiesText} reads and accepts the updated terms at the next sign-in. A
        facility’s own page, Terms, asks there alone or of one lease.
      </p>
      <p>
        {waiting} of {leasesOf(open)} at {facilitiesText} {waiting === 1 ? 'waits' : 'wait'} for the tenant to accept
        them.
      </p>
      <div className="office-halves">
        {open > 0 && (
          <Section title="Ask">
            <OperationForm
              formKey={`${formKey}-all`}
              intent="all"
              button={`Ask for ${leasesOf(open)} at ${facilitiesText}`}
              kind="secondary"
            >
              <FormWhyField form="all" sent={actionData} />
            </OperationForm>
          </Section>
        )}
        {waiting > 0 && (
          <Section title="Stop">
            <OperationForm
              formKey={`${formKey}-stop`}
              intent="stop"
              button={`Stop for ${leasesOf(waiting)} at ${facilitiesText}`}
              kind="secondary"
            >
              <FormWhyField form="stop" sent={actionData} />
            </OperationForm>
          </Section>
        )}
      </div>
    </OfficePageFrame>
  )
}

const leasesOf = (count: number) => `${count} open ${count === 1 ? 'lease' : 'leases'}`

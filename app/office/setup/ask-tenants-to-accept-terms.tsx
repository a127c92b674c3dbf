import { RequireTerms } from '../../../modules/leases/operations/require-terms.ts'
import { countAwaitedTerms } from '../../../modules/leases/views/count-awaited-terms.ts'
import { revalidateOnConflict } from '../../request/submit-or-report-offline.ts'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { TextField } from '../../ui/fields/text.tsx'
import { FormWhyField, reasonOfForm } from '../note-and-reason-fields.tsx'
import { officeAction, readOfficeForm } from '../office-action.ts'
import { Section } from '../office-page-heading-and-sections.tsx'
import { OperationForm } from '../one-button-form.tsx'
import type { Route } from './+types/ask-tenants-to-accept-terms'
import { openSetup } from './open-setup.ts'
import { SetupPage } from './setup-frame.tsx'

export async function loader(args: Route.LoaderArgs) {
  const { page, about } = await openSetup(args)
  const { db, random } = page.site.services
  return { about, ...(await countAwaitedTerms(db.read, [about.code])), formKey: random.uuid() }
}

export async function action(args: Route.ActionArgs) {
  const { page, about } = await openSetup(args)
  const form = await readOfficeForm(page, args.request)
  const { intent, typed } = form
  const requiresAcceptance = intent !== 'stop'
  return officeAction(page, form, {
    requireTerms: {
      operation: RequireTerms,
      // An empty lease number must be refused, since '' would mean all open leases; 'none' is no number.
      input: () => ({
        location_code: about.code,
        lease_number: intent === 'one' ? typed.lease_number || 'none' : '',
        ask: requiresAcceptance,
        reason: typed.reason ?? '',
      }),
      fieldNames: reasonOfForm(intent),
      done: requiresAcceptance ? 'terms' : 'terms-stopped',
    },
  })
}

export const shouldRevalidate = revalidateOnConflict

/**
 * Page that requires tenants of a facility to accept updated terms at their next sign-in, or withdraws the requirement.
 */
export default function Terms({ loaderData, actionData }: Route.ComponentProps) {
  const { about, open: openLeases, waiting: awaitingLeases } = loaderData
  const fields = actionData?.fields ?? {}
  const formKey = actionData?.key ?? loaderData.formKey
  return (
    <SetupPage about={about} at="/terms" title="Terms" failed={Object.keys(fields).length > 0}>
      <ErrorSummary errors={fields} general={['form']} />
      <p>
        {openLeases === 0
          ? 'No lease is open here.'
          : awaitingLeases === 0
            ? `No tenant of the ${openLeases} open leases is asked to accept updated terms.`
            : `${awaitingLeases} of ${openLeases} open leases wait for their tenant to accept the updated terms.`}
      </p>
      <p className="small soft">
        Once asked, a tenant reads and accepts the terms at the next sign-in. The link to do so can be sent from their
        file.
      </p>
      {openLeases > 0 && (
        <div className="office-halves">
          <Section title="All open leases">
            <OperationForm formKey={`${formKey}-all`} intent="all" button={`Ask all ${openLeases}`} kind="secondary">
              <FormWhyField form="all" sent={actionData} />
            </OperationForm>
            {awaitingLeases > 0 && (
              <OperationForm
                formKey={`${formKey}-stop`}
                intent="stop"
                button={`Stop for ${awaitingLeases}`}
                kind="secondary"
              >
                <FormWhyField form="stop" sent={actionData} />
              </OperationForm>
            )}
          </Section>
          <Section title="One lease">
            <OperationForm formKey={`${formKey}-one`} intent="one" button="Ask this one" kind="secondary">
              <TextField
                name="lease_number"
                label="Lease number"
                hint="It stands on the lease’s file."
                inputMode="numeric"
                width={10}
                defaultValue={actionData?.values.lease_number}
                error={fields.lease_number}
              />
              <FormWhyField form="one" sent={actionData} />
            </OperationForm>
          </Section>
        </div>
      )}
    </SetupPage>
  )
}

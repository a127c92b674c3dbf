import { countAwaitedTerms } from '../../../modules/leases/lease.ts'
import { RequireTerms } from '../../../modules/leases/operations/require-terms.ts'
import { revalidateOnConflict } from '../../request/submit.ts'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { TextField } from '../../ui/fields/text.tsx'
import { WhyField } from '../note-field.tsx'
import { officeAction, readOfficeForm } from '../office-action.ts'
import { ActForm } from '../operation-form.tsx'
import { Section } from '../page.tsx'
import type { Route } from './+types/terms'
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
  const ask = intent !== 'stop'
  return officeAction(page, form, {
    ask: {
      operation: RequireTerms,
      input: () => ({
        location_code: about.code,
        lease_number: intent === 'one' ? typed.lease_number || 'none' : '',
        ask,
        reason: typed.reason ?? '',
      }),
      at: { reason: `reason-${intent}` },
      done: ask ? 'terms' : 'terms-stopped',
    },
  })
}

export const shouldRevalidate = revalidateOnConflict

/** Page that asks a facility's tenants to accept updated terms before they go on in their account. */
export default function Terms({ loaderData, actionData }: Route.ComponentProps) {
  const { about, open, waiting } = loaderData
  const fields = actionData?.fields ?? {}
  const formKey = actionData?.key ?? loaderData.formKey
  const why = (intent: 'all' | 'one' | 'stop') => (
    <WhyField
      id={`reason-${intent}`}
      value={actionData?.intent === intent ? actionData.values.reason : undefined}
      error={fields[`reason-${intent}`]}
    />
  )
  return (
    <SetupPage about={about} at="/terms" title="Terms" failed={Object.keys(fields).length > 0}>
      <ErrorSummary errors={fields} general={['form']} />
      <p>
        {open === 0
          ? 'No lease is open here.'
          : waiting === 0
            ? `No tenant of the ${open} open leases is asked to accept updated terms.`
            : `${waiting} of ${open} open leases wait for their tenant to accept the updated terms.`}
      </p>
      <p className="small soft">
        Once asked, a tenant reads and accepts the terms at the next sign-in. The link to do so can be sent from their
        file.
      </p>
      {open > 0 && (
        <div className="office-halves">
          <Section title="All open leases">
            <ActForm formKey={`${formKey}-all`} intent="all" button={`Ask all ${open}`} kind="secondary">
              {why('all')}
            </ActForm>
            {waiting > 0 && (
              <ActForm formKey={`${formKey}-stop`} intent="stop" button={`Stop for ${waiting}`} kind="secondary">
                {why('stop')}
              </ActForm>
            )}
          </Section>
          <Section title="One lease">
            <ActForm formKey={`${formKey}-one`} intent="one" button="Ask this one" kind="secondary">
              <TextField
                name="lease_number"
                label="Lease number"
                hint="It stands on the lease’s file."
                inputMode="numeric"
                width={10}
                defaultValue={actionData?.values.lease_number}
                error={fields.lease_number}
              />
              {why('one')}
            </ActForm>
          </Section>
        </div>
      )}
    </SetupPage>
  )
}

import { data, Link, redirect } from 'react-router'
import { noOpenLease } from '../../../domain/texts/setup.ts'
import { RequireTerms } from '../../../modules/leases/terms-operations.ts'
import { readForm } from '../../request/form-fields.ts'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import type { FieldErrors } from '../../ui/form-checks.ts'
import { ActForm } from '../act-form.tsx'
import { facilitiesInView } from '../facilities-in-view.ts'
import { WhyField } from '../note-field.tsx'
import { callForForm, type OfficePage, openOfficePage } from '../open-office-page.ts'
import { OfficePageFrame } from '../page.tsx'
import type { Route } from './+types/all-terms'

async function facilitiesOf(page: OfficePage) {
  const { codes, options } = await facilitiesInView(page, 'setup.save')
  return options.filter(({ code }) => codes === 'all' || codes.includes(code)).map(({ code }) => code)
}

export async function loader(args: Route.LoaderArgs) {
  const page = await openOfficePage(args, 'setup.save')
  const { brand, services } = page.site
  return { brand: brand.name, count: (await facilitiesOf(page)).length, formKey: services.random.uuid() }
}

export async function action(args: Route.ActionArgs) {
  const page = await openOfficePage(args, 'setup.save')
  const { key, reason = '' } = await readForm(args.request)
  let leases = 0
  // A transaction and an event for each facility: what has been asked for stays where a later one fails.
  for (const code of await facilitiesOf(page)) {
    const done = await callForForm(page, RequireTerms, { location_code: code, reason }, key && `${key}-${code}`)
    if (done.ok) leases += done.value.leases
    else if (done.code !== 'no_open_lease') {
      const fields = (done.fields ?? { form: done.message }) as FieldErrors
      return data({ fields, reason, key: page.site.services.random.uuid() }, { status: done.status })
    }
  }
  if (leases > 0) throw redirect(`${page.url.pathname}?done=terms`)
  const fields: FieldErrors = { form: noOpenLease }
  return data({ fields, reason, key: page.site.services.random.uuid() }, { status: 409 })
}

/** Updated terms for the tenants of every facility in view. */
export default function AllTerms({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, count, formKey } = loaderData
  const fields = actionData?.fields ?? {}
  const where = count === 1 ? 'one facility' : `${count} facilities`
  return (
    <OfficePageFrame
      title="Terms"
      brand={brand}
      failed={Object.keys(fields).length > 0}
      lead={<Link to="/office/setup">Setup</Link>}
    >
      <ErrorSummary errors={fields} general={['form']} />
      <p>
        Every tenant with an open lease at {where} reads and accepts the updated terms at the next sign-in. A facility’s
        own page, Terms, asks there alone or of one lease, and says how many still wait.
      </p>
      <ActForm formKey={actionData?.key ?? formKey} intent="all" button={`Ask at ${where}`} kind="secondary">
        <WhyField value={actionData?.reason} error={fields.reason} />
      </ActForm>
    </OfficePageFrame>
  )
}

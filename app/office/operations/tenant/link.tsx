import { Link } from 'react-router'
import { notOnlineYet } from '../../../../domain/texts/office-refusals.ts'
import { SendLink } from '../../../../modules/links/operations/send-link.ts'
import { loadHeldUnit } from '../../../../modules/reservations/views/unit-number-held-for-tenant.ts'
import { revalidateOnConflict } from '../../../request/submit-or-report-offline.ts'
import { Callout } from '../../../ui/card-tag-and-callout.tsx'
import { RadioCards } from '../../../ui/fields/choice.tsx'
import { ErrorSummary } from '../../../ui/fields/error-summary.tsx'
import { formatCents } from '../../../ui/money.tsx'
import { officeAction } from '../../office-action.ts'
import { OfficePageFrame } from '../../office-page-heading-and-sections.tsx'
import { OperationForm } from '../../one-button-form.tsx'
import { openTenantPage } from '../../open-tenant-or-lease-page.ts'
import { tenantPath } from '../../tenant-paths.ts'
import type { Route } from './+types/link'

export async function loader(args: Route.LoaderArgs) {
  const { page, services, tenant, location, leases } = await openTenantPage(args, SendLink)
  const tenantKey = { locationCode: location.location_code, tenantId: tenant.tenant_id }
  const heldUnit = await loadHeldUnit(services, tenantKey)
  const isOnline = location.coming_soon === 0
  const openLeases = leases.filter((lease) => isOnline && lease.status !== 'Closed')
  const linkOptions: { value: string; label: string; detail: string }[] = [
    ...openLeases
      .filter((lease) => lease.balance > 0)
      .map((lease) => ({
        value: `pay ${lease.lease_number}`,
        label: `Pay for ${lease.unit_number}`,
        detail: `${formatCents(lease.balance)} is owed`,
      })),
    ...openLeases
      .filter((lease) => lease.terms_required === 1)
      .map((lease) => ({
        value: `sign ${lease.lease_number}`,
        label: `Sign the terms of ${lease.unit_number}`,
        detail: 'Updated terms wait to be accepted',
      })),
    ...(heldUnit !== null
      ? [{ value: 'reservation', label: `Sign and pay for ${heldUnit}`, detail: 'The unit is held' }]
      : []),
    ...(openLeases.length > 0 && tenant.account_id === null
      ? [{ value: 'register', label: 'Make an online account', detail: 'There is none yet' }]
      : []),
  ]
  return {
    brand: page.site.brand.name,
    file: tenantPath({ location: tenantKey.locationCode, tenant: tenantKey.tenantId }),
    name: `${tenant.first} ${tenant.last}`.trim(),
    email: tenant.email,
    isOnline,
    isSent: page.url.searchParams.get('done') === 'sent',
    offered: linkOptions,
    formKey: services.random.uuid(),
  }
}

export async function action(args: Route.ActionArgs) {
  const { page, tenant, location } = await openTenantPage(args, SendLink)
  return officeAction(page, args.request, {
    send: {
      operation: SendLink,
      input: ({ typed }) => {
        const [link = '', lease_number = ''] = (typed.link ?? '').split(' ')
        return { location_code: location.location_code, tenant_id: tenant.tenant_id, link, lease_number }
      },
      back: `${page.url.pathname}?done=sent`,
    },
  })
}

export const shouldRevalidate = revalidateOnConflict

/** Page that mails a tenant a link: to pay, to sign, to a held unit, or to register an online account. */
export default function SendALink({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, file, name, email, isOnline, offered: linkOptions, isSent } = loaderData
  const fields = actionData?.fields ?? {}
  return (
    <OfficePageFrame
      title="Send a link"
      brand={brand}
      failed={Object.keys(fields).length > 0}
      lead={
        <>
          <Link to={file}>{name}</Link> · {email || 'no e-mail address'}
        </>
      }
    >
      <ErrorSummary errors={fields} general={['', 'form']} />
      {isSent && (
        <Callout tone="success" live className="mt-3">
          <p>
            It is on its way to {email}. <Link to={file}>Back to the file</Link>
          </p>
        </Callout>
      )}
      {email === '' || linkOptions.length === 0 ? (
        <p className="soft">
          {email === ''
            ? 'Without an e-mail address nothing can be sent.'
            : isOnline
              ? 'Nothing is owed, held or waits to be signed.'
              : notOnlineYet}
        </p>
      ) : (
        <OperationForm formKey={actionData?.key ?? loaderData.formKey} intent="send" button="Send" letter="s">
          <RadioCards
            name="link"
            legend="Which link"
            options={linkOptions}
            defaultValue={actionData?.values.link ?? linkOptions[0]?.value}
            error={fields.link}
          />
        </OperationForm>
      )}
    </OfficePageFrame>
  )
}

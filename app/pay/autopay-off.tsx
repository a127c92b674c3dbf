import { pageUrl } from '../request/page-url-of-data-request.ts'
import { secretAddressMeta } from '../request/secret-address-meta.ts'
import '../styles/form-pages.css'
import { data, Form, redirect } from 'react-router'
import { loadFacilityPhone } from '../../modules/facilities/views/facility-contact.ts'
import { loadSupportPhone } from '../../modules/facilities/views/support-phone.ts'
import { turnAutopayOffByLink } from '../../modules/leases/operations/turn-autopay-off-by-link.ts'
import { findAutopayByLink, type LinkedAutopay } from '../../modules/leases/views/open-autopay-off-link.ts'
import { contextOf } from '../request/context.ts'
import { ButtonRow, LinkButton, SubmitRow } from '../ui/buttons.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { PageFrame } from '../ui/page.tsx'
import { PhoneLink } from '../ui/phone-link.tsx'
import type { Route } from './+types/autopay-off'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

export const meta = secretAddressMeta

/**
 * Opens the mailed link that turns autopay off without an account.
 * Opening changes nothing, since mail programs open links too.
 */
export async function loader({ params, context }: Route.LoaderArgs) {
  const site = contextOf(context)
  const agreement = await findAutopayByLink(site.services, params.token)
  const phone = agreement
    ? await loadFacilityPhone(site.services, agreement.locationCode)
    : await loadSupportPhone(site.services, null)
  const pageData = { brand: site.brand.name, phone }
  if (!agreement) return data({ ...pageData, state: 'invalid' as const, unitNumber: '', facility: '' }, { status: 404 })
  return { ...pageData, state: agreement.state, unitNumber: agreement.unitNumber, facility: agreement.facilityName }
}

export async function action({ params, context, request }: Route.ActionArgs) {
  const site = contextOf(context)
  const agreement = await findAutopayByLink(site.services, params.token)
  if (agreement?.state === 'on') await turnAutopayOffByLink(site.services, agreement)
  return redirect(pageUrl(request).pathname)
}

const titles: Record<LinkedAutopay['state'] | 'invalid', string> = {
  on: 'Turn autopay off?',
  off: 'Autopay is off',
  newer: 'Autopay was turned on again',
  invalid: 'This link does not work',
}

export default function AutopayOff({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, phone, state, unitNumber, facility } = loaderData
  const unit = `unit ${unitNumber} at ${facility}`
  const call = <PhoneLink phone={phone} />
  return (
    <PageFrame narrow title={titles[state]} brand={brand} wrong={actionData !== undefined}>
      <h1>{titles[state]}</h1>
      {state === 'on' && (
        <>
          <p className="lead mt-2">Autopay charges what comes due for {unit}, every 30 days.</p>
          <p className="mt-4">
            Once it is off, nothing is charged by itself. What comes due stays due: pay it here each time, without an
            account.
          </p>
          {actionData && (
            <div className="mt-6">
              <ErrorSummary errors={actionData.fields} />
            </div>
          )}
          <Form method="post">
            <SubmitRow busyLabel="One moment…">Turn autopay off</SubmitRow>
          </Form>
        </>
      )}
      {state === 'off' && (
        <>
          <p className="lead mt-2" role="status">
            Nothing is charged by itself any more for {unit}.
          </p>
          <ButtonRow>
            <LinkButton href="/guest/find-email" kind="secondary">
              Pay for a unit
            </LinkButton>
          </ButtonRow>
        </>
      )}
      {state === 'newer' && (
        <p className="lead mt-2">
          Since this mail, autopay was turned on again for {unit}, and this link is not for that. <TurnOffAdvice />
        </p>
      )}
      {state === 'invalid' && (
        <p className="lead mt-2">
          It is incomplete or too old. <TurnOffAdvice />
        </p>
      )}
      <p className="mt-6">Questions? Call {call}.</p>
    </PageFrame>
  )
}

/** Says where to turn autopay off: in the account or, without one, by the link in the newest receipt. */
const TurnOffAdvice = () => (
  <>
    With an online account, <a href="/login">log in</a> and turn autopay off on the unit's page. Without one, the newest
    receipt has the link that turns it off.
  </>
)

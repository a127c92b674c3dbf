import '../styles/form-pages.css'
import { data, Form } from 'react-router'
import { ConfirmEmailChange } from '../../modules/accounts/operations/confirm-email-change.ts'
import { loadRequestedEmailChange } from '../../modules/accounts/views/email-change-by-link.ts'
import { myProfile } from '../../modules/leases/texts/portal.ts'
import { tenantExists } from '../../modules/reservations/texts/reserve.ts'
import { openPortalPage } from '../portal/open-portal-page.ts'
import { PortalFrame } from '../portal/portal-frame.tsx'
import { redirectWithAlert } from '../request/context.ts'
import { secretAddressMeta } from '../request/secret-address-meta.ts'
import { ButtonRow, LinkButton, SubmitButton } from '../ui/buttons.tsx'
import { Callout } from '../ui/card-tag-and-callout.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import type { Route } from './+types/confirm-email'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

export const meta = secretAddressMeta

const profilePath = '/account-profile'
const title = 'Confirm your new email address'

const linkOf = (request: Request) => {
  const query = new URL(request.url).searchParams
  return { changeId: query.get('change') ?? '', token: query.get('token') ?? '' }
}

export async function loader(args: Route.LoaderArgs) {
  const { site, account, chrome } = await openPortalPage(args)
  return { chrome, change: await loadRequestedEmailChange(site.services, account.accountId, linkOf(args.request)) }
}

export async function action(args: Route.ActionArgs) {
  const { site } = await openPortalPage(args)
  const result = await site.call(ConfirmEmailChange, {
    ...linkOf(args.request),
    sessionToken: site.session.ids.token ?? '',
  })
  const outcome = result.ok ? result.value : 'gone'
  if (outcome === 'confirmed') return redirectWithAlert(site, 'emailChanged', profilePath)
  // The link shows that the visitor reads the mailbox, so the visitor may learn that the address is taken.
  const fields: Record<string, string> = outcome === 'taken' ? { form: tenantExists } : {}
  return data({ fields }, { status: outcome === 'taken' ? 409 : 404 })
}

export default function ConfirmEmail({ loaderData, actionData }: Route.ComponentProps) {
  const { chrome, change } = loaderData
  const errors = actionData?.fields ?? {}
  return (
    <PortalFrame
      chrome={{ ...chrome, missing: [] }}
      title={title}
      back={profilePath}
      backLabel={myProfile}
      wrong={Object.keys(errors).length > 0}
    >
      <div className="mt-6 max-w-text">
        <ErrorSummary errors={errors} />
        {change ? (
          <>
            <p className="wrap-anywhere">
              From now on we write to <strong>{change.newEmail}</strong> instead of {change.oldEmail}, and you sign in
              with it. Everywhere else you are signed out.
            </p>
            <Form method="post">
              <ButtonRow>
                <SubmitButton busyLabel="One moment…">Confirm</SubmitButton>
                <LinkButton kind="secondary" to={profilePath}>
                  Not now
                </LinkButton>
              </ButtonRow>
            </Form>
          </>
        ) : (
          <Callout tone="warn" title="This link does not work any more">
            <p>
              It has expired, was used already, or belongs to another account than the one you are signed in to. You can
              enter the address in your profile again.
            </p>
            <p className="mt-3">
              <LinkButton kind="secondary" to={profilePath}>
                My Profile
              </LinkButton>
            </p>
          </Callout>
        )}
      </div>
    </PortalFrame>
  )
}

import { readForm } from '../request/read-form-fields.ts'
import { errorsOf } from '../request/refusal-messages-by-field.ts'
import '../styles/form-pages.css'
import { data, Form } from 'react-router'
import { validate } from '../../domain/forms/form-rules.ts'
import { UpdateOnlineAccessPassword } from '../../modules/accounts/operations/create-account-or-change-password.ts'
import { updatePassword } from '../../modules/accounts/rules/account-forms.ts'
import { loadLogin } from '../../modules/accounts/views/account-username-and-dates.ts'
import { addTrustedBrowserMark } from '../../modules/accounts/views/mark-browser-for-own-attempt-count.ts'
import { openPortalPage } from '../portal/open-portal-page.ts'
import { PortalFrame } from '../portal/portal-frame.tsx'
import { redirectWithAlert } from '../request/context.ts'
import { useFormValidation } from '../request/use-form-rules.ts'
import { ButtonRow, LinkButton, SubmitButton } from '../ui/buttons.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { PasswordField } from '../ui/fields/text.tsx'
import type { Route } from './+types/update-password'
import { NewPasswordFields } from './new-password-fields.tsx'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

const profilePath = '/account-profile'
const title = 'Change your password'

export async function loader(args: Route.LoaderArgs) {
  const { site, account, chrome } = await openPortalPage(args)
  const login = await loadLogin(site.services, account.accountId)
  return { chrome, username: login?.username ?? '' }
}

export async function action(args: Route.ActionArgs) {
  const { site, account, tenantInView } = await openPortalPage(args)
  const checked = validate(updatePassword, await readForm(args.request))
  if (!checked.ok) return data({ fields: checked.fields }, { status: 400 })
  const { current_password, password } = checked.value
  const outcome = await site.call(UpdateOnlineAccessPassword, {
    location_code: tenantInView.locationCode,
    tenant_id: tenantInView.tenantId,
    current_password,
    password,
  })
  if (!outcome.ok) return data({ fields: errorsOf(outcome) }, { status: outcome.status })
  const { result, message, token } = outcome.value
  if (result !== 'success') return data({ fields: { current_password: message } }, { status: 403 })
  // A new password ends the trust in every browser. The tenant has just entered the old password in this browser, so it
  // is trusted again.
  site.session.set({
    token,
    known: await addTrustedBrowserMark(site.services, site.session.ids.known, account.accountId),
  })
  return redirectWithAlert(site, 'newPasswordSaved', '/my-units')
}

export default function UpdatePassword({ loaderData, actionData }: Route.ComponentProps) {
  const { chrome, username } = loaderData
  const checks = useFormValidation('updatePassword', actionData?.fields)
  return (
    <PortalFrame
      chrome={chrome}
      title={title}
      lead="You stay signed in here. Everywhere else you are signed out."
      back={profilePath}
      backLabel="My Profile"
      wrong={checks.wrong}
    >
      <Form method="post" className="mt-6 max-w-text" {...checks.form}>
        <ErrorSummary {...checks.summary} />
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <PasswordField {...checks.field('current_password')} label="Current password" autoComplete="current-password" />
        <NewPasswordFields checks={checks} again="Confirm new password" />
        <ButtonRow>
          <SubmitButton busyLabel="Saving…">Save</SubmitButton>
          <LinkButton kind="secondary" to={profilePath}>
            Cancel
          </LinkButton>
        </ButtonRow>
      </Form>
    </PortalFrame>
  )
}

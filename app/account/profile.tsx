import { readForm } from '../request/read-form-fields.ts'
import '../styles/form-pages.css'
import { data, Form, redirect, useNavigation } from 'react-router'
import { formatPhone } from '../../domain/phone.ts'
import { formatUs } from '../../domain/plain-date.ts'
import { formatInstantIn, type Instant, todayIn } from '../../domain/time-zone-dates.ts'
import { EndOtherSignIns } from '../../modules/accounts/operations/end-other-sign-ins.ts'
import { EndSignIn } from '../../modules/accounts/operations/end-sign-in.ts'
import { RemovePasskey } from '../../modules/accounts/operations/remove-passkey.ts'
import { RenamePasskey } from '../../modules/accounts/operations/rename-passkey.ts'
import { SetTextConsent } from '../../modules/accounts/operations/set-text-message-consent.ts'
import { WithdrawEmailChange } from '../../modules/accounts/operations/withdraw-email-change.ts'
import { loadProfilePage } from '../../modules/accounts/views/sign-in-data-of-profile-page.ts'
import { myProfile } from '../../modules/leases/texts/portal.ts'
import { loadOpenLeases } from '../../modules/leases/views/rented-units-of-tenant.ts'
import { spellOutCardLabel } from '../../modules/payments/rules/card-brand-and-expiry.ts'
import { GetTenantInfo } from '../../modules/tenants/operations/get-tenant-info.ts'
import { loadTextConsentState } from '../../modules/tenants/views/text-consent-state.ts'
import { openPortalPage, tenantKey } from '../portal/open-portal-page.ts'
import { PortalFrame } from '../portal/portal-frame.tsx'
import { leaseQuery } from '../portal/selected-lease.ts'
import { redirectWithAlert } from '../request/context.ts'
import { Button, LinkButton } from '../ui/buttons.tsx'
import { Callout, Card } from '../ui/card-tag-and-callout.tsx'
import { DataList, type Fact } from '../ui/data-tables.tsx'
import type { Route } from './+types/profile'
import { formatDevice } from './device-name.ts'
import { AddPasskeyLink, PasskeyList } from './passkey-list.tsx'
import { SignedInDeviceList } from './signed-in-device-list.tsx'
import { SmsConsent } from './sms-consent.tsx'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

const path = '/account-profile'

/** Formats an instant in a time zone: '11/20/2026, 12:00 PM'. */
const formatMoment = (timeZone: string, instant: Instant) =>
  `${formatUs(todayIn(timeZone, instant))}, ${formatInstantIn(timeZone, instant)}`

export async function loader(args: Route.LoaderArgs) {
  const { site, account, tenantInView, tenants, facility, chrome } = await openPortalPage(args)
  const { services } = site
  const [info, profile, leases] = await Promise.all([
    site.call(GetTenantInfo, { location_code: tenantInView.locationCode, tenant_id: tenantInView.tenantId }),
    loadProfilePage(services, account.accountId, site.session.ids.token ?? ''),
    loadOpenLeases(services, tenants),
  ])
  if (!info.ok || !profile) return redirectWithAlert(site, 'sessionAccountMissing', '/')
  const { login, pendingEmail } = profile
  const formatTime = (instant: Instant) => formatMoment(facility.timeZone, instant)
  const facilityNames = new Map(tenants.map((tenant) => [tenantKey(tenant), tenant.facilityName]))
  return {
    chrome,
    info: info.value,
    texts: info.value.cell_phone === '' ? null : await loadTextConsentState(services.db.read, info.value.cell_phone),
    waiting: pendingEmail && { newEmail: pendingEmail.newEmail, until: formatTime(pendingEmail.until) },
    login: {
      username: login.username,
      changed: login.passwordChangedAt === null ? null : formatTime(login.passwordChangedAt),
      since: formatTime(login.createdAt),
    },
    leases: leases.map((lease) => ({
      href: `/unit-lease-details?${leaseQuery(lease)}`,
      unit: lease.unit_number,
      facility:
        tenants.length > 1
          ? (facilityNames.get(tenantKey({ locationCode: lease.location_code, tenantId: lease.tenant_id })) ?? '')
          : '',
      autopay: lease.autopay === 1 ? spellOutCardLabel(lease.autopay_label) : '',
    })),
    passkeys: profile.passkeys.map(({ addedAt, usedAt, ...passkey }) => ({
      ...passkey,
      added: formatTime(addedAt),
      used: usedAt === null ? '' : formatTime(usedAt),
    })),
    devices: profile.signIns.map((signIn) => ({
      id: signIn.id,
      device: formatDevice(signIn.agent),
      address: signIn.address,
      since: formatTime(signIn.since),
      current: signIn.current,
    })),
  }
}

export async function action(args: Route.ActionArgs) {
  const { site, tenantInView } = await openPortalPage(args)
  const { intent, id = '', name = '', texts = '' } = await readForm(args.request)
  const token = site.session.ids.token ?? ''
  switch (intent) {
    case 'sign-out':
      await site.call(EndSignIn, { id })
      return redirectWithAlert(site, 'deviceSignedOut', path)
    case 'sign-out-others':
      await site.call(EndOtherSignIns, { token })
      return redirectWithAlert(site, 'signedOutElsewhere', path)
    case 'remove-passkey': {
      const removed = await site.call(RemovePasskey, { id, token })
      return removed.ok && removed.value ? redirectWithAlert(site, 'passkeyRemoved', path) : redirect(path)
    }
    case 'rename-passkey': {
      const renamed = await site.call(RenamePasskey, { id, name })
      if (!renamed.ok) return data({ renaming: id, error: renamed.fields?.name ?? '' }, { status: renamed.status })
      return renamed.value ? redirectWithAlert(site, 'passkeyRenamed', path) : redirect(path)
    }
    case 'texts': {
      const outcome = await site.call(SetTextConsent, {
        location_code: tenantInView.locationCode,
        tenant_id: tenantInView.tenantId,
        texts,
      })
      if (!outcome.ok) return redirect(path)
      return redirectWithAlert(site, outcome.value ? 'textsTurnedOn' : 'textsTurnedOff', path)
    }
    case 'keep-email':
      await site.call(WithdrawEmailChange, {})
      return redirect(path)
    default:
      return redirect(path)
  }
}

const none = <span className="soft">None</span>
const phoneOrNone = (digits: string) => (digits === '' ? none : <span className="num">{formatPhone(digits)}</span>)
const textOrNone = (value: string) => (value === '' ? none : value)

function Address({ street, city, state, zip }: { street: string; city: string; state: string; zip: string }) {
  const cityLine = [city, `${state} ${zip}`.trim()].filter(Boolean).join(', ')
  if (street === '' && cityLine === '') return none
  return (
    <>
      {street}
      {street !== '' && <br />}
      {cityLine}
    </>
  )
}

export default function AccountProfile({ loaderData, actionData }: Route.ComponentProps) {
  const { chrome, info, texts, waiting: pendingEmail, login, leases, passkeys, devices } = loaderData
  const renaming = actionData && 'renaming' in actionData ? actionData : null
  const isSending = useNavigation().formData?.get('intent') === 'keep-email'
  const company: Fact[] = info.company
    ? [
        { label: 'Company', value: info.company },
        { label: 'Company phone', value: phoneOrNone(info.company_phone) },
        { label: 'Company email', value: textOrNone(info.company_email) },
      ]
    : []
  return (
    <PortalFrame chrome={chrome} title={myProfile} path={path}>
      {pendingEmail && (
        <Callout className="mt-6" title="Your new email address waits to be confirmed">
          <p className="wrap-anywhere">
            We have sent a link to <strong>{pendingEmail.newEmail}</strong>. Open it by {pendingEmail.until}; until then
            we write to the address below.
          </p>
          <Form method="post" className="mt-3">
            <input type="hidden" name="intent" value="keep-email" />
            <Button kind="secondary" busy={isSending}>
              Keep the old address
            </Button>
          </Form>
        </Callout>
      )}

      <Section title="Contact info" link={{ to: '/update-profile', label: 'Edit', subject: 'your profile' }}>
        <DataList
          facts={[
            { label: 'Name', value: [info.first, info.middle, info.last].filter(Boolean).join(' ') },
            { label: 'Email', value: <span className="break-all">{textOrNone(info.email)}</span> },
            { label: 'Cell phone', value: phoneOrNone(info.cell_phone) },
            { label: 'Home phone', value: phoneOrNone(info.home_phone) },
            { label: 'Work phone', value: phoneOrNone(info.work_phone) },
            { label: 'Date of birth', value: textOrNone(info.date_of_birth) },
            ...company,
          ]}
        />
      </Section>

      <Section title="Text messages">
        <SmsConsent texts={texts} phone={info.cell_phone} />
      </Section>

      <Section title="Addresses" link={{ to: '/update-profile#address', label: 'Edit', subject: 'your addresses' }}>
        <DataList
          facts={[
            {
              label: 'Home',
              value: <Address street={info.address} city={info.city} state={info.state} zip={info.zip} />,
            },
            {
              label: 'Company',
              value: (
                <Address
                  street={info.company_address}
                  city={info.company_city}
                  state={info.company_state}
                  zip={info.company_zip}
                />
              ),
            },
          ]}
        />
      </Section>

      <Section title="Payment info">
        {leases.length === 0 ? (
          <p className="soft">You have no units, so there is nothing to pay.</p>
        ) : (
          <DataList
            facts={leases.map((lease) => ({
              label: lease.facility ? `Unit ${lease.unit}, ${lease.facility}` : `Unit ${lease.unit}`,
              value: lease.autopay ? `Autopay: ${lease.autopay}` : 'Autopay is off',
              change: lease.href,
            }))}
          />
        )}
      </Section>

      <Section title="Login info" link={{ to: '/update-password', label: 'Change password' }}>
        <DataList
          facts={[
            { label: 'Username', value: <span className="break-all">{login.username}</span> },
            {
              label: 'Password',
              value: login.changed ? `Changed ${login.changed}` : `Not changed since ${login.since}`,
            },
          ]}
        />
      </Section>

      <section className="mt-10" aria-labelledby="passkeys">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <h2 id="passkeys">Passkeys</h2>
          <AddPasskeyLink />
        </div>
        <PasskeyList passkeys={passkeys} renaming={renaming} />
      </section>

      <section className="mt-10" aria-labelledby="signed-in">
        <h2 id="signed-in">Where you are signed in</h2>
        <p className="mt-2 soft">
          Don’t recognize one of these? Sign it out and <a href="/update-password">change your password</a>.
        </p>
        <SignedInDeviceList devices={devices} />
      </section>
    </PortalFrame>
  )
}

function Section({
  title,
  link,
  children,
}: {
  title: string
  link?: { to: string; label: string; subject?: string }
  children: React.ReactNode
}) {
  return (
    <section className="mt-8">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2>{title}</h2>
        {link && (
          <LinkButton kind="secondary" to={link.to} {...(link.subject && { label: `${link.label} ${link.subject}` })}>
            {link.label}
          </LinkButton>
        )}
      </div>
      <Card className="mt-4">
        <div className="-my-3">{children}</div>
      </Card>
    </section>
  )
}

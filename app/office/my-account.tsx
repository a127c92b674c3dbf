import { Form } from 'react-router'
import { EndOwnSignIn } from '../../modules/staff/operations/end-own-sign-in.ts'
import { NewRecoveryCodes } from '../../modules/staff/operations/new-recovery-codes.ts'
import { RemoveFactor } from '../../modules/staff/operations/remove-factor.ts'
import { loadMyAccountPage } from '../../modules/staff/views/my-account-page.ts'
import { formatDevice } from '../account/device-name.ts'
import { Button, ButtonRow, LinkButton } from '../ui/buttons.tsx'
import { Callout } from '../ui/card-tag-and-callout.tsx'
import type { Route } from './+types/my-account'
import { officeAction } from './office-action.ts'
import { OfficePageFrame, Section } from './office-page-heading-and-sections.tsx'
import { OfficeTable } from './office-table.tsx'
import { loadTimeFormatter } from './office-time.ts'
import { openOfficePage } from './open-office-page.ts'

export async function loader(args: Route.LoaderArgs) {
  const { site, staff } = await openOfficePage(args)
  const account = await loadMyAccountPage(site.services, staff)
  const timeAt = await loadTimeFormatter({ site })
  return {
    brand: site.brand.name,
    name: staff.name,
    email: account.email,
    roles: account.roles,
    factors: account.factors.map((factor) => ({
      ...factor,
      createdAt: timeAt(factor.createdAt),
      lastUsedAt: timeAt(factor.lastUsedAt),
    })),
    recoveryCodes: account.recoveryCodes,
    signIns: account.signIns.map(({ id, agent, address, since }) => ({
      id,
      device: formatDevice(agent),
      address,
      since: timeAt(since),
      current: id === staff.signIn,
    })),
  }
}

export async function action(args: Route.ActionArgs) {
  const page = await openOfficePage(args)
  const toFormField = () => 'form'
  return officeAction(page, args.request, {
    codes: {
      operation: NewRecoveryCodes,
      input: () => ({}),
      fieldNames: toFormField,
      shows: ({ codes }) => codes.map((code) => ['Recovery code', code]),
    },
    remove: { operation: RemoveFactor, input: ({ typed }) => ({ factor_id: typed.factor }), fieldNames: toFormField },
    end: { operation: EndOwnSignIn, input: ({ typed }) => ({ sign_in: typed.sign_in }), fieldNames: toFormField },
  })
}

/** Page of the staff member's own second factors and sign-ins. */
export default function Me({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, name, email, roles, factors, recoveryCodes, signIns } = loaderData
  return (
    <OfficePageFrame title={name} brand={brand} lead={`${email} · ${roles}`}>
      {actionData?.fields.form && (
        <Callout tone="error" live>
          <p>{actionData.fields.form}</p>
        </Callout>
      )}
      {actionData && actionData.shown.length > 0 && (
        <Callout tone="warn" title="Keep these recovery codes" live>
          <ul className="office-codes">
            {actionData.shown.map(([, code]) => (
              <li key={code}>
                <code>{code}</code>
              </li>
            ))}
          </ul>
        </Callout>
      )}
      <Section title="Second factors" count={factors.length}>
        <OfficeTable
          caption="Passkeys and authenticator apps"
          rows={factors}
          rowKey={(row) => row.factorId}
          empty="None."
          columns={[
            { label: 'Name', cell: (row) => row.name },
            { label: 'Kind', cell: (row) => (row.kind === 'passkey' ? 'Passkey' : 'Authenticator app') },
            { label: 'Added', wide: true, cell: (row) => row.createdAt },
            { label: 'Last used', wide: true, cell: (row) => row.lastUsedAt || 'never' },
          ]}
          actions={(row) =>
            row.last ? (
              <span className="small soft block max-w-48 whitespace-normal">Add another before you remove it.</span>
            ) : (
              <Form method="post">
                <input type="hidden" name="factor" value={row.factorId} />
                <Button kind="quiet" name="intent" value="remove">
                  Remove
                </Button>
              </Form>
            )
          }
        />
        <ButtonRow>
          <LinkButton kind="secondary" href="/office/add-factor">
            Add another
          </LinkButton>
          <Form method="post">
            <Button kind="quiet" name="intent" value="codes">
              New recovery codes
            </Button>
          </Form>
        </ButtonRow>
        <p className="small soft">{recoveryCodes} recovery codes left.</p>
      </Section>
      <Section title="Signed in" count={signIns.length}>
        <OfficeTable
          caption="Browsers that are signed in"
          rows={signIns}
          rowKey={(row) => row.id}
          empty="None."
          columns={[
            { label: 'Browser', cell: (row) => `${row.device}${row.current ? ' (this one)' : ''}` },
            { label: 'Address', cell: (row) => row.address },
            { label: 'Since', wide: true, cell: (row) => row.since },
          ]}
          actions={(row) => (
            <Form method="post">
              <input type="hidden" name="sign_in" value={row.id} />
              <Button kind="quiet" name="intent" value="end">
                End
              </Button>
            </Form>
          )}
        />
      </Section>
    </OfficePageFrame>
  )
}

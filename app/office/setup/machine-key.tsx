import { Form, Link, useNavigation } from 'react-router'
import { officeNotFound } from '../../../domain/texts/office-refusals.ts'
import { RevokeMachineKey } from '../../../modules/staff/operations/revoke-machine-key.ts'
import { RotateMachineKey } from '../../../modules/staff/operations/rotate-machine-key.ts'
import { loadMachineKeyPage } from '../../../modules/staff/views/machine-key-page.ts'
import { Button, ButtonRow } from '../../ui/buttons.tsx'
import { TextFacts } from '../../ui/data-tables.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { loadStoredFormOfPage } from '../form-awaiting-second-factor.ts'
import { WhyField } from '../note-and-reason-fields.tsx'
import { officeAction, type SentForm, type ShownLine } from '../office-action.ts'
import { OfficePageFrame, Section } from '../office-page-heading-and-sections.tsx'
import { loadTimeFormatter } from '../office-time.ts'
import { openOfficePage } from '../open-office-page.ts'
import type { Route } from './+types/machine-key'
import { KeyStateTag, NewSecret } from './machine-key-state-and-secret.tsx'

export async function loader(args: Route.LoaderArgs) {
  const page = await openOfficePage(args, 'key.manage')
  const { site } = page
  const key = await loadMachineKeyPage(site.services, args.params.keyId)
  if (!key) throw new Response(officeNotFound, { status: 404 })
  const timeAt = await loadTimeFormatter({ site })
  return {
    storedValues: (await loadStoredFormOfPage(page))?.values,
    brand: site.brand.name,
    id: key.keyId,
    name: key.name,
    role: key.role,
    scopes: key.scopes,
    pii: key.pii,
    perMinute: key.perMinute,
    state: key.state,
    createdAt: timeAt(key.createdAt),
    lastUsedAt: timeAt(key.lastUsedAt),
    address: key.lastAddress,
    expiresAt: timeAt(key.expiresAt),
    revokedAt: timeAt(key.revokedAt),
    previousSecretUntil: timeAt(key.previousUntil),
  }
}

export async function action(args: Route.ActionArgs) {
  const page = await openOfficePage(args, 'key.manage')
  const { keyId: key_id } = args.params
  const input = ({ typed }: SentForm) => ({ key_id, reason: typed.reason ?? '' })
  return officeAction(page, args.request, {
    rotate: {
      operation: RotateMachineKey,
      input,
      fieldNames: (name) => (name === 'reason' ? 'reason-rotate' : 'form'),
      shows: ({ token }): ShownLine[] => [['Key', token]],
    },
    revoke: {
      operation: RevokeMachineKey,
      input,
      fieldNames: (name) => (name === 'reason' ? 'reason-revoke' : 'form'),
      done: 'key-revoked',
      back: '/office/setup/keys',
    },
  })
}

/** Page of a machine key: its rights, replacing its secret, and revoking it. */
export default function Key({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, id, name, state, previousSecretUntil } = loaderData
  const fields = actionData?.fields ?? {}
  return (
    <OfficePageFrame
      title={name}
      brand={brand}
      failed={Object.keys(fields).length > 0}
      lead={
        <>
          <Link to="/office/setup">Setup</Link> · <Link to="/office/setup/keys">Keys</Link> · <code>lk_{id}</code>{' '}
          <KeyStateTag state={state} />
        </>
      }
    >
      <ErrorSummary errors={fields} general={['form']} />
      <NewSecret shown={actionData?.shown ?? []} />
      <Section title="What it may do">
        <Facts machineKey={loaderData} />
      </Section>
      {state === 'working' && (
        <>
          <Section title="New secret">
            {previousSecretUntil === '' ? (
              <ReasonedForm
                intent="rotate"
                label="Make a new secret"
                kind="secondary"
                {...formOf({ loaderData, actionData })}
              >
                {'The old secret works for 24\u00a0hours. Give it the new one within them.'}
              </ReasonedForm>
            ) : (
              <p>The secret before this one works until {previousSecretUntil}. Then you can make another.</p>
            )}
          </Section>
          <Section title="Revoke">
            <ReasonedForm intent="revoke" label="Revoke the key" kind="danger" {...formOf({ loaderData, actionData })}>
              Its next call is refused. This cannot be undone: a new key has to be made.
            </ReasonedForm>
          </Section>
        </>
      )}
    </OfficePageFrame>
  )
}

type Loaded = Route.ComponentProps['loaderData']

const Facts = ({ machineKey }: { machineKey: Loaded }) => (
  <TextFacts
    rows={[
      ['For', machineKey.role],
      ['Where', machineKey.scopes],
      ['Personal data', machineKey.pii ? 'yes' : 'no: names, addresses and the like are empty'],
      ['Calls in a minute', `${machineKey.perMinute} at most`],
      ['Made', machineKey.createdAt],
      ['Last used', machineKey.lastUsedAt === '' ? 'never' : `${machineKey.lastUsedAt} from ${machineKey.address}`],
      machineKey.revokedAt === ''
        ? ['Ends', machineKey.expiresAt || 'when it is revoked']
        : ['Revoked', machineKey.revokedAt],
    ]}
  />
)

/** Returns lookups of the typed reason and of its error, by the form's intent. */
function formOf({ loaderData, actionData }: Pick<Route.ComponentProps, 'loaderData' | 'actionData'>) {
  const values = actionData?.values ?? loaderData.storedValues ?? {}
  const fields = actionData?.fields ?? {}
  return {
    reasonIn: (intent: string) => (values.intent === intent && !actionData?.shown.length ? values.reason : undefined),
    errorIn: (intent: string) => fields[`reason-${intent}`],
  }
}

function ReasonedForm({
  intent,
  label,
  kind,
  reasonIn,
  errorIn,
  children,
}: {
  intent: 'rotate' | 'revoke'
  label: string
  kind: 'secondary' | 'danger'
  children: string
} & ReturnType<typeof formOf>) {
  const busy = useNavigation().formData?.get('intent') === intent
  return (
    <Form method="post" className="office-form">
      <p className="small soft">{children}</p>
      <WhyField id={`reason-${intent}`} value={reasonIn(intent)} error={errorIn(intent)} />
      <ButtonRow>
        <Button kind={kind} name="intent" value={intent} busy={busy}>
          {label}
        </Button>
      </ButtonRow>
    </Form>
  )
}

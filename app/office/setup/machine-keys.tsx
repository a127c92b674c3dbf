import { Form, Link, useNavigation } from 'react-router'
import {
  KEY_CALLS_PER_MINUTE_DEFAULT,
  KEY_NAME_MAX,
  machineRoleNames,
} from '../../../domain/machine-key-role-names-and-limits.ts'
import { ListMachineKeys } from '../../../modules/staff/operations/list-machine-keys.ts'
import { MakeMachineKey } from '../../../modules/staff/operations/make-machine-key.ts'
import { formatScopes } from '../../../modules/staff/rules/format-roles.ts'
import { loadScopeOptions, parseScopes } from '../../../modules/staff/views/role-and-scope-fields.ts'
import { Button, ButtonRow } from '../../ui/buttons.tsx'
import { CheckboxField, RadioCards, SelectField } from '../../ui/fields/choice.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { TextField } from '../../ui/fields/text.tsx'
import type { FieldErrors, FormValues } from '../../ui/use-form-checks.ts'
import { loadStoredFormOfPage } from '../form-awaiting-second-factor.ts'
import { MAX_OPTIONS } from '../list-limits-and-page-slicing.ts'
import { WhyField } from '../note-and-reason-fields.tsx'
import { officeAction, type ShownLine } from '../office-action.ts'
import { OfficePageFrame, Section } from '../office-page-heading-and-sections.tsx'
import { OfficeTable } from '../office-table.tsx'
import { loadTimeFormatter } from '../office-time.ts'
import { openOfficePage } from '../open-office-page.ts'
import type { Route } from './+types/machine-keys'
import { KeyStateTag, NewSecret } from './machine-key-state-and-secret.tsx'

export async function loader(args: Route.LoaderArgs) {
  const page = await openOfficePage(args, 'key.manage')
  const { site } = page
  const outcome = await site.call(ListMachineKeys, {})
  const timeAt = await loadTimeFormatter({ site })
  const keys = outcome.ok ? outcome.value.keys : []
  return {
    storedValues: (await loadStoredFormOfPage(page))?.values,
    brand: site.brand.name,
    scopes: await loadScopeOptions(site.services, MAX_OPTIONS),
    keys: keys.map((key) => ({
      id: key.keyId,
      name: key.name,
      role: machineRoleNames[key.role],
      scopes: formatScopes(key.scopes),
      state: key.state,
      lastUsedAt: timeAt(key.lastUsedAt),
      expiresAt: timeAt(key.expiresAt),
    })),
  }
}

const formFieldNames: Record<string, string> = { per_minute: 'calls', days: 'ends' }

export async function action(args: Route.ActionArgs) {
  const page = await openOfficePage(args, 'key.manage')
  return officeAction(page, args.request, {
    make: {
      operation: MakeMachineKey,
      input: async ({ typed }) => ({
        name: typed.name ?? '',
        role: typed.role ?? '',
        scopes: await parseScopes(page.site.services, typed.scope ?? ''),
        pii: typed.pii === '1',
        per_minute: /^\d{1,6}$/.test(typed.calls ?? '') ? Number(typed.calls) : 0,
        days: typed.ends === 'never' ? null : Number(typed.ends ?? 0),
        reason: typed.reason ?? '',
      }),
      fieldNames: (name) => (name.startsWith('scopes') ? 'scope' : (formFieldNames[name] ?? name)),
      shows: ({ token }): ShownLine[] => [['Key', token]],
    },
  })
}

/** Page of all machine keys, and the form that makes one. */
export default function MachineKeysPage({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, keys } = loaderData
  const fields = actionData?.fields ?? {}
  return (
    <OfficePageFrame
      title="Keys"
      brand={brand}
      failed={Object.keys(fields).length > 0}
      lead={
        <>
          <Link to="/office/setup">Setup</Link> · A program calls the <a href="/api">API</a> with a key of its own,
          never with a person’s password.
        </>
      }
    >
      <ErrorSummary errors={fields} general={['form']} />
      <NewSecret shown={actionData?.shown ?? []} />
      <Section title="Keys" count={keys.length}>
        <OfficeTable
          caption="Keys of programs"
          rows={keys}
          rowKey={(row) => row.id}
          open={(row) => `/office/setup/keys/${row.id}`}
          empty="None yet."
          columns={[
            { label: 'Name', cell: (row) => row.name },
            { label: 'For', cell: (row) => row.role },
            { label: 'Where', wide: true, cell: (row) => row.scopes },
            { label: 'Last used', wide: true, cell: (row) => row.lastUsedAt || 'never' },
            { label: 'Ends', wide: true, cell: (row) => row.expiresAt || 'when revoked' },
            { label: 'State', cell: (row) => <KeyStateTag state={row.state} /> },
          ]}
        />
      </Section>
      <Section title="Make a key">
        <MakeKey
          // A created key resets the form.
          key={actionData?.shown.length ? actionData.key : 'new'}
          scopes={loaderData.scopes}
          values={actionData ? (actionData.shown.length > 0 ? {} : actionData.values) : (loaderData.storedValues ?? {})}
          fields={fields}
        />
      </Section>
    </OfficePageFrame>
  )
}

const roleOptions = [
  {
    value: 'gate',
    label: machineRoleNames.gate,
    detail: 'Reads the codes that open, and reports what happened at the keypad. One key for each controller is best.',
  },
  {
    value: 'tenants',
    label: machineRoleNames.tenants,
    detail: 'Reads contacts, leases, balances and payments: a call center, a bookkeeper’s program. Never a gate code.',
  },
  {
    value: 'site',
    label: machineRoleNames.site,
    detail: 'Reads what visitors may: facilities, units, prices. Its calls are counted by the key, not by its address.',
  },
]

const endOptions = [
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: '1095', label: 'In three years' },
  { value: 'never', label: 'When it is revoked' },
]

interface MakeKeyProps {
  scopes: Route.ComponentProps['loaderData']['scopes']
  values: FormValues
  fields: FieldErrors
}

function MakeKey({ scopes, values, fields }: MakeKeyProps) {
  const busy = useNavigation().state === 'submitting'
  const scopeField = { name: 'scope', label: 'Where', error: fields.scope, defaultValue: values.scope ?? 'all' }
  return (
    <Form method="post" className="office-form">
      <TextField
        name="name"
        label="Name"
        hint="Which program, and whose: “Main gate, Ralston Mill”."
        maxLength={KEY_NAME_MAX}
        autoComplete="off"
        defaultValue={values.name}
        error={fields.name}
      />
      <RadioCards
        name="role"
        legend="What it is for"
        options={roleOptions}
        defaultValue={values.role ?? 'gate'}
        error={fields.role}
      />
      {scopes === null ? (
        <TextField
          {...scopeField}
          hint="all, a state as GA, or facilities by their codes as ATL01, ATL02."
          autoComplete="off"
        />
      ) : (
        <SelectField {...scopeField} options={scopes} empty={null} />
      )}
      <CheckboxField
        name="pii"
        label="It reads personal data"
        hint="Names, addresses, e-mail and telephone. Without this they are empty; everything else is the same."
        defaultChecked={values.pii === '1'}
        error={fields.pii}
      />
      <TextField
        name="calls"
        label="Calls in a minute, at most"
        inputMode="numeric"
        maxLength={4}
        width={5}
        autoComplete="off"
        defaultValue={values.calls ?? String(KEY_CALLS_PER_MINUTE_DEFAULT)}
        error={fields.calls}
      />
      <SelectField
        name="ends"
        label="Ends"
        hint={'The owners have a mail 14\u00a0days before.'}
        options={endOptions}
        empty={null}
        defaultValue={values.ends ?? '365'}
        error={fields.ends}
      />
      <WhyField value={values.reason} error={fields.reason} />
      <ButtonRow>
        <Button busy={busy}>Make the key</Button>
      </ButtonRow>
    </Form>
  )
}

import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { addDays, formatUs } from '../../../../domain/plain-date.ts'
import { todayIn } from '../../../../domain/time-zone-dates.ts'
import { ChangeGateCode } from '../../../../modules/gate/operations/change-gate-code.ts'
import { EndGateOverride } from '../../../../modules/gate/operations/end-gate-override.ts'
import { LiftOverlock } from '../../../../modules/gate/operations/lift-overlock-until-day.ts'
import { OpenGate } from '../../../../modules/gate/operations/open-gate-by-staff.ts'
import { SuspendGate } from '../../../../modules/gate/operations/suspend-gate.ts'
import { gateOverrideDays } from '../../../../modules/gate/rules/gate-override-duration.ts'
import { formatGateCode } from '../../../../modules/gate/rules/generate-gate-code.ts'
import { gateHoursText } from '../../../../modules/gate/rules/parse-and-format-gate-week.ts'
import { loadTenantGate } from '../../../../modules/gate/views/tenant-gate.ts'
import { grantAt } from '../../../../platform/operations/facilities-of-staff.ts'
import { revalidateOnConflict } from '../../../request/submit-or-report-offline.ts'
import { Callout } from '../../../ui/card-tag-and-callout.tsx'
import { ErrorSummary } from '../../../ui/fields/error-summary.tsx'
import { DateField, TextField } from '../../../ui/fields/text.tsx'
import { withNoBreakSpaces } from '../../../ui/no-break.ts'
import type { FieldErrors } from '../../../ui/use-form-checks.ts'
import { formatOverrideLastDay, gateSentence } from '../../gate-sentence.ts'
import { officeAction, readOfficeForm } from '../../office-action.ts'
import { OfficePageFrame, Section } from '../../office-page-heading-and-sections.tsx'
import { OperationForm } from '../../one-button-form.tsx'
import { openTenantPage } from '../../open-tenant-or-lease-page.ts'
import { tenantPath } from '../../tenant-paths.ts'
import type { Route } from './+types/gate'

export async function loader(args: Route.LoaderArgs) {
  const file = await openTenantPage(args, ChangeGateCode)
  const { page, services, tenant, location } = file
  const tenantKey = { locationCode: location.location_code, tenantId: tenant.tenant_id }
  const now = services.clock.now()
  const { state, week, opensRemotely } = await loadTenantGate(services.db.read, tenantKey, now)
  const gateHours = gateHoursText(week, location.gate_hours)
  const today = todayIn(location.time_zone, now)
  const toOverrideView = (override: { overrideId: string; until: number; reason: string } | null) =>
    override && {
      id: override.overrideId,
      through: formatOverrideLastDay(location.time_zone, override.until),
      reason: override.reason,
    }
  return {
    brand: page.site.brand.name,
    file: tenantPath({ location: tenantKey.locationCode, tenant: tenantKey.tenantId }),
    name: `${tenant.first} ${tenant.last}`.trim(),
    facility: location.name,
    sentence: gateSentence(state, { time_zone: location.time_zone, gateHours }),
    opens: state?.opens ?? false,
    stillOpens: state?.stillOpens ?? false,
    works: state?.opens === true && state.codes.every(({ taken }) => taken === 'taken' || taken === 'unconnected'),
    hasLease: state !== null,
    units: (state?.units ?? []).map(({ leaseNumber, unitNumber, overlocked, lifted }) => ({
      lease: leaseNumber,
      unit: unitNumber,
      overlocked,
      lifted: toOverrideView(lifted),
    })),
    suspended: toOverrideView(state?.suspended ?? null),
    mark: state?.mark ?? '',
    formKey: services.random.uuid(),
    /** Preselected last day of an override, and the latest one that can be chosen. */
    days: { usual: addDays(today, 3), last: gateOverrideDays(today).last },
    overrides: grantAt(page.staff, 'gate.override', tenantKey.locationCode) === 'yes',
    remote: grantAt(page.staff, 'gate.open', tenantKey.locationCode) === 'yes' && opensRemotely,
  }
}

export async function action(args: Route.ActionArgs) {
  const { page, tenant, location } = await openTenantPage(args, ChangeGateCode)
  const form = await readOfficeForm(page, args.request)
  const [, subject = ''] = form.intent.split(' ')
  const tenantInput = { ...form.typed, location_code: location.location_code, tenant_id: tenant.tenant_id }
  const input = () => tenantInput
  return officeAction(page, form, {
    // No address contains the new code, and the page opened again does not show it.
    code: { operation: ChangeGateCode, input, shows: ({ gate_code }) => [['Gate code', gate_code]] },
    suspend: { operation: SuspendGate, input },
    lift: { operation: LiftOverlock, input: () => ({ ...tenantInput, lease_number: subject }) },
    open: { operation: OpenGate, input },
    end: { operation: EndGateOverride, input: () => ({ ...tenantInput, override_id: subject }) },
  })
}

export const shouldRevalidate = revalidateOnConflict

/** Page for a tenant's gate access: new code, overlock lifted until a day, suspension, opening the gate remotely. */
export default function Gate({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, file, name, facility, sentence, opens, stillOpens, hasLease, overrides: mayOverride } = loaderData
  const fields = actionData?.fields ?? {}
  const [[, code = ''] = []] = actionData?.shown ?? []
  const forms: Forms = {
    formKey: actionData?.key ?? loaderData.formKey,
    mark: loaderData.mark,
    errorsOf: (intent) => (actionData?.intent === intent ? fields : {}),
    valuesOf: (intent) => (actionData?.intent === intent ? actionData.values : {}),
  }
  return (
    <OfficePageFrame
      title={`Gate, ${name}`}
      brand={brand}
      failed={Object.keys(fields).length > 0}
      lead={
        <>
          <Link to={file}>{name}</Link> · {facility}
        </>
      }
    >
      {code ? (
        <Callout tone="success" title="The new code" live className="mt-3">
          <p className="figure num">{formatGateCode(code)}</p>
          <p>It replaces the earlier one. The new one is in the tenant’s mail, and shown here this once.</p>
          {stillOpens && <p>The gate has not taken this yet: the earlier one may still open it.</p>}
        </Callout>
      ) : (
        <Callout tone={loaderData.works ? 'success' : 'warn'} className="mt-3">
          <p>{withNoBreakSpaces(sentence)}</p>
        </Callout>
      )}
      <ErrorSummary errors={fields} general={Object.keys(fields)} />
      {hasLease && !code && (
        <div className="office-columns">
          {mayOverride && <Overlocks {...loaderData} forms={forms} />}
          <Section title="Another code">
            <GateForm
              {...forms}
              intent="code"
              button="Change the code"
              kind={opens ? 'primary' : 'secondary'}
              letter="c"
            >
              <TextField
                name="gate_code"
                label="Code"
                optional
                inputMode="numeric"
                autoComplete="off"
                maxLength={7}
                width={10}
                hint="Six digits. Left empty, one is drawn. It is for all open leases here."
                defaultValue={forms.valuesOf('code').gate_code}
                error={forms.errorsOf('code').gate_code}
              />
            </GateForm>
          </Section>
          {mayOverride && <Suspension {...loaderData} forms={forms} />}
          {loaderData.remote && (
            <Section title="Open the gate once">
              <GateForm {...forms} intent="open" button="Open the gate now" kind="secondary">
                <p>For a tenant who calls from the gate. Make sure first who it is.</p>
              </GateForm>
            </Section>
          )}
        </div>
      )}
      {!mayOverride && !opens && hasLease && <p className="soft">A manager can lift an overlock until a day.</p>}
    </OfficePageFrame>
  )
}

type Data = Route.ComponentProps['loaderData']

interface Forms {
  formKey: string
  mark: string
  errorsOf: (intent: string) => FieldErrors
  valuesOf: (intent: string) => Record<string, string>
}

function Overlocks({ units, days, forms }: Data & { forms: Forms }) {
  return units
    .filter(({ overlocked }) => overlocked)
    .map(({ lease, unit, lifted }) => {
      const intent = lifted ? `end ${lifted.id}` : `lift ${lease}`
      return (
        <Section key={lease} title={`Overlock of ${unit}${lifted ? ', lifted' : ''}`}>
          {lifted ? (
            <GateForm {...forms} intent={intent} button="Let it count again" kind="secondary">
              <p>
                Does not count through {lifted.through}: {lifted.reason}
              </p>
            </GateForm>
          ) : (
            <GateForm {...forms} intent={intent} button="Open the gate" letter="o">
              <DayField forms={forms} intent={intent} label="Opens through" days={days} />
            </GateForm>
          )}
        </Section>
      )
    })
}

function Suspension({ suspended, days, forms }: Data & { forms: Forms }) {
  return (
    <Section title={suspended ? 'Code suspended' : 'Suspend the code'}>
      {suspended ? (
        <GateForm {...forms} intent={`end ${suspended.id}`} button="End the suspension" kind="secondary">
          <p>
            Opens nothing through {suspended.through}: {suspended.reason}
          </p>
        </GateForm>
      ) : (
        <GateForm {...forms} intent="suspend" button="Suspend" kind="secondary">
          <DayField forms={forms} intent="suspend" label="Opens nothing through" days={days} />
        </GateForm>
      )}
    </Section>
  )
}

const idOf = (name: string, intent: string) => `${name}-${intent.replace(' ', '-')}`

function DayField(props: { forms: Forms; intent: string; label: string; days: Data['days'] }) {
  const { forms, intent, label, days } = props
  return (
    <DateField
      name="until"
      id={idOf('until', intent)}
      label={label}
      hint={`mm/dd/yyyy, through ${formatUs(days.last)}`}
      defaultValue={forms.valuesOf(intent).until ?? formatUs(days.usual)}
      error={forms.errorsOf(intent).until}
    />
  )
}

function GateForm({
  formKey,
  mark,
  errorsOf,
  valuesOf,
  intent,
  children,
  ...rest
}: Forms & {
  intent: string
  button: string
  kind?: 'primary' | 'secondary'
  letter?: string
  children: ReactNode
}) {
  return (
    <OperationForm formKey={formKey} hidden={{ made_from: mark }} intent={intent} {...rest}>
      {children}
      <TextField
        name="reason"
        id={idOf('reason', intent)}
        label="Why"
        maxLength={500}
        defaultValue={valuesOf(intent).reason}
        error={errorsOf(intent).reason}
      />
    </OperationForm>
  )
}

import { Link } from 'react-router'
import { addDays, formatLong, formatUs } from '../../../../domain/plain-date.ts'
import { moveOutFollowsAuction } from '../../../../domain/texts/office-refusals.ts'
import { todayIn } from '../../../../domain/time-zone-dates.ts'
import { CancelMoveOutByStaff } from '../../../../modules/move-outs/operations/cancel-move-out-by-staff.ts'
import { ScheduleMoveOutByStaff } from '../../../../modules/move-outs/operations/schedule-move-out-by-staff.ts'
import { MAX_DAYS_AHEAD } from '../../../../modules/move-outs/rules/move-out-days-ahead.ts'
import { loadMoveOutPage } from '../../../../modules/move-outs/views/sold-unit-and-autopay-restoration.ts'
import { revalidateOnConflict } from '../../../request/submit-or-report-offline.ts'
import { Callout } from '../../../ui/card-tag-and-callout.tsx'
import { CheckboxField } from '../../../ui/fields/choice.tsx'
import { ErrorSummary } from '../../../ui/fields/error-summary.tsx'
import { DateField, TextField } from '../../../ui/fields/text.tsx'
import { officeAction, type SentForm } from '../../office-action.ts'
import { OfficePageFrame } from '../../office-page-heading-and-sections.tsx'
import { OperationForm } from '../../one-button-form.tsx'
import { openLeasePage } from '../../open-tenant-or-lease-page.ts'
import { owesText } from '../../owes-text.ts'
import { tenantPath } from '../../tenant-paths.ts'
import type { Route } from './+types/move-out'

export async function loader(args: Route.LoaderArgs) {
  const { page, services, tenant, location, lease } = await openLeasePage(args, ScheduleMoveOutByStaff)
  const { isSold, mayRestoreAutopay } = await loadMoveOutPage(services.db.read, lease)
  const today = todayIn(location.time_zone, services.clock.now())
  return {
    brand: page.site.brand.name,
    file: tenantPath({ location: location.location_code, tenant: tenant.tenant_id }),
    name: `${tenant.first} ${tenant.last}`.trim(),
    unit: lease.unit_number,
    isClosed: lease.status === 'Closed',
    isSold,
    balance: lease.balance,
    autopay: lease.autopay === 1,
    scheduled: lease.scheduled_move_out,
    restorable: mayRestoreAutopay,
    today,
    latest: addDays(today, MAX_DAYS_AHEAD),
    formKey: services.random.uuid(),
  }
}

export async function action(args: Route.ActionArgs) {
  const { page, tenant, location, lease } = await openLeasePage(args, ScheduleMoveOutByStaff)
  const input = ({ typed }: SentForm) => ({
    ...typed,
    location_code: location.location_code,
    tenant_id: tenant.tenant_id,
    lease_number: lease.lease_number,
  })
  return officeAction(page, args.request, {
    schedule: { operation: ScheduleMoveOutByStaff, input },
    cancel: { operation: CancelMoveOutByStaff, input },
  })
}

export const shouldRevalidate = revalidateOnConflict

/** Page that schedules a move-out from today on, or cancels one. */
export default function MoveOut({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, file, name, unit, isClosed, isSold, balance, scheduled } = loaderData
  const fields = actionData?.fields ?? {}
  const forms = { fields, values: actionData?.values ?? {}, formKey: actionData?.key ?? loaderData.formKey }
  return (
    <OfficePageFrame
      title={`Move-out of ${unit}`}
      brand={brand}
      failed={Object.keys(fields).length > 0}
      lead={
        <>
          <Link to={file}>{name}</Link> · {owesText(balance)}
        </>
      }
    >
      <ErrorSummary errors={fields} general={['', 'form']} />
      {isClosed ? (
        <Callout className="mt-3">
          <p>The lease is closed.</p>
        </Callout>
      ) : isSold ? (
        <Callout tone="warn" className="mt-3">
          <p>{moveOutFollowsAuction}</p>
        </Callout>
      ) : scheduled ? (
        <Cancel {...loaderData} {...forms} scheduled={scheduled} />
      ) : (
        <Schedule {...loaderData} {...forms} />
      )}
    </OfficePageFrame>
  )
}

type Data = Route.ComponentProps['loaderData'] & {
  formKey: string
  fields: Record<string, string>
  values: Record<string, string>
}

const Why = ({ fields, values }: Pick<Data, 'fields' | 'values'>) => (
  <TextField name="reason" label="Why" maxLength={500} defaultValue={values.reason} error={fields.reason} />
)

const Schedule = ({ formKey, fields, values, today, latest, autopay }: Data) => (
  <OperationForm formKey={formKey} intent="schedule" button="Schedule the move-out" letter="s">
    <DateField
      name="move_out_date"
      label="Last day"
      defaultValue={values.move_out_date ?? formatUs(today)}
      hint={`mm/dd/yyyy, through ${formatUs(latest)}. The lease and the gate code end that night.`}
      error={fields.move_out_date}
    />
    <Why fields={fields} values={values} />
    <p className="mt-2 small soft">
      The tenant gets the mail about it.{autopay && ' Autopay is turned off.'} Days paid for and not used are not given
      back.
    </p>
  </OperationForm>
)

const Cancel = ({ formKey, fields, values, scheduled, restorable }: Data & { scheduled: string }) => (
  <>
    <Callout className="mt-3">
      <p>Moves out on {formatLong(scheduled)}; the lease and the gate code end that night.</p>
    </Callout>
    <OperationForm
      formKey={formKey}
      hidden={{ move_out_date: scheduled }}
      intent="cancel"
      button="Cancel the move-out"
      kind="secondary"
    >
      <Why fields={fields} values={values} />
      {restorable && <CheckboxField name="restore_autopay" label="Turn autopay on again, as it was" defaultChecked />}
    </OperationForm>
  </>
)

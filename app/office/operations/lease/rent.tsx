import { Form, Link, useNavigation } from 'react-router'
import { parseUs } from '../../../../domain/plain-date.ts'
import { CancelRentChange } from '../../../../modules/rent-changes/operations/cancel-rent-change.ts'
import { ProposeRentChanges } from '../../../../modules/rent-changes/operations/propose-rent-changes.ts'
import { formatRentChange, RENT_MAX } from '../../../../modules/rent-changes/rules/rent-change.ts'
import { loadRentHistory } from '../../../../modules/rent-changes/views/rent-history.ts'
import { previewRent } from '../../../../modules/rent-changes/views/rent-preview.ts'
import { loadRentRules } from '../../../../modules/rent-changes/views/rent-rules.ts'
import { grantAt } from '../../../../platform/operations/facilities-of-staff.ts'
import { Button, ButtonRow } from '../../../ui/buttons.tsx'
import { DataList } from '../../../ui/data-tables.tsx'
import { ErrorSummary } from '../../../ui/fields/error-summary.tsx'
import { FieldPair } from '../../../ui/fields/field.tsx'
import { DateField, TextField } from '../../../ui/fields/text.tsx'
import { formatCents } from '../../../ui/money.tsx'
import type { FormValues } from '../../../ui/use-form-checks.ts'
import { formatShortDay } from '../../ledger-table.tsx'
import { formAnswer, officeAction, readOfficeForm, type SentForm, withPageData } from '../../office-action.ts'
import { OfficePageFrame, Section } from '../../office-page-heading-and-sections.tsx'
import { OfficeTable } from '../../office-table.tsx'
import { formatOfficeTime } from '../../office-time.ts'
import { type OpenedLeasePage, openLeasePage } from '../../open-tenant-or-lease-page.ts'
import { parseDollars } from '../../parse-dollars.ts'
import { RentState } from '../../rents/rent-change-state.tsx'
import { leasePath, tenantPath } from '../../tenant-paths.ts'
import type { Route } from './+types/rent'

const openRentPage = (args: Route.LoaderArgs | Route.ActionArgs) => openLeasePage(args, ProposeRentChanges)

export async function loader(args: Route.LoaderArgs) {
  const leasePage = await openRentPage(args)
  const { page, services, facts, tenant, lease, location } = leasePage
  const tenantKey = { location: location.location_code, tenant: tenant.tenant_id }
  const changes = await loadRentHistory(services, lease)
  const canApprove = grantAt(page.staff, 'rent.approve', location.location_code) === 'yes'
  const current = changes.find(({ state }) => state === 'proposed' || state === 'approved' || state === 'coming')
  return {
    brand: page.site.brand.name,
    idempotencyKey: services.random.uuid(),
    name: tenant.company || `${tenant.first} ${tenant.last}`,
    tenantHref: tenantPath(tenantKey),
    leaseHref: leasePath(tenantKey, lease.lease_number),
    unit: lease.unit_number,
    facility: location.name,
    rent: lease.rent,
    movedIn: lease.move_in_date,
    paidThrough: lease.paid_through,
    streetRate: facts.unitTypes.find((type) => type.unit_type_id === lease.unit_type_id)?.rent ?? null,
    capPercent: (await loadRentRules(services)).capPercent,
    current: current ?? null,
    canCancel: current !== undefined && (current.state === 'proposed' || canApprove),
    isLeaseOpen: lease.status !== 'Closed',
    history: changes.map((change) => ({ ...change, at: formatOfficeTime(change.at, location.time_zone) })),
  }
}

/**
 * Previews the rent and the first day typed in the form.
 * @returns first day of the new rent, a period's total in cents with today's rent and with the new one, and whether the
 *   rent rises; null when the input is invalid
 */
async function loadPreview({ services, facts, lease }: OpenedLeasePage, form: FormValues) {
  const newRent = parseDollars(form.rent)
  const wantedFrom = parseUs(form.wanted_from ?? '')
  if (!(newRent > 0) || newRent > RENT_MAX || (form.wanted_from && wantedFrom === null)) return null
  const { from, today, later } = await previewRent(services, facts, lease, { newRent, wantedFrom })
  return { from, today: today.total, later: later.total, increase: newRent > lease.rent }
}

export async function action(args: Route.ActionArgs) {
  const leasePage = await openRentPage(args)
  const form = await readOfficeForm(leasePage.page, args.request)
  const answer = await runRentForm(leasePage, form)
  return withPageData(answer, { preview: await loadPreview(leasePage, form.values) })
}

async function runRentForm(leasePage: Awaited<ReturnType<typeof openRentPage>>, form: SentForm) {
  const { page, lease, location } = leasePage
  const { typed } = form
  const new_rent = parseDollars(typed.rent)
  // Text that is not an amount is refused here, for a preview too.
  const isInvalidAmount = form.intent !== 'cancel' && Number.isNaN(new_rent)
  if (isInvalidAmount) return formAnswer(page, form, { fields: { rent: 'Enter the new rent in dollars.' } }, 400)
  if (form.intent === 'preview') return formAnswer(page, form, {})
  const { location_code } = location
  const change = {
    location_code,
    lease_number: lease.lease_number,
    unit_number: '',
    new_rent,
    rent_before: Number(typed.rent_before),
  }
  return officeAction(page, form, {
    propose: {
      operation: ProposeRentChanges,
      input: () => ({ changes: [change], wanted_from: typed.wanted_from ?? '', reason: typed.reason ?? '' }),
      fieldNames: { 'changes.0.new_rent': 'rent' },
    },
    cancel: {
      operation: CancelRentChange,
      input: () => ({ change_id: typed.change, location_code, reason: typed.because ?? '' }),
      fieldNames: (name) => (name === 'reason' ? 'because' : 'form'),
    },
  })
}

type Loaded = Route.ComponentProps['loaderData']

/** Office page of a lease's rent: the current rent, a pending change or the form that proposes one, and the history. */
export default function LeaseRent({ loaderData, actionData }: Route.ComponentProps) {
  const {
    brand,
    name,
    tenantHref,
    leaseHref,
    unit,
    facility,
    rent,
    movedIn,
    paidThrough,
    streetRate,
    current,
    history,
  } = loaderData
  const fields = actionData?.fields ?? {}
  return (
    <OfficePageFrame
      title={`Rent of ${unit}`}
      brand={brand}
      failed={Object.keys(fields).length > 0}
      lead={
        <>
          <Link to={tenantHref}>{name}</Link> · <Link to={leaseHref}>unit {unit}</Link> · {facility}
        </>
      }
    >
      <ErrorSummary errors={fields} />
      <DataList
        facts={[
          { label: 'Rent', value: `${formatCents(rent)} each 30 days, paid through ${formatShortDay(paidThrough)}` },
          ...(streetRate === null
            ? []
            : [{ label: 'Street rate', value: `${formatCents(streetRate)} (${formatRentChange(rent, streetRate)})` }]),
          { label: 'Moved in', value: formatShortDay(movedIn) },
        ]}
      />
      {current ? (
        <PendingChange data={loaderData} current={current} actionData={actionData} />
      ) : (
        loaderData.isLeaseOpen && <ProposalForm data={loaderData} actionData={actionData} />
      )}
      <Section title="Changes of this rent">
        <OfficeTable
          caption="Changes of this rent, the newest first"
          rows={history}
          rowKey={(row) => row.changeId}
          empty="The rent has not been changed here."
          columns={[
            { label: 'Proposed', cell: (row) => row.at },
            { label: 'By', wide: true, cell: (row) => row.by },
            { label: 'Rent', right: true, cell: (row) => formatCents(row.before) },
            { label: 'New rent', right: true, cell: (row) => formatCents(row.after) },
            { label: 'Applies from', cell: (row) => (row.from ? formatShortDay(row.from) : '') },
            { label: 'State', cell: (row) => <RentState state={row.state} /> },
            { label: 'Why', wide: true, cell: (row) => row.reason },
          ]}
        />
      </Section>
    </OfficePageFrame>
  )
}

type ActionData = Route.ComponentProps['actionData']

interface PendingChangeProps {
  data: Loaded
  current: NonNullable<Loaded['current']>
  actionData: ActionData
}

function PendingChange({ data, current, actionData }: PendingChangeProps) {
  const notice =
    current.noticeOn === null
      ? 'needs no notice'
      : current.noticeSent
        ? `notice sent ${formatShortDay(current.noticeOn)}`
        : 'notice not sent yet'
  return (
    <Section title="Under way">
      <p>
        <RentState state={current.state} /> {formatCents(current.before)} to{' '}
        <strong>{formatCents(current.after)}</strong> ({formatRentChange(current.before, current.after)})
        {current.from && `, from the period of ${formatShortDay(current.from)}`}; {notice}.
      </p>
      {data.canCancel && (
        <Form method="post" className="office-form">
          <input type="hidden" name="key" value={actionData?.key ?? data.idempotencyKey} />
          <input type="hidden" name="change" value={current.changeId} />
          <TextField name="because" label="Why cancel" maxLength={500} error={actionData?.fields.because} />
          <ButtonRow>
            <Button kind="secondary" name="intent" value="cancel">
              Cancel this change
            </Button>
          </ButtonRow>
          {current.noticeSent && <p className="small soft">The tenant gets a mail that the rent stays.</p>}
        </Form>
      )}
    </Section>
  )
}

function ProposalForm({ data, actionData }: { data: Loaded; actionData: ActionData }) {
  const busy = useNavigation().state === 'submitting'
  const values = actionData?.values ?? {}
  const preview = actionData?.preview ?? null
  return (
    <Section title="Propose another rent">
      <Form method="post" className="office-form">
        <input type="hidden" name="key" value={actionData?.key ?? data.idempotencyKey} />
        <input type="hidden" name="rent_before" value={data.rent} />
        <FieldPair>
          <TextField
            name="rent"
            label="New rent, dollars"
            inputMode="decimal"
            width={5}
            hint={`At most ${data.capPercent} % more at once.`}
            defaultValue={values.rent}
            error={actionData?.fields.rent}
          />
          <DateField
            name="wanted_from"
            label="Not before"
            optional
            hint="mm/dd/yyyy. Else as early as may be."
            defaultValue={values.wanted_from}
            error={actionData?.fields.wanted_from}
          />
        </FieldPair>
        <TextField
          name="reason"
          label="Why"
          maxLength={500}
          defaultValue={values.reason}
          error={actionData?.fields.reason}
        />
        {preview && (
          <p role="status" className="mt-3 rounded-control bg-wash px-3 py-[0.6rem]">
            From the period of <strong>{formatShortDay(preview.from)}</strong>: {formatCents(preview.later)} each 30
            days with taxes, insurance and fees, instead of {formatCents(preview.today)}.{' '}
            {preview.increase
              ? 'Counted from a notice that leaves today; it leaves once another staff member approves.'
              : 'A decrease needs no notice; another staff member approves it.'}
          </p>
        )}
        <ButtonRow>
          <Button name="intent" value="propose" busy={busy}>
            Propose
          </Button>
          <Button kind="secondary" name="intent" value="preview" formNoValidate>
            Preview
          </Button>
        </ButtonRow>
      </Form>
    </Section>
  )
}

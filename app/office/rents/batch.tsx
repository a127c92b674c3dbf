import { data, Form, Link, redirect, useNavigation } from 'react-router'
import { percentText } from '../../../domain/office/rent-change.ts'
import { officeNotFound } from '../../../domain/texts/office.ts'
import { type RentRow, rentBatch } from '../../../modules/leases/rent-changes/read.ts'
import { CancelRentChange, DecideRentChanges } from '../../../modules/leases/rent-changes/staff-operations.ts'
import { grantAt } from '../../../platform/operations/callers.ts'
import { Button, ButtonRow } from '../../ui/buttons.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import type { FieldErrors } from '../../ui/form-checks.ts'
import { formatCents } from '../../ui/money.tsx'
import { DataList } from '../../ui/records.tsx'
import { facilitiesInView } from '../facilities-in-view.ts'
import { leasePath } from '../file-acts.ts'
import { shortDay } from '../ledger.tsx'
import { MoreRows, OfficeList } from '../list.tsx'
import { WhyField } from '../note-field.tsx'
import { callForForm, openOfficePage } from '../open-office-page.ts'
import { OfficePageFrame, Section } from '../page.tsx'
import { officeTime } from '../time.ts'
import type { Route } from './+types/batch'
import { RentState } from './state.tsx'

export async function loader(args: Route.LoaderArgs) {
  const page = await openOfficePage(args, 'rent.propose')
  const { site, staff, url } = page
  const { codes, query } = await facilitiesInView(page, 'rent.propose')
  const shown = await rentBatch(site.services, args.params.batchId, codes, url.searchParams.get('after'))
  if (!shown) throw new Response(officeNotFound, { status: 404 })
  const { batch, rows, next } = shown
  const own = batch.byId === staff.staffId
  const approves = (row: RentRow) => grantAt(staff, 'rent.approve', row.locationCode) === 'yes'
  return {
    brand: site.brand.name,
    query,
    key: site.services.random.uuid(),
    batch: { ...batch, at: officeTime(batch.proposedAt) },
    rows,
    next,
    own,
    decides: !own && batch.states.waiting > 0 && rows.some(approves),
    /** Of these the person may cancel what is to come; who decides about proposals refuses them. */
    cancels: rows
      .filter((row) =>
        row.state === 'proposed' ? own : (row.state === 'approved' || row.state === 'coming') && approves(row),
      )
      .map(({ changeId }) => changeId),
  }
}

export async function action(args: Route.ActionArgs) {
  const page = await openOfficePage(args, 'rent.propose')
  const form = await args.request.formData().catch(() => new FormData())
  const text = (name: string) => String(form.get(name) ?? '')
  const refused = (fields: FieldErrors, status: number) =>
    data({ fields, key: page.site.services.random.uuid() }, { status })
  const here = page.url.pathname + page.url.search
  const cancelled = text('cancel')
  if (cancelled !== '') {
    const [change_id, location_code] = cancelled.split(' ')
    const input = { change_id, location_code, reason: text('because') }
    const outcome = await callForForm(page, CancelRentChange, input, text('key') || undefined)
    if (outcome.ok) throw redirect(here)
    return refused(
      outcome.fields?.reason ? { because: outcome.fields.reason } : { form: outcome.message },
      outcome.status,
    )
  }
  const [decision, all] = text('intent').split('-')
  const chosen = form.getAll('change').map(String)
  if (all !== 'all' && chosen.length === 0) return refused({ form: 'Choose the leases first.' }, 400)
  const input = {
    batch_id: args.params.batchId,
    change_ids: all === 'all' ? [] : chosen,
    ...{ decision, because: text('because') },
  }
  const outcome = await callForForm(page, DecideRentChanges, input, text('key') || undefined)
  if (outcome.ok) throw redirect(here)
  return refused({ form: outcome.message }, outcome.status)
}

type Loaded = Route.ComponentProps['loaderData']

const columns = (decides: boolean) => [
  ...(decides
    ? [
        {
          label: 'Choose',
          cell: (row: RentRow) =>
            row.state === 'proposed' ? (
              <input
                type="checkbox"
                name="change"
                value={row.changeId}
                aria-label={`Choose ${row.locationCode} ${row.unitNumber}`}
              />
            ) : (
              ''
            ),
        },
      ]
    : []),
  {
    label: 'Unit',
    cell: (row: RentRow) => (
      <Link to={leasePath({ location: row.locationCode, tenant: row.tenantId }, row.leaseNumber)} data-open>
        {row.locationCode} {row.unitNumber}
      </Link>
    ),
  },
  { label: 'Tenant', wide: true, cell: (row: RentRow) => row.tenant },
  { label: 'Rent', right: true, cell: (row: RentRow) => formatCents(row.before) },
  { label: 'New rent', right: true, cell: (row: RentRow) => formatCents(row.after) },
  { label: 'Change', right: true, wide: true, cell: (row: RentRow) => percentText(row.before, row.after) },
  {
    label: 'Street rate',
    right: true,
    wide: true,
    cell: (row: RentRow) => (row.streetRate === null ? '' : formatCents(row.streetRate)),
  },
  { label: 'Days since last', right: true, wide: true, cell: (row: RentRow) => String(row.daysSince) },
  {
    label: 'Notice',
    wide: true,
    cell: (row: RentRow) =>
      row.noticeOn === null ? 'none needed' : row.noticeSent ? shortDay(row.noticeOn) : 'on approval',
  },
  { label: 'Applies from', cell: (row: RentRow) => (row.from === null ? '' : shortDay(row.from)) },
  { label: 'State', cell: (row: RentRow) => <RentState state={row.state} /> },
]

/** A batch under review: each lease's old and new rent, when it is announced and from when it applies. */
export default function RentBatchPage({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, batch, rows, next, query, decides, cancels, key } = loaderData
  const fields = actionData?.fields ?? {}
  const by = batch.after - batch.before
  return (
    <OfficePageFrame
      title={batch.leases === 1 ? 'Rent change' : `${batch.leases} rent changes`}
      brand={brand}
      failed={Object.keys(fields).length > 0}
      lead={<Link to={`/office/rent-changes${query}`}>Rent changes</Link>}
    >
      <ErrorSummary errors={fields} />
      <DataList
        facts={[
          { label: 'Proposed', value: `${batch.at} by ${batch.by}` },
          { label: 'Why', value: batch.reason },
          ...(batch.wantedFrom === null ? [] : [{ label: 'Not before', value: shortDay(batch.wantedFrom) }]),
          {
            label: 'Each 30 days',
            value: `${formatCents(batch.before)} to ${formatCents(batch.after)}, ${by > 0 ? '+' : ''}${formatCents(by)} (${percentText(batch.before, batch.after)})`,
          },
        ]}
      />
      <Form method="post">
        <input type="hidden" name="key" value={actionData?.key ?? key} />
        {decides && <Decide of={loaderData} />}
        {!decides && batch.states.waiting > 0 && <p className="office-asks">{waits(loaderData)}</p>}
        <Section title="Leases" count={batch.leases}>
          <OfficeList
            caption="Leases of this batch, by facility and lease"
            rows={rows}
            rowKey={(row) => row.changeId}
            empty="No lease."
            columns={columns(decides)}
            {...(cancels.length > 0 && {
              actions: (row: RentRow) =>
                cancels.includes(row.changeId) && (
                  <Button
                    kind="quiet"
                    name="cancel"
                    value={`${row.changeId} ${row.locationCode}`}
                    aria-label={`Cancel the change of ${row.locationCode} ${row.unitNumber}`}
                  >
                    Cancel
                  </Button>
                ),
            })}
          />
          <MoreRows next={next} />
          {cancels.length > 0 && !decides && (
            <div className="office-form">
              <WhyField name="because" label="Why, where you cancel" optional error={fields.because} />
            </div>
          )}
        </Section>
      </Form>
    </OfficePageFrame>
  )
}

const waits = ({ own, batch }: Loaded): string =>
  own
    ? 'Another person approves what you proposed. Until then you can cancel each line.'
    : `${batch.states.waiting} wait for somebody who may approve them.`

function Decide({ of: { batch } }: { of: Loaded }) {
  const busy = useNavigation().state === 'submitting'
  const all = batch.states.waiting
  return (
    <div className="office-decide">
      <WhyField name="because" label="Note" optional />
      <ButtonRow>
        <Button name="intent" value="approve-all" busy={busy} data-key="a">
          {all === 1 ? 'Approve' : `Approve all ${all}`}
        </Button>
        {all > 1 && (
          <Button kind="secondary" name="intent" value="approve-chosen">
            Approve the chosen
          </Button>
        )}
        <Button kind="secondary" name="intent" value="refuse-all" data-key="x">
          {all === 1 ? 'Refuse' : 'Refuse all'}
        </Button>
        {all > 1 && (
          <Button kind="secondary" name="intent" value="refuse-chosen">
            Refuse the chosen
          </Button>
        )}
      </ButtonRow>
      <p className="small soft">Approving sends each tenant the notice. A decrease needs none and stands at once.</p>
    </div>
  )
}

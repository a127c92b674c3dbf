import { Form, Link, useNavigation } from 'react-router'
import { allFieldValues } from '../../../domain/forms/all-values-of-field.ts'
import { officeNotFound } from '../../../domain/texts/office-refusals.ts'
import { CancelRentChange } from '../../../modules/rent-changes/operations/cancel-rent-change.ts'
import { DecideRentChanges } from '../../../modules/rent-changes/operations/decide-rent-changes.ts'
import { StopRentChanges } from '../../../modules/rent-changes/operations/stop-rent-changes.ts'
import { formatRentChange } from '../../../modules/rent-changes/rules/rent-change.ts'
import { loadChangesToDecide } from '../../../modules/rent-changes/views/changes-to-decide.ts'
import { loadRentBatch } from '../../../modules/rent-changes/views/rent-change-batches.ts'
import type { RentRow } from '../../../modules/rent-changes/views/rent-change-rows.ts'
import { grantAt } from '../../../platform/operations/facilities-of-staff.ts'
import { Button, ButtonRow } from '../../ui/buttons.tsx'
import { DataList } from '../../ui/data-tables.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { formatCents } from '../../ui/money.tsx'
import type { FieldErrors } from '../../ui/use-form-checks.ts'
import { loadFacilitiesInView } from '../facilities-in-view.ts'
import { formatShortDay } from '../ledger-table.tsx'
import { WhyField } from '../note-and-reason-fields.tsx'
import { formAnswer, officeAction, readOfficeForm, type SentForm, withPageData } from '../office-action.ts'
import { OfficePageFrame, Section } from '../office-page-heading-and-sections.tsx'
import { MoreRows, OfficeTable } from '../office-table.tsx'
import { loadTimeFormatter } from '../office-time.ts'
import { type OfficePage, openOfficePage } from '../open-office-page.ts'
import { leasePath } from '../tenant-paths.ts'
import type { Route } from './+types/rent-batch'
import { RentState } from './rent-change-state.tsx'

/** Returns the facility to which all the rows belong; null for rows of several facilities and for no rows. */
function locationOf(rows: readonly RentRow[]): string | null {
  const [location, ...others] = new Set(rows.map(({ locationCode }) => locationCode))
  return others.length === 0 ? (location ?? null) : null
}

/** Number of a batch's changes that one button affects, and how many of them are at facilities that are not in view. */
interface ChangeCount {
  all: number
  outOfView: number
}

const noChanges: ChangeCount = { all: 0, outOfView: 0 }

export async function loader(args: Route.LoaderArgs) {
  const page = await openOfficePage(args, 'rent.propose')
  const { site, staff, url } = page
  const { codes, query } = await loadFacilitiesInView(page, 'rent.propose')
  const batchPage = await loadRentBatch(site.services, args.params.batchId, codes, url.searchParams.get('after'))
  if (!batchPage) throw new Response(officeNotFound, { status: 404 })
  const { batch, rows, next } = batchPage
  const timeAt = await loadTimeFormatter(page)
  const isOwn = batch.byId === staff.staffId
  const countChanges = async (which: 'proposed' | 'announced'): Promise<ChangeCount> => {
    const changes = await loadChangesToDecide(site.services.db.read, staff, batch.batchId, which)
    const isInView = (code: string) => codes === 'all' || codes.includes(code)
    return {
      all: changes.length,
      outOfView: changes.filter(({ location_code }) => !isInView(location_code)).length,
    }
  }
  const mayApprove = (row: RentRow) => grantAt(staff, 'rent.approve', row.locationCode) === 'yes'
  return {
    brand: site.brand.name,
    query,
    key: site.services.random.uuid(),
    batch: { ...batch, at: timeAt(batch.proposedAt, locationOf(rows)) },
    rows,
    next,
    isOwn,
    /** Changes that the staff member may decide, all by one button. */
    decidable: isOwn ? noChanges : await countChanges('proposed'),
    /** Approved or announced changes that the staff member may stop, all by one button. */
    stoppable: await countChanges('announced'),
    /** Ids of changes with a Cancel button: own proposals, and for an approver those approved but not yet in force. */
    cancellable: rows
      .filter((row) =>
        row.state === 'proposed' ? isOwn : (row.state === 'approved' || row.state === 'coming') && mayApprove(row),
      )
      .map(({ changeId }) => changeId),
  }
}

export async function action(args: Route.ActionArgs) {
  const page = await openOfficePage(args, 'rent.propose')
  const { batchId: batch_id } = args.params
  const form = await readOfficeForm(page, args.request)
  const { cancel = '', because = '', counted } = form.typed
  const back = page.url.pathname + page.url.search
  if (cancel !== '') {
    const [change_id, location_code] = cancel.split(' ')
    const input = () => ({ change_id, location_code, reason: because })
    const answer = await officeAction(page, form, {
      cancel: { operation: CancelRentChange, input, fieldNames: toBecauseField, back },
    })
    return withPageData(answer, { asks: null })
  }
  const chosen = form.intent.endsWith('-all') ? [] : allFieldValues(form.all, 'change')
  const leases = await countAffectedLeases(page, batch_id, form)
  if (form.intent.endsWith('-chosen') && leases === 0)
    return withPageData(formAnswer(page, form, { fields: { form: 'Choose the leases first.' } }, 400), { asks: null })
  const asks: Confirmation = { intent: form.intent, leases, because, changes: chosen }
  // Several leases, and every stop, need a confirmation that names their number; a changed number needs a new one.
  if ((leases > 1 || form.intent === 'stop') && counted !== String(leases))
    return withPageData(formAnswer(page, form, {}), { asks })
  const decide = {
    operation: DecideRentChanges,
    input: () => ({ batch_id, change_ids: chosen, decision: form.intent.split('-')[0], because }),
    fieldNames: (field: string) => (field === 'because' ? field : 'form'),
    back,
  }
  const answer = await officeAction(page, form, {
    stop: {
      operation: StopRentChanges,
      input: () => ({ batch_id, reason: because }),
      fieldNames: toBecauseField,
      back,
    },
    'approve-all': decide,
    'approve-chosen': decide,
    'refuse-all': decide,
    'refuse-chosen': decide,
  })
  return withPageData(answer, { asks: answer.data.fields.because ? asks : null })
}

/**
 * Returns the form field that shows an error of an operation's field: `because` for `reason`, otherwise the whole form.
 */
const toBecauseField = (name: string) => (name === 'reason' ? 'because' : 'form')

/** Counts the leases that the pressed button affects: all announced, all waiting, or the selected ones. */
async function countAffectedLeases(page: OfficePage, batchId: string, form: SentForm): Promise<number> {
  if (form.intent.endsWith('-chosen')) return new Set(allFieldValues(form.all, 'change')).size
  const state = form.intent === 'stop' ? 'announced' : 'proposed'
  return (await loadChangesToDecide(page.site.services.db.read, page.staff, batchId, state)).length
}

type Loaded = Route.ComponentProps['loaderData']

const columns = (mayDecide: boolean) => [
  ...(mayDecide
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
  { label: 'Change', right: true, wide: true, cell: (row: RentRow) => formatRentChange(row.before, row.after) },
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
      row.noticeOn === null ? 'none needed' : row.noticeSent ? formatShortDay(row.noticeOn) : 'on approval',
  },
  { label: 'Applies from', cell: (row: RentRow) => (row.from === null ? '' : formatShortDay(row.from)) },
  { label: 'State', cell: (row: RentRow) => <RentState state={row.state} /> },
]

/** Page of a batch of rent changes: each lease's old and new rent, notice and first day. */
export default function RentBatchPage({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, batch, rows, next, query, decidable, stoppable, cancellable, key } = loaderData
  const mayDecide = decidable.all > 0
  const fields = actionData?.fields ?? {}
  const difference = batch.after - batch.before
  if (actionData?.asks)
    return (
      <OfficePageFrame
        title={confirmationTitle(actionData.asks)}
        brand={brand}
        failed={Object.keys(fields).length > 0}
        lead={<Link to={`/office/rent-changes/${batch.batchId}${query}`}>Back without a change</Link>}
      >
        <ErrorSummary errors={fields} />
        <ConfirmationForm asks={actionData.asks} formKey={actionData.key} fields={fields} />
      </OfficePageFrame>
    )
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
          ...(batch.wantedFrom === null ? [] : [{ label: 'Not before', value: formatShortDay(batch.wantedFrom) }]),
          {
            label: 'Each 30 days',
            value: `${formatCents(batch.before)} to ${formatCents(batch.after)}, ${difference > 0 ? '+' : ''}${formatCents(difference)} (${formatRentChange(batch.before, batch.after)})`,
          },
        ]}
      />
      <Form method="post">
        <input type="hidden" name="key" value={actionData?.key ?? key} />
        {mayDecide && <Decide decidable={decidable} error={fields.because} />}
        {!mayDecide && batch.states.waiting > 0 && <p className="office-asks">{waitingText(loaderData)}</p>}
        {stoppable.all > 1 && (
          <>
            <ButtonRow>
              <Button kind="danger" name="intent" value="stop">
                {`Stop all ${stoppable.all} to come`}
              </Button>
            </ButtonRow>
            <OutOfView count={stoppable} />
          </>
        )}
        <Section title="Leases" count={batch.leases}>
          <OfficeTable
            caption="Leases of this batch, by facility and lease"
            rows={rows}
            rowKey={(row) => row.changeId}
            empty="No lease."
            columns={columns(mayDecide)}
            {...(cancellable.length > 0 && {
              actions: (row: RentRow) =>
                cancellable.includes(row.changeId) && (
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
          {cancellable.length > 0 && !mayDecide && (
            <div className="office-form">
              <WhyField name="because" label="Why, where you cancel" optional error={fields.because} />
            </div>
          )}
        </Section>
      </Form>
    </OfficePageFrame>
  )
}

const waitingText = ({ isOwn, batch }: Loaded): string =>
  isOwn
    ? 'Another person approves what you proposed. Until then you can cancel each line.'
    : `${batch.states.waiting} wait for a staff member who may approve them.`

interface Confirmation {
  intent: string
  leases: number
  because: string
  changes: string[]
}

const verbOf = ({ intent }: Confirmation): string =>
  intent === 'stop' ? 'Stop' : intent.startsWith('approve') ? 'Approve' : 'Refuse'

const confirmationTitle = (asks: Confirmation): string =>
  `${verbOf(asks)} ${asks.leases === 1 ? 'one rent change' : `${asks.leases} rent changes`}?`

/** Confirmation of an operation on a batch's rent changes. No shortcut key presses its button. */
function ConfirmationForm({ asks, formKey, fields }: { asks: Confirmation; formKey: string; fields: FieldErrors }) {
  const verb = verbOf(asks)
  const consequence = {
    Approve: `Each tenant whose rent rises gets a notice by mail: up to ${asks.leases} mails, sent at once.`,
    Refuse: 'The rents stay as they are, and no tenant gets a mail.',
    Stop: 'A notice that has not left is not sent. A tenant who had one gets a mail that the rent stays.',
  }[verb]
  return (
    <Form method="post" className="office-form">
      <input type="hidden" name="key" value={formKey} />
      <input type="hidden" name="counted" value={asks.leases} />
      {asks.intent.endsWith('-chosen') &&
        asks.changes.map((id) => <input key={id} type="hidden" name="change" value={id} />)}
      <p className="office-asks">{consequence}</p>
      <WhyField
        name="because"
        label={verb === 'Stop' ? 'Why' : 'Note'}
        optional={verb !== 'Stop'}
        value={asks.because}
        error={fields.because}
      />
      <ButtonRow>
        <Button kind={verb === 'Stop' ? 'danger' : 'primary'} name="intent" value={asks.intent}>
          {`${verb} ${asks.leases}`}
        </Button>
      </ButtonRow>
    </Form>
  )
}

const OutOfView = ({ count: { all, outOfView } }: { count: ChangeCount }) =>
  outOfView > 0 && (
    <p className="small">
      {outOfView === 1
        ? `${all === 1 ? 'It' : '1 of them'} is at a facility that is not in view.`
        : `${outOfView} of them are at facilities that are not in view.`}
    </p>
  )

function Decide({ decidable, error }: Pick<Loaded, 'decidable'> & { error: string | undefined }) {
  const busy = useNavigation().state === 'submitting'
  const { all } = decidable
  return (
    <div className="mt-4 rounded-control bg-wash px-4 py-3">
      <WhyField name="because" label="Note" optional error={error} />
      <ButtonRow>
        <Button name="intent" value="approve-all" busy={busy} data-key={all === 1 ? 'a' : undefined}>
          {all === 1 ? 'Approve' : `Approve all ${all}`}
        </Button>
        {all > 1 && (
          <Button kind="secondary" name="intent" value="approve-chosen">
            Approve the chosen
          </Button>
        )}
        <Button kind="secondary" name="intent" value="refuse-all" data-key={all === 1 ? 'x' : undefined}>
          {all === 1 ? 'Refuse' : 'Refuse all'}
        </Button>
        {all > 1 && (
          <Button kind="secondary" name="intent" value="refuse-chosen">
            Refuse the chosen
          </Button>
        )}
      </ButtonRow>
      <OutOfView count={decidable} />
      <p className="small soft">Approving sends each tenant the notice. A decrease needs none and stands at once.</p>
    </div>
  )
}

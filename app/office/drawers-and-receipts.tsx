import { Form, Link } from 'react-router'
import { officeNotFound } from '../../domain/texts/office-refusals.ts'
import { isKeyOf } from '../../domain/typed-keys.ts'
import { OpenDrawer } from '../../modules/cash-drawers/operations/open-drawer.ts'
import {
  drawerStates,
  type ReceiptState,
  receiptStates,
} from '../../modules/cash-drawers/rules/counter-receipt-methods-and-states.ts'
import { amountsAfterCount } from '../../modules/cash-drawers/texts/counter.ts'
import {
  type ListedDrawer,
  loadClosedDrawers,
  loadFacilitiesWithPermission,
  loadOpenDrawers,
} from '../../modules/cash-drawers/views/drawer-lists.ts'
import { maySeeAnyDrawer } from '../../modules/cash-drawers/views/drawers-visible-to-staff.ts'
import { loadReceiptsPage } from '../../modules/cash-drawers/views/receipt-lists.ts'
import { shownReceipt } from '../../modules/payments/rules/receipt-number.ts'
import { SubmitButton } from '../ui/buttons.tsx'
import { Tag } from '../ui/card-tag-and-callout.tsx'
import { SelectField } from '../ui/fields/choice.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { TextField } from '../ui/fields/text.tsx'
import { formatCents } from '../ui/money.tsx'
import type { Route } from './+types/drawers-and-receipts'
import { AmountField } from './amount-field.tsx'
import { loadFacilitiesInView } from './facilities-in-view.ts'
import { MAX_OPTIONS } from './list-limits-and-page-slicing.ts'
import { officeAction, readOfficeForm } from './office-action.ts'
import { OfficePageFrame, Section } from './office-page-heading-and-sections.tsx'
import { MoreRows, OfficeTable } from './office-table.tsx'
import { formatOfficeTime } from './office-time.ts'
import { listPermissions, openOfficePage } from './open-office-page.ts'
import { parseDollars } from './parse-dollars.ts'
import { receiptRow } from './receipt-row.ts'
import { ReceiptStateTag } from './receipt-state.tsx'

const stateOf = (text: string | null): ReceiptState | undefined =>
  text !== null && isKeyOf(receiptStates, text) ? text : undefined

const drawerRow = ({ batch_id, location_code, state, ...drawer }: ListedDrawer) => ({
  id: batch_id,
  at: location_code,
  state,
  openedBy: drawer.openedByName,
  opened: formatOfficeTime(drawer.opened_at, drawer.timeZone),
  // Staff count a drawer without knowing its amounts, so the expected amount of an open drawer stays hidden.
  cents: state === 'open' ? null : (drawer.deposit_cents ?? drawer.cents),
  receipts: drawer.receipts,
  day: drawer.closed_on ?? drawer.opened_on,
})

export async function loader(args: Route.LoaderArgs) {
  const page = await openOfficePage(args)
  const { site, staff, url } = page
  if (!maySeeAnyDrawer(staff)) throw new Response(officeNotFound, { status: 404 })
  const db = site.services.db.read
  const { chosen, codes, query } = await loadFacilitiesInView(page)
  const state = stateOf(url.searchParams.get('state'))
  const number = (url.searchParams.get('number') ?? '').trim().slice(0, 40)
  // The facility filter does not offer the operator's own office, so its drawers are listed only when `codes` is 'all'.
  const [open, closed, places, list] = await Promise.all([
    loadOpenDrawers(db, staff, { chosen: codes, seen: true }),
    loadClosedDrawers(db, staff, { chosen: codes }),
    loadFacilitiesWithPermission(db, staff, 'drawer.count'),
    loadReceiptsPage(db, staff, { chosen: codes, state, number, after: url.searchParams.get('after') }),
  ])
  const ownLocations = new Set(
    open.filter((drawer) => drawer.opened_by === staff.staffId).map(({ location_code }) => location_code),
  )
  const elsewhere = places.filter(({ code }) => !ownLocations.has(code))
  const preferred =
    chosen[0] ?? staff.roles.flatMap(({ facilities }) => (facilities === 'all' ? [] : [...facilities]))[0]
  return {
    brand: site.brand.name,
    formKey: site.services.random.uuid(),
    open: open.map(drawerRow),
    closed: closed.map(drawerRow),
    receipts: list.receipts.map(receiptRow),
    next: list.next,
    mayOpenDrawer: elsewhere.length > 0,
    places:
      elsewhere.length > MAX_OPTIONS
        ? []
        : elsewhere.map(({ code, name }) => ({ value: code, label: `${code} · ${name}` })),
    preferred: preferred ?? '',
    receives: listPermissions(staff).includes('payment.receive'),
    filter: { state: state ?? '', number, at: query },
  }
}

export async function action(args: Route.ActionArgs) {
  const page = await openOfficePage(args, 'drawer.count')
  const form = await readOfficeForm(page, args.request)
  const placeText = (form.typed.place ?? '').trim()
  const places = await loadFacilitiesWithPermission(page.site.services.db.read, page.staff, 'drawer.count')
  const facility = places.find(({ code }) => code.toUpperCase() === placeText.toUpperCase())
  return officeAction(page, form, {
    open: {
      operation: OpenDrawer,
      input: () => ({ location_code: facility?.code ?? placeText, float: parseDollars(form.typed.float || '0') }),
      // A refused facility is reported at the facility's field.
      fieldNames: (name) => (name === 'location_code' || (name === 'form' && !facility) ? 'place' : name),
      done: 'drawer-open',
      back: ({ batch_id }) => `/office/receipts/stack?drawer=${batch_id}`,
    },
  })
}

/** Page of payments at the counter: open and counted drawers, and receipts. */
export default function Receipts({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, open, closed, receives: mayReceive } = loaderData
  const failed = Object.keys(actionData?.fields ?? {}).length > 0
  return (
    <OfficePageFrame
      title="Money"
      brand={brand}
      failed={failed}
      actions={
        mayReceive &&
        open.length > 0 && (
          <Link to="/office/receipts/stack" className="btn btn-primary btn-short" data-key="p" aria-keyshortcuts="p">
            Post a stack <span className="office-key">p</span>
          </Link>
        )
      }
    >
      <ErrorSummary errors={actionData?.fields ?? {}} general={['', 'form']} />
      <div className="office-columns">
        <Section title="Open drawers" count={open.length}>
          <Drawers rows={open} caption="Open drawers" empty="No drawer is open. Money is received into an open one." />
          <OpenDrawerForm {...loaderData} answer={actionData} />
        </Section>
        <Section title="Counted drawers" count={closed.length}>
          <Drawers rows={closed} caption="Counted drawers" empty="None waits for the bank." />
        </Section>
      </div>
      <ReceiptList {...loaderData} />
    </OfficePageFrame>
  )
}

type DrawerRow = ReturnType<typeof drawerRow>

function Drawers({ rows, caption, empty }: { rows: DrawerRow[]; caption: string; empty: string }) {
  return (
    <OfficeTable
      caption={caption}
      rows={rows}
      rowKey={(row) => row.id}
      open={(row) => `/office/day-close/${row.id}`}
      empty={empty}
      columns={[
        { label: 'Drawer', cell: (row) => `${row.at} ${row.id.slice(-4)}` },
        { label: 'Whose', cell: (row) => row.openedBy },
        { label: 'Opened', wide: true, cell: (row) => row.opened },
        { label: 'Receipts', right: true, wide: true, cell: (row) => row.receipts },
        ...(rows.some(({ cents }) => cents !== null)
          ? [{ label: 'Amount', right: true, cell: (row: DrawerRow) => formatCents(row.cents ?? 0) }]
          : []),
        {
          label: 'State',
          cell: (row) => <Tag tone={row.state === 'closed' ? 'door' : 'plain'}>{drawerStates[row.state]}</Tag>,
        },
      ]}
    />
  )
}

function OpenDrawerForm({
  mayOpenDrawer,
  places,
  preferred,
  formKey,
  answer,
}: Pick<Route.ComponentProps['loaderData'], 'mayOpenDrawer' | 'places' | 'preferred' | 'formKey'> & {
  answer: Route.ComponentProps['actionData']
}) {
  if (!mayOpenDrawer) return null
  const place = {
    name: 'place',
    label: 'Where the money lies',
    defaultValue: answer?.values.place ?? preferred,
    error: answer?.fields.place,
  }
  return (
    <details className="print:hidden" open={answer !== undefined}>
      <summary className="py-2" data-key="o" aria-keyshortcuts="o">
        Open a drawer <span className="office-key">o</span>
      </summary>
      <Form method="post" className="office-inline">
        <input type="hidden" name="key" value={answer?.key ?? formKey} />
        {places.length === 0 ? (
          <TextField {...place} hint="Its code" width={10} maxLength={16} autoComplete="off" />
        ) : (
          <SelectField {...place} options={places} empty={null} />
        )}
        <AmountField
          name="float"
          label="Float"
          hint="Change in it now"
          defaultValue={answer?.values.float ?? '100.00'}
          error={answer?.fields.float}
        />
        <SubmitButton kind="secondary">Open</SubmitButton>
      </Form>
    </details>
  )
}

function ReceiptList({ receipts, next, filter }: Route.ComponentProps['loaderData']) {
  return (
    <Section title="Receipts">
      <Form className="office-inline office-filter">
        {new URLSearchParams(filter.at).get('at') && (
          <input type="hidden" name="at" value={new URLSearchParams(filter.at).get('at') ?? ''} />
        )}
        <SelectField
          name="state"
          label="State"
          empty="All"
          optional
          defaultValue={filter.state}
          options={Object.entries(receiptStates).map(([value, label]) => ({ value, label }))}
        />
        <TextField name="number" label="Check or receipt" optional maxLength={40} defaultValue={filter.number} />
        <SubmitButton kind="secondary">Show</SubmitButton>
      </Form>
      <div className="office-blocks">
        <OfficeTable
          caption="Receipts, the newest first"
          rows={receipts}
          rowKey={(row) => row.id}
          open={(row) => `/office/receipts/${row.id}`}
          empty={filter.state || filter.number ? 'No receipt is like this.' : 'Nothing has been received yet.'}
          columns={[
            { label: 'Receipt', cell: (row) => shownReceipt(row.id) },
            { label: 'Received', wide: true, cell: (row) => row.at },
            { label: 'Unit', cell: (row) => `${row.location} ${row.units}` },
            { label: 'Tenant', wide: true, cell: (row) => row.tenant },
            { label: 'What', cell: (row) => row.what },
            { label: 'Amount', right: true, cell: (row) => (row.cents === null ? '–' : formatCents(row.cents)) },
            { label: 'State', cell: (row) => <ReceiptStateTag state={row.state} /> },
            { label: 'By', wide: true, cell: (row) => row.by },
          ]}
        />
      </div>
      {receipts.some(({ cents }) => cents === null) && <p className="soft small">{amountsAfterCount}</p>}
      <MoreRows next={next} label="Older" />
    </Section>
  )
}

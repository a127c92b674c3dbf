import { Form, Link } from 'react-router'
import { officeNotFound } from '../../domain/texts/office-refusals.ts'
import { amountsAfterCount } from '../../modules/cash-drawers/texts/counter.ts'
import { loadOpenDrawers } from '../../modules/cash-drawers/views/drawer-lists.ts'
import { loadReceiptCount } from '../../modules/cash-drawers/views/drawer-page.ts'
import {
  findUnitsToPay,
  loadLeasesOfUnit,
  type UnitToPay,
} from '../../modules/cash-drawers/views/find-units-to-pay-by-number.ts'
import { loadNewestDrawerReceipts } from '../../modules/cash-drawers/views/receipt-lists.ts'
import { shownReceipt } from '../../modules/payments/rules/receipt-number.ts'
import { Button } from '../ui/buttons.tsx'
import { TextField } from '../ui/fields/text.tsx'
import { formatCents } from '../ui/money.tsx'
import type { Route } from './+types/post-check-stack'
import { loadReceiveForm, offeredDrawer, receivePaymentAct } from './counter-payment-form.ts'
import { loadFacilitiesInView } from './facilities-in-view.ts'
import { revalidateMoney } from './money-form-with-preview.tsx'
import { OfficePageFrame, Section } from './office-page-heading-and-sections.tsx'
import { OfficeTable } from './office-table.tsx'
import { type OfficePage, openOfficePage } from './open-office-page.ts'
import { moneyAction } from './preview-and-run-money-form.ts'
import { receiptRow } from './receipt-row.ts'
import { ReceiptStateTag } from './receipt-state.tsx'
import { ReceivePanel } from './receive-panel.tsx'

/** Returns the location codes of the facilities chosen with `?at=`; empty for all. */
const loadChosen = async (page: OfficePage): Promise<string[]> =>
  (await loadFacilitiesInView(page, 'payment.receive')).chosen

/** Finds the rented units with the typed number; several when facilities use the same number. */
async function findTypedUnits(page: OfficePage, chosen: readonly string[]): Promise<UnitToPay[]> {
  const text = page.url.searchParams.get('unit') ?? ''
  if (text.trim() === '') return []
  return findUnitsToPay(page.site.services.db.read, page.staff, { text, chosen: chosen.length > 0 ? chosen : 'all' })
}

/**
 * Returns the URL of the form for the next check of a stack, at the facilities of this page.
 * @param used drawer and method of the receipt just posted; by default those of this page
 */
function nextCheckPath({ url }: OfficePage, used: { get(name: string): unknown } = url.searchParams): string {
  const params = new URLSearchParams()
  for (const name of ['drawer', 'at', 'method']) {
    const value = (name === 'at' ? url.searchParams : used).get(name)
    if (value) params.set(name, String(value))
  }
  return `/office/receipts/stack${params.size > 0 ? `?${params}` : ''}`
}

/** Maximum number of the drawer's newest receipts that the page lists. */
const MAX_POSTED = 10

export async function loader(args: Route.LoaderArgs) {
  const page = await openOfficePage(args, 'payment.receive')
  const { searchParams } = page.url
  const { read } = page.site.services.db
  const chosen = await loadChosen(page)
  const [hits, drawers] = await Promise.all([findTypedUnits(page, chosen), loadOpenDrawers(read, page.staff)])
  const [only] = hits
  const matching =
    drawers.find((drawer) => drawer.batch_id === searchParams.get('drawer')) ??
    offeredDrawer(drawers, page.staff.staffId, only ? [only.locationCode] : chosen)
  // The page lists the receipts of some open drawer, but preselects only a matching one for the payment.
  const drawer = matching ?? drawers[0]
  const [posted, count] = drawer
    ? await Promise.all([
        loadNewestDrawerReceipts(read, drawer.batch_id, MAX_POSTED),
        loadReceiptCount(read, drawer.batch_id),
      ])
    : [[], 0]
  const preselected = { drawer: matching?.batch_id ?? null, method: searchParams.get('method') }
  return {
    brand: page.site.brand.name,
    text: searchParams.get('unit') ?? '',
    hits,
    nextPath: nextCheckPath(page),
    stackParams: Object.fromEntries(['drawer', 'at', 'method'].map((name) => [name, searchParams.get(name) ?? ''])),
    drawer: drawer ? { id: drawer.batch_id, at: drawer.location_code } : null,
    receive:
      only && hits.length === 1 ? await loadReceiveForm(page, await loadLeasesOfUnit(read, only), preselected) : null,
    posted: posted.map(receiptRow),
    count,
  }
}

export async function action(args: Route.ActionArgs) {
  const page = await openOfficePage(args, 'payment.receive')
  const [unit, ...others] = await findTypedUnits(page, await loadChosen(page))
  if (!unit || others.length > 0) throw new Response(officeNotFound, { status: 404 })
  const form = await args.request
    .clone()
    .formData()
    .catch(() => new FormData())
  return moneyAction(
    page,
    args.request,
    receivePaymentAct(await loadLeasesOfUnit(page.site.services.db.read, unit)),
    nextCheckPath(page, form),
  )
}

export const shouldRevalidate = revalidateMoney

/** Page that posts a stack of checks or other counter payments one after the other: unit, amount, number, next. */
export default function PostCheckStackPage({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, text, hits, nextPath, stackParams, drawer, receive, posted, count } = loaderData
  const [only] = hits
  return (
    <OfficePageFrame
      title="Post a stack"
      brand={brand}
      failed={Object.keys(actionData?.fields ?? {}).length > 0}
      lead={
        drawer && (
          <>
            Drawer <Link to={`/office/day-close/${drawer.id}`}>{`${drawer.at} ${drawer.id.slice(-4)}`}</Link> · {count}{' '}
            {count === 1 ? 'receipt' : 'receipts'}
          </>
        )
      }
    >
      {drawer === null ? (
        <p>
          No drawer is open. <Link to="/office/receipts">Open one</Link>, and what is received goes into it.
        </p>
      ) : (
        <div className="office-columns">
          <div>
            {/* The new key after each receipt empties the form. */}
            <Form className="office-inline" key={`${posted[0]?.id}`}>
              {Object.entries(stackParams).map(([name, value]) =>
                value === '' ? null : <input key={name} type="hidden" name={name} value={value} />,
              )}
              <TextField
                name="unit"
                label="Unit"
                hint="Such as 318, or ATL01 318"
                width={10}
                maxLength={40}
                autoComplete="off"
                autoFocus={receive === null}
                defaultValue={text}
              />
              <Button kind="secondary">Find</Button>
            </Form>
            {text !== '' && hits.length === 0 && <p role="status">No let unit {text} at your facilities.</p>}
            {hits.length > 1 && <UnitChoice hits={hits} nextPath={nextPath} />}
            {receive && only && (
              <Section title={`${only.locationCode} ${only.unitNumber}, ${only.tenant}`}>
                <ReceivePanel key={only.leaseNumber} {...receive} answer={actionData} cancel={nextPath} />
              </Section>
            )}
          </div>
          <Section title="Posted last">
            <OfficeTable
              caption="Posted last into this drawer, the newest first"
              rows={posted}
              rowKey={(row) => row.id}
              open={(row) => `/office/receipts/${row.id}`}
              empty="Nothing yet."
              columns={[
                { label: 'Receipt', cell: (row) => shownReceipt(row.id) },
                { label: 'Unit', cell: (row) => `${row.location} ${row.units}` },
                { label: 'What', cell: (row) => row.what },
                { label: 'State', wide: true, cell: (row) => <ReceiptStateTag state={row.state} /> },
              ]}
            />
            {posted.length > 0 && <p className="soft small">{amountsAfterCount}</p>}
          </Section>
        </div>
      )}
    </OfficePageFrame>
  )
}

/** Choice between facilities that use the same unit number. */
function UnitChoice({ hits, nextPath }: { hits: UnitToPay[]; nextPath: string }) {
  const hrefOf = (unit: UnitToPay) =>
    `${nextPath}${nextPath.includes('?') ? '&' : '?'}unit=${encodeURIComponent(`${unit.locationCode} ${unit.unitNumber}`)}`
  return (
    <OfficeTable
      caption="Units of this number"
      rows={hits}
      rowKey={(row) => row.locationCode}
      open={hrefOf}
      empty=""
      columns={[
        { label: 'Unit', cell: (row) => `${row.locationCode} ${row.unitNumber}` },
        { label: 'Tenant', cell: (row) => row.tenant },
        { label: 'Owes', right: true, cell: (row) => formatCents(row.balance) },
      ]}
    />
  )
}

import { GateRefresh } from '../ui/refresh-page.tsx'
import '../styles/tenant-home.css'
import '../styles/form-pages.css'
import '../styles/plan.css'
import { data, Link, redirect } from 'react-router'
import * as v from 'valibot'
import { isPasskeyOffered } from '../../modules/accounts/views/passkey-offer.ts'
import { selectAUnit } from '../../modules/leases/texts/portal.ts'
import { loadRentedUnits } from '../../modules/leases/views/rented-units-of-tenant.ts'
import { StartUnitsCheckout } from '../../modules/payments/operations/start-units-checkout.ts'
import { paysFields } from '../../modules/payments/rules/checkout-terms.ts'
import { chooseUnits } from '../../modules/payments/texts/several-units.ts'
import { loadTenantInReview } from '../../modules/payments/views/tenant-payments-in-review.ts'
import { revalidateOnConflict } from '../request/submit-or-report-offline.ts'
import { LinkButton } from '../ui/buttons.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { PlanPicture } from '../ui/floor-plan-picture.tsx'
import { formatCents } from '../ui/money.tsx'
import { withNoBreakSpaces } from '../ui/no-break.ts'
import { Pagination } from '../ui/pagination.tsx'
import type { Route } from './+types/my-units'
import { QuietRows } from './detail-rows.tsx'
import { gateOf } from './insurance-gate-and-leaving-rows.ts'
import { PayCards } from './multi-unit-form.tsx'
import { filterAndSortUnits, parseUnitSort, sortAddress } from './my-units-sort-and-search.ts'
import { openPortalPage, tenantKey } from './open-portal-page.ts'
import { PasskeyOffer } from './passkey-offer.tsx'
import { periodsOf } from './payment-choices.ts'
import { PortalFrame } from './portal-frame.tsx'
import { UnitCard } from './unit-card.tsx'
import { unitCardData, unitRow } from './unit-row.ts'
import { type SharedCode, UnitTable } from './unit-table.tsx'
import { loadWayToUnit, type WayToUnit } from './way-to-unit.ts'

/** Maximum number of units shown as cards; more are shown as a table. */
const MAX_CARDS = 6
const ROWS_PER_PAGE = 50

export async function loader(args: Route.LoaderArgs) {
  const { site, account, tenantInView, chrome, facility, facts } = await openPortalPage(args, { without: 'alert' })
  const searchParams = new URL(args.request.url).searchParams
  const [{ count, due, units }, offersPasskey, reviewed] = await Promise.all([
    loadRentedUnits(site.services, facts, tenantInView),
    isPasskeyOffered(site.services, account.accountId),
    loadTenantInReview(site.services, tenantInView),
  ])
  const sort = parseUnitSort(searchParams)
  const isTable = count > MAX_CARDS
  const sorted = isTable ? filterAndSortUnits(units, sort) : units
  const page = Math.max(1, Number.parseInt(searchParams.get('page') ?? '1', 10) || 1)
  const pageUnits = sorted.slice((page - 1) * ROWS_PER_PAGE, page * ROWS_PER_PAGE)
  if (pageUnits.length === 0 && page > 1) throw redirect('/my-units')
  const moment = { facts, now: site.services.clock.now(), phone: chrome.facility.phone }
  const rowContext = { ...moment, at: tenantKey(tenantInView) }
  const unitRows = pageUnits.map((unit) => {
    const inReview = reviewed.some((payment) => payment.leaseNumber === unit.leaseNumber)
    return { unit, row: unitRow(unit, { ...rowContext, inReview }) }
  })
  const rows = unitRows.map((unit) => unit.row)
  const [onlyUnit] = count === 1 ? units : []
  const address = sortAddress(sort, sort.by, page)
  return {
    chrome,
    count,
    due,
    page,
    sort,
    found: sorted.length,
    pages: Math.ceil(sorted.length / ROWS_PER_PAGE),
    rentMore: facility.path,
    offersPasskey,
    units: rows,
    cards: isTable ? [] : unitRows.map(({ unit, row }) => unitCardData(unit, row, { facts, alone: count === 1 })),
    way:
      onlyUnit && facility.mapEnabled
        ? await loadWayToUnit(site, tenantInView.locationCode, onlyUnit.unitNumber)
        : null,
    shared: isTable ? sharedCode(units.map((unit) => ({ gateCode: unit.gateCode, gate: gateOf(unit, moment) }))) : null,
    /**
     * Address to which the form for several units posts; null when the page shows fewer than two units that can be chosen.
     * The address names the tenant, since another facility's leases may have the same numbers.
     */
    payAt:
      rows.filter(({ isChoosable }) => isChoosable).length > 1
        ? `${address}${address.includes('?') ? '&' : '?'}at=${encodeURIComponent(rowContext.at)}`
        : null,
    /** Address of the CSV file of all units. */
    file: `/my-units.csv?at=${encodeURIComponent(rowContext.at)}`,
    // Only the page of a single unit reloads by itself: without scripts, a reload would clear the checkboxes.
    gateComing: onlyUnit !== undefined && gateOf(onlyUnit, moment).coming,
  }
}

/** Returns the tenant's gate code if it is the same, in the same state, for all units; otherwise, or without a code, null. */
function sharedCode(codes: SharedCode[]): SharedCode | null {
  const [first] = codes
  const agree = codes.every(({ gateCode, gate }) => gateCode === first?.gateCode && gate.says === first.gate.says)
  return first && first.gateCode !== '' && agree ? first : null
}

/** Starts one checkout for the chosen units. */
export async function action(args: Route.ActionArgs) {
  const { site, tenantInView } = await openPortalPage(args)
  const form = await args.request.formData().catch(() => new FormData())
  const pays = v.parse(v.fallback(paysFields.pays, 'dues'), form.get('pays'))
  const due = form.getAll('due').map(String)
  // Dues are paid only for chosen units whose amount due the page showed, as `due` names them; a form without `due`
  // asks for the dues of all chosen units.
  const leaseNumbers = form
    .getAll('lease')
    .map(String)
    .filter((leaseNumber) => pays !== 'dues' || due.length === 0 || due.includes(leaseNumber))
  const refusal = (fields: Record<string, string>, status: number) => data({ fields }, { status })
  if (leaseNumbers.length === 0 || !leaseNumbers.every((leaseNumber) => /^\d{1,12}$/.test(leaseNumber)))
    return refusal({ lease: chooseUnits }, 400)
  const outcome = await site.call(StartUnitsCheckout, {
    location_code: tenantInView.locationCode,
    tenant_id: tenantInView.tenantId,
    lease_numbers: leaseNumbers.map(Number),
    pays,
    periods: periodsOf(form.get('periods')?.toString()),
    autopay: pays === 'autopay',
  })
  if (!outcome.ok) return refusal({ form: outcome.message }, outcome.status)
  site.session.set({ checkout: outcome.value.checkoutId })
  return redirect('/pay-for-units')
}

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

export const shouldRevalidate = revalidateOnConflict

export default function MyUnits({ loaderData, actionData }: Route.ComponentProps) {
  const { chrome, rentMore, offersPasskey, count, due, page, pages, sort } = loaderData
  const fields: Record<string, string> = actionData?.fields ?? {}
  return (
    <PortalFrame
      chrome={chrome}
      title={selectAUnit}
      wrong={Object.keys(fields).length > 0}
      lead={
        count > 1
          ? `You rent ${count} units here. ${due > 0 ? `${formatCents(due)} is due in all.` : 'Nothing is due.'}`
          : undefined
      }
      path="/my-units"
    >
      <GateRefresh coming={loaderData.gateComing} />
      <ErrorSummary errors={fields} general={count > MAX_CARDS ? ['lease'] : []} />
      {count === 0 ? (
        <div className="mt-6">
          <EmptyState title="You have no units here" action={<LinkButton href={rentMore}>Rent a unit</LinkButton>}>
            <p>A unit that you rent at {chrome.facility.name} appears here, with its gate code and what is due.</p>
          </EmptyState>
        </div>
      ) : (
        <Units {...loaderData} error={fields.lease} />
      )}
      {pages > 1 && (
        <div className="mt-8">
          <Pagination page={page} pages={pages} href={(n) => sortAddress(sort, sort.by, n)} />
        </div>
      )}
      {offersPasskey && <PasskeyOffer />}
    </PortalFrame>
  )
}

/** Shows a single unit in full, a card for each of a few units, or a table of many. */
function Units({ error, ...page }: Route.ComponentProps['loaderData'] & { error: string | undefined }) {
  const { chrome, units, cards, way, shared, count, sort, found, payAt, file } = page
  const { phone } = chrome.facility
  const [firstCard] = cards
  if (!firstCard)
    return (
      <UnitTable units={units} sort={sort} matchCount={found} count={count} payAt={payAt} file={file} shared={shared} />
    )
  if (count === 1)
    return (
      <div className="home-page">
        <UnitCard card={firstCard} phone={phone} together={false} />
        {way && firstCard.unit.map && (
          <Directions {...way} unitNumber={firstCard.unit.unitNumber} href={firstCard.unit.map} />
        )}
        <QuietRows rows={firstCard.rows} />
      </div>
    )
  const dueFirst = payAt !== null && units.filter(({ payable }) => payable).length > 1
  const payCards = payAt && <PayCards units={units} action={payAt} file={file} error={error} />
  return (
    <>
      {dueFirst && payCards}
      <ul className="cards mt-6">
        {cards.map((card) => (
          <li key={card.unit.leaseNumber} className="grid">
            <UnitCard card={card} together={dueFirst} phone={phone}>
              <QuietRows rows={card.rows} unitNumber={card.unit.unitNumber} />
            </UnitCard>
          </li>
        ))}
      </ul>
      {!dueFirst && payCards}
    </>
  )
}

/** Directions to the unit, as a picture and as text. */
const Directions = ({ picture, steps, unitNumber, href }: WayToUnit & { unitNumber: string; href: string }) => (
  <section className="way" aria-labelledby="way">
    <PlanPicture picture={picture} />
    <h2 id="way" className="text-base">
      <Link to={href}>
        Way to the unit<span className="sr"> {unitNumber}</span>
      </Link>
    </h2>
    <p className="small soft">{withNoBreakSpaces(steps)}</p>
  </section>
)

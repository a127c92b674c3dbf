import '../styles/journey.css'
import { data, redirect } from 'react-router'
import { isPasskeyOffered } from '../../modules/accounts/passkeys/account-passkeys.ts'
import { selectAUnit } from '../../modules/leases/texts/portal.ts'
import { rentedUnits } from '../../modules/leases/views/rented-units.ts'
import { inReviewOf } from '../../modules/payments/manual-review.ts'
import { StartUnitsCheckout } from '../../modules/payments/operations/start-units-checkout.ts'
import { chooseUnits } from '../../modules/payments/texts/several-units.ts'
import { revalidateOnConflict } from '../request/submit.ts'
import { LinkButton } from '../ui/buttons.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { formatCents } from '../ui/money.tsx'
import { Pagination } from '../ui/surfaces.tsx'
import type { Route } from './+types/my-units'
import { PayCards } from './multi-unit-form.tsx'
import { openPortalPage, tenantKey } from './open-portal-page.ts'
import { PasskeyOffer } from './passkey-offer.tsx'
import { PortalPage } from './portal-page.tsx'
import { UnitCard } from './unit-card.tsx'
import { unitRow } from './unit-row.ts'
import { sortAddress, sortedUnits, sortOf } from './unit-sort.ts'
import { UnitTable } from './unit-table.tsx'

/** Maximum number of units shown as cards; more are shown as a table. */
const MOST_CARDS = 6
const ROWS = 50

export async function loader(args: Route.LoaderArgs) {
  const { site, account, here, chrome, facility, facts } = await openPortalPage(args, { without: 'alert' })
  const asked = new URL(args.request.url).searchParams
  const [{ count, due, units }, offersPasskey, reviewed] = await Promise.all([
    rentedUnits(site.services, facts, here),
    isPasskeyOffered(site.services, account.accountId),
    inReviewOf(site.services, here),
  ])
  const sort = sortOf(asked)
  const sorted = count > MOST_CARDS ? sortedUnits(units, sort) : units
  const page = Math.max(1, Number.parseInt(asked.get('page') ?? '1', 10) || 1)
  const shown = sorted.slice((page - 1) * ROWS, page * ROWS)
  if (shown.length === 0 && page > 1) throw redirect('/my-units')
  const row = { facts, now: site.services.clock.now(), at: tenantKey(here) }
  const rows = shown.map((unit) =>
    unitRow(unit, { ...row, inReview: reviewed.some((one) => one.leaseNumber === unit.leaseNumber) }),
  )
  const address = sortAddress(sort, sort.by, page)
  return {
    chrome,
    count,
    due,
    page,
    sort,
    found: sorted.length,
    pages: Math.ceil(sorted.length / ROWS),
    rentMore: facility.path,
    offersPasskey,
    units: rows,
    /** Address that pays several units, with the tenant: another facility's leases may have the same numbers. */
    payAt:
      rows.filter(({ payable }) => payable).length > 1
        ? `${address}${address.includes('?') ? '&' : '?'}at=${encodeURIComponent(row.at)}`
        : null,
  }
}

/** Starts one checkout for all chosen units. */
export async function action(args: Route.ActionArgs) {
  const { site, here } = await openPortalPage(args)
  const form = await args.request.formData().catch(() => new FormData())
  const chosen = form.getAll('lease').map(String)
  const refused = (fields: Record<string, string>, status: number) => data({ fields }, { status })
  if (chosen.length === 0 || !chosen.every((one) => /^\d{1,12}$/.test(one))) return refused({ lease: chooseUnits }, 400)
  const started = await site.call(StartUnitsCheckout, {
    location_code: here.locationCode,
    tenant_id: here.tenantId,
    lease_numbers: chosen.map(Number),
  })
  if (!started.ok) return refused({ form: started.message }, started.status)
  site.session.set({ checkout: started.value.checkoutId })
  return redirect('/pay-for-units')
}

export { submit as clientAction } from '../request/submit.ts'

export const shouldRevalidate = revalidateOnConflict

export default function MyUnits({ loaderData, actionData }: Route.ComponentProps) {
  const { chrome, units, rentMore, offersPasskey, count, due, page, pages, sort, found, payAt } = loaderData
  const fields: Record<string, string> = actionData?.fields ?? {}
  return (
    <PortalPage
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
      <ErrorSummary errors={fields} general={count > MOST_CARDS ? ['lease'] : []} />
      {count === 0 ? (
        <div className="mt-6">
          <EmptyState title="You have no units here" action={<LinkButton href={rentMore}>Rent a unit</LinkButton>}>
            <p>When you rent a unit at {chrome.facility.name}, you find it here, with its gate code and what is due.</p>
          </EmptyState>
        </div>
      ) : count > MOST_CARDS ? (
        <UnitTable units={units} sort={sort} found={found} count={count} payAt={payAt} />
      ) : (
        <>
          {payAt && <PayCards units={units} action={payAt} error={fields.lease} />}
          <ul className={count === 1 ? 'mt-6' : 'cards mt-6'}>
            {units.map((unit) => (
              <UnitCard
                key={unit.leaseNumber}
                unit={unit}
                together={payAt !== null}
                phone={chrome.facility.phone}
                alone={count === 1}
              />
            ))}
          </ul>
        </>
      )}
      {pages > 1 && (
        <div className="mt-8">
          <Pagination page={page} pages={pages} href={(n) => sortAddress(sort, sort.by, n)} />
        </div>
      )}
      {offersPasskey && <PasskeyOffer />}
    </PortalPage>
  )
}

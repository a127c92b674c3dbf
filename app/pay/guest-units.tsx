import { readForm } from '../request/read-form-fields.ts'
import '../styles/form-pages.css'
import { data, Form, redirect } from 'react-router'
import { fromWire } from '../../domain/money.ts'
import { GetTenantUnitList_V1 } from '../../modules/leases/operations/get-tenant-unit-list-v1.ts'
import { selectAUnit } from '../../modules/leases/texts/portal.ts'
import { loadGuestUnitsPage, loadPayableUnit } from '../../modules/leases/views/payable-unit.ts'
import { GetCurrentDues } from '../../modules/ledger/operations/get-current-dues.ts'
import { StartCheckout } from '../../modules/payments/operations/start-checkout.ts'
import { offeredPayment } from '../../modules/payments/rules/offer-dues-or-prepay.ts'
import { AlertDialog } from '../alert-dialog.tsx'
import { payOffer, periodsOf } from '../portal/payment-choices.ts'
import { leaseKey } from '../portal/selected-lease.ts'
import { PayNow } from '../portal/unit/pay-now-form.tsx'
import { type RequestContext, redirectWithAlert } from '../request/context.ts'
import { BackLink } from '../ui/back-link.tsx'
import { Button, LinkButton } from '../ui/buttons.tsx'
import { Card } from '../ui/card-tag-and-callout.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorSummary } from '../ui/fields/error-summary.tsx'
import { formatCents } from '../ui/money.tsx'
import { PageFrame } from '../ui/page.tsx'
import type { Route } from './+types/guest-units'
import { type OpenGuestPage, requireLookedUpGuest } from './require-looked-up-guest.ts'

export { submit as clientAction } from '../request/submit-or-report-offline.ts'

type GuestUnit = Awaited<ReturnType<typeof loadGuestUnits>>[number]

/** Loads the rented units of the tenants that the guest's look-up found. */
async function loadGuestUnits({ site, guest }: OpenGuestPage) {
  const lists = await Promise.all(
    guest.tenants.map(async ({ locationCode, tenantId }) => {
      const list = await site.call(GetTenantUnitList_V1, { location_code: locationCode, tenant_id: tenantId })
      if (!list.ok) return redirectWithAlert(site, 'guestProfileFailed', '/guest/find-email')
      return list.value.Unit.map(({ UnitNumber, LeaseNumber }) => ({
        locationCode,
        tenantId,
        leaseNumber: LeaseNumber,
        unitNumber: UnitNumber,
      }))
    }),
  )
  return lists.flat()
}

/**
 * Returns the key of a unit in addresses and forms, such as 'TPA01:10001'. It is looked up only among the units of the
 * guest's own tenants.
 */
const unitKey = (unit: GuestUnit): string => `${unit.locationCode}:${unit.leaseNumber}`

/** Loads what a unit's card shows. `balance` is in cents, negative for a credit. */
async function loadUnitCard(site: RequestContext, unit: GuestUnit, facilityNames: ReadonlyMap<string, string>) {
  const { locationCode: location_code, tenantId: tenant_id, leaseNumber: lease_number } = unit
  const dues = await site.call(GetCurrentDues, { location_code, tenant_id, lease_number })
  if (!dues.ok) return redirectWithAlert(site, 'guestProfileFailed', '/guest/find-email')
  return {
    key: unitKey(unit),
    unitNumber: unit.unitNumber,
    leaseNumber: unit.leaseNumber,
    facility: facilityNames.get(unit.locationCode) ?? '',
    balance: fromWire(dues.value.currentBalanceDue, { negative: true }) ?? 0,
    paidThrough: dues.value.paidThroughDate,
  }
}

export async function loader(args: Route.LoaderArgs) {
  const page = await requireLookedUpGuest(args)
  const { site } = page
  const searchParams = new URL(args.request.url).searchParams
  const units = await loadGuestUnits(page)
  const selected = searchParams.get('unit')
  const unit = units.find((candidate) => unitKey(candidate) === selected)
  if (selected !== null && !unit) return redirectWithAlert(site, 'invalidGuestSession', '/guest/find-units')
  const { payable, facilityNames } = await loadGuestUnitsPage(site.services, units, unit)
  return {
    brand: site.brand.name,
    email: searchParams.get('email')?.slice(0, 320) ?? '',
    units: unit ? [] : await Promise.all(units.map((guestUnit) => loadUnitCard(site, guestUnit, facilityNames))),
    selected:
      unit && payable
        ? {
            key: unitKey(unit),
            unitNumber: unit.unitNumber,
            leaseNumber: unit.leaseNumber,
            facility: facilityNames.get(unit.locationCode) ?? '',
            offer: payOffer(payable, searchParams.get('periods')),
          }
        : null,
    ask: searchParams.get('ask') === '1',
  }
}

export async function action(args: Route.ActionArgs) {
  const page = await requireLookedUpGuest(args)
  const { site } = page
  const units = await loadGuestUnits(page)
  const form = await readForm(args.request)
  const unit = units.find((candidate) => unitKey(candidate) === form.unit)
  const payable = unit && (await loadPayableUnit(site.services, unit))
  if (!unit || !payable) return redirectWithAlert(site, 'invalidGuestSession', '/guest/find-email')
  if (payable.blocked) return data({ message: payable.blocked, fields: {} }, { status: 409 })
  const lease = { location_code: unit.locationCode, tenant_id: unit.tenantId, lease_number: unit.leaseNumber }
  const outcome = await site.call(StartCheckout, {
    ...lease,
    payer: 'guest',
    pays: offeredPayment(payable.unit.balance),
    periods: periodsOf(form.periods),
    autopay: form.autopay === '1',
  })
  if (!outcome.ok) return data({ message: outcome.message, fields: {} }, { status: 409 })
  site.session.set({ checkout: outcome.value.checkoutId, lease: leaseKey(lease) })
  return redirect('/guest/select-method')
}

export default function FindUnits({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, email, units, selected, ask } = loaderData
  const refusalMessage = actionData && 'message' in actionData ? actionData.message : (selected?.offer.blocked ?? '')
  const title = selected ? `Unit No ${selected.unitNumber}` : selectAUnit
  return (
    <PageFrame narrow title={title} brand={brand} wrong={refusalMessage !== ''}>
      <BackLink to={selected ? `/guest/find-units?${new URLSearchParams({ email })}` : '/guest/find-email'} />
      <h1>{title}</h1>
      {actionData && !('message' in actionData) && <ErrorSummary errors={actionData.fields} />}
      {selected ? (
        <>
          <p className="lead mt-2">
            {selected.facility}. Lease No {selected.leaseNumber}
          </p>
          {refusalMessage && <AlertDialog message={refusalMessage} response={actionData ?? loaderData} />}
          <PayNow
            key={`${selected.key} ${selected.offer.periods}`}
            offer={selected.offer}
            fields={{ unit: selected.key, ...(email && { email }) }}
            startsAsking={ask}
            unitNumber={selected.unitNumber}
            guest
          />
        </>
      ) : units.length === 0 ? (
        <div className="mt-6">
          <EmptyState
            title="There is no unit to pay for"
            action={<LinkButton href="/guest/find-email">Search another e-mail</LinkButton>}
          >
            <p>No unit is rented under this e-mail address any more.</p>
          </EmptyState>
        </div>
      ) : (
        <>
          <p className="lead mt-2">Which one would you like to pay for?</p>
          <ul className="cards mt-6">
            {units.map((unit) => (
              <Card as="li" key={unit.key}>
                <h2 className="text-lead">Unit No {unit.unitNumber}</h2>
                <p className="small soft">{unit.facility}</p>
                <p className="small soft">Lease No {unit.leaseNumber}</p>
                <dl className="mt-3 grid gap-1">
                  <div className="flex justify-between gap-x-4">
                    <dt className="soft">{unit.balance < 0 ? 'Credit' : 'Due now'}</dt>
                    <dd className={`num ${unit.balance > 0 ? 'font-bold' : ''}`}>
                      {formatCents(Math.abs(unit.balance))}
                    </dd>
                  </div>
                  <div className="flex justify-between gap-x-4">
                    <dt className="soft">Paid through</dt>
                    <dd className="num">{unit.paidThrough}</dd>
                  </div>
                </dl>
                <Form method="get" className="mt-4">
                  {email && <input type="hidden" name="email" value={email} />}
                  <Button
                    wide
                    kind="secondary"
                    name="unit"
                    value={unit.key}
                    aria-label={`Select unit ${unit.unitNumber}`}
                  >
                    Select
                  </Button>
                </Form>
              </Card>
            ))}
          </ul>
        </>
      )}
    </PageFrame>
  )
}

import { readForm } from '../../request/read-form-fields.ts'
import { GateRefresh } from '../../ui/refresh-page.tsx'
import '../../styles/tenant-home.css'
import '../../styles/form-pages.css'
import { data, Link, redirect, useLocation } from 'react-router'
import { formatUs } from '../../../domain/plain-date.ts'
import { formUnreadable, goBack, internalServerError } from '../../../domain/texts/general-errors.ts'
import { movingOut, paymentCompleted } from '../../../domain/texts/payment.ts'
import { formatInstantIn, todayIn } from '../../../domain/time-zone-dates.ts'
import { mayShowOverlockCombination } from '../../../modules/gate/rules/shows-overlock-combination.ts'
import { UpdateAutoPayInformation } from '../../../modules/leases/operations/turn-autopay-off-by-tenant.ts'
import {
  currentBalanceDue,
  gateCode,
  leaseStatus,
  overlockCode,
  paidThroughDate,
} from '../../../modules/leases/texts/portal.ts'
import { loadPayableLease } from '../../../modules/leases/views/payable-unit.ts'
import { type PayableLease, payableLease } from '../../../modules/leases/views/rented-units-of-tenant.ts'
import { loadAgreements } from '../../../modules/leases/views/signed-agreements.ts'
import { loadUnitOverview } from '../../../modules/leases/views/tenant-unit-details.ts'
import { CancelScheduleMoveOut } from '../../../modules/move-outs/operations/cancel-scheduled-move-out.ts'
import { canRestoreAutopay } from '../../../modules/move-outs/rules/autopay-after-cancelling.ts'
import { loadNewestMoveOut } from '../../../modules/move-outs/views/newest-move-out.ts'
import { StartCheckout } from '../../../modules/payments/operations/start-checkout.ts'
import { spellOutCardLabel } from '../../../modules/payments/rules/card-brand-and-expiry.ts'
import { offeredPayment } from '../../../modules/payments/rules/offer-dues-or-prepay.ts'
import { loadNextChargeDay } from '../../../modules/payments/views/next-charge-day.ts'
import { loadPaymentOfLease } from '../../../modules/payments/views/order-receipt.ts'
import { loadTenantInReview } from '../../../modules/payments/views/tenant-payments-in-review.ts'
import { rentToCome } from '../../../modules/rent-changes/texts/rent.ts'
import { AlertDialog } from '../../alert-dialog.tsx'
import { type RequestContext, redirectWithAlert } from '../../request/context.ts'
import { useHydrated } from '../../ui/buttons.tsx'
import { Callout } from '../../ui/card-tag-and-callout.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { formatCents } from '../../ui/money.tsx'
import { withNoBreakSpaces } from '../../ui/no-break.ts'
import { type QuietRow, QuietRows } from '../detail-rows.tsx'
import { GateCode } from '../gate-code-with-copy-button.tsx'
import { gateOf, leavingRows, listUnitDetails, receiptsRow, wayRow } from '../insurance-gate-and-leaving-rows.ts'
import { type OpenPortalPage, openPortalPage, tenantKey } from '../open-portal-page.ts'
import { payOffer, periodsOf } from '../payment-choices.ts'
import { InReview } from '../payment-in-review.tsx'
import { PortalFrame } from '../portal-frame.tsx'
import { type Lease, leaseQuery, readLeaseReference, selectLease } from '../selected-lease.ts'
import { UnitAlertNotice } from '../unit-alert.tsx'
import { UnitDoorPicture } from '../unit-door-picture.tsx'
import { doorMarkup, doorState } from '../unit-door-svg.tsx'
import { UnitTags } from '../unit-tags.tsx'
import type { Route } from './+types/unit-details-page'
import { Autopay } from './autopay-card.tsx'
import { PayNow } from './pay-now-form.tsx'
import { ScheduledMoveOut } from './scheduled-move-out-card.tsx'

export { submit as clientAction } from '../../request/submit-or-report-offline.ts'

const path = (lease: Lease) => `/unit-lease-details?${leaseQuery(lease)}`

export async function loader(args: Route.LoaderArgs) {
  const page = await openPortalPage(args)
  const { site, facility } = page
  const searchParams = new URL(args.request.url).searchParams
  const lease = await selectLease(page, readLeaseReference(args.request))
  const key = tenantKey({ locationCode: lease.location_code, tenantId: lease.tenant_id })
  // The page's frame must show the unit's own facility.
  if (key !== tenantKey(page.tenantInView)) throw redirect(path(lease))
  const { services } = site
  const leaseKey = { locationCode: lease.location_code, leaseNumber: lease.lease_number }
  const [payable, moveOut, agreements, paid, tenantPaymentsInReview] = await Promise.all([
    payableLease(services, page.facts, lease),
    lease.scheduled_move_out === null ? null : loadNewestMoveOut(services.db.read, leaseKey),
    loadAgreements(services.db.read, leaseKey),
    loadSessionPayment(site, lease),
    loadTenantInReview(services, page.tenantInView),
  ])
  const { unit } = payable
  const overview = await loadUnitOverview(services, page.facts, lease, payable.fees)
  const sold = overview.gate.is === 'sold'
  const gate = gateOf(overview, { facts: page.facts, now: services.clock.now(), phone: page.chrome.facility.phone })
  const state = doorState(gate, overview.overlocked)
  const reviewed = tenantPaymentsInReview
    .filter((payment) => payment.leaseNumber === lease.lease_number)
    .map(({ orderId, amount, capturedAt: at }) => ({ orderId, amount, on: formatUs(todayIn(facility.timeZone, at)) }))
  return {
    chrome: page.chrome,
    named: { lease: String(lease.lease_number), at: key },
    query: leaseQuery(lease),
    unit: {
      ...unitOf(lease, unit, sold),
      overlocked: overview.overlocked,
      gateCode: overview.gateCode,
      gate,
      alert: overview.alert,
    },
    door: { state, markup: doorMarkup(state, lease.unit_number) },
    rows: [
      ...rentChangeRows(payable),
      ...listUnitDetails(overview, page.facts),
      ...agreementRows(agreements, lease, facility.timeZone),
      receiptsRow,
      ...(facility.mapEnabled ? [wayRow(`/unit-map?unit=${encodeURIComponent(lease.unit_number)}`)] : []),
      ...leavingRows(leaseQuery(lease), {
        isLeaving: lease.scheduled_move_out !== null,
        balance: unit.balance,
        callOnly: overview.alert?.call === true,
      }),
    ],
    autopay: lease.autopay === 1 ? await loadAutopay(page, lease, payable) : null,
    moveOut:
      lease.scheduled_move_out === null
        ? null
        : { on: formatUs(lease.scheduled_move_out), sold, restorable: canRestoreAutopay(moveOut) },
    // No payment is offered while an earlier one is in review, and no prepayment when a move-out is scheduled.
    offer:
      reviewed.length === 0 && (unit.balance > 0 || !lease.scheduled_move_out)
        ? payOffer(payable, searchParams.get('periods'))
        : null,
    ask: searchParams.get('ask') === '1' ? 'autopay' : searchParams.get('ask'),
    paid,
    reviewed,
    gateComing: gate.coming,
  }
}

function unitOf(lease: Lease, unit: PayableLease['unit'], sold: boolean) {
  const { combo_code: comboCode, status } = lease
  return {
    leaseNumber: lease.lease_number,
    unitNumber: lease.unit_number,
    what: [unit.size, unit.category].filter(Boolean).join(', '),
    status: unit.status,
    comboCode: !sold && mayShowOverlockCombination({ comboCode, status }) ? comboCode : null,
    balance: unit.balance,
    paidThrough: formatUs(unit.paidThrough),
  }
}

const rentChangeRows = ({ coming }: PayableLease): QuietRow[] =>
  coming
    ? [
        {
          icon: 'calendar',
          label: `New rent: ${rentToCome(coming.rent, coming.from)}`,
          text: 'For each period that begins then or later; we wrote you about it.',
        },
      ]
    : []

/** Returns a row for each signed agreement, newest first, or a row that says where to get the agreement. */
function agreementRows(
  agreements: Awaited<ReturnType<typeof loadAgreements>>,
  lease: Pick<Lease, 'document_id'>,
  timeZone: string,
): QuietRow[] {
  if (agreements.length === 0)
    return [{ icon: 'file', label: 'Lease', text: 'Signed before this account was made: call us for a copy.' }]
  return agreements.map(({ document_id, created_at }) => ({
    icon: 'file',
    label: document_id === lease.document_id ? 'Signed lease (PDF)' : 'Updated agreement (PDF)',
    text: formatUs(todayIn(timeZone, created_at)),
    href: `/agreements/${document_id}?download=1`,
    file: true,
  }))
}

async function loadAutopay({ site, facts }: OpenPortalPage, lease: Lease, { unit, blocked }: PayableLease) {
  const since = lease.autopay_consent_at
  const zone = facts.location.time_zone
  // A credit may cover the next period, and the next charge is then for a later one.
  const loadNextCharge = () => (unit.balance < 0 ? unit.next.on : loadNextChargeDay(site.services, zone, lease))
  const next = blocked ? null : await loadNextCharge()
  return {
    label: spellOutCardLabel(lease.autopay_label),
    next: next && (next <= facts.today ? 'today' : `on ${formatUs(next)}`),
    consent: lease.autopay_consent_text ?? '',
    since: since ? `${formatUs(todayIn(zone, since))}, ${formatInstantIn(zone, since)}` : '',
  }
}

/** Loads the session's last payment if it was for this lease (`loadPaymentOfLease`); otherwise null. */
async function loadSessionPayment(site: RequestContext, lease: Lease) {
  const { orderId } = site.session.ids
  return orderId ? loadPaymentOfLease(site.services, site.callers, orderId, lease) : null
}

export async function action(args: Route.ActionArgs) {
  const page = await openPortalPage(args)
  const { site } = page
  const form = await readForm(args.request)
  const lease = await selectLease(page, { lease: form.lease ?? null, at: form.at ?? null })
  const leaseInput = {
    location_code: lease.location_code,
    tenant_id: lease.tenant_id,
    lease_number: lease.lease_number,
  }
  switch (form.intent) {
    case 'autopay_off':
      return turnAutopayOff(site, lease, leaseInput)
    case 'cancel_move_out':
      return cancelMoveOut(site, leaseInput, form.restore_autopay === '1')
    case 'autopay_on':
    case 'pay':
      return beginPaying(site, lease, leaseInput, form)
    // An unknown intent must never start a payment.
    default:
      return refusal(formUnreadable, 400)
  }
}

const refusal = (message: string, status = 409) => data({ message, fields: {} }, { status })

type LeaseInput = { location_code: string; tenant_id: number; lease_number: number }

async function turnAutopayOff(site: RequestContext, lease: Lease, leaseInput: LeaseInput) {
  const outcome = await site.call(UpdateAutoPayInformation, { ...leaseInput, autopay_bit: '0', cc_no: '' })
  return outcome.ok && outcome.value.SaveSuccessful === 'True'
    ? redirectWithAlert(site, 'autopayIsOff', path(lease))
    : refusal(internalServerError)
}

async function cancelMoveOut(site: RequestContext, leaseInput: LeaseInput, restore: boolean) {
  const outcome = await site.call(CancelScheduleMoveOut, { ...leaseInput, restore_autopay: restore ? '1' : '0' })
  if (!outcome.ok) return refusal(internalServerError)
  const isCancelled = outcome.value.SaveSuccessful === 'True'
  return redirectWithAlert(site, isCancelled ? 'moveOutIsCancelled' : 'moveOutCannotBeCancelled', '/my-units')
}

async function beginPaying(site: RequestContext, lease: Lease, leaseInput: LeaseInput, form: Record<string, string>) {
  const turnsOnAutopay = form.intent === 'autopay_on'
  const payable = await loadPayableLease(site.services, lease)
  if (!payable) return redirectWithAlert(site, 'invalidLeaseSession', '/my-units')
  const blocked = payable.blocked || (turnsOnAutopay && lease.scheduled_move_out !== null ? movingOut : '')
  if (blocked) return refusal(blocked)
  const outcome = await site.call(StartCheckout, {
    ...leaseInput,
    payer: 'tenant',
    // Turning autopay on also pays what is due now.
    pays: turnsOnAutopay && payable.unit.balance <= 0 ? 'autopay' : offeredPayment(payable.unit.balance),
    periods: periodsOf(form.periods),
    autopay: turnsOnAutopay || form.autopay === '1',
  })
  if (!outcome.ok) return refusal(outcome.message)
  site.session.set({ checkout: outcome.value.checkoutId })
  return redirect('/online-payment-method')
}

export default function UnitLeaseDetails({ loaderData, actionData }: Route.ComponentProps) {
  const { chrome, named, query, unit, door, rows, autopay, moveOut, offer, ask, paid, reviewed } = loaderData
  const { phone } = chrome.facility
  const title = `Unit ${unit.unitNumber}`
  const refusalMessage = actionData && 'message' in actionData ? actionData.message : ''
  const payFirst = unit.balance > 0 && unit.alert?.call !== true
  const pay = offer && (
    <PayNow
      key={offer.periods}
      offer={offer}
      fields={named}
      startsAsking={ask === 'autopay'}
      unitNumber={unit.unitNumber}
    />
  )
  return (
    <PortalFrame
      chrome={chrome}
      title={title}
      lead={`Lease ${unit.leaseNumber}. ${unit.what}`}
      back="/my-units"
      backLabel={goBack}
      wrong={refusalMessage !== ''}
    >
      <GateRefresh coming={loaderData.gateComing} />
      <div className="mt-3">
        <UnitTags
          status={unit.status}
          autopay={autopay !== null}
          overlocked={unit.overlocked}
          moveOut={moveOut?.on ?? null}
          inReview={reviewed.length > 0}
        />
      </div>
      {paid && <PaymentNotice paid={paid} />}
      <InReview payments={reviewed} />
      {refusalMessage && actionData && <AlertDialog message={refusalMessage} response={actionData} />}
      {actionData && <ErrorSummary errors={refusalMessage ? { form: refusalMessage } : actionData.fields} />}
      {moveOut && (
        <ScheduledMoveOut
          moveOut={moveOut}
          leaseFields={named}
          query={query}
          dialog={ask}
          unitNumber={unit.unitNumber}
          phone={phone}
        />
      )}
      <div className="home-page mt-6">
        <div className="grid gap-6 [&>.card]:mt-0">
          {payFirst && pay}
          {unit.alert && <UnitAlertNotice alert={unit.alert} phone={phone} inReview={reviewed.length > 0} />}
          <Facts {...unit} door={door} />
          {!payFirst && pay}
        </div>
        <div>
          <Autopay
            autopay={autopay}
            leaseFields={named}
            dialog={ask}
            offer={offer?.blocked === '' && !moveOut ? offer : null}
            leaving={moveOut !== null}
            inReview={reviewed.length > 0}
          />
          <h2 className="text-lead mt-6">On file for unit {unit.unitNumber}</h2>
          <QuietRows rows={rows} />
        </div>
      </div>
    </PortalFrame>
  )
}

type PageData = Route.ComponentProps['loaderData']

/**
 * Facts of a unit in the specified arrangement: gate and lock code beside the drawing of the unit's door, then status,
 * balance and paid-through date in one row.
 */
function Facts({
  gateCode: code,
  gate,
  unitNumber,
  comboCode,
  status,
  balance,
  paidThrough,
  door,
}: PageData['unit'] & Pick<PageData, 'door'>) {
  return (
    <div className="unit-facts">
      <UnitDoorPicture door={door} />
      <dl className="unit-codes">
        <Cell label={gateCode}>
          <GateCode code={code} access={gate} unitNumber={unitNumber} />
        </Cell>
        {comboCode !== null && (
          <Cell label={overlockCode} note="Opens the combination lock that we put on your unit.">
            <span className="figure">{comboCode}</span>
          </Cell>
        )}
      </dl>
      <dl className="unit-cells">
        <Cell label={leaseStatus}>{status}</Cell>
        <Cell label={currentBalanceDue}>{formatCents(balance)}</Cell>
        <Cell label={paidThroughDate}>{withNoBreakSpaces(paidThrough)}</Cell>
      </dl>
      {balance < 0 && (
        <p className="small soft">A credit: it is taken off what falls due next. A prepayment leaves it as it is.</p>
      )}
    </div>
  )
}

const Cell = ({ label, note, children }: { label: string; note?: string; children: React.ReactNode }) => (
  <div>
    <dt className="small soft">{label}</dt>
    <dd>{children}</dd>
    {note && <dd className="small soft">{note}</dd>}
  </div>
)

/**
 * Confirms the session's payment. Visible only when the address ends in `#paid`, also without scripts.
 */
function PaymentNotice({ paid: payment }: { paid: NonNullable<Route.ComponentProps['loaderData']['paid']> }) {
  const hydrated = useHydrated()
  const { hash } = useLocation()
  const isShown = hydrated && hash === '#paid'
  return (
    <div id="paid" className={isShown ? 'mt-4' : 'mt-4 hidden target:block'}>
      <Callout tone="success" title={paymentCompleted} live={isShown}>
        <p>
          You paid <strong className="num">{formatCents(payment.amount)}</strong>
          {payment.with && ` ${payment.byBank ? 'from' : 'with'} ${payment.with}`}.
        </p>
        <p>
          <a href={`/receipt/${payment.orderId}`}>Your receipt</a>
          {payment.to ? (
            <>
              {' '}
              also goes to <span className="wrap-anywhere">{payment.to}</span>, and stands
            </>
          ) : (
            ' stands'
          )}{' '}
          under <Link to="/recent-activity">Payment History</Link>.
        </p>
      </Callout>
    </div>
  )
}

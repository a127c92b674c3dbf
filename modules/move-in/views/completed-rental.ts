/** Content of the last page of a completed move-in: unit, access, payment, and next steps. */

import type { Selectable } from 'kysely'
import { format } from '../../../domain/money.ts'
import { addDays, formatUs } from '../../../domain/plain-date.ts'
import { type Instant, todayIn } from '../../../domain/time-zone-dates.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { LeasesTable } from '../../../platform/schema/tables.ts'
import { completionHtml } from '../../facilities/operator-html.ts'
import { directionsTo } from '../../facilities/rules/directions-link.ts'
import { arrivalInstruction, instructionFor, isParking } from '../../facilities/rules/room-or-parking-wording.ts'
import { sizeLabel } from '../../facilities/rules/size-label.ts'
import { loadSupportPhone } from '../../facilities/views/support-phone.ts'
import { activeGateCodeOf } from '../../gate/assign-and-activate-gate-codes.ts'
import { loadGateReasons } from '../../gate/load-lease-gate-reasons.ts'
import { type GateReason, gateAccessAt } from '../../gate/rules/gate-reason-texts.ts'
import { linesOfCharge } from '../../payments/receipt.ts'
import { receiptNumberOf, shownReceipt } from '../../payments/rules/receipt-number.ts'
import type { Charges } from '../../pricing/rules/charges.ts'
import { chargesOf } from '../../pricing/stored-quotes.ts'
import { cardFeeOnTop } from '../../pricing/texts/card-fee-on-top.ts'

/** Data that the last page of a completed move-in shows. */
export interface CompletedRental {
  locationCode: string
  tenantId: number
  leaseNumber: number
  unitNumber: string
  unit: string
  gateCode: string
  /** Sentence about whether the gate has accepted the code, and when the code opens it. */
  gateNote: string
  /** Whether the gate is still getting the code, so that reloading the page may show a change. */
  gateComing: boolean
  paidThrough: string
  nextPayment: string
  place: {
    name: string
    street: string
    city: string
    directions: string
    route: string
    phone: string
  }
  completion: string
  arriving: string
  specialInstruction: string
  hasMap: boolean
  /** Receipt of the lease's order; null without an order, where nothing was charged, or where its quote is not stored. */
  receipt: {
    number: string
    paidOn: string
    /** Card or account that paid: 'Visa ending 1111', 'Checking ****6789'. */
    paidWith: string
    lines: { label: string; cents: number }[]
    totalCents: number
  } | null
  signed: boolean
}

/**
 * Loads a completed rental for its last page; null where there is no such lease or it has ended.
 * @param key order that paid for the rental, or its reservation
 */
export async function loadCompletedRental(
  services: Services,
  key: { orderId: string } | { locationCode: string; reservationCode: string },
): Promise<CompletedRental | null> {
  const { read } = services.db
  const leases = read.selectFrom('leases').selectAll()
  const lease = await ('orderId' in key
    ? leases.where('order_id', '=', key.orderId)
    : leases.where('location_code', '=', key.locationCode).where('reservation_code', '=', key.reservationCode)
  ).executeTakeFirst()
  if (!lease || lease.status === 'Closed') return null
  const locationCode = lease.location_code
  const location = await read
    .selectFrom('locations')
    .selectAll()
    .where('location_code', '=', locationCode)
    .executeTakeFirstOrThrow()
  const [contents, type, gates, payment] = await Promise.all([
    read
      .selectFrom('location_contents')
      .select('website_move_in_completion_screen')
      .where('location_code', '=', locationCode)
      .executeTakeFirst(),
    read
      .selectFrom('unit_types')
      .select(['length', 'breadth', 'category_name'])
      .where('location_code', '=', locationCode)
      .where('unit_type_id', '=', lease.unit_type_id)
      .executeTakeFirst(),
    loadGateReasons(read, location, [lease], services.clock.now()),
    lease.order_id === null ? null : loadOrderPayment(services, lease.order_id),
  ])
  const charges = payment?.charges ? chargesOf(payment.charges) : null
  const isParkingSpace = isParking(type?.category_name ?? '')
  const gate = gates.get(lease.lease_number)
  const phone = await loadSupportPhone(services, location)
  return {
    locationCode,
    tenantId: lease.tenant_id,
    leaseNumber: lease.lease_number,
    unitNumber: lease.unit_number,
    unit: type ? `${sizeLabel(type)} ft, ${type.category_name}` : '',
    gateCode: activeGateCodeOf(lease),
    gateNote: gateNote(gate, { time_zone: location.time_zone, phone }, services.clock.now()),
    gateComing: gate?.is === 'opens' && gate.taken === 'coming',
    paidThrough: formatUs(lease.paid_through),
    nextPayment: nextPayment(lease, charges),
    place: {
      name: location.name,
      street: location.address,
      city: `${location.city}, ${location.state} ${location.zip}`,
      directions: location.directions,
      route: directionsTo(location),
      phone,
    },
    completion: contents
      ? completionHtml(contents.website_move_in_completion_screen, location.feedback_link, isParkingSpace)
      : '',
    arriving: arrivalInstruction(isParkingSpace),
    specialInstruction: instructionFor(location.special_instruction_after_rental, isParkingSpace),
    hasMap: location.facility_map_enabled === 1,
    receipt: payment && charges ? receiptOf(payment, charges, location.time_zone, lease.created_at) : null,
    signed: lease.document_id !== null,
  }
}

/** Lowers the first letter of a text, unless the text begins with a weekday or an abbreviation such as 'AM'. */
const lowerFirst = (text: string) =>
  /^(?!Mon|Tue|Wed|Thu|Fri|Sat|Sun)[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text

/**
 * Returns the sentences about whether a connected gate has taken the code, and when the code opens it; where the code
 * does not open the gate, a request to call.
 */
function gateNote(
  gate: GateReason | undefined,
  { time_zone, phone }: { time_zone: string; phone: string },
  now: Instant,
): string {
  if (gate?.is !== 'opens') return 'Not accepted now: call us before you come'
  const { says } = gateAccessAt(gate, time_zone, now, phone)
  // Hours are left out where the sentence says that the gate has not taken the code.
  const isRejected = gate.taken === 'late' || gate.taken === 'refused'
  const hours = gate.hours && !isRejected && `Opens the gate ${lowerFirst(gate.hours)}.`
  return [gate.taken === 'unconnected' ? '' : says, hours].filter(Boolean).join(' ')
}

const loadOrderPayment = (services: Services, orderId: string) =>
  services.db.read
    .selectFrom('payments')
    .leftJoin('quotes', 'quotes.quote_id', 'payments.quote_id')
    .select(['order_id', 'amount', 'approved_amount', 'card_brand', 'masked_card', 'bank_label'])
    .select(['receipt_id', 'captured_at', 'charges'])
    .where('order_id', '=', orderId)
    .executeTakeFirst()

type OrderPayment = NonNullable<Awaited<ReturnType<typeof loadOrderPayment>>>

function receiptOf(payment: OrderPayment, charges: Charges, timeZone: string, rentedAt: Instant) {
  const receiptLines = linesOfCharge(payment, charges.lines)
  if (receiptLines.total <= 0) return null
  const digits = payment.masked_card && `ending ${payment.masked_card.slice(-4)}`
  return {
    number: shownReceipt(receiptNumberOf(payment)),
    paidOn: formatUs(todayIn(timeZone, payment.captured_at ?? rentedAt)),
    paidWith: payment.bank_label || [payment.card_brand, digits].filter(Boolean).join(' '),
    lines: receiptLines.lines,
    totalCents: receiptLines.total,
  }
}

type Lease = Pick<Selectable<LeasesTable>, 'autopay' | 'autopay_method' | 'autopay_label' | 'paid_through'>

function nextPayment(lease: Lease, charges: Charges | null): string {
  const next = formatUs(charges?.nextBilling ?? addDays(lease.paid_through, 1))
  // The amount is stated without the card fee, which only card payments without autopay bear.
  const cardFee = charges?.cardFeeEach ?? 0
  const amount = charges ? format(charges.thenPerPeriod - cardFee) : 'Your rent'
  if (lease.autopay === 1) return `Autopay charges ${amount} to ${autopayParty(lease)} on ${next}, then every 30 days.`
  return `${amount} is due on ${next}, then every 30 days.${cardFee === 0 ? '' : ` ${cardFeeOnTop(cardFee)}`}`
}

/**
 * Formats autopay's card or account: 'VI **** 1111' → 'your card ending 1111'; 'Checking ****6789' → 'your bank
 * account, Checking ****6789,'; 'your card' for a card whose digits are unknown.
 */
function autopayParty(lease: Lease): string {
  if (lease.autopay_method === 'ACH') return `your bank account, ${lease.autopay_label},`
  const digits = /\d{4}$/.exec(lease.autopay_label)?.[0]
  return digits ? `your card ending ${digits}` : 'your card'
}

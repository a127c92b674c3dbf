import type { Insertable, Kysely, Selectable } from 'kysely'
import { toWire } from '../../domain/money.ts'
import { todayIn } from '../../domain/time-zone-dates.ts'
import { nextNumber } from '../../platform/database/sequences.ts'
import { isTenant } from '../../platform/database/where-tenant-or-lease-key.ts'
import { enqueue } from '../../platform/jobs/enqueue-requeue-and-cancel-jobs.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { LeasesTable, ReservationsTable, Tables } from '../../platform/schema/tables.ts'
import { rentUnit, type UnitIdentity } from '../facilities/change-unit-status.ts'
import { assignGateCode, lockGateCodes, setGateHours } from '../gate/assign-and-activate-gate-codes.ts'
import { autopayContext } from '../leases/autopay-mandate.ts'
import { detailsContext, insertLease } from '../leases/lease.ts'
import { attachDocument } from '../leases/lease-documents.ts'
import { addLeaseFee } from '../leases/load-and-add-recurring-lease-fees.ts'
import { lockLeaseRow } from '../leases/lock-lease-row.ts'
import type { SealedAnswers } from '../leases/renter-answers-stored-with-lease.ts'
import { addEntries, type LedgerLine, periodEntry } from '../ledger/build-and-insert-entries.ts'
import { winnerCodesQuery } from '../links/paid-auction-winners.ts'
import type { LienHolder, Military, OwnInsurance, Vehicle } from '../move-in/rules/move-in-form.ts'
import type { Charges } from '../pricing/rules/charges.ts'
import { completeReservation, recordLease } from '../reservations/mark-reservation-completed.ts'
import { holdUnit } from '../reservations/unit-holds.ts'
import { addNote } from '../tenants/add-note.ts'
import { changeIdentity, type Identity } from '../tenants/identity-data.ts'
import { lockTenant, militaryAfterAnswer, updateTenant } from '../tenants/tenant.ts'
import type { Transfer } from '../transfers/transfer-rows.ts'
import { findTransferOfReservation, signTransfer } from './internal/sign-transfer.ts'

/** A paid move-in from which a lease is created. */
export interface MoveIn {
  locationCode: string
  reservationCode: string
  orderId: string
  /** Signed lease document; must not be void. */
  documentId: string
  charges: Charges
  rent: number
  discountId: number
  insurance: {
    status: 0 | 1 | 2 | 3
    schemeId: number
    premium: number
    notes: Partial<OwnInsurance> | Partial<Vehicle>
  }
  details: {
    vehicleDetails?: Vehicle
    lienHolder?: LienHolder
    designatedAgent?: object
    military?: Military
  }
  defaultNotice: 'mail' | 'email' | null
  identity: Identity | null
  military: { active: boolean; details: Military | null }
  /** Whether the session may write its answers to the tenant's record and use the tenant's gate code. */
  ownTenant: boolean
  /** Autopay mandate; null when declined or the provider stored no card. `party` is needed for later charges. */
  autopay: { method: 'CC' | 'ACH'; party: object; label: string; consentAt: number; consentText?: string } | null
  /** Captured cents, and the payment's description in the ledger, such as 'Payment by VI **** 1111'. */
  paid: { cents: number; description: string }
}

/** The lease that a paid move-in became. */
export interface StartedLease {
  leaseNumber: number
  tenantId: number
  unitNumber: string
  gateCode: string
}

/** Reason why a paid move-in cannot become a lease. */
type LeaseNotStartedReason = 'already_rented' | 'reservation_cancelled' | 'unit_lost' | 'lease_void' | 'unknown'

/** Thrown when a paid move-in cannot become a lease. The transaction must then be rolled back. */
export class LeaseNotStarted extends Error {
  readonly why: LeaseNotStartedReason
  constructor(why: LeaseNotStartedReason) {
    super(`The reservation cannot become a lease: ${why}`)
    this.name = 'LeaseNotStarted'
    this.why = why
  }
}

/** Number of a facility's first lease, unless an import has moved the sequence further. */
const firstLeaseNumber = 10_001

/**
 * Creates the lease of a paid move-in with all its records, in the caller's transaction (spec 1 §4). If the reserved
 * unit is no longer available, takes another of its type.
 * @throws LeaseNotStarted, after which the transaction must be rolled back
 */
export async function startLease(
  tx: Kysely<Tables>,
  services: Services,
  moveIn: MoveIn,
  timeZone: string,
): Promise<StartedLease> {
  const { locationCode, reservationCode, charges } = moveIn
  const now = services.clock.now()
  const completed = await completeReservation(tx, locationCode, reservationCode)
  if (!completed.ok) {
    const { status } = completed
    throw new LeaseNotStarted(
      status === 'completed' ? 'already_rented' : status === undefined ? 'unknown' : 'reservation_cancelled',
    )
  }
  const { reservation } = completed
  const leaseNumber = await nextNumber(tx, locationCode, 'lease', firstLeaseNumber)
  const unit = await rentReserved(tx, services, reservation)
  const transfer = await findTransferOfReservation(tx, moveIn)
  // A transferring tenant keeps the gate code, because the transfer link went to the tenant's e-mail address on file.
  const keepsCode = moveIn.ownTenant || transfer !== undefined
  if (keepsCode) await lockKeptCode(tx, reservation, transfer)
  const tenant = await loadTenantWithCode(tx, reservation)
  if (!tenant) throw new LeaseNotStarted('unknown')
  const today = todayIn(timeZone, now)

  // A tenant's leases share one gate code, but a renter who only named an existing tenant gets a new one.
  const existingCode = keepsCode ? tenant.gate_code : null
  const hours = charges.lines.some((line) => line.kind === 'access') ? '24-hour' : 'standard'
  const gateCode =
    existingCode ??
    (await assignGateCode(tx, services, { locationCode, tenantId: tenant.tenant_id, leaseNumber, hours }))
  await bindDocument(tx, moveIn, leaseNumber)
  const tenantId = tenant.tenant_id
  const lease = leaseRow(services, moveIn, { leaseNumber, tenantId, reservation, unit, gateCode })
  await insertLease(tx, lease)
  const entries = moveInEntries(charges, { ...moveIn.paid, orderId: moveIn.orderId })
  await addEntries(tx, services, lease, today, entries)
  const { unit_id, unit_number } = unit
  await recordLease(tx, reservation, { unit_id, unit_number, lease_number: leaseNumber }, today)
  const replacementNote =
    unit.unit_number === reservation.unit_number
      ? ''
      : ` Unit ${reservation.unit_number} was reserved and no longer free.`
  const note = `Moved in online: unit ${unit.unit_number}, lease ${leaseNumber}, paid ${toWire(moveIn.paid.cents)} (order ${moveIn.orderId}).${replacementNote}`
  await addNote(tx, services, { locationCode, tenantId, leaseNumber, note })
  await enqueue(tx, {
    kind: 'move_in_completed',
    once: moveInNoticeKey(locationCode, leaseNumber),
    payload: { locationCode, leaseNumber },
    runAt: now,
  })
  await addFeesAndAccess(tx, moveIn, leaseNumber, tenantId, gateCode)
  if (moveIn.ownTenant) await updateTenantRecord(tx, services, moveIn, tenantId)
  if (transfer) {
    const start = charges.periodStart
    await signTransfer(tx, services, transfer, { leaseNumber, unitNumber: unit.unit_number, start, today })
  }
  return { leaseNumber, tenantId, unitNumber: unit.unit_number, gateCode }
}

/** Locks the code that a new lease takes over: staff may be changing it, and a move-out may be ending it. */
async function lockKeptCode(
  tx: Kysely<Tables>,
  tenant: Pick<ReservationsTable, 'location_code' | 'tenant_id'>,
  transfer: Transfer | undefined,
): Promise<void> {
  await lockTenant(tx, tenant)
  // A move-out locks its lease before the code, so the opposite order here could deadlock.
  if (transfer) await lockLeaseRow(tx, transfer)
  await lockGateCodes(tx, tenant)
}

/**
 * Attaches the signed document to the lease.
 * @throws LeaseNotStarted when it is unknown or void, or belongs to a lease already
 */
async function bindDocument(tx: Kysely<Tables>, moveIn: MoveIn, leaseNumber: number): Promise<void> {
  if (!(await attachDocument(tx, moveIn, leaseNumber))) throw new LeaseNotStarted('lease_void')
}

/** Returns the answers to encrypt in the lease. */
const sealedAnswers = ({ defaultNotice, identity, military, ownTenant }: MoveIn): SealedAnswers =>
  ownTenant
    ? { defaultNotice, identity: { brief_description: identity?.brief_description } }
    : // A session that may not change the tenant's record stores these answers with the lease instead.
      { defaultNotice, identity: identity ?? undefined, military }

function leaseRow(
  services: Services,
  moveIn: MoveIn,
  parts: {
    leaseNumber: number
    tenantId: number
    reservation: Selectable<ReservationsTable>
    unit: { unit_id: number; unit_number: string }
    gateCode: string
  },
): Insertable<LeasesTable> {
  const { locationCode, reservationCode, charges } = moveIn
  const { leaseNumber, reservation, unit } = parts
  return {
    location_code: locationCode,
    lease_number: leaseNumber,
    tenant_id: parts.tenantId,
    unit_id: unit.unit_id,
    unit_number: unit.unit_number,
    unit_type_id: reservation.unit_type_id,
    reservation_code: reservationCode,
    status: 'Current',
    move_in_date: charges.periodStart,
    paid_through: charges.periodEnd,
    rent: moveIn.rent,
    insurance_status: moveIn.insurance.status,
    insurance_scheme_id: moveIn.insurance.schemeId,
    insurance_premium: moveIn.insurance.premium,
    insurance_notes: JSON.stringify(moveIn.insurance.notes),
    discount_id: moveIn.discountId,
    autopay: moveIn.autopay ? 1 : 0,
    autopay_method: moveIn.autopay?.method ?? '',
    autopay_sealed: moveIn.autopay
      ? services.sealer.seal(JSON.stringify(moveIn.autopay.party), autopayContext(locationCode, leaseNumber))
      : null,
    autopay_label: moveIn.autopay?.label ?? '',
    autopay_consent_at: moveIn.autopay?.consentAt ?? null,
    autopay_consent_text: moveIn.autopay?.consentText ?? null,
    gate_code: parts.gateCode,
    combo_code: '0000',
    auction_prepped: 0,
    scheduled_move_out: null,
    move_out_reason: null,
    terms_required: 0,
    details: JSON.stringify({
      ...moveIn.details,
      // Number of the reserved unit that was no longer free.
      ...(unit.unit_number !== reservation.unit_number && { reservedUnit: reservation.unit_number }),
      sealed: services.sealer.seal(JSON.stringify(sealedAnswers(moveIn)), detailsContext(locationCode, leaseNumber)),
    }),
    imported: null,
    document_id: moveIn.documentId,
    order_id: moveIn.orderId,
    created_at: services.clock.now(),
  }
}

/** Adds the recurring fees of the move-in's price to the lease, and 24-hour access, if paid for, to the gate code. */
async function addFeesAndAccess(
  tx: Kysely<Tables>,
  { locationCode, charges }: MoveIn,
  leaseNumber: number,
  tenantId: number,
  gateCode: string,
): Promise<void> {
  for (const line of charges.thenLines) {
    if ((line.kind !== 'fee' && line.kind !== 'access') || line.feeId === undefined) continue
    await addLeaseFee(tx, {
      location_code: locationCode,
      lease_number: leaseNumber,
      fee_id: line.feeId,
      description: line.label,
      amount: line.cents,
    })
  }
  if (charges.lines.some((line) => line.kind === 'access'))
    await setGateHours(tx, { location_code: locationCode, tenant_id: tenantId, gate_code: gateCode }, '24-hour')
}

/** Returns the key that makes the move-in mail unique. */
const moveInNoticeKey = (locationCode: string, leaseNumber: number): string => `${locationCode}:${leaseNumber}`

/**
 * Rents the reserved unit, or another of its type.
 * @throws LeaseNotStarted when none is free
 */
async function rentReserved(
  tx: Kysely<Tables>,
  services: Services,
  reservation: Selectable<ReservationsTable>,
): Promise<UnitIdentity> {
  const reservationKey = { locationCode: reservation.location_code, reservationCode: reservation.reservation_code }
  const reserved = await rentUnit(tx, { ...reservationKey, unitId: reservation.unit_id })
  if (reserved) return reserved
  const now = services.clock.now()
  const other = await holdUnit(tx, {
    ...reservationKey,
    unitTypeId: reservation.unit_type_id,
    // The hold ends at once, since the unit is rented in this transaction.
    until: now,
    now,
    salt: services.random.integer(0, 1_000_000),
  })
  if (!other) throw new LeaseNotStarted('unit_lost')
  await rentUnit(tx, { ...reservationKey, unitId: other.unit_id })
  return other
}

/** Loads the reservation's tenant with their oldest active gate code, if any. Codes of auction winners do not count. */
const loadTenantWithCode = (tx: Kysely<Tables>, { location_code, tenant_id }: Selectable<ReservationsTable>) =>
  tx
    .selectFrom('tenants')
    .leftJoin('gate_codes', (join) =>
      join
        .onRef('gate_codes.location_code', '=', 'tenants.location_code')
        .onRef('gate_codes.tenant_id', '=', 'tenants.tenant_id')
        .on('gate_codes.active', '=', 1)
        .on('gate_codes.gate_code', 'not in', winnerCodesQuery(tx, location_code)),
    )
    .select(['tenants.location_code', 'tenants.tenant_id', 'gate_codes.gate_code'])
    .where(isTenant({ location_code, tenant_id }, 'tenants'))
    .orderBy('gate_codes.created_at')
    .orderBy('gate_codes.gate_code')
    .limit(1)
    .executeTakeFirst()

/** Returns the ledger lines of a move-in: each line of the amount due at move-in, and the payment. */
export function moveInEntries(
  charges: Charges,
  paid: { cents: number; description: string; orderId: string },
): LedgerLine[] {
  const period = { start: charges.periodStart, end: charges.periodEnd }
  return [
    ...charges.lines.map((line) => ({ ...periodEntry(line, charges.periodStart), period })),
    {
      kind: 'payment' as const,
      cents: -paid.cents,
      description: paid.description,
      period,
      once: `order:${paid.orderId}:payment`,
      orderId: paid.orderId,
    },
  ]
}

async function updateTenantRecord(
  tx: Kysely<Tables>,
  services: Services,
  moveIn: MoveIn,
  tenantId: number,
): Promise<void> {
  const tenantKey = { location_code: moveIn.locationCode, tenant_id: tenantId }
  await updateTenant(tx, tenantKey, {
    active_military: await militaryAfterAnswer(tx, tenantKey, moveIn.military.active),
    military: JSON.stringify(moveIn.military.details ?? {}),
  })
  if (moveIn.identity) await changeIdentity(tx, services, moveIn.locationCode, tenantId, moveIn.identity)
}

/**
 * From a paid reservation to a lease: all that a move-in writes, in one transaction, so that there is never a lease
 * without its payment, its signed document and its mail, nor any of them without the lease (spec 1 §4, CLARIFICATIONS).
 */
import type { Kysely, Selectable } from 'kysely'
import { nextNumber } from '../database/counters.ts'
import { enqueue } from '../database/jobs.ts'
import type { EntryKind, ReservationsTable, Tables, TenantsTable } from '../database/tables.ts'
import type { Charges } from '../domain/charges.ts'
import { todayIn } from '../domain/dates.ts'
import type { LienHolder, Military, OwnInsurance, Vehicle } from '../domain/fields.ts'
import { drawGateCode } from '../domain/gate-code.ts'
import { toWire } from '../domain/money.ts'
import { takeUnit } from './holds.ts'
import { addLeaseFee, setGateHours } from './leases.ts'
import type { House } from './operation.ts'
import { periodEntry } from './postings.ts'
import { changeIdentity, type Identity, tenantRow } from './tenants.ts'

/** What was agreed and paid: everything a lease is made from. */
export interface MoveIn {
  locationCode: string
  reservationCode: string
  orderId: string
  /** The signed lease; must not be void. */
  documentId: string
  charges: Charges
  rent: number
  discountId: number
  insurance: {
    status: 0 | 1 | 2 | 3
    schemeId: number
    /** Cents per period. */
    premium: number
    notes: Partial<OwnInsurance> | Partial<Vehicle>
  }
  /** As signed. */
  details: {
    vehicleDetails?: Vehicle
    lienHolder?: LienHolder
    designatedAgent?: object
    military?: Military
  }
  defaultNotice: 'mail' | 'email' | null
  identity: Identity | null
  military: { active: boolean; details: Military | null }
  /** The session may write what it said into the tenant's record and use the code the tenant has. */
  ownTenant: boolean
  /** null: declined, or the provider kept no card. `party` is what later charges need. */
  autopay: { method: 'CC' | 'ACH'; party: object; label: string; consentAt: number; consentText?: string } | null
  /** What was captured, in cents, and how the ledger says it: 'Payment by VI **** 1111'. */
  paid: { cents: number; description: string }
}

export interface Converted {
  leaseNumber: number
  tenantId: number
  unitNumber: string
  gateCode: string
}

/** Why a paid move-in cannot become a lease; everything in the transaction is to be taken back. */
export type NotConvertedWhy = 'already_rented' | 'reservation_cancelled' | 'unit_lost' | 'lease_void' | 'unknown'

export class NotConverted extends Error {
  readonly why: NotConvertedWhy
  constructor(why: NotConvertedWhy) {
    super(`The reservation cannot become a lease: ${why}`)
    this.name = 'NotConverted'
    this.why = why
  }
}

/** Lease numbers begin above what an operator may have used on paper. */
const firstLeaseNumber = 10_001

/** What autopay needs of a lease is sealed under this. */
export const autopayContext = (locationCode: string, leaseNumber: number): string =>
  `lease:${locationCode}:${leaseNumber}:autopay`

/** What a lease keeps sealed of a renter whose tenant record must not be written. */
export const detailsContext = (locationCode: string, leaseNumber: number): string =>
  `lease:${locationCode}:${leaseNumber}:details`

/**
 * Makes the lease of a paid move-in, in the caller's transaction: unit, lease, number, ledger, gate code, access, tenant
 * record, autopay, reservation, prospect record, note, document and mails. The unit is the reserved one; where its hold is
 * gone and somebody else has it, another of the same type (fault case 3).
 * @throws NotConverted, after which the transaction must be taken back
 */
export async function convertReservation(tx: Kysely<Tables>, house: House, moveIn: MoveIn): Promise<Converted> {
  const { locationCode, reservationCode, charges } = moveIn
  const now = house.clock.now()
  const reservation = await completeReservation(tx, locationCode, reservationCode)
  const unit = await rentUnit(tx, house, reservation)
  const tenant = await tenantRow(tx, locationCode, reservation.tenant_id)
  const location = await tx
    .selectFrom('locations')
    .selectAll()
    .where('location_code', '=', locationCode)
    .executeTakeFirst()
  if (!tenant || !location) throw new NotConverted('unknown')
  const today = todayIn(location.time_zone, now)

  const leaseNumber = await nextNumber(tx, locationCode, 'lease', firstLeaseNumber)
  const document = await tx
    .updateTable('lease_documents')
    .set({ lease_number: leaseNumber })
    .where('document_id', '=', moveIn.documentId)
    .where('location_code', '=', locationCode)
    .where('void', '=', 0)
    .where('lease_number', 'is', null)
    .returning('file_key')
    .executeTakeFirst()
  if (!document) throw new NotConverted('lease_void')

  const access = charges.lines.find((line) => line.kind === 'access')
  const gateCode = await gateCodeFor(tx, house, moveIn, tenant.tenant_id, leaseNumber, access !== undefined)
  // A tenant on file who did not sign in is left as they are; what this renter said stays with the lease, sealed.
  const withheld = moveIn.ownTenant ? {} : { identity: moveIn.identity ?? undefined, military: moveIn.military }
  await tx
    .insertInto('leases')
    .values({
      location_code: locationCode,
      lease_number: leaseNumber,
      tenant_id: tenant.tenant_id,
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
        ? house.sealer.seal(JSON.stringify(moveIn.autopay.party), autopayContext(locationCode, leaseNumber))
        : null,
      autopay_label: moveIn.autopay?.label ?? '',
      autopay_consent_at: moveIn.autopay?.consentAt ?? null,
      autopay_consent_text: moveIn.autopay?.consentText ?? null,
      gate_code: gateCode,
      combo_code: '0000',
      auction_prepped: 0,
      scheduled_move_out: null,
      move_out_reason: null,
      terms_required: 0,
      details: JSON.stringify({
        ...moveIn.details,
        // Taken instead of this one, which was gone when the money came.
        ...(unit.unit_number !== reservation.unit_number && { reservedUnit: reservation.unit_number }),
        sealed: house.sealer.seal(
          JSON.stringify({ defaultNotice: moveIn.defaultNotice, ...withheld }),
          detailsContext(locationCode, leaseNumber),
        ),
      }),
      imported: null,
      document_id: moveIn.documentId,
      order_id: moveIn.orderId,
      created_at: now,
    })
    .execute()

  await postLedger(tx, house, moveIn, leaseNumber, today)
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
  if (access) {
    await setGateHours(tx, { location_code: locationCode, tenant_id: tenant.tenant_id, gate_code: gateCode }, '24-hour')
  }
  if (moveIn.ownTenant) await writeTenant(tx, house, moveIn, tenant)

  await tx
    .updateTable('reservations')
    .set({ unit_id: unit.unit_id, unit_number: unit.unit_number, lease_number: leaseNumber })
    .where('location_code', '=', locationCode)
    .where('reservation_code', '=', reservationCode)
    .execute()
  await tx
    .updateTable('prospects')
    .set({ res_status: 'completed', lease_status: 'Current', move_in_date: today })
    .where('location_code', '=', locationCode)
    .where('res_code', '=', reservationCode)
    .execute()
  const instead =
    unit.unit_number === reservation.unit_number
      ? ''
      : ` Unit ${reservation.unit_number} was reserved and no longer free.`
  await tx
    .insertInto('tenant_notes')
    .values({
      note_id: house.random.uuid(),
      location_code: locationCode,
      tenant_id: tenant.tenant_id,
      lease_number: leaseNumber,
      note: `Moved in online: unit ${unit.unit_number}, lease ${leaseNumber}, paid ${toWire(moveIn.paid.cents)} (order ${moveIn.orderId}).${instead}`,
      created_at: now,
    })
    .execute()

  await enqueue(tx, {
    kind: 'move_in_completed',
    once: moveInNoticeKey(locationCode, leaseNumber),
    payload: { locationCode, leaseNumber },
    runAt: now,
  })
  return { leaseNumber, tenantId: tenant.tenant_id, unitNumber: unit.unit_number, gateCode }
}

/** What makes the move-in's mail one mail. */
export const moveInNoticeKey = (locationCode: string, leaseNumber: number): string => `${locationCode}:${leaseNumber}`
/** Of two payments for one reservation, one passes here; the other finds it completed. */
async function completeReservation(
  tx: Kysely<Tables>,
  locationCode: string,
  reservationCode: string,
): Promise<Selectable<ReservationsTable>> {
  const done = await tx
    .updateTable('reservations')
    .set({ status: 'completed' })
    .where('location_code', '=', locationCode)
    .where('reservation_code', '=', reservationCode)
    // A hold that ran out while the money was on its way still gets its unit, or another one.
    .where('status', 'in', ['active', 'expired'])
    .returningAll()
    .executeTakeFirst()
  if (done) return done
  const known = await tx
    .selectFrom('reservations')
    .select('status')
    .where('location_code', '=', locationCode)
    .where('reservation_code', '=', reservationCode)
    .executeTakeFirst()
  throw new NotConverted(known?.status === 'completed' ? 'already_rented' : known ? 'reservation_cancelled' : 'unknown')
}

async function rentUnit(
  tx: Kysely<Tables>,
  house: House,
  reservation: Selectable<ReservationsTable>,
): Promise<{ unit_id: number; unit_number: string }> {
  const { location_code, reservation_code, unit_type_id } = reservation
  const now = house.clock.now()
  const rented = { status: 'rented' as const, held_by: null, held_until: null }
  const own = await tx
    .updateTable('units')
    .set(rented)
    .where('location_code', '=', location_code)
    .where('unit_id', '=', reservation.unit_id)
    .where((eb) =>
      eb.or([
        eb.and([eb('status', '=', 'held'), eb('held_by', '=', reservation_code)]),
        // The hold ran out and was cleared, and nobody has come since: it is the unit that the lease names.
        eb('status', '=', 'free'),
      ]),
    )
    .returning(['unit_id', 'unit_number'])
    .executeTakeFirst()
  if (own) return own
  const other = await takeUnit(tx, {
    locationCode: location_code,
    unitTypeId: unit_type_id,
    reservationCode: reservation_code,
    until: now,
    now,
    salt: house.random.integer(0, 1_000_000),
  })
  if (!other) throw new NotConverted('unit_lost')
  await tx
    .updateTable('units')
    .set(rented)
    .where('location_code', '=', location_code)
    .where('unit_id', '=', other.unit_id)
    .where('held_by', '=', reservation_code)
    .execute()
  return other
}

async function gateCodeFor(
  tx: Kysely<Tables>,
  house: House,
  moveIn: MoveIn,
  tenantId: number,
  leaseNumber: number,
  fullDay: boolean,
): Promise<string> {
  const { locationCode } = moveIn
  if (moveIn.ownTenant) {
    const known = await tx
      .selectFrom('gate_codes')
      .select('gate_code')
      .where('location_code', '=', locationCode)
      .where('tenant_id', '=', tenantId)
      .where('active', '=', 1)
      .orderBy('created_at')
      .orderBy('gate_code')
      .executeTakeFirst()
    if (known) return known.gate_code
  }
  return newGateCode(tx, house, { locationCode, tenantId, leaseNumber, hours: fullDay ? '24-hour' : 'standard' })
}

/** Draws a gate code that is live nowhere else at the facility, by the gate rule, and makes it live. In the caller's transaction. */
export async function newGateCode(
  tx: Kysely<Tables>,
  house: House,
  of: { locationCode: string; tenantId: number; leaseNumber: number; hours: 'standard' | '24-hour' },
): Promise<string> {
  const { locationCode } = of
  const live = await tx
    .selectFrom('gate_codes')
    .select('gate_code')
    .where('location_code', '=', locationCode)
    .where('active', '=', 1)
    .execute()
  const taken = new Set(live.map((row) => row.gate_code))
  for (;;) {
    const code = drawGateCode(house.random.integer, (one) => taken.has(one))
    if (code === null) throw new Error(`Every gate code of ${locationCode} is taken`)
    const mine = await tx
      .insertInto('gate_codes')
      .values({
        location_code: locationCode,
        gate_code: code,
        tenant_id: of.tenantId,
        lease_number: of.leaseNumber,
        time_zone_name: of.hours,
        active: 1,
        created_at: house.clock.now(),
      })
      .onConflict((clash) => clash.doNothing())
      .returning('gate_code')
      .executeTakeFirst()
    if (mine) return code
    // Another move-in has drawn the same one and committed since.
    taken.add(code)
  }
}

/** Every line of the agreed price, and the payment: together 0. */
async function postLedger(
  tx: Kysely<Tables>,
  house: House,
  moveIn: MoveIn,
  leaseNumber: number,
  today: string,
): Promise<void> {
  const { charges, orderId } = moveIn
  const entry = (of: {
    kind: EntryKind
    cents: number
    description: string
    once: string
    order_id: string | null
  }) => ({
    ...of,
    entry_id: house.random.uuid(),
    location_code: moveIn.locationCode,
    lease_number: leaseNumber,
    period_start: charges.periodStart,
    period_end: charges.periodEnd,
    posted_on: today,
    created_at: house.clock.now(),
  })
  await tx
    .insertInto('ledger_entries')
    .values([
      ...charges.lines.map((line) => entry({ ...periodEntry(line, charges.periodStart), order_id: null })),
      entry({
        kind: 'payment',
        cents: -moveIn.paid.cents,
        description: moveIn.paid.description,
        once: `order:${orderId}:payment`,
        order_id: orderId,
      }),
    ])
    .execute()
}

async function writeTenant(
  tx: Kysely<Tables>,
  house: House,
  moveIn: MoveIn,
  tenant: Selectable<TenantsTable>,
): Promise<void> {
  await tx
    .updateTable('tenants')
    .set({
      active_military: moveIn.military.active ? 1 : 0,
      military: JSON.stringify(moveIn.military.details ?? {}),
    })
    .where('location_code', '=', tenant.location_code)
    .where('tenant_id', '=', tenant.tenant_id)
    .execute()
  if (moveIn.identity) await changeIdentity(tx, house, tenant.location_code, tenant.tenant_id, moveIn.identity)
}

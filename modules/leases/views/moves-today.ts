/** Lists the move-ins and move-outs that are due at facilities today or earlier, by each facility's local date. */

import { type Kysely, sql } from 'kysely'
import { DAY } from '../../../domain/durations.ts'
import type { LeaseStatus } from '../../../domain/lease-status.ts'
import type { Cents } from '../../../domain/money.ts'
import type { IsoDate } from '../../../domain/plain-date.ts'
import { type Instant, todayIn } from '../../../domain/time-zone-dates.ts'
import { compareUnitNumbers } from '../../../domain/unit-number-order.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { ReservationStatus } from '../../../platform/schema/narrowed-column-types.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { sizeLabel } from '../../facilities/rules/size-label.ts'
import { selectLeasesWithTenants } from '../select-leases-with-tenants.ts'

interface Mover {
  locationCode: string
  unit: string
  /** Size in feet: '10 × 15' */
  size: string
  tenantId: number
  tenant: string
}

/** A move-in that is due at a facility today or was due earlier, and whose unit is still held. */
export interface ExpectedMoveIn extends Mover {
  heldUntil: Instant
  /** Whether the agreement is signed; only the payment is missing then. */
  signed: boolean
}

/** A move-out that is due at a facility today or was due earlier. */
export interface ExpectedMoveOut extends Mover {
  leaseNumber: number
  /** Last day of the lease; before today where billing has not closed the lease yet. */
  on: IsoDate
  balance: Cents
}

/** Move-ins and move-outs that are due at facilities. */
export interface MovesToday {
  coming: ExpectedMoveIn[]
  leaving: ExpectedMoveOut[]
  /** Number of holds that end within a day. */
  holdsEnding: number
}

/** Returns the due move-ins and move-outs and the number of ending holds, in two queries. */
export async function loadMovesToday(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  facilities: readonly { code: string; timeZone: string }[],
): Promise<MovesToday> {
  if (facilities.length === 0) return { coming: [], leaving: [], holdsEnding: 0 }
  const now = clock.now()
  const today = new Map(facilities.map(({ code, timeZone }) => [code, todayIn(timeZone, now)]))
  const dueQuery = { codes: [...today.keys()], latest: [...today.values()].reduce((a, b) => (a > b ? a : b)), now }
  const [holds, leaving] = await Promise.all([loadHolds(db.read, dueQuery), loadLeavingLeases(db.read, dueQuery)])
  const isDue = (code: string, day: IsoDate) => day <= (today.get(code) ?? '')
  const toMover = (row: (typeof holds)[number] | (typeof leaving)[number]): Mover => ({
    locationCode: row.location_code,
    unit: row.unit_number,
    tenantId: row.tenant_id,
    size: sizeLabel(row),
    tenant: `${row.first} ${row.last}`.trim(),
  })
  return {
    coming: holds
      .filter((row) => isDue(row.location_code, row.required_date))
      .map((row) => ({ ...toMover(row), heldUntil: row.hold_until, signed: Boolean(row.signed) })),
    leaving: leaving
      .flatMap((row) => {
        const on = row.scheduled_move_out
        if (on === null || !isDue(row.location_code, on)) return []
        return [{ ...toMover(row), leaseNumber: row.lease_number, on, balance: row.balance }]
      })
      .sort(compareMoveOuts),
    holdsEnding: holds.filter((row) => row.hold_until <= now + DAY).length,
  }
}

/** Compares move-outs by day, facility and unit number. */
const compareMoveOuts = (a: ExpectedMoveOut, b: ExpectedMoveOut): number =>
  a.on.localeCompare(b.on) || a.locationCode.localeCompare(b.locationCode) || compareUnitNumbers(a.unit, b.unit)

interface DueQuery {
  codes: string[]
  /** Latest of the facilities' local dates. */
  latest: IsoDate
  now: Instant
}

/** Loads reservations with a live hold that are due by the date `latest` or whose hold ends within a day. */
const loadHolds = (db: Kysely<Tables>, { codes, latest, now }: DueQuery) =>
  db
    .selectFrom('reservations')
    .innerJoin('tenants', (join) =>
      join
        .onRef('tenants.location_code', '=', 'reservations.location_code')
        .onRef('tenants.tenant_id', '=', 'reservations.tenant_id'),
    )
    .innerJoin('unit_types', (join) =>
      join
        .onRef('unit_types.location_code', '=', 'reservations.location_code')
        .onRef('unit_types.unit_type_id', '=', 'reservations.unit_type_id'),
    )
    .select(['reservations.location_code', 'unit_number', 'reservations.tenant_id', 'first', 'last'])
    .select(['length', 'breadth', 'required_date', 'hold_until'])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('rental_drafts')
            .innerJoin('lease_documents', 'lease_documents.draft_id', 'rental_drafts.draft_id')
            .whereRef('rental_drafts.location_code', '=', 'reservations.location_code')
            .whereRef('rental_drafts.reservation_code', '=', 'reservations.reservation_code')
            .where('void', '=', 0)
            .select('document_id'),
        )
        .as('signed'),
    )
    .where('reservations.location_code', 'in', codes)
    // A literal, since the partial index of active reservations is used only with one.
    .where('reservations.status', '=', sql.lit<ReservationStatus>('active'))
    .where('hold_until', '>', now)
    .where((eb) => eb.or([eb('required_date', '<=', latest), eb('hold_until', '<=', now + DAY)]))
    .orderBy('hold_until')
    .orderBy('reservation_code')
    .execute()

const loadLeavingLeases = (db: Kysely<Tables>, { codes, latest }: DueQuery) =>
  selectLeasesWithTenants(db)
    .innerJoin('unit_types', (join) =>
      join
        .onRef('unit_types.location_code', '=', 'leases.location_code')
        .onRef('unit_types.unit_type_id', '=', 'leases.unit_type_id'),
    )
    .select(['leases.location_code', 'unit_number', 'lease_number', 'leases.tenant_id', 'first', 'last'])
    .select(['length', 'breadth', 'scheduled_move_out', 'balance'])
    .where('leases.location_code', 'in', codes)
    .where('leases.status', '!=', sql.lit<LeaseStatus>('Closed'))
    .where('scheduled_move_out', '<=', latest)
    .execute()

import type { Kysely } from 'kysely'
import type { IsoDate } from '../../domain/plain-date.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { reopenUnit, vacateUnit } from '../facilities/change-unit-status.ts'
import {
  deactivateGateCode,
  deactivateGateCodesOfEndedLease,
  lockGateCodes,
  setGateHours,
} from '../gate/assign-and-activate-gate-codes.ts'
import { clearAutopay } from '../leases/autopay-mandate.ts'
import { closeLease } from '../leases/mark-lease-closed.ts'
import { stopLienOfEndedLease } from '../liens/close-case.ts'
import { fee24HourAccess } from '../pricing/texts/full-day-access-fee-name.ts'
import { endOpenRentChanges } from '../rent-changes/apply-rent-changes-when-charged.ts'
import { recordEntryReasons } from '../standing/record-reasons-for-staff-entries.ts'
import { updateStanding } from '../standing/update-standing.ts'
import { finishTransfer } from '../transfers/finish-transfer-when-lease-closes.ts'
import type { Lease } from './schedule-and-cancel-move-out.ts'

/**
 * Closes a lease, once. The unit stays unavailable until it has been inspected (spec 2 §9).
 * @param date last day of the lease
 * @returns false when the lease was closed already
 */
export async function completeMoveOut(
  tx: Kysely<Tables>,
  services: Services,
  lease: Pick<Lease, 'location_code' | 'lease_number' | 'tenant_id' | 'unit_id' | 'gate_code'>,
  date: IsoDate,
): Promise<boolean> {
  const { location_code, lease_number } = lease
  const closedLease = await closeLease(tx, lease, date)
  if (!closedLease) return false
  await stopLienOfEndedLease(tx, services, closedLease, date)
  await clearAutopay(tx, services, lease)
  await endOpenRentChanges(tx, services, lease)
  await vacateUnit(tx, location_code, lease.unit_id)
  await tx
    .updateTable('move_outs')
    .set({ state: 'completed' })
    .where((eb) => eb.and({ location_code, lease_number }))
    .where('state', '=', 'scheduled')
    .execute()
  await finishTransfer(tx, services, lease, date, { updateStanding, recordEntryReasons })
  // A concurrent move-in may reuse the code. Leases are locked before codes everywhere, so the code comes last.
  await lockGateCodes(tx, lease)
  await updateSharedGateCode(tx, lease)
  await deactivateGateCodesOfEndedLease(tx, lease)
  return true
}

/**
 * Updates the gate code that a tenant's leases share: it ends with the last lease, and has 24-hour access only while a
 * lease pays for it.
 */
async function updateSharedGateCode(
  tx: Kysely<Tables>,
  lease: Pick<Lease, 'location_code' | 'tenant_id' | 'gate_code'>,
): Promise<void> {
  const others = await tx
    .selectFrom('leases')
    .leftJoin('lease_fees', (join) =>
      join
        .onRef('lease_fees.location_code', '=', 'leases.location_code')
        .onRef('lease_fees.lease_number', '=', 'leases.lease_number')
        .on('lease_fees.description', '=', fee24HourAccess),
    )
    .where('leases.location_code', '=', lease.location_code)
    .where('leases.gate_code', '=', lease.gate_code)
    .where('leases.status', '!=', 'Closed')
    .select('lease_fees.fee_id')
    .execute()
  if (others.length === 0) {
    await deactivateGateCode(tx, lease)
  } else if (others.every((other) => other.fee_id === null)) {
    await setGateHours(tx, lease, 'standard')
  }
}

/**
 * Makes the unit of a closed lease available after it was found clean.
 * @returns number of the unit; null when it awaits no inspection or is retired, or the lease is not closed
 */
export async function verifyMoveOut(
  tx: Kysely<Tables>,
  leaseKey: { locationCode: string; leaseNumber: number },
): Promise<string | null> {
  const lease = await tx
    .selectFrom('leases')
    .select('unit_id')
    .where((eb) => eb.and({ location_code: leaseKey.locationCode, lease_number: leaseKey.leaseNumber }))
    .where('status', '=', 'Closed')
    .executeTakeFirst()
  const unit = lease && (await reopenUnit(tx, leaseKey.locationCode, lease.unit_id))
  return unit?.unit_number ?? null
}

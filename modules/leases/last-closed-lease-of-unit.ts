import { type ExpressionBuilder, sql } from 'kysely'
import type { LeaseStatus } from '../../domain/lease-status.ts'
import type { Tables } from '../../platform/schema/tables.ts'

/** Selects the number of a unit's last closed lease, the one that an inspection of the unit follows. */
export const selectLastClosedLease = (eb: ExpressionBuilder<Tables, 'units'>) =>
  eb
    .selectFrom('leases')
    .select('lease_number')
    .whereRef('leases.location_code', '=', 'units.location_code')
    .whereRef('leases.unit_id', '=', 'units.unit_id')
    // A literal, since the partial index of closed leases is used only with one.
    .where('leases.status', '=', sql.lit<LeaseStatus>('Closed'))
    .orderBy('closed_on', 'desc')
    .orderBy('lease_number', 'desc')
    .limit(1)

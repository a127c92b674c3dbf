import { pastDueTables } from './collections-and-liens.ts'
import { facilitiesTables } from './facilities.ts'
import { leasesTables } from './leases.ts'
import { paymentsTables } from './payments.ts'
import { reportsTables } from './reports.ts'
import { reservationsTables } from './reservations.ts'
import { serverTables } from './server.ts'
import { staffTables } from './staff.ts'
import { tenantsTables } from './tenants-and-accounts.ts'

/** Tables of the first schema, each after the tables that it refers to. */
export const firstSchema = {
  ...facilitiesTables,
  ...tenantsTables,
  ...reservationsTables,
  ...leasesTables,
  ...pastDueTables,
  ...paymentsTables,
  ...staffTables,
  ...reportsTables,
  ...serverTables,
}

import { facilityTables } from './facilities.ts'
import { leaseTables } from './leases.ts'
import { priceTables } from './prices.ts'
import type { ImportTable } from './table.ts'
import { tenantTables } from './tenants.ts'

export const importTables: readonly ImportTable[] = [...facilityTables, ...priceTables, ...tenantTables, ...leaseTables]

import { type MachineRole, machineRoles } from './machine-key-role-names-and-limits.ts'

/**
 * Operations that a key of each role may call, by wire name; all others are refused. The API's access check reads this
 * table, and its OpenAPI document and `docs/access.md` name the roles from it. A role without operations is reserved
 * for operations that do not exist yet (docs/decisions/keys.md).
 */
export const machineKeyOperations: Readonly<Record<MachineRole, readonly string[]>> = {
  /** Reads what any visitor may read. */
  site: [
    'GetSecurityQuestions',
    'GetLocationDetails',
    'GetUnitsList',
    'GetAllUnits',
    'GetAllDiscounts',
    'GetFeesandCharges',
    'GetFeesandCharges_V1',
    'GetInsuranceSchemes',
    'GetInsuranceTerminology',
    'GetLocationUnitTypes',
    'GetMoveInCostAll',
    'GetTenantDetailsByEmail',
    'GET /api/location_contents/{code}',
    'GET /api/location_units',
    'GET /api/locations',
    'GET /api/settings',
    'GET /api/states',
    'GET /api/states/{region}',
    'GET /api/auction_winners',
    'GET /api/delinquent-tenants/detail',
    'GET /api/prospects/uuid/{uuid}',
  ],
  /** Reads tenants, leases, dues and payments; never a gate code. */
  tenants: [
    'GetTenantInfo',
    'GetTenantUnitLeaseDetails',
    'GetTenantUnitList_V1',
    'GetLeaseAgreementDetails',
    'GetCurrentDues',
    'GetPrePayRentalCharges',
    'GetPaymentHistory_V1',
    'GetTenantLastPaymentDetails',
  ],
  /** Reads a gate's codes and hours, and reports what happened at the gate. */
  gate: ['GET /api/gate/{facility}/state', 'POST /api/gate/{facility}/events'],
  events: [],
  books: [],
}

/** Returns the roles whose keys may call an operation. */
export const machineRolesFor = (operation: string): MachineRole[] =>
  machineRoles.filter((role) => machineKeyOperations[role].includes(operation))

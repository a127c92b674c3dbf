/** Types of the office operations that office.test.ts kills at each of their points. */

import type { PayingServices } from '../../modules/payments/testing.ts'
import type { PaymentSandbox } from '../../modules/payments/testing-card-provider.ts'
import type { StaffCallers } from '../support/staff.ts'

/** Signed-in staff members that the tests run office operations as, by role. */
export type People = Record<'agent' | 'manager' | 'district' | 'finance', StaffCallers>

/** A prepared office operation with the check of its result, for tests of interrupted processes. */
export interface PreparedAct {
  operation: string
  input: object
  /** Finds violations after the operation and its jobs are done. */
  findViolations(): Promise<string[]>
}

/** An office operation to be killed at each of its points. */
export interface OfficeAct {
  name: string
  /** Role of the staff member; Finance by default. */
  by?: keyof People
  /** Whether the normal tests run the operation too; `npm run faults -- --office` runs all. */
  inTests?: true
  /** Creates the rows that the operation needs. Called again for each kill. */
  prepare(services: PayingServices, paymentSandbox: PaymentSandbox, people: People): Promise<PreparedAct>
}

/** Types of the office operations and background work that office.test.ts kills before they finish. */

import type { PayingServices } from '../../modules/payments/testing.ts'
import type { PaymentSandbox } from '../../modules/payments/testing-card-provider.ts'
import type { StaffCallers } from '../support/staff.ts'

/** Signed-in staff members, by role, as whom the tests run office operations. */
export type People = Record<'agent' | 'manager' | 'district' | 'finance', StaffCallers>

/** A prepared office operation or background work with the check of its result, for tests of interrupted processes. */
export interface PreparedAct {
  operation: string
  input: object
  /** Finds violations after the operation and its jobs are done. */
  findViolations(): Promise<string[]>
}

/** An office operation or background work to be killed: at a few of its points, or with `--office` at each. */
export interface OfficeAct {
  name: string
  /** Role of the staff member; Finance by default. */
  by?: keyof People
  /** Whether the normal tests run the operation too; `npm run faults -- --office` runs all. */
  inTests?: true
  /** Creates the rows that the operation needs. Called again for each kill. */
  prepare(services: PayingServices, paymentSandbox: PaymentSandbox, people: People): Promise<PreparedAct>
}

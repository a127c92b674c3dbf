import type { Clock } from '../ports/clock.ts'
import type { openPretendBank } from './bank.ts'
import type { Faults } from './faults.ts'
import type { openLedger } from './ledger.ts'

export interface Credentials {
  xwebId: string
  terminalId: string
  authKey: string
}

export interface SandboxParts {
  /** Its origin, once it listens. */
  url: string
  ledger: ReturnType<typeof openLedger>
  bank: ReturnType<typeof openPretendBank>
  faults: Faults
  credentials: Credentials
  clock: Clock
}

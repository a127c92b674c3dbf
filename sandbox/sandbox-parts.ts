import type { Clock } from '../ports/clock.ts'
import type { PretendBank } from './bank.ts'
import type { Faults } from './faults.ts'
import type { Gates } from './gates.ts'
import type { Ledger } from './ledger.ts'

export interface Credentials {
  xwebId: string
  terminalId: string
  authKey: string
}

/** Dependencies of the sandbox's routes. */
export interface SandboxParts {
  url: string
  ledger: Ledger
  bank: PretendBank
  faults: Faults
  gates: Gates
  credentials: Credentials
  clock: Clock
}

import type { Clock } from '../ports/clock-and-random.ts'
import type { SandboxBank } from './bank.ts'
import type { Faults } from './faults.ts'
import type { Gates } from './gate-controller-per-facility.ts'
import type { ProviderLedger } from './provider-ledger.ts'

export interface Credentials {
  xwebId: string
  terminalId: string
  authKey: string
}

/** Dependencies of the sandbox's routes. */
export interface SandboxParts {
  url: string
  ledger: ProviderLedger
  bank: SandboxBank
  faults: Faults
  gates: Gates
  credentials: Credentials
  clock: Clock
}

import type { LienRules } from '../../domain/office/liens.ts'
import type { Bank } from '../../ports/bank/bank.ts'
import type { BreachedPasswords } from '../../ports/breached-passwords/breached-passwords.ts'
import type { CardProvider } from '../../ports/card-provider/card-provider.ts'
import type { ProviderHealth } from '../../ports/card-provider/watched.ts'
import type { Clock, Random } from '../../ports/clock.ts'
import type { ErrorReporter } from '../../ports/errors/errors.ts'
import type { Files } from '../../ports/files/files.ts'
import type { Geocoder } from '../../ports/geocoder/geocoder.ts'
import type { IpLocation } from '../../ports/ip-location/ip-location.ts'
import type { PropertyManagement } from '../../ports/property-management/property-management.ts'
import type { SecurityLog } from '../../ports/security-log/security-log.ts'
import type { Sms } from '../../ports/sms/sms.ts'
import type { Tally } from '../../ports/tally.ts'
import type { Database } from '../database/open.ts'
import type { RateLimits } from '../rate-limits.ts'
import type { Sealer } from '../sealing/sealer.ts'
import type { Callers } from './callers.ts'
import type { Outcome } from './outcome.ts'

export interface Services {
  db: Database
  limits: RateLimits
  clock: Clock
  random: Random
  sealer: Sealer
  cardProvider: CardProvider
  /** Whether the card provider answers this process. */
  providerHealth?: () => ProviderHealth
  files: Files
  geocoder: Geocoder
  ipLocation: IpLocation
  errors: ErrorReporter
  /** `services.security.record('password.changed', { account })` */
  security: SecurityLog
  /** Counts what happened; none in tests and commands. */
  tally?: Tally
  sms: Sms
  bank: Bank
  propertyManagement: PropertyManagement
  breachedPasswords?: BreachedPasswords
  /** argon2id. */
  passwords: { hash(password: string): Promise<string>; verify(hash: string, password: string): Promise<boolean> }
  /** Runs the operation that a second person approves. Wired with the catalogue, which stands above the modules. */
  approvedAct?: (operation: string, input: unknown, callers: Callers) => Promise<Outcome<unknown>>
  /** A demo: the office takes a code of an authenticator app from every role. */
  anyFactor?: true
  /** In place of those that ship: of a fictional state, for tests. */
  lienRules?: readonly LienRules[]
  /** Without a trailing slash. */
  publicUrl: string
}

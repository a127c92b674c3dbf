import type { LienRules } from '../../domain/office/lien-rules.ts'
import type { PropertyManagement } from '../../ports/appointment-host/appointment-host.ts'
import type { Bank } from '../../ports/bank/bank.ts'
import type { BreachedPasswords } from '../../ports/breached-passwords/breached-passwords.ts'
import type { BusinessEventCounter } from '../../ports/business-event-counter.ts'
import type { CardProvider } from '../../ports/card-provider/card-provider.ts'
import type { ProviderHealth } from '../../ports/card-provider/provider-health.ts'
import type { Clock, Random } from '../../ports/clock-and-random.ts'
import type { ErrorReporter } from '../../ports/errors/errors.ts'
import type { Files } from '../../ports/files/files.ts'
import type { GateBridge, GateSettings } from '../../ports/gate/gate.ts'
import type { Geocoder } from '../../ports/geocoder/geocoder.ts'
import type { IpLocation } from '../../ports/ip-location/ip-location.ts'
import type { SecurityLog } from '../../ports/security-log/security-log.ts'
import type { Sms } from '../../ports/sms/sms.ts'
import type { Database } from '../database/open.ts'
import type { Sealer } from '../encryption/sealer.ts'
import type { RateLimits } from '../rate-limit-counters.ts'
import type { Callers } from './callers.ts'
import type { Outcome } from './outcome.ts'

/** The dependencies of operations: database, ports, clock and settings. */
export interface Services {
  db: Database
  limits: RateLimits
  clock: Clock
  random: Random
  sealer: Sealer
  cardProvider: CardProvider
  /** Returns when the card provider last responded to this process, and since when calls have failed. */
  providerHealth?: () => ProviderHealth
  files: Files
  geocoder: Geocoder
  ipLocation: IpLocation
  errors: ErrorReporter
  /** Records security events: `services.security.record('password.changed', { account })`. */
  security: SecurityLog
  /** Counts business events for metrics; absent where metrics are not collected, as in tests and commands. */
  businessEvents?: BusinessEventCounter
  sms: Sms
  bank: Bank
  propertyManagement: PropertyManagement
  breachedPasswords?: BreachedPasswords
  /** Hashes and verifies passwords (argon2id). */
  passwords: { hash(password: string): Promise<string>; verify(hash: string, password: string): Promise<boolean> }
  /**
   * Runs an operation that a second staff member has approved. Injected, since `platform` must not import the catalogue
   * of operations.
   */
  runApprovedOperation?: (operation: string, input: unknown, callers: Callers) => Promise<Outcome<unknown>>
  /** Set in a demo: staff of every role may use an authenticator app as second factor, not only a passkey. */
  allowsAnyFactor?: true
  /** Replaces the shipped lien rules, in tests. */
  lienRules?: readonly LienRules[]
  /** Creates the client that pushes a gate its list of codes; absent in most tests. */
  gateBridge?: (settings: GateSettings) => GateBridge
  /** Returns whether this database may be a restored copy. If so, machine keys are refused with 503. */
  mayBeRestored?: () => Promise<boolean>
  /** Origin of the site, without a trailing slash. */
  publicUrl: string
}

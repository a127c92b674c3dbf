import type { Bank } from '../../ports/bank/bank.ts'
import type { BreachedPasswords } from '../../ports/breached-passwords/breached-passwords.ts'
import type { CardProvider } from '../../ports/card-provider/card-provider.ts'
import type { Clock, Random } from '../../ports/clock.ts'
import type { ErrorReporter } from '../../ports/errors/errors.ts'
import type { Files } from '../../ports/files/files.ts'
import type { Geocoder } from '../../ports/geocoder/geocoder.ts'
import type { IpLocation } from '../../ports/ip-location/ip-location.ts'
import type { PropertyManagement } from '../../ports/property-management/property-management.ts'
import type { SecurityLog } from '../../ports/security-log/security-log.ts'
import type { Sms } from '../../ports/sms/sms.ts'
import type { Database } from '../database/open.ts'
import type { RateLimits } from '../rate-limits.ts'
import type { Sealer } from '../sealing/sealer.ts'

/** What operations stand on. Wired once in server/services.ts. */
export interface Services {
  db: Database
  limits: RateLimits
  clock: Clock
  random: Random
  sealer: Sealer
  cardProvider: CardProvider
  files: Files
  geocoder: Geocoder
  ipLocation: IpLocation
  errors: ErrorReporter
  /** Sign-ins, refusals, changes of an account: `services.security.record('password.changed', { account })`. */
  security: SecurityLog
  sms: Sms
  bank: Bank
  propertyManagement: PropertyManagement
  /** Absent where no such service is configured. */
  breachedPasswords?: BreachedPasswords
  /** argon2id, kept behind a function because it is native and slow on purpose. */
  passwords: { hash(password: string): Promise<string>; verify(hash: string, password: string): Promise<boolean> }
  /** Our own origin, without a trailing slash: links in mails, return URLs. */
  publicUrl: string
}

import type { Sealer } from '../platform/encryption/sealer.ts'
import type { Clock, Random } from '../ports/clock.ts'

/** What the brochure is to say; the caller draws it as a PDF and keeps it under `fileName`. */
export interface Brochure {
  fileName: string
  operator: { name: string; phone: string }
  /** Coverage and premium (per period of 30 days) in cents. */
  schemes: { scheme_name: string; coverage: number; premium: number; terminology: string }[]
}

export interface SeedParts {
  clock: Clock
  random: Random
  hashPassword(password: string): Promise<string>
  /** Encrypts driver's licences and autopay accounts; without it they are left out. */
  sealer?: Pick<Sealer, 'seal'>
  drawBrochure?(brochure: Brochure): Promise<void>
  /** Keeps a file under a key. */
  putFile?(key: string, content: Uint8Array, contentType: string): Promise<void>
}

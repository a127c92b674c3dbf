import type { Sealer } from '../platform/encryption/sealer.ts'
import type { Clock, Random } from '../ports/clock-and-random.ts'

/** Content of the insurance brochure. The caller draws it as a PDF and stores it under `fileName`. */
export interface Brochure {
  fileName: string
  operator: { name: string; phone: string }
  /** Coverage and premium (for 30 days) in cents. */
  schemes: { scheme_name: string; coverage: number; premium: number; terminology: string }[]
}

/** Dependencies of the demo's seeding. */
export interface SeedParts {
  clock: Clock
  random: Random
  hashPassword(password: string): Promise<string>
  /**
   * Encrypts driver's licenses and the like. Without a sealer, sealed columns stay empty, and parts of the demo, such as
   * its staff members and appointments, are not added.
   */
  sealer?: Pick<Sealer, 'seal'>
  drawBrochure?(brochure: Brochure): Promise<void>
  putFile?(key: string, content: Uint8Array, contentType: string): Promise<void>
}

import { hash, verify } from '@node-rs/argon2'
import type { Services } from '../operations/services.ts'

/** OWASP's parameters for argon2id: 19 MiB, two passes, one lane. */
const argon2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Hashes and verifies passwords by argon2id. */
export const passwords: Services['passwords'] = {
  hash: (password) => hash(password, argon2),
  verify: (stored, password) => verify(stored, password).catch(() => false),
}

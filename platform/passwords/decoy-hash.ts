import type { Services } from '../operations/services.ts'

/** Compared against where there is no account, so that the time of an answer does not tell whether there is one. */
const decoys = new WeakMap<Services, Promise<string>>()

export function decoyHash(services: Services): Promise<string> {
  const known = decoys.get(services)
  if (known) return known
  const made = services.passwords.hash(services.random.hex(16))
  decoys.set(services, made)
  return made
}

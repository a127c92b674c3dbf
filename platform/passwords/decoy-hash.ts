import type { Services } from '../operations/services.ts'

const decoys = new WeakMap<Services, Promise<string>>()

/**
 * Returns a hash to compare with if there is no account, so that the response time does not reveal whether one exists.
 */
export function decoyHash(services: Services): Promise<string> {
  const existing = decoys.get(services)
  if (existing) return existing
  const hash = services.passwords.hash(services.random.hex(16))
  decoys.set(services, hash)
  return hash
}

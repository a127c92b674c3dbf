import type { Database } from '../platform/database/open.ts'
import { tokenHash } from '../platform/encryption/token-hash.ts'
import type { SeedParts } from './parts.ts'

/** Key of the pretend gate controllers in the sandbox. It is no secret: it exists in a demo alone. */
export const demoGateToken = 'lk_demogates001_no-secret-opens-only-pretend-gates-of-demos'

/** Adds the key once. */
export async function seedGateKey(db: Database, { clock }: SeedParts): Promise<void> {
  await db.write
    .insertInto('machine_keys')
    .values({
      key_id: demoGateToken.slice(3, 15),
      name: 'Pretend gates of the sandbox',
      role: 'gate',
      scopes: 'all',
      pii: 0,
      per_minute: 6000,
      secret_hash: tokenHash(demoGateToken),
      previous_hash: null,
      previous_until: null,
      expires_at: null,
      created_by: 'demo',
      created_at: clock.now(),
      revoked_at: null,
      last_used_at: null,
      last_address: '',
    })
    .onConflict((clash) => clash.doNothing())
    .execute()
}

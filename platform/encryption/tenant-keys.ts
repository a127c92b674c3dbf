/** Encryption keys of single tenants, stored encrypted. Deleting a tenant's key makes the texts encrypted with it unreadable. */
import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Services } from '../operations/services.ts'
import type { Sealed } from '../schema/json-and-sealed-types.ts'
import type { Tables } from '../schema/tables.ts'
import { Sealer } from './sealer.ts'

export interface TenantRef {
  locationCode: string
  tenantId: number
}

export const tenantKeyContext = (locationCode: string, tenantId: number): string =>
  `tenant:${locationCode}:${tenantId}:key`

async function loadTenantSealer(
  db: Kysely<Tables>,
  { sealer }: Pick<Services, 'sealer'>,
  { locationCode, tenantId }: TenantRef,
): Promise<Sealer | null> {
  const row = await db
    .selectFrom('tenant_keys')
    .select('key_sealed')
    .where('location_code', '=', locationCode)
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  if (!row) return null
  const key = sealer.open(row.key_sealed, tenantKeyContext(locationCode, tenantId))
  return new Sealer({ keys: [{ id: 'tenant', key: Buffer.from(key, 'hex') }] })
}

/**
 * Encrypts a text with the tenant's key, which the first call creates. Call it in the transaction that writes the text.
 */
export async function sealForTenant(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'sealer'>,
  tenant: TenantRef,
  { text, context }: { text: string; context: string },
): Promise<Sealed> {
  const existing = await loadTenantSealer(tx, services, tenant)
  if (existing) return existing.seal(text, context)
  await tx
    .insertInto('tenant_keys')
    .values({
      location_code: tenant.locationCode,
      tenant_id: tenant.tenantId,
      key_sealed: services.sealer.seal(
        randomBytes(32).toString('hex'),
        tenantKeyContext(tenant.locationCode, tenant.tenantId),
      ),
      created_at: services.clock.now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const created = await loadTenantSealer(tx, services, tenant)
  if (!created) throw new Error(`Tenant ${tenant.locationCode} ${tenant.tenantId} has no key`)
  return created.seal(text, context)
}

/**
 * Decrypts a text with the tenant's key; null if there is no key, as after an erasure.
 * @throws DecryptionFailed
 */
export async function decryptForTenant(
  db: Kysely<Tables>,
  services: Pick<Services, 'sealer'>,
  tenant: TenantRef,
  { sealed, context }: { sealed: Sealed; context: string },
): Promise<string | null> {
  return (await loadTenantSealer(db, services, tenant))?.open(sealed, context) ?? null
}

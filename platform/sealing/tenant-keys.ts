/** A key for each tenant, itself under the installation's. Once it is deleted, nothing that it sealed opens again. */
import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Services } from '../operations/services.ts'
import type { Tables } from '../schema/tables.ts'
import type { Sealed } from '../schema/text-columns.ts'
import { Sealer } from './sealer.ts'

export interface TenantOf {
  locationCode: string
  tenantId: number
}

export const tenantKeyContext = (locationCode: string, tenantId: number): string =>
  `tenant:${locationCode}:${tenantId}:key`

async function tenantSealer(
  db: Kysely<Tables>,
  { sealer }: Pick<Services, 'sealer'>,
  { locationCode, tenantId }: TenantOf,
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

/** Seals a text under the tenant's key, which is made with the first. In the transaction that writes it. */
export async function sealForTenant(
  tx: Kysely<Tables>,
  services: Pick<Services, 'clock' | 'sealer'>,
  of: TenantOf,
  { text, context }: { text: string; context: string },
): Promise<Sealed> {
  const known = await tenantSealer(tx, services, of)
  if (known) return known.seal(text, context)
  await tx
    .insertInto('tenant_keys')
    .values({
      location_code: of.locationCode,
      tenant_id: of.tenantId,
      key_sealed: services.sealer.seal(randomBytes(32).toString('hex'), tenantKeyContext(of.locationCode, of.tenantId)),
      created_at: services.clock.now(),
    })
    .onConflict((other) => other.doNothing())
    .execute()
  const made = await tenantSealer(tx, services, of)
  if (!made) throw new Error(`Tenant ${of.locationCode} ${of.tenantId} has no key`)
  return made.seal(text, context)
}

/** @returns the text; null where the tenant's key was erased. @throws SealBroken where it was changed */
export async function openForTenant(
  db: Kysely<Tables>,
  services: Pick<Services, 'sealer'>,
  of: TenantOf,
  { sealed, context }: { sealed: Sealed; context: string },
): Promise<string | null> {
  return (await tenantSealer(db, services, of))?.open(sealed, context) ?? null
}

import type { Kysely } from 'kysely'
import { lockName } from '../../platform/database/lock-by-name.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Tables } from '../../platform/schema/tables.ts'
import { photoOrigin } from './rules/allowed-photo-address.ts'
import { type BrandRecord, parseBrand } from './rules/brand.ts'

/** Loads the operator's brand; missing parts are Latchkey's own. */
export async function loadBrand(services: Services): Promise<BrandRecord> {
  return parseBrand((await loadSetting(services.db.read, 'brand')) ?? '{}')
}

/** Loads a setting's stored value; null where it was never set. */
export async function loadSetting(db: Kysely<Tables>, name: string): Promise<string | null> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value ?? null
}

/**
 * Loads and locks a setting that the transaction will change, so that the second of two writers sees the first's value.
 * null where the setting was never set.
 */
export async function lockSetting(tx: Kysely<Tables>, name: string): Promise<string | null> {
  // A setting that was never stored has no row, so its name is locked.
  await lockName(tx, `setting ${name}`)
  return loadSetting(tx, name)
}

export async function setSetting(tx: Kysely<Tables>, name: string, value: string, now: number): Promise<void> {
  const row = { value, updated_at: now }
  await tx
    .insertInto('settings')
    .values({ name, ...row })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute()
}

/** Returns the external origins of facility photos, for the content security policy. */
export async function loadPhotoOrigins(services: Pick<Services, 'db'>): Promise<string[]> {
  const rows = await services.db.read
    .selectFrom('locations')
    .select('photo')
    .distinct()
    .where('photo', '!=', '')
    .where('photo', 'not like', '/%')
    .execute()
  return [...new Set(rows.map((row) => photoOrigin(row.photo)).filter((origin) => origin !== null))].sort()
}

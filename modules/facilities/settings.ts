import { type BrandRecord, brandFrom } from '../../domain/brand.ts'
import { photoOrigin } from '../../domain/photo.ts'
import type { Services } from '../../platform/operations/services.ts'

// ── The operator's own record, and whom to call ───────────────────────────────────────────────────────────────────────

/** What the operator has not set is Latchkey's own. */
export async function brandOf(services: Services): Promise<BrandRecord> {
  const row = await services.db.read
    .selectFrom('settings')
    .select('value')
    .where('name', '=', 'brand')
    .executeTakeFirst()
  return brandFrom(row?.value ?? '{}')
}

/** Whose pictures the facilities' pages show besides our own; for the content policy. */
export async function photoOriginsOf(services: Pick<Services, 'db'>): Promise<string[]> {
  const rows = await services.db.read
    .selectFrom('locations')
    .select('photo')
    .distinct()
    .where('photo', '!=', '')
    .where('photo', 'not like', '/%')
    .execute()
  return [...new Set(rows.map((row) => photoOrigin(row.photo)).filter((origin) => origin !== null))].sort()
}

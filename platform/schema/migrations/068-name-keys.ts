import type { Kysely } from 'kysely'
import { nameKey } from '../../../domain/phone.ts'

const AT_ONCE = 500

interface NamedTenant {
  location_code: string
  tenant_id: number
  last: string
  last_key: string
}

/** Computes the keys of last names again: they ignore spaces, hyphens, apostrophes and generations now. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const tables = db as Kysely<{ tenants: NamedTenant }>
  let [location, id] = ['', 0]
  for (;;) {
    const rows = await tables
      .selectFrom('tenants')
      .select(['location_code', 'tenant_id', 'last', 'last_key'])
      .where((eb) => eb(eb.refTuple('location_code', 'tenant_id'), '>', eb.tuple(location, id)))
      .orderBy('location_code')
      .orderBy('tenant_id')
      .limit(AT_ONCE)
      .execute()
    for (const { location_code, tenant_id, last, last_key } of rows) {
      const key = nameKey(last)
      // An erased tenant has no key.
      if (last_key === '' || last_key === key) continue
      await tables
        .updateTable('tenants')
        .set({ last_key: key })
        .where((eb) => eb.and({ location_code, tenant_id }))
        .execute()
    }
    const end = rows.at(-1)
    if (end === undefined) return
    location = end.location_code
    id = end.tenant_id
  }
}

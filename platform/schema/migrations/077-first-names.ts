import { type Kysely, sql } from 'kysely'
import { nameKey } from '../../../domain/phone.ts'
import { engineOf } from '../../database/engine.ts'
import type { TableChange } from './table.ts'

const AT_ONCE = 500

interface NamedTenant {
  location_code: string
  tenant_id: number
  first: string
}

/** Columns that join a table of an earlier migration. */
export const firstNameColumns = { tenants: { first_key: 'text' } } as const

const phones = ['cell_phone', 'home_phone', 'work_phone', 'company_phone'] as const

/** Adds the key by which a first name is found. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = sql.raw(engineOf(db) === 'sqlite' ? 'text' : 'text collate "C"')
  await sql`alter table tenants add column first_key ${text} not null default ''`.execute(db)
  await addKeys(db as Kysely<{ tenants: NamedTenant }>)
}

/** Also of phone numbers without their area code. */
export const indexes: TableChange['indexes'] = [
  { name: 'tenants_by_first_name', table: 'tenants', columns: 'first_key, location_code, tenant_id' },
  ...phones.map((phone) => ({
    name: `tenants_by_local_${phone}`,
    table: 'tenants',
    columns: `substr(${phone}, 4)`,
    where: `${phone} <> ''`,
  })),
]

async function addKeys(db: Kysely<{ tenants: NamedTenant }>): Promise<void> {
  let [location, id] = ['', 0]
  for (;;) {
    const rows = await db
      .selectFrom('tenants')
      .select(['location_code', 'tenant_id', 'first'])
      .where((eb) => eb(eb.refTuple('location_code', 'tenant_id'), '>', eb.tuple(location, id)))
      .orderBy('location_code')
      .orderBy('tenant_id')
      .limit(AT_ONCE)
      .execute()
    const keys = rows.map(
      ({ location_code, tenant_id, first }) => sql`(${location_code}, cast(${tenant_id} as bigint), ${nameKey(first)})`,
    )
    if (keys.length > 0)
      await sql`with named (at, id, name) as (values ${sql.join(keys)})
        update tenants set first_key = named.name from named where location_code = named.at and tenant_id = named.id`.execute(
        db,
      )
    const end = rows.at(-1)
    if (end === undefined) return
    location = end.location_code
    id = end.tenant_id
  }
}

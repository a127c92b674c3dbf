/**
 * Complete table rows for tests, which override only the columns they need, and functions that insert, load and change
 * rows.
 */
import type { Insertable, Kysely, Selectable } from 'kysely'
import { nameKey } from '../../domain/name-and-email-keys.ts'
import type { Database } from '../../platform/database/open.ts'
import type {
  LeasesTable,
  LocationsTable,
  Tables,
  TenantsTable,
  UnitsTable,
  UnitTypesTable,
} from '../../platform/schema/tables.ts'

/** Time of the tests' clock in epoch milliseconds: Friday, November 20, 2026, 12:00 in Atlanta, 07:00 in Honolulu. */
export const noon = Date.parse('2026-11-20T17:00:00Z')

export const location = (
  columns: Partial<LocationsTable> & Pick<LocationsTable, 'location_code' | 'facility_id' | 'slug'>,
) => ({
  name: `Storage ${columns.location_code}`,
  address: '1 Depot Street',
  city: 'Atlanta',
  city_slug: 'atlanta',
  state: 'GA',
  zip: '30308',
  phone: '4045550199',
  reservation_email: 'desk@storage.example',
  lat: 33.77,
  lng: -84.37,
  time_zone: 'America/New_York',
  photo: '',
  front: 1,
  description: '',
  directions: '',
  office_hours: '[]',
  gate_hours: '5 AM to 9 PM',
  features: '[]',
  security: '[]',
  sboa: 1 as const,
  sboa_brochure: 'protection.pdf',
  reservation_window: 14,
  cc_fee: 1 as const,
  allow_ach: 1 as const,
  facility_map_enabled: 1 as const,
  coming_soon: 0 as const,
  feedback_link: 'https://reviews.example/ga1',
  special_instruction_after_rental: '',
  rent_tax_rate: 890,
  insurance_tax_rate: 400,
  fee_tax_rate: 700,
  auction_after_days: 75,
  ...columns,
})

export const unitType = (
  columns: Partial<UnitTypesTable> & Pick<UnitTypesTable, 'location_code' | 'unit_type_id'>,
) => ({
  unit_type_code: `T${columns.unit_type_id}`,
  category_name: 'Indoor',
  length: 10,
  breadth: 10,
  rent: 150_00,
  internet_price: 139_00,
  internet_price_available: 1 as const,
  description: 'Half a garage.',
  detailed_description: 'A one-bedroom home.',
  features: '["indoor"]',
  ...columns,
})

export const tenant = (columns: Partial<TenantsTable> & Pick<TenantsTable, 'tenant_id' | 'first' | 'last'>) => ({
  location_code: 'GA1',
  account_id: null,
  middle: '',
  first_key: nameKey(columns.first),
  last_key: nameKey(columns.last),
  company: '',
  email: `${columns.first.toLowerCase()}@example.com`,
  email_key: `${columns.first.toLowerCase()}@example.com`,
  cell_phone: '4045550111',
  home_phone: '',
  work_phone: '',
  address: '5 Elm Street',
  city: 'Atlanta',
  state: 'GA',
  zip: '30309',
  company_address: '',
  company_city: '',
  company_state: '',
  company_zip: '',
  company_phone: '',
  company_email: '',
  active_military: 0 as const,
  military: '{}',
  identity_sealed: null,
  grant_online_access: 0 as const,
  created_at: noon - 1e10,
  ...columns,
})

export const lease = (
  columns: Partial<Insertable<LeasesTable>> &
    Pick<LeasesTable, 'lease_number' | 'tenant_id' | 'unit_id' | 'unit_number'>,
): Insertable<LeasesTable> => ({
  location_code: 'GA1',
  unit_type_id: 1,
  reservation_code: null,
  status: 'Current',
  move_in_date: '2026-11-01',
  paid_through: '2026-11-30',
  rent: 139_00,
  insurance_status: 0,
  insurance_scheme_id: 0,
  insurance_premium: 0,
  insurance_notes: '{}',
  discount_id: 0,
  autopay: 0,
  autopay_method: '',
  autopay_sealed: null,
  autopay_label: '',
  autopay_consent_at: null,
  gate_code: '482917',
  combo_code: '4821',
  auction_prepped: 0,
  scheduled_move_out: null,
  move_out_reason: null,
  terms_required: 0,
  terms_accepted_at: null,
  autopay_consent_text: null,
  overlocked: null,
  closed_on: null,
  details: '{}',
  imported: '{}',
  document_id: null,
  order_id: null,
  created_at: noon - 1e9,
  ...columns,
})

/** A free unit. Its place on the map depends on its id; a unit with id 3 has none. */
export const unit = (location_code: string, unit_id: number, unit_type_id: number, unit_number: string) => ({
  location_code,
  unit_id,
  unit_number,
  unit_type_id,
  status: 'free' as UnitsTable['status'],
  held_by: null,
  held_until: null,
  floor_no: 1,
  left_coordinate: unit_id === 3 ? null : unit_id * 10,
  top_coordinate: 0,
  length: 10,
  width: 10,
  rotate: 0,
})

export const addLocation = (
  db: Kysely<Tables>,
  location_code: string,
  changes: Partial<Insertable<LocationsTable>> = {},
) => {
  const facility_id = Number(location_code.replace(/\D/g, '')) || 1
  const slug = location_code.toLowerCase()
  return db
    .insertInto('locations')
    .values(location({ location_code, facility_id, slug, ...changes }))
    .execute()
}

/** Adds a unit type with free units of these numbers. Unit ids are consecutive from `firstId`, 1 by default. */
export async function addUnits(
  db: Kysely<Tables>,
  location_code: string,
  { unitTypeId, numbers, firstId = 1 }: { unitTypeId: number; numbers: string[]; firstId?: number },
): Promise<void> {
  await db
    .insertInto('unit_types')
    .values(unitType({ location_code, unit_type_id: unitTypeId }))
    .execute()
  const units = numbers.map((number, index) => unit(location_code, firstId + index, unitTypeId, number))
  await db.insertInto('units').values(units).execute()
}

export const addTenant = (
  db: Kysely<Tables>,
  location_code: string,
  tenant_id: number,
  changes: Partial<Insertable<TenantsTable>> = {},
) =>
  db
    .insertInto('tenants')
    .values(tenant({ location_code, tenant_id, first: 'Dana', last: 'Whitfield', ...changes }))
    .execute()

/** Returns the listed columns of a table's rows with the values in `where`, ordered by the first column. */
export function rowsOf<T extends keyof Tables, C extends keyof Tables[T] & string>(
  { read }: Pick<Database, 'read'>,
  table: T,
  columns: readonly C[],
  where: Partial<Selectable<Tables[T]>> = {},
): Promise<Pick<Selectable<Tables[T]>, C & keyof Selectable<Tables[T]>>[]> {
  let query = read.selectFrom(table as keyof Tables).select(columns as never)
  for (const [column, value] of Object.entries(where)) query = query.where(column as never, '=', value as never)
  return query.orderBy(columns[0] as never).execute() as never
}

type Row<T extends keyof Tables> = Selectable<Tables[T]>

/** Returns the rows of a table that have the values in `having`. */
export const recordsOf = <T extends keyof Tables>(
  { db }: { db: Database },
  table: T,
  having: Partial<Row<T>> = {},
): Promise<Row<T>[]> =>
  db.read
    .selectFrom(table as 'leases')
    .selectAll()
    .where(({ and }) => and(having as object))
    .execute() as Promise<never>

/**
 * Returns a row of a table that has the values in `having`.
 * @throws Error when there is none
 */
export async function recordOf<T extends keyof Tables>(
  services: { db: Database },
  table: T,
  having: Partial<Row<T>> = {},
) {
  const [row] = await recordsOf(services, table, having)
  if (!row) throw new Error(`No row of ${table} has ${JSON.stringify(having)}`)
  return row
}

/** Sets columns of those rows of a table that have the values in `having`. */
export const change = <T extends keyof Tables>(
  { db }: { db: Database },
  table: T,
  having: Partial<Row<T>>,
  set: Partial<Row<T>>,
): Promise<unknown> =>
  db.write
    .updateTable(table as 'leases')
    .set(set as object)
    .where(({ and }) => and(having as object))
    .execute()

export const addRecord = ({ db }: { db: Database }, table: keyof Tables, values: object): Promise<unknown> =>
  db.write
    .insertInto(table as 'leases')
    .values(values as never)
    .execute()

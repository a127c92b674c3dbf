/**
 * Facilities of the bench's own, so that a run never lacks a free unit: copies of a demo facility's catalogue, of the size
 * that facilities have, in a state where the demo has none.
 */
import type { Database } from '../database/open.ts'
import type { Tables } from '../platform/schema/tables.ts'

export interface Place {
  locationCode: string
  unitTypeIds: number[]
  /** One unit of each type, to ask the price of. */
  unitIds: number[]
}

const unitsEach = 600

/** Writes `count` facilities of 600 free units, named B01 … @throws Error where the demo operator is not there yet */
export async function openFacilities(db: Database, count: number): Promise<Place[]> {
  const source = await db.read
    .selectFrom('locations')
    .selectAll()
    .where('sboa', '=', 1)
    .where('cc_fee', '=', 1)
    .where('coming_soon', '=', 0)
    .where('facility_id', '!=', 1)
    .orderBy('location_code')
    .executeTakeFirstOrThrow()
  const rowsOf = <Name extends 'location_contents' | 'unit_types' | 'discounts' | 'insurance_schemes' | 'fees'>(
    table: Name,
  ) =>
    db.read
      .selectFrom(table as 'unit_types')
      .selectAll()
      .where('location_code', '=', source.location_code)
      .execute() as unknown as Promise<Tables[Name][]>
  const [contents, types, discounts, schemes, fees] = await Promise.all([
    rowsOf('location_contents'),
    rowsOf('unit_types'),
    rowsOf('discounts'),
    rowsOf('insurance_schemes'),
    rowsOf('fees'),
  ])
  const unitTypeIds = types.map((type) => type.unit_type_id)
  const places: Place[] = []
  for (let number = 1; number <= count; number++) {
    const location_code = `B${String(number).padStart(2, '0')}`
    const moved = <Row extends { location_code: string }>(rows: Row[]) => rows.map((row) => ({ ...row, location_code }))
    const units = Array.from({ length: unitsEach }, (_, index) => ({
      location_code,
      unit_id: index + 1,
      unit_number: String(index + 1),
      unit_type_id: unitTypeIds[index % unitTypeIds.length] as number,
      status: 'free' as const,
      held_by: null,
      held_until: null,
      floor_no: 1,
      left_coordinate: (index % 40) * 10,
      top_coordinate: Math.floor(index / 40) * 12,
      length: 10,
      width: 10,
      rotate: 0,
    }))
    await db.transaction(async (tx) => {
      await tx
        .insertInto('locations')
        .values({
          ...source,
          location_code,
          facility_id: 9000 + number,
          name: `Bench ${location_code}`,
          slug: `${number}-bench-road`,
          address: `${number} Bench Road`,
          city: 'Cheyenne',
          city_slug: 'cheyenne',
          state: 'WY',
          zip: '82001',
          lat: 41.14 + number / 100,
          lng: -104.82,
          time_zone: 'America/Denver',
        })
        .execute()
      await tx.insertInto('location_contents').values(moved(contents)).execute()
      await tx.insertInto('unit_types').values(moved(types)).execute()
      if (discounts.length > 0) await tx.insertInto('discounts').values(moved(discounts)).execute()
      await tx.insertInto('insurance_schemes').values(moved(schemes)).execute()
      await tx.insertInto('fees').values(moved(fees)).execute()
      for (let from = 0; from < units.length; from += 100)
        await tx
          .insertInto('units')
          .values(units.slice(from, from + 100))
          .execute()
    })
    places.push({ locationCode: location_code, unitTypeIds, unitIds: unitTypeIds.map((_, index) => index + 1) })
  }
  return places
}

/** A demo facility with a page of its own. */
export async function demoFacility(db: Database): Promise<{ path: string; locationCode: string; unitTypeId: number }> {
  const row = await db.read
    .selectFrom('locations')
    .selectAll()
    .where('state', '=', 'GA')
    .where('facility_id', '!=', 1)
    .orderBy('location_code')
    .executeTakeFirstOrThrow()
  const type = await db.read
    .selectFrom('units')
    .select('unit_type_id')
    .where('location_code', '=', row.location_code)
    .where('status', '=', 'free')
    .executeTakeFirstOrThrow()
  const path = `/storage-units/${row.state.toLowerCase()}/${row.city_slug}/${row.slug}`
  return { path, locationCode: row.location_code, unitTypeId: type.unit_type_id }
}

import type { Kysely } from 'kysely'
import type { Tables } from '../../platform/schema/tables.ts'

/** Rows for tests that need a facility to stand in: complete, and dull. */

/** A facility. Its number is the digits of its code. */
export async function addLocation(
  db: Kysely<Tables>,
  code: string,
  changes: Partial<Tables['locations']> = {},
): Promise<void> {
  await db
    .insertInto('locations')
    .values({
      location_code: code,
      facility_id: Number(code.replace(/\D/g, '')) || 1,
      name: `Facility ${code}`,
      slug: code.toLowerCase(),
      address: '675 North Ave NE',
      city: 'Atlanta',
      city_slug: 'atlanta',
      state: 'GA',
      zip: '30308',
      phone: '4045550100',
      reservation_email: 'facility@example.com',
      lat: 33.7714,
      lng: -84.3654,
      time_zone: 'America/New_York',
      photo: '',
      front: 1,
      description: '',
      directions: '',
      office_hours: '[]',
      gate_hours: '6 AM to 10 PM',
      features: '[]',
      sboa: 1,
      sboa_brochure: '',
      reservation_window: 14,
      cc_fee: 0,
      allow_ach: 1,
      facility_map_enabled: 1,
      coming_soon: 0,
      feedback_link: '',
      special_instruction_after_rental: '',
      rent_tax_rate: 0,
      insurance_tax_rate: 0,
      fee_tax_rate: 0,
      auction_after_days: 75,
      ...changes,
    })
    .execute()
}

/** A unit type (10 × 10 feet, $139.00) with free units of these numbers, their ids counted from `firstId` (1). */
export async function addUnits(
  db: Kysely<Tables>,
  location_code: string,
  what: { unitTypeId: number; numbers: string[]; firstId?: number },
): Promise<void> {
  await db
    .insertInto('unit_types')
    .values({
      location_code,
      unit_type_id: what.unitTypeId,
      unit_type_code: `T${what.unitTypeId}`,
      category_name: 'Storage',
      length: 10,
      breadth: 10,
      rent: 13900,
      internet_price: 13900,
      internet_price_available: 0,
      description: '',
      detailed_description: '',
      features: '[]',
    })
    .execute()
  await db
    .insertInto('units')
    .values(
      what.numbers.map((unit_number, at) => ({
        location_code,
        unit_id: (what.firstId ?? 1) + at,
        unit_number,
        unit_type_id: what.unitTypeId,
        status: 'free' as const,
        floor_no: 1,
        length: 10,
        width: 10,
        rotate: 0,
      })),
    )
    .execute()
}

export async function addTenant(
  db: Kysely<Tables>,
  location_code: string,
  tenant_id: number,
  changes: Partial<Tables['tenants']> = {},
): Promise<void> {
  await db
    .insertInto('tenants')
    .values({
      location_code,
      tenant_id,
      first: 'Dana',
      middle: '',
      last: 'Whitfield',
      last_key: 'whitfield',
      company: '',
      email: 'Dana@example.com',
      email_key: 'dana@example.com',
      cell_phone: '4045550142',
      home_phone: '',
      work_phone: '',
      address: '12 Peachtree Pl',
      city: 'Atlanta',
      state: 'GA',
      zip: '30309',
      company_address: '',
      company_city: '',
      company_state: '',
      company_zip: '',
      company_phone: '',
      company_email: '',
      active_military: 0,
      military: '{}',
      grant_online_access: 0,
      created_at: 1,
      ...changes,
    })
    .execute()
}

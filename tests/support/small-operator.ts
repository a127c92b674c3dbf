/**
 * A small operator for tests, with services and callers: the office, a facility in Georgia with many options, one in
 * Hawaii with few, and two existing tenants. It contains no demo data.
 */

import { embeddedPropertyManagement } from '../../modules/appointments/answer-proposed-appointment-in-own-database.ts'
import { rentalCallerOf } from '../../modules/reservations/draft.ts'
import { loadDraftOfSession } from '../../modules/reservations/draft-sessions-across-browsers.ts'
import type { Database } from '../../platform/database/open.ts'
import { Sealer } from '../../platform/encryption/sealer.ts'
import type { Callers, TenantCaller } from '../../platform/operations/callers.ts'
import type { Services } from '../../platform/operations/services.ts'
import { RateLimits } from '../../platform/rate-limit-counters.ts'
import { fixedClock, seededRandom } from '../../ports/testing-clock-and-random.ts'
import { lease, location, noon, tenant, unit, unitType } from './rows.ts'

export { lease, noon, tenant } from './rows.ts'
export const today = '2026-11-20'

/** Returns a port that throws on every use, except for the properties in `usable`. */
function untouched<Port extends object>(name: string, usable: Partial<Port> = {}): Port {
  return new Proxy(usable as Port, {
    get: (_, property) => {
      if (property in usable) return usable[property as keyof Port]
      throw new Error(`${name}.${String(property)} was used`)
    },
  })
}

export const sealer = new Sealer({ keys: [{ id: 'test', key: new Uint8Array(32).fill(9) }] })

/** Fast password hashing, because its cost is not tested here. */
export const passwords: Services['passwords'] = {
  hash: async (password) => `hash of ${password}`,
  verify: async (hash, password) => hash === `hash of ${password}`,
}

export type RecordedSecurityEvents = Parameters<Services['security']['record']>[]

export function recordingSecurity(): Services['security'] & { recorded: RecordedSecurityEvents } {
  const recorded: RecordedSecurityEvents = []
  return { recorded, record: (...line) => void recorded.push(line) }
}

export type TestServices = Services & {
  clock: ReturnType<typeof fixedClock>
  security: { recorded: RecordedSecurityEvents }
}

/**
 * Opens services on a database and seeds it with the small operator. The clock is at `noon`. External services, the
 * file store and error reports throw when used, except for the card provider's page origin.
 */
export async function openTestServices(db: Database): Promise<TestServices> {
  const services = testServicesOn(db)
  await seedSmallOperator(db)
  return services
}

/** Builds test services over a database with whatever rows it has. */
export function testServicesOn(db: Database): TestServices {
  const clock = fixedClock(noon)
  const services: TestServices = {
    db,
    limits: new RateLimits({ db, clock }),
    clock,
    random: seededRandom(7),
    sealer,
    cardProvider: untouched<Services['cardProvider']>('cardProvider', { pageOrigin: 'http://127.0.0.1:1' }),
    files: untouched('files'),
    geocoder: untouched('geocoder'),
    ipLocation: untouched('ipLocation'),
    errors: untouched('errors'),
    security: recordingSecurity(),
    sms: untouched('sms'),
    bank: untouched('bank'),
    propertyManagement: embeddedPropertyManagement({ db, clock }),
    passwords: { ...passwords },
    publicUrl: 'https://rent.example',
  }
  return services
}

/**
 * Inserts the small operator. GA1: type 1 (10×10, free units 101–103, First Month Free), type 2 (10×15, free unit
 * 201, half off), type 3 (parking, free unit P1, no discount), insurance, 24-hour access, fees for move-in, 24-hour
 * access, cards and shore power. HI1: type 1, one free unit, no insurance, no fees. Tenants of GA1: Ada Byrne (1001,
 * account 'ada', lease 10001 of unit 301), and Cy Dorn (1002, account 'cy', lease 10002 of unit 302, past due).
 */
async function seedSmallOperator(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    await tx
      .insertInto('settings')
      .values([
        { name: 'brand', value: JSON.stringify({ name: 'Storage', phone: '8885550100' }), updated_at: 0 },
        { name: 'app_banner', value: '<b>Open</b><img src=x onerror=alert(1)>', updated_at: 0 },
        { name: 'maintenance', value: 'false', updated_at: 0 },
        { name: 'secret', value: 'not for the public', updated_at: 0 },
      ])
      .execute()
    await tx
      .insertInto('states')
      .values([
        { short_name: 'GA', full_name: 'Georgia', map_img: 'ga.svg', general_contact_number: '4045550100' },
        { short_name: 'HI', full_name: 'Hawaii', map_img: 'hi.svg', general_contact_number: '' },
      ])
      .execute()
    await tx
      .insertInto('locations')
      .values([
        location({ location_code: 'HQ', facility_id: 1, slug: 'office' }),
        location({ location_code: 'GA1', facility_id: 101, slug: '1-depot-street' }),
        location({
          location_code: 'HI1',
          facility_id: 102,
          slug: '2-pier-road',
          city: 'Honolulu',
          city_slug: 'honolulu',
          state: 'HI',
          phone: '',
          lat: 21.31,
          lng: -157.86,
          time_zone: 'Pacific/Honolulu',
          sboa: 0,
          sboa_brochure: '',
          cc_fee: 0,
          reservation_window: 3,
          facility_map_enabled: 0,
          rent_tax_rate: 0,
          insurance_tax_rate: 0,
          fee_tax_rate: 0,
        }),
      ])
      .execute()
    await tx
      .insertInto('location_contents')
      .values([
        {
          location_code: 'GA1',
          website_move_in_completion_screen: '<p onclick="x()">Hi <a href="{review_link}">review</a></p>',
          fee_for_24hr_access: 20_00,
        },
        { location_code: 'HI1', website_move_in_completion_screen: '', fee_for_24hr_access: null },
      ])
      .execute()
    await tx
      .insertInto('unit_types')
      .values([
        unitType({ location_code: 'HQ', unit_type_id: 1 }),
        unitType({ location_code: 'GA1', unit_type_id: 1 }),
        unitType({ location_code: 'GA1', unit_type_id: 2, breadth: 15, internet_price_available: 0 }),
        unitType({
          location_code: 'GA1',
          unit_type_id: 3,
          category_name: 'Open Parking',
          breadth: 30,
          rent: 60_00,
          internet_price: 60_00,
        }),
        unitType({ location_code: 'HI1', unit_type_id: 1 }),
      ])
      .execute()
    await tx
      .insertInto('units')
      .values([
        unit('GA1', 1, 1, '101'),
        unit('GA1', 2, 1, '102'),
        unit('GA1', 3, 1, '103'),
        unit('GA1', 4, 2, '201'),
        unit('GA1', 5, 3, 'P1'),
        { ...unit('GA1', 6, 1, '301'), status: 'rented' as const },
        { ...unit('GA1', 7, 1, '302'), status: 'rented' as const },
        unit('HI1', 1, 1, '0001'),
      ])
      .execute()
    await tx
      .insertInto('map_fixtures')
      .values({
        location_code: 'GA1',
        fixture_id: 1,
        category_name: 'Gate',
        floor_no: 1,
        left_coordinate: 0,
        top_coordinate: 0,
        length: 20,
        width: 2,
        rotate: 0,
        system_rotation: 90,
      })
      .execute()
    const discount = { location_code: 'GA1', type: 1, displayable: 1, revenue_managed: 1, available: 1 } as const
    await tx
      .insertInto('discounts')
      .values([
        { ...discount, discount_id: 1, unit_type_id: 1, description: 'Staff only', amount: 90_00, displayable: 0 },
        { ...discount, discount_id: 2, unit_type_id: 1, description: 'First Month Free', amount: 100_00 },
        { ...discount, discount_id: 3, unit_type_id: 1, description: 'Later one', amount: 10_00 },
        { ...discount, discount_id: 4, unit_type_id: 2, description: '50% Off', amount: 50_00 },
        { ...discount, discount_id: 5, unit_type_id: 2, description: 'Gone', amount: 80_00, available: 0 },
      ])
      .execute()
    const scheme = { location_code: 'GA1', terminology: 'Fire and burglary.' }
    await tx
      .insertInto('insurance_schemes')
      .values([
        { ...scheme, scheme_id: 1, scheme_name: 'Cover $5,000', coverage: 5000_00, premium: 24_00 },
        { ...scheme, scheme_id: 2, scheme_name: 'Cover $2,000', coverage: 2000_00, premium: 12_00 },
        { ...scheme, location_code: 'HI1', scheme_id: 1, scheme_name: 'Not offered', coverage: 1, premium: 1_00 },
      ])
      .execute()
    const fee = { location_code: 'GA1', unit_type_id: null }
    await tx
      .insertInto('fees')
      .values([
        { ...fee, fee_id: 1, description: 'Administration Fee', amount: 29_00, charged: 'move_in' },
        { ...fee, fee_id: 2, description: '24 Hour Access Fee', amount: 20_00, charged: 'on_choice' },
        { ...fee, fee_id: 3, description: 'Credit Card Processing Fee', amount: 2_00, charged: 'card' },
        { ...fee, fee_id: 4, unit_type_id: 3, description: 'Shore Power', amount: 15_00, charged: 'period' },
      ])
      .execute()
    const account = { question_id: 1, security_answer_hash: 'hash of maple', created_at: 0 }
    await tx
      .insertInto('accounts')
      .values([
        {
          ...account,
          account_id: 'ada',
          username: 'ada@example.com',
          email: 'ada@example.com',
          password_hash: 'hash of ada-secret',
        },
        { ...account, account_id: 'cy', username: 'cyd', email: 'cy@example.com', password_hash: 'hash of cy-secret' },
      ])
      .execute()
    await tx
      .insertInto('tenants')
      .values([
        tenant({ tenant_id: 1001, first: 'Ada', last: 'Byrne', account_id: 'ada', grant_online_access: 1 }),
        tenant({
          tenant_id: 1002,
          first: 'Cy',
          last: 'Dorn',
          account_id: 'cy',
          grant_online_access: 1,
          cell_phone: '4045550122',
        }),
      ])
      .execute()
    await tx.insertInto('counters').values({ location_code: 'GA1', kind: 'tenant', next: 1003 }).execute()
    await tx
      .insertInto('leases')
      .values([
        lease({ lease_number: 10001, tenant_id: 1001, unit_id: 6, unit_number: '301' }),
        lease({
          lease_number: 10002,
          tenant_id: 1002,
          unit_id: 7,
          unit_number: '302',
          gate_code: '591734',
          status: 'Past Due',
        }),
      ])
      .execute()
    const code = { location_code: 'GA1', time_zone_name: 'standard', active: 1, created_at: 0 } as const
    await tx
      .insertInto('gate_codes')
      .values([
        { ...code, gate_code: '482917', tenant_id: 1001, lease_number: 10001 },
        { ...code, gate_code: '591734', tenant_id: 1002, lease_number: 10002 },
      ])
      .execute()
    await tx
      .insertInto('ledger_entries')
      .values({
        entry_id: 'e1',
        location_code: 'GA1',
        lease_number: 10002,
        kind: 'rent',
        cents: 151_37,
        description: 'Rent',
        once: 'period:1',
        order_id: null,
        period_start: null,
        period_end: null,
        posted_on: today,
        created_at: 0,
      })
      .execute()
  })
}

/** Caller without a session. */
export const visitor = (address = '198.51.100.1'): Callers => ({ address, agent: 'test browser' })

const accountCaller = (accountId: string, tenantId: number): TenantCaller => ({
  accountId,
  tenants: [{ locationCode: 'GA1', tenantId }],
})

/** Caller signed in as Ada Byrne, tenant 1001 of GA1. */
export const asAda: Callers = { ...visitor(), tenant: accountCaller('ada', 1001) }
/** Caller signed in as Cy Dorn, tenant 1002 of GA1. */
export const asCy: Callers = { ...visitor(), tenant: accountCaller('cy', 1002) }

/**
 * Returns a caller whose browser session owns the draft.
 * @throws Error when there is no draft
 */
export async function withDraft(services: Services, draftId: string | undefined, base = visitor()): Promise<Callers> {
  const draft = draftId === undefined ? null : await loadDraftOfSession(services, draftId)
  if (!draft) throw new Error('No rental session was granted')
  return { ...base, rental: rentalCallerOf(draft) }
}

export const contact = {
  first: 'Rae',
  last: "O'Neill",
  email: 'rae@example.com',
  cell_phone: '(404) 555-0147',
  company: '',
  address: '240 Spindle Street',
  city: 'Atlanta',
  state: 'ga',
  zip: '30308',
  active_military: false,
  designated_agent: false,
}

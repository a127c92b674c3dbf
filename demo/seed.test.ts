import { beforeAll, describe, expect, it } from 'vitest'
import { isRoutingNumber } from '../domain/bank-account-numbers-and-return-reasons.ts'
import { lastFour } from '../domain/phone.ts'
import { addDays, daysBetween } from '../domain/plain-date.ts'
import { cardProcessingFee } from '../domain/texts/payment.ts'
import { distanceMiles } from '../modules/facilities/rules/distance.ts'
import { OFFICE_FACILITY_ID } from '../modules/facilities/rules/operator-office-facility-id.ts'
import { isGateCode } from '../modules/gate/rules/generate-gate-code.ts'
import { mayShowOverlockCombination } from '../modules/gate/rules/shows-overlock-combination.ts'
import { isNumericUnit } from '../modules/payments/rules/is-numeric-unit-number.ts'
import { paymentBlock } from '../modules/payments/rules/online-payment-blocks.ts'
import { isFirstMonthFree, pickDiscount } from '../modules/pricing/rules/discount.ts'
import { fee24HourAccess } from '../modules/pricing/texts/full-day-access-fee-name.ts'
import { normalizeReservationCode } from '../modules/reservations/rules/reservation-code.ts'
import { type Database, isUniqueViolation } from '../platform/database/open.ts'
import { Sealer } from '../platform/encryption/sealer.ts'
import type { Tables } from '../platform/schema/tables.ts'
import type { Random } from '../ports/clock-and-random.ts'
import { fixedClock, seededRandom } from '../ports/testing-clock-and-random.ts'
import {
  closeAfterTests,
  copyOf,
  describeOnBothEngines,
  openerForTests,
  sqliteTemplate,
} from '../tests/support/databases.ts'
import { seedPastDays } from './daily-snapshots.ts'
import { facilities } from './facilities.ts'
import { seedDemo } from './seed.ts'
import {
  demoGuests,
  demoLogins,
  demoPassword,
  demoReservations,
  people,
} from './tenants-with-leases-and-reservations.ts'
import { todaysReservationCodes } from './todays-round.ts'

// At this instant it is half past midnight of Saturday in Atlanta, and still Friday evening in Denver and Phoenix.
const now = Date.parse('2026-11-21T05:30:00Z')
const saturday = '2026-11-21'
const friday = '2026-11-20'

const sealer = new Sealer({ keys: [{ id: 'test', key: new Uint8Array(32).fill(7) }] })
const parts = (random: Random = seededRandom(11)) => ({
  clock: fixedClock(now),
  random,
  hashPassword: async (password: string) => `hash of ${password}`,
  sealer,
})

const noMoreRandom: Random = {
  integer: () => expect.unreachable('random was drawn'),
  hex: () => expect.unreachable('random was drawn'),
  uuid: () => expect.unreachable('random was drawn'),
}

async function count(db: Database, table: keyof Tables): Promise<number> {
  const row = await db.read
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow()
  return Number(row.rows)
}

async function counts(db: Database) {
  const tables = [
    'locations',
    'units',
    'accounts',
    'tenants',
    'leases',
    'ledger_entries',
    'gate_codes',
    'prospects',
  ] as const
  const all: Record<string, number> = {}
  for (const table of tables) all[table] = await count(db, table)
  return all
}

describeOnBothEngines('The demo operator', (open) => {
  let db: Database
  const brochures: string[] = []
  beforeAll(async () => {
    db = await open()
    await seedDemo(db, { ...parts(), drawBrochure: async ({ fileName }) => void brochures.push(fileName) })
  })

  const location = (code: string) =>
    db.read.selectFrom('locations').selectAll().where('location_code', '=', code).executeTakeFirstOrThrow()

  /** Loads a lease by the tenant's last name, and the unit number if given, with its balance and tenant data. */
  const leaseOf = async (last: string, unit?: string) => {
    let query = db.read
      .selectFrom('leases')
      .innerJoin('tenants', (join) =>
        join
          .onRef('tenants.location_code', '=', 'leases.location_code')
          .onRef('tenants.tenant_id', '=', 'leases.tenant_id'),
      )
      .selectAll('leases')
      .select(['tenants.email', 'tenants.address', 'tenants.active_military', 'tenants.account_id'])
      .where('tenants.last', '=', last)
    if (unit) query = query.where('leases.unit_number', '=', unit)
    const lease = await query.executeTakeFirstOrThrow()
    return { ...lease, balance: (await balances(lease.location_code)).get(lease.lease_number) ?? 0 }
  }

  const balances = async (location_code: string) => {
    const rows = await db.read
      .selectFrom('ledger_entries')
      .select(['lease_number', (eb) => eb.fn.sum<number>('cents').as('balance')])
      .where('location_code', '=', location_code)
      .groupBy('lease_number')
      .execute()
    return new Map(rows.map((row) => [row.lease_number, Number(row.balance)]))
  }

  it('is seeded once, however often seeding runs', async () => {
    const before = await counts(db)
    await seedDemo(db, parts(noMoreRandom))
    expect(await counts(db)).toEqual(before)
    expect(before.units).toBeGreaterThan(2900)
    expect(brochures).toEqual(['tenant-protection.pdf'])
  })

  describe('facilities', () => {
    it('differ in settings that change what the site does', async () => {
      expect(await location('SAV01')).toMatchObject({ allow_ach: 0, state: 'GA' })
      expect(await location('ATL02')).toMatchObject({ cc_fee: 1, allow_ach: 1 })
      expect(await location('CAE01')).toMatchObject({ coming_soon: 1, state: 'SC' })
      expect(await location('CLT01')).toMatchObject({ facility_map_enabled: 0 })
      expect(await location('RDU01')).toMatchObject({ sboa: 0, sboa_brochure: '' })
      expect(await location('JAX01')).toMatchObject({ sboa: 1, sboa_brochure: '' })
      expect(await location('ATL01')).toMatchObject({ sboa: 1, sboa_brochure: 'tenant-protection.pdf' })
      expect(await location('HQ01')).toMatchObject({ facility_id: OFFICE_FACILITY_ID })
    })

    it('include two in Atlanta within ten miles of each other', async () => {
      const miles = distanceMiles(await location('ATL01'), await location('ATL02'))
      expect(miles).toBeGreaterThan(1)
      expect(miles).toBeLessThan(10)
    })

    it('each have a state record and a fictional phone number', async () => {
      const rows = await db.read.selectFrom('locations').select(['state', 'phone']).execute()
      const states = (await db.read.selectFrom('states').select('short_name').execute()).map((row) => row.short_name)
      expect(new Set(rows.map((row) => row.state))).toEqual(new Set(states))
      for (const { phone } of rows) expect(phone).toMatch(/^\d{3}55501\d\d$/)
    })

    it('charge for 24-hour access and cards if their location says so, by the fees’ known names', async () => {
      const fees = await db.read.selectFrom('fees').selectAll().execute()
      const contents = await db.read.selectFrom('location_contents').selectAll().execute()
      const withAccess = contents.filter((row) => row.fee_for_24hr_access !== null)
      expect(withAccess.length).toBeGreaterThan(2)
      for (const { location_code, fee_for_24hr_access } of contents) {
        const facilityFees = fees.filter((fee) => fee.location_code === location_code)
        const access = facilityFees.find((fee) => fee.description === fee24HourAccess)
        expect(access?.amount ?? null).toBe(fee_for_24hr_access)
        const card = facilityFees.find((fee) => fee.description === cardProcessingFee)
        expect(card?.amount ?? 0).toBe((await location(location_code)).cc_fee * 200)
      }
    })

    it('offer each kind of discount although withheld ones are listed before them', async () => {
      const rows = await db.read.selectFrom('discounts').selectAll().orderBy('discount_id').execute()
      const types = await db.read.selectFrom('unit_types').selectAll().where('location_code', '=', 'ATL02').execute()
      const offers = types.map((type) => {
        const offer = pickDiscount(
          rows.filter(
            (row) =>
              row.location_code === 'ATL02' && (row.unit_type_id === null || row.unit_type_id === type.unit_type_id),
          ),
        )
        return [type.unit_type_code, offer && { ...offer, id: offer.discount_id }] as const
      })
      const offered = new Map(offers)
      expect(isFirstMonthFree(offered.get('CC0505')!)).toBe(true)
      expect(offered.get('CC1010')).toMatchObject({ type: 1, amount: 50_00 })
      expect(offered.get('DU1020')).toMatchObject({ type: 2, amount: 1_00 })
      expect(offered.get('DU1030')).toBeNull()
      expect(rows.some((row) => !row.displayable)).toBe(true)
    })

    it('have four fifths of their units rented, a last unit, sold-out types and units off the map', async () => {
      const units = await db.read.selectFrom('units').selectAll().execute()
      const today: (string | null)[] = Object.values(todaysReservationCodes)
      const isFree = (unit: (typeof units)[number]) => unit.status === 'free' || today.includes(unit.held_by)
      for (const facility of facilities) {
        facility.units.forEach(([type, , free], index) => {
          const open = units.filter(
            (unit) => unit.location_code === facility.code && unit.unit_type_id === index + 1 && isFree(unit),
          )
          expect(open.length, `${facility.code} ${type}`).toBe(free)
        })
      }
      const share = units.filter((unit) => unit.status === 'rented').length / units.length
      expect(share).toBeGreaterThan(0.75)
      expect(share).toBeLessThan(0.85)
      const free = facilities.map((facility) => facility.units.map(([, , count]) => count))
      expect(free.flat().filter((count) => count === 1).length).toBeGreaterThan(2)
      expect(free.filter((freeCounts) => freeCounts.includes(0)).length).toBeGreaterThan(3)
      expect(units.some((unit) => unit.location_code === 'ATL01' && unit.left_coordinate === null)).toBe(true)
    })
  })

  describe('units and leases', () => {
    it('have one open lease for each rented unit, one hold for each held unit, and none for the others', async () => {
      const units = await db.read.selectFrom('units').selectAll().execute()
      const leases = await db.read.selectFrom('leases').selectAll().where('status', '<>', 'Closed').execute()
      const holds = await db.read.selectFrom('reservations').selectAll().where('status', '=', 'active').execute()
      const at = (row: { location_code: string; unit_id: number }) => `${row.location_code} ${row.unit_id}`
      const leasesByUnit = Map.groupBy(leases, at)
      const holdsByUnit = Map.groupBy(holds, at)
      for (const unit of units) {
        const claims = [leasesByUnit.get(at(unit))?.length ?? 0, holdsByUnit.get(at(unit))?.length ?? 0]
        const due = unit.status === 'rented' ? [1, 0] : unit.status === 'held' ? [0, 1] : [0, 0]
        expect(claims, `${at(unit)} ${unit.status}`).toEqual(due)
      }
      for (const hold of holds) {
        const unit = units.find((candidate) => at(candidate) === at(hold))
        expect(unit).toMatchObject({ held_by: hold.reservation_code, held_until: hold.hold_until })
        expect(hold.hold_until).toBeGreaterThan(now)
      }
    })

    it('refuse a second open lease for a unit', async () => {
      const lease = await db.read
        .selectFrom('leases')
        .selectAll()
        .where('status', '=', 'Current')
        .executeTakeFirstOrThrow()
      const again = db.write
        .insertInto('leases')
        .values({ ...lease, lease_number: 99_999 })
        .execute()
      expect(isUniqueViolation(await again.catch((error) => error))).toBe(true)
    })

    it('have a gate code for every renter that is unique at the facility and stored with the lease', async () => {
      const codes = await db.read.selectFrom('gate_codes').selectAll().execute()
      const leases = await db.read.selectFrom('leases').selectAll().execute()
      expect(new Set(codes.map((row) => `${row.location_code} ${row.gate_code}`)).size).toBe(codes.length)
      const byTenant = new Map(codes.map((row) => [`${row.location_code} ${row.tenant_id}`, row]))
      for (const lease of leases) {
        const code = byTenant.get(`${lease.location_code} ${lease.tenant_id}`)!
        expect(code.gate_code).toBe(lease.gate_code)
        expect(isGateCode(code.gate_code)).toBe(true)
      }
    })

    it('have a ledger that agrees with every lease: a balance due only if past due', async () => {
      for (const { code, timeZone } of facilities) {
        const today = timeZone === 'America/New_York' ? saturday : friday
        const owed = await balances(code)
        const leases = await db.read.selectFrom('leases').selectAll().where('location_code', '=', code).execute()
        for (const lease of leases) {
          const balance = owed.get(lease.lease_number) ?? 0
          const late = daysBetween(lease.paid_through, today)
          const name = `${code} ${lease.unit_number} ${lease.status}`
          expect(lease.imported, name).not.toBeNull()
          expect(daysBetween(lease.move_in_date, lease.paid_through) % 30, name).toBe(29)
          if (lease.status === 'Past Due' || lease.status === 'Auction') {
            expect(late, name).toBeGreaterThan(0)
            // The unpaid periods are those that have begun since the paid-through date.
            const periods = Math.ceil(late / 30)
            expect(balance, name).toBeGreaterThanOrEqual(lease.rent * periods)
            expect(balance, name).toBeLessThan((lease.rent * 1.1 + lease.insurance_premium * 1.1 + 50_00) * periods)
          } else if (lease.unit_number === '0240' && code === 'SAV01') {
            expect(balance).toBe(-25_00)
          } else {
            expect(balance, name).toBe(0)
            if (lease.status !== 'Closed')
              expect(-late, name).toBeGreaterThanOrEqual(lease.status === 'Current' ? 0 : 30)
          }
        }
      }
    })

    it('number later leases and tenants after the existing ones', async () => {
      for (const { code } of facilities) {
        const counters = await db.read.selectFrom('counters').selectAll().where('location_code', '=', code).execute()
        const next = new Map(counters.map((row) => [row.kind, row.next]))
        const lease = await db.read
          .selectFrom('leases')
          .select((eb) => eb.fn.max('lease_number').as('highest'))
          .where('location_code', '=', code)
          .executeTakeFirstOrThrow()
        const tenant = await db.read
          .selectFrom('tenants')
          .select((eb) => eb.fn.max('tenant_id').as('highest'))
          .where('location_code', '=', code)
          .executeTakeFirstOrThrow()
        expect(next.get('lease')).toBe(lease.highest + 1)
        expect(next.get('tenant')).toBe(tenant.highest + 1)
      }
    })
  })

  describe('people', () => {
    it('include a current tenant, by the facility’s calendar', async () => {
      const lease = await leaseOf('Tilley')
      expect(lease).toMatchObject({ status: 'Current', balance: 0, paid_through: addDays(saturday, 12) })
      expect((await leaseOf('Pettibone')).paid_through).toBe(addDays(friday, 17))
    })

    it('include a tenant who paid two periods ahead, with no entry dated after today', async () => {
      expect(await leaseOf('Venkat')).toMatchObject({ status: 'Pre-Paid', balance: 0 })
      const later = await db.read
        .selectFrom('ledger_entries')
        .select('posted_on')
        .where('posted_on', '>', saturday)
        .execute()
      expect(later).toEqual([])
    })

    it.each([
      ['Strand', -20, 'Past Due', 164_94, null],
      ['Quill', -70, 'Past Due', 405_12, null],
      ['Overby', -71, 'Past Due', 457_38, 'over_70_days'],
      ['Lockett', -80, 'Auction', 561_93, 'auction_prepped'],
      ['Amador', -80, 'Past Due', 273_00, 'over_70_days'],
    ] as const)('include %s, paid through %i days from today', async (last, days, status, balance, block) => {
      const lease = await leaseOf(last)
      expect(lease).toMatchObject({ status, balance, paid_through: addDays(saturday, days) })
      expect(
        paymentBlock({ auctionPrepped: lease.auction_prepped === 1, paidThrough: lease.paid_through }, saturday),
      ).toBe(block)
    })

    it('include a long overdue tenant on active duty who is not prepared for auction', async () => {
      const lease = await leaseOf('Amador')
      const { auction_after_days } = await location(lease.location_code)
      expect(daysBetween(lease.paid_through, saturday)).toBeGreaterThan(auction_after_days)
      expect(lease).toMatchObject({ active_military: 1, auction_prepped: 0 })
      expect(JSON.parse(lease.details)).toMatchObject({
        military: { branch: 'Navy' },
        defaultNotice: { default_notice: 'email' },
      })
    })

    it('include a Georgia renter with a designated agent', async () => {
      const lease = await leaseOf('Hallam')
      expect((await location(lease.location_code)).state).toBe('GA')
      expect(JSON.parse(lease.details).designatedAgent).toMatchObject({
        agent_name: 'Robert Hallam',
        agent_state: 'GA',
      })
    })

    it('include one account with units at two facilities', async () => {
      const rows = await db.read
        .selectFrom('tenants')
        .selectAll()
        .where('email_key', '=', 'nadia.ferro@example.com')
        .execute()
      expect(rows.map((row) => row.location_code).sort()).toEqual(['ATL01', 'ATL02'])
      expect(new Set(rows.map((row) => row.account_id)).size).toBe(1)
      expect(rows[0]?.account_id).not.toBeNull()
    })

    it('include renters of units whose number has letters or begins with 0', async () => {
      expect(isNumericUnit((await leaseOf('Akers')).unit_number)).toBe(false)
      expect((await leaseOf('Ibarra')).unit_number).toBe('0103')
    })

    it('include autopay by card and by bank account, encrypted', async () => {
      const card = await leaseOf('Pettibone')
      const bank = await leaseOf('Orr')
      expect(card).toMatchObject({ autopay: 1, autopay_method: 'CC', autopay_label: 'VI **** 1111' })
      expect(bank).toMatchObject({ autopay: 1, autopay_method: 'ACH' })
      const account = JSON.parse(sealer.open(bank.autopay_sealed!, `lease:JAX01:${bank.lease_number}:autopay`))
      expect(isRoutingNumber(account.routing)).toBe(true)
      expect(bank.autopay_label.endsWith(account.account.slice(-4))).toBe(true)
      expect(JSON.parse(sealer.open(card.autopay_sealed!, `lease:DEN01:${card.lease_number}:autopay`)).alias).toMatch(
        /^SAMPLE/,
      )
    })

    it('include a scheduled and a finished move-out, an overlock code, terms to accept, a gap in a profile', async () => {
      expect(await leaseOf('Sayles')).toMatchObject({ scheduled_move_out: addDays(friday, 5), move_out_reason: 1 })
      const overlocked = await leaseOf('Yoder')
      expect(mayShowOverlockCombination({ comboCode: overlocked.combo_code, status: overlocked.status })).toBe(true)
      expect(await leaseOf('Fontaine')).toMatchObject({ terms_required: 1 })
      expect(await leaseOf('Baum')).toMatchObject({ address: '', balance: 0 })
      expect(await leaseOf('Crane')).toMatchObject({ status: 'Closed', balance: 0 })
    })

    it('include a business with 40 units and ten years of history', async () => {
      const leases = await db.read
        .selectFrom('leases')
        .innerJoin('tenants', (join) =>
          join
            .onRef('tenants.location_code', '=', 'leases.location_code')
            .onRef('tenants.tenant_id', '=', 'leases.tenant_id'),
        )
        .select(['leases.lease_number', 'leases.move_in_date'])
        .where('tenants.company', '=', 'Marlow Cabinet Works')
        .execute()
      expect(leases.length).toBe(40)
      const first = leases.map((lease) => lease.move_in_date).sort()[0]!
      expect(daysBetween(first, friday)).toBeGreaterThan(3600)
      const payments = await db.read
        .selectFrom('ledger_entries')
        .select('entry_id')
        .where('location_code', '=', 'DEN01')
        .where('kind', '=', 'payment')
        .where(
          'lease_number',
          'in',
          leases.map((lease) => lease.lease_number),
        )
        .execute()
      expect(payments.length).toBeGreaterThan(2000)
    })

    it('include a guest payer with a unit with dues, one without, and one at the operator’s office', async () => {
      expect(await leaseOf('Delacroix', 'B-05')).toMatchObject({
        status: 'Past Due',
        balance: 112_88,
        account_id: null,
      })
      expect(await leaseOf('Delacroix', 'A-03')).toMatchObject({ status: 'Current', balance: 0 })
      expect(await leaseOf('Delacroix', '101')).toMatchObject({
        location_code: 'HQ01',
        email: 'gus.delacroix@example.com',
      })
    })

    it('include a boat with a lien holder, power at its space and 24-hour access', async () => {
      const lease = await leaseOf('Brannigan')
      expect(lease).toMatchObject({ insurance_status: 3, balance: 0 })
      const details = JSON.parse(lease.details)
      expect(details.vehicleDetails.make).toBe('Sandpiper')
      expect(details.lienHolder.lien_name).toBe('Gulf Mariners Credit Union')
      const fees = await db.read
        .selectFrom('lease_fees')
        .select(['description', 'amount'])
        .where('location_code', '=', 'TPA01')
        .where('lease_number', '=', lease.lease_number)
        .execute()
      expect(fees).toContainEqual({ description: fee24HourAccess, amount: 20_00 })
      expect(fees).toContainEqual({ description: 'Shore Power', amount: 15_00 })
      const gate = await db.read
        .selectFrom('gate_codes')
        .select('time_zone_name')
        .where('location_code', '=', 'TPA01')
        .where('gate_code', '=', lease.gate_code)
        .executeTakeFirstOrThrow()
      expect(gate.time_zone_name).toBe('24-hour')
    })

    it('have the accounts whose log-ins are printed, also at the facility that is not taken over yet', async () => {
      const accounts = await db.read.selectFrom('accounts').selectAll().execute()
      expect(accounts.map((row) => row.username).sort()).toEqual(demoLogins.map((row) => row.username).sort())
      expect(accounts.every((row) => row.password_hash === `hash of ${demoPassword}`)).toBe(true)
      const tenants = await db.read.selectFrom('tenants').selectAll().where('account_id', 'is not', null).execute()
      expect(new Set(tenants.map((row) => row.account_id)).size).toBe(accounts.length)
      expect(tenants.every((row) => row.grant_online_access === 1)).toBe(true)
      expect((await leaseOf('Ward')).account_id).not.toBeNull()
      expect((await leaseOf('Nolan')).account_id).toBeNull()
    })

    it('include the printed guests and reservations, found by facility, last name and last four digits', async () => {
      const findTenants = async (last: string, last4: string, where: string) => {
        const rows = await db.read
          .selectFrom('tenants')
          .innerJoin('locations', 'locations.location_code', 'tenants.location_code')
          .select(['tenants.cell_phone', 'tenants.location_code', 'tenants.tenant_id'])
          .where('tenants.last_key', '=', last.toLowerCase())
          .where('locations.name', '=', where)
          .execute()
        return rows.filter((row) => lastFour(row.cell_phone) === last4)
      }
      for (const guest of demoGuests)
        expect(await findTenants(guest.lastName, guest.last4, guest.where)).toHaveLength(1)
      const expected: Record<string, { status: string; address: boolean }> = {
        Kessler: { status: 'active', address: true },
        Rutledge: { status: 'active', address: true },
        Mott: { status: 'active', address: false },
        Haddad: { status: 'expired', address: true },
      }
      expect(demoReservations.map((reservation) => reservation.lastName).sort()).toEqual(Object.keys(expected).sort())
      for (const { location: where, lastName, last4, code } of demoReservations) {
        const [tenant, ...others] = await findTenants(lastName, last4, where)
        expect(others).toEqual([])
        const reservation = await db.read
          .selectFrom('reservations')
          .innerJoin('tenants', (join) =>
            join
              .onRef('tenants.location_code', '=', 'reservations.location_code')
              .onRef('tenants.tenant_id', '=', 'reservations.tenant_id'),
          )
          .select([
            'reservations.status',
            'tenants.address',
            'reservations.location_code',
            'reservations.required_date',
          ])
          .where('reservation_code', '=', code)
          .where('reservations.tenant_id', '=', tenant!.tenant_id)
          .executeTakeFirstOrThrow()
        expect(normalizeReservationCode(code)).toBe(code)
        expect({ status: reservation.status, address: reservation.address !== '' }).toEqual(expected[lastName])
        const prospect = await db.read
          .selectFrom('prospects')
          .selectAll()
          .where('res_code', '=', code)
          .executeTakeFirstOrThrow()
        expect(prospect).toMatchObject({ location_code: reservation.location_code, res_status: reservation.status })
        const { reservation_window } = await location(reservation.location_code)
        expect(daysBetween(saturday, reservation.required_date)).toBeLessThan(reservation_window)
      }
    })
  })
})

describe('Seeding the demo operator', () => {
  const open = openerForTests()
  let seeded: Promise<string> | undefined
  /** Opens a database that was seeded with `parts()`. */
  const openSeeded = closeAfterTests(async () => {
    seeded ??= sqliteTemplate((db) => seedDemo(db, parts()))
    return copyOf(await seeded)
  })

  it('continues where an interrupted start stopped', async () => {
    const db = await open()
    let draws = 0
    const steady = seededRandom(3)
    const failing: Random = {
      ...steady,
      integer(low, high) {
        draws += 1
        if (draws > 4000) throw new Error('stopped half-way')
        return steady.integer(low, high)
      },
    }
    await expect(seedDemo(db, parts(failing))).rejects.toThrow('stopped half-way')
    const written = await count(db, 'locations')
    expect(written).toBeGreaterThan(0)
    expect(written).toBeLessThan(facilities.length)
    await seedDemo(db, parts())
    expect(await count(db, 'locations')).toBe(facilities.length)
    const orphans = await db.read
      .selectFrom('tenants')
      .select('last')
      .where('grant_online_access', '=', 1)
      .where('account_id', 'is', null)
      .execute()
    expect(orphans).toEqual([])
    expect(await count(db, 'accounts')).toBe(demoLogins.length)
  })

  it('completes the demo after starts that stop at any of its parts', async () => {
    const work = [
      'units_out_of_service',
      'locks_seen',
      'transfers',
      'tenant_notes',
      'tenant_flags',
      'tasks',
      'approvals',
      'insurance_proofs',
      'cash_batches',
      'counter_receipts',
      'call_attempts',
      'lien_cases',
      'rent_changes',
      'entry_reasons',
      'machine_keys',
      'gates',
    ] as const
    const countWork = async (db: Database) => {
      const rows: Record<string, number> = {}
      for (const table of work) rows[table] = await count(db, table)
      return rows
    }
    const uninterrupted = await openSeeded()
    const db = await open()
    const random = seededRandom(11)
    /** Seeds with a clock that fails after this number of reads. Returns whether the seeding came to its end. */
    const seedUntil = (reads: number) =>
      seedDemo(db, {
        ...parts(random),
        clock: {
          now: () => {
            if (reads === 0) throw new Error('stopped')
            reads -= 1
            return now
          },
        },
      }).then(
        () => true,
        (error: Error) => {
          if (error.message !== 'stopped') throw error
          return false
        },
      )
    for (let reads = 0; !(await seedUntil(reads)); ) reads += 1
    expect(await countWork(db)).toEqual(await countWork(uninterrupted))
  })

  it('does not repeat work that staff members have finished', async () => {
    const db = await openSeeded()
    await db.write.deleteFrom('units_out_of_service').execute()
    await seedDemo(db, parts(noMoreRandom))
    expect(await count(db, 'units_out_of_service')).toBe(0)
  })

  it('creates the same business from the same random numbers', async () => {
    const first = await openSeeded()
    const second = await open()
    await seedDemo(second, parts())
    const leases = (db: Database) =>
      db.read
        .selectFrom('leases')
        .select(['location_code', 'unit_number', 'gate_code', 'paid_through', 'rent'])
        .execute()
    expect(await leases(second)).toEqual(await leases(first))
  })

  it('continues with the past days after a stop', async () => {
    const db = await openSeeded()
    const random = seededRandom(3)
    const fill = (remaining: number) =>
      seedPastDays(db, { clock: fixedClock(now), random, stopping: () => remaining-- <= 0 }).then(() =>
        count(db, 'daily_rolls'),
      )
    const first = await fill(1)
    const next = await fill(2)
    expect([first > 0, next]).toEqual([true, 3 * first])
  })

  it('changes nothing for an operator with its own facilities', async () => {
    const from = await openSeeded()
    const facility = await from.read
      .selectFrom('locations')
      .selectAll()
      .where('location_code', '=', 'ATL01')
      .executeTakeFirstOrThrow()
    const db = await open()
    await db.write
      .insertInto('locations')
      .values({ ...facility, location_code: 'OWN01', name: 'Our Own' })
      .execute()
    await seedDemo(db, parts(noMoreRandom))
    expect(await counts(db)).toMatchObject({ locations: 1, tenants: 0, accounts: 0 })
  })

  it('omits encrypted values if there is no key', async () => {
    const db = await open()
    await seedDemo(db, { ...parts(), sealer: undefined })
    const sealed = await db.read
      .selectFrom('leases')
      .select('autopay')
      .where('autopay_sealed', 'is not', null)
      .execute()
    expect(sealed).toEqual([])
  })

  it('gives every named person a phone number that no other person has', () => {
    const owners = Map.groupBy(people, (person) => person.phone)
    for (const [phone, [first, ...others]] of owners) {
      expect(
        others.every((other) => other.email === first?.email),
        phone,
      ).toBe(true)
    }
  })
})

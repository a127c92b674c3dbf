/** Who rents what at a facility: the named people, the other renters, their leases and ledgers, as rows. */
import { createHash } from 'node:crypto'
import type { Insertable } from 'kysely'
import { OFFICE_FACILITY_ID } from '../domain/business.ts'
import { moveInCharges, PERIOD_DAYS, type PeriodInput, periodCharges } from '../domain/charges.ts'
import type { Instant } from '../domain/dates.ts'
import { endOfDay } from '../domain/dates.ts'
import { pickDiscount } from '../domain/discount.ts'
import { drawGateCode } from '../domain/gate-code.ts'
import { emailKey, nameKey } from '../domain/phone.ts'
import { addDays, daysBetween, type IsoDate } from '../domain/plain-date.ts'
import { fee24HourAccess } from '../domain/texts/move-in.ts'
import { periodEntry } from '../modules/leases/ledger/entries.ts'
import { discountAsAgreed } from '../modules/pricing/offers.ts'
import type {
  CountersTable,
  FeesTable,
  GateCodesTable,
  LeaseFeesTable,
  LeasesTable,
  LedgerEntriesTable,
  ProspectsTable,
  ReservationsTable,
  TenantsTable,
  UnitsTable,
  UnitTypesTable,
} from '../platform/schema/tables.ts'
import type { Sealer } from '../platform/sealing/sealer.ts'
import type { Random } from '../ports/clock.ts'
import type { DemoFacility } from './facilities.ts'
import type { FacilityRecords } from './facility-records.ts'
import { type DemoLease, type DemoPerson, ownPolicy, usernameOf } from './people.ts'
import type { PlannedUnit, SitePlan } from './site-plan.ts'

export interface TenancySources {
  facility: DemoFacility
  plan: SitePlan
  records: FacilityRecords
  people: DemoPerson[]
  today: IsoDate
  now: Instant
  random: Random
  /** Account id by username. */
  accountIds: ReadonlyMap<string, string>
  /** Seals driver's licences by tenant, cards and bank accounts by lease; null leaves them out. */
  sealer: Pick<Sealer, 'seal'> | null
}

export interface Tenancies {
  units: UnitsTable[]
  tenants: TenantsTable[]
  leases: Insertable<LeasesTable>[]
  leaseFees: LeaseFeesTable[]
  gateCodes: GateCodesTable[]
  ledger: LedgerEntriesTable[]
  reservations: ReservationsTable[]
  prospects: ProspectsTable[]
  counters: CountersTable[]
}

/** What `rows` of one lease are made from, for named and other renters alike. */
interface LeaseTerms extends Omit<DemoLease, 'unit'> {
  rent?: number
  /** Post every period since the move-in, or only what is still owed. */
  history: 'whole' | 'owed'
}

const firstNames =
  'Ada Amir Bea Bruno Carla Cedric Dana Desmond Elsa Emil Farah Flora Grant Greta Hugo Ines Ivan Jonas June Kai Kofi Lars Leona Mina Milo Nell Nico Olga Otis Paula Quentin Rosa Rufus Selma Sol Tess Theo Uma Viola Wade Yara Zeke'.split(
    ' ',
  )
const lastNames =
  'Abbott Aldana Barlow Becker Calder Chen Dawes Dietz Eaton Ellery Farrow Figueroa Garner Greer Haines Holm Ingram Jarvis Kaplan Keller Lachance Lowry Mercer Molina Nakata Nash Oakes Okafor Pappas Pryor Reyes Rowan Salter Sorensen Tate Thorne Underhill Vance Vogel Weller Winslow Yates Zimmer'.split(
    ' ',
  )
const streets = [
  'Alder Street',
  'Bramble Lane',
  'Cooper Row',
  'Ferry Road',
  'Garland Avenue',
  'Hollis Court',
  'Orchard Way',
]

const dayMs = 24 * 60 * 60 * 1000

/**
 * Rents the facility's units: to the named people first, then all but the free ones of each type. Every lease has an import
 * record in place of a signature.
 * @throws Error where a named person's unit is not in the plan
 */
export function tenancies(sources: TenancySources): Tenancies {
  const { facility, plan, records, today, now, random } = sources
  const location_code = facility.code
  const rows: Tenancies = {
    units: [],
    tenants: [],
    leases: [],
    leaseFees: [],
    gateCodes: [],
    ledger: [],
    reservations: [],
    prospects: [],
    counters: [],
  }
  const typeIds = new Map(facility.units.map(([type], index) => [type, index + 1]))
  const typeById = new Map(records.unitTypes.map((type) => [type.unit_type_id, type]))
  const units = new Map<string, UnitsTable>()
  plan.units.forEach((planned, index) => {
    const unit = unitRow(location_code, planned, index + 1, typeIds.get(planned.type)!)
    units.set(planned.number, unit)
    rows.units.push(unit)
  })
  const instantOf = (date: IsoDate): Instant => now + Math.min(daysBetween(today, date), 0) * dayMs
  const takenCodes = new Set<string>()
  let tenantId = 1000
  let leaseNumber = 10_000

  const addTenant = (
    fields: Partial<TenantsTable> & Pick<TenantsTable, 'first' | 'last' | 'email'>,
    since: IsoDate,
  ) => {
    tenantId += 1
    const tenant: TenantsTable = {
      location_code,
      tenant_id: tenantId,
      account_id: null,
      middle: '',
      last_key: nameKey(fields.last),
      company: '',
      email_key: emailKey(fields.email),
      cell_phone: '',
      home_phone: '',
      work_phone: '',
      address: '',
      city: '',
      state: '',
      zip: '',
      company_address: '',
      company_city: '',
      company_state: '',
      company_zip: '',
      company_phone: '',
      company_email: '',
      active_military: 0,
      military: '{}',
      identity_sealed: null,
      grant_online_access: 0,
      created_at: instantOf(since),
      ...fields,
    }
    rows.tenants.push(tenant)
    return tenant
  }

  const addGateCode = (tenant: TenantsTable, access24: boolean) => {
    const gate_code = drawGateCode(random.integer, (code) => takenCodes.has(code))
    if (!gate_code) throw new Error(`No gate code is left at ${location_code}`)
    takenCodes.add(gate_code)
    rows.gateCodes.push({
      location_code,
      gate_code,
      tenant_id: tenant.tenant_id,
      lease_number: null,
      time_zone_name: access24 ? '24-hour' : 'standard',
      active: 1,
      created_at: tenant.created_at,
    })
    return rows.gateCodes.at(-1)!
  }

  const addLease = (tenant: TenantsTable, unit: UnitsTable, gate: GateCodesTable, terms: LeaseTerms) => {
    leaseNumber += 1
    const type = typeById.get(unit.unit_type_id)!
    const paid_through = addDays(today, terms.paidThrough)
    const move_in_date = addDays(paid_through, 1 - PERIOD_DAYS * terms.periods)
    const scheme = records.schemes.find((each) => each.scheme_id === terms.insurance) ?? null
    const offer = discountOf(records, type)
    const created_at = instantOf(move_in_date)
    const card = terms.autopay === 'CC'
    const autopayParty = card
      ? // A card that the sandbox knows.
        { alias: `SAMPLE${random.hex(8).toUpperCase()}` }
      : {
          name: `${tenant.first} ${tenant.last}`,
          routing: '061000104',
          account: `00${random.integer(10_000_000, 99_999_999)}`,
          type: 'Checking',
        }
    const lease: Insertable<LeasesTable> = {
      location_code,
      lease_number: leaseNumber,
      tenant_id: tenant.tenant_id,
      unit_id: unit.unit_id,
      unit_number: unit.unit_number,
      unit_type_id: unit.unit_type_id,
      reservation_code: null,
      status: 'Current',
      move_in_date,
      paid_through,
      rent: terms.rent ?? webRate(type),
      insurance_status: terms.insurance === 'vehicle' ? 3 : terms.insurance === 'own' ? 2 : scheme ? 1 : 0,
      insurance_scheme_id: scheme?.scheme_id ?? 0,
      insurance_premium: scheme?.premium ?? 0,
      insurance_notes: JSON.stringify(
        terms.insurance === 'own' ? ownPolicy(tenant, addDays(today, 200)) : (terms.vehicle ?? {}),
      ),
      discount_id: offer?.id ?? 0,
      autopay: terms.autopay ? 1 : 0,
      autopay_method: terms.autopay ?? '',
      autopay_sealed:
        terms.autopay && sources.sealer
          ? sources.sealer.seal(JSON.stringify(autopayParty), `lease:${location_code}:${leaseNumber}:autopay`)
          : null,
      autopay_label: terms.autopay ? (card ? 'VI **** 1111' : `Checking ****${autopayParty.account?.slice(-4)}`) : '',
      autopay_consent_at: terms.autopay ? created_at : null,
      gate_code: gate.gate_code,
      combo_code: terms.comboCode ?? '0000',
      auction_prepped: terms.auctionPrepped ? 1 : 0,
      scheduled_move_out: terms.scheduledMoveOut === undefined ? null : addDays(today, terms.scheduledMoveOut),
      move_out_reason: terms.scheduledMoveOut === undefined ? null : 1,
      terms_required: terms.termsRequired ? 1 : 0,
      terms_accepted_at: null,
      autopay_consent_text: null,
      overlocked: null,
      closed_on: null,
      details: JSON.stringify({
        ...(terms.vehicle && { vehicleDetails: terms.vehicle }),
        ...(terms.lienHolder && { lienHolder: terms.lienHolder }),
        ...(terms.agent && { designatedAgent: terms.agent }),
        ...(terms.defaultNotice && { defaultNotice: { default_notice: terms.defaultNotice } }),
        ...(tenant.active_military && { military: JSON.parse(tenant.military) }),
      }),
      imported: JSON.stringify({ from: 'earlier system', on: today, signed_on: move_in_date }),
      document_id: null,
      order_id: null,
      created_at,
    }
    rows.leases.push(lease)
    gate.lease_number ??= lease.lease_number
    if (!terms.closed) unit.status = 'rented'

    const access24 = terms.access24 ? records.fees.find((fee) => fee.description === fee24HourAccess)! : null
    const recurring = feesFor(records, 'period', type)
    for (const fee of access24 ? [...recurring, access24] : recurring) {
      rows.leaseFees.push({
        location_code,
        lease_number: leaseNumber,
        fee_id: fee.fee_id,
        description: fee.description,
        amount: fee.amount,
      })
    }

    const price: Omit<PeriodInput, 'periodStart'> = {
      rent: lease.rent,
      insurance: scheme && { schemeId: scheme.scheme_id, name: scheme.scheme_name, premium: scheme.premium },
      periodFees: recurring.map(asFee),
      access24: access24 && { feeId: access24.fee_id, amount: access24.amount },
      cardFee: null,
      taxRates: {
        rent: records.location.rent_tax_rate,
        insurance: records.location.insurance_tax_rate,
        fee: records.location.fee_tax_rate,
      },
    }
    const post = (
      entry: Pick<LedgerEntriesTable, 'kind' | 'cents' | 'description' | 'once'>,
      period: { start: IsoDate; end: IsoDate },
      paid: boolean,
    ) => {
      // A prepaid period was posted when it was paid: today at the latest.
      const posted_on = paid && period.start > today ? today : period.start
      rows.ledger.push({
        entry_id: random.uuid(),
        location_code,
        lease_number: lease.lease_number,
        ...entry,
        order_id: null,
        period_start: period.start,
        period_end: period.end,
        posted_on,
        created_at: instantOf(posted_on),
      })
    }
    const bill = (index: number): number => {
      const start = addDays(move_in_date, index * PERIOD_DAYS)
      const period = { start, end: addDays(start, PERIOD_DAYS - 1) }
      const lines =
        index > 0
          ? periodCharges({ ...price, periodStart: start }).lines
          : moveInCharges({
              ...price,
              moveInDate: start,
              streetRent: type.rent,
              discount: offer,
              moveInFees: feesFor(records, 'move_in', type).map(asFee),
            }).lines
      let total = 0
      for (const line of lines) {
        total += line.cents
        post(periodEntry(line, start), period, index < terms.periods)
      }
      return total
    }
    let owed = 0
    const unpaid = terms.closed ? 0 : Math.ceil(Math.max(daysBetween(paid_through, today), 0) / PERIOD_DAYS)
    for (let index = terms.history === 'whole' ? 0 : terms.periods; index < terms.periods + unpaid; index += 1) {
      const total = bill(index)
      if (index >= terms.periods) {
        owed += total
        continue
      }
      const start = addDays(move_in_date, index * PERIOD_DAYS)
      const period = { start, end: addDays(start, PERIOD_DAYS - 1) }
      if (total === 0) continue
      const description = terms.autopay === 'ACH' ? 'Bank account payment' : 'Card payment'
      post({ kind: 'payment', cents: -total, description, once: `imported:${start}:payment` }, period, true)
    }
    if (terms.credit) {
      post(
        {
          kind: 'credit',
          cents: -terms.credit,
          description: 'Credit for a door that was repaired late',
          once: 'imported:credit',
        },
        { start: today, end: today },
        true,
      )
    }
    lease.status = terms.closed
      ? 'Closed'
      : terms.auctionPrepped
        ? 'Auction'
        : owed > 0
          ? 'Past Due'
          : terms.paidThrough >= PERIOD_DAYS
            ? 'Pre-Paid'
            : 'Current'
    return lease
  }

  const unitNamed = (number: string): UnitsTable => {
    const unit = units.get(number)
    if (!unit) throw new Error(`There is no unit ${number} at ${location_code}`)
    return unit
  }

  // ── The named people ──────────────────────────────────────────────────────────────────────────────────────────────

  const spoken = new Set(
    sources.people.flatMap((person) => [
      ...(person.leases ?? []).map(({ unit }) => unit),
      ...(person.reservation ? [person.reservation.unit] : []),
    ]),
  )
  for (const person of sources.people) {
    const leases = (person.leases ?? []).flatMap(({ unit, ...lease }) => {
      if (typeof unit === 'string') return [{ ...lease, unit: unitNamed(unit) }]
      const chosen = rows.units.filter(
        (each) => each.unit_type_id === typeIds.get(unit.type) && !spoken.has(each.unit_number),
      )
      // A business that grew: the first unit has the whole history, each later one three periods less.
      return chosen.slice(0, unit.count).map((each, index) => ({
        ...lease,
        unit: each,
        paidThrough: lease.paidThrough - ((index * 7) % PERIOD_DAYS),
        periods: lease.periods - index * 3,
      }))
    })
    const longest = Math.max(0, ...leases.map((lease) => lease.periods * PERIOD_DAYS - lease.paidThrough))
    const username = usernameOf(person)
    const [address, city, state, zip] = person.address
    const { military } = person
    const tenant = addTenant(
      {
        first: person.first,
        last: person.last,
        email: person.email,
        cell_phone: person.phone,
        address,
        city,
        state,
        zip,
        company: person.company ?? '',
        ...(person.company && {
          company_address: address,
          company_city: city,
          company_state: state,
          company_zip: zip,
          company_phone: person.phone,
          company_email: person.email,
        }),
        active_military: military ? 1 : 0,
        military: JSON.stringify(
          military
            ? {
                branch: military.military_branch,
                base: military.military_base,
                commanding_officer: military.commanding_officer,
              }
            : {},
        ),
        grant_online_access: username ? 1 : 0,
        account_id: username ? (sources.accountIds.get(username) ?? null) : null,
      },
      addDays(today, person.reservation ? -person.reservation.madeAgo : -longest),
    )
    if (sources.sealer && leases.length > 0 && zip) {
      const identity = {
        drivers_license: `0${random.integer(10_000_000, 99_999_999)}`,
        issued_state: state,
        birth_date: '1984-05-17',
        expiration_date: addDays(today, 900),
        brief_description: 'Household goods',
      }
      tenant.identity_sealed = sources.sealer.seal(
        JSON.stringify(identity),
        `tenant:${location_code}:${tenant.tenant_id}:identity`,
      )
    }
    if (leases.length > 0) {
      const gate = addGateCode(
        tenant,
        leases.some((lease) => lease.access24),
      )
      for (const { unit, ...lease } of leases) addLease(tenant, unit, gate, { ...lease, history: 'whole' })
      gate.active = leases.every((lease) => lease.closed) ? 0 : 1
    }
    if (person.reservation) {
      const { code, status, madeAgo, moveIn } = person.reservation
      const unit = unitNamed(person.reservation.unit)
      const type = typeById.get(unit.unit_type_id)!
      const reservation_date = addDays(today, -madeAgo)
      const required_date = addDays(today, moveIn)
      const offered = discountOf(records, type)
      const hold_until = endOfDay(facility.timeZone, required_date)
      if (status === 'active') Object.assign(unit, { status: 'held', held_by: code, held_until: hold_until })
      const created_at = instantOf(reservation_date)
      rows.reservations.push({
        location_code,
        reservation_code: code,
        unit_id: unit.unit_id,
        unit_number: unit.unit_number,
        unit_type_id: unit.unit_type_id,
        tenant_id: tenant.tenant_id,
        status,
        ...discountAsAgreed(offered && { ...offered, discount_id: offered.id }),
        street_rent: type.rent,
        rent: webRate(type),
        reservation_date,
        required_date,
        hold_until,
        hold_extended: 0,
        lease_number: null,
        created_at,
      })
      rows.prospects.push({
        uuid: linkOf(code),
        res_code: code,
        location_code,
        tenant_id: tenant.tenant_id,
        site_name: facility.name,
        email_address: person.email,
        cell_phone: person.phone,
        res_status: status,
        lease_status: '',
        reservation_date,
        required_date,
        move_in_date: null,
        extra_data: JSON.stringify({
          firstName: person.first,
          lastName: person.last,
          unitNumber: unit.unit_number,
          unitRent: webRate(type),
          unitTypeId: type.unit_type_id,
        }),
        created_at,
      })
    }
  }

  // ── The other renters ─────────────────────────────────────────────────────────────────────────────────────────────

  const isOffice = facility.facilityId === OFFICE_FACILITY_ID
  facility.units.forEach(([, , free], index) => {
    const type = records.unitTypes[index]!
    const open = rows.units.filter((unit) => unit.unit_type_id === type.unit_type_id && unit.status === 'free')
    shuffle(open, random)
    open.slice(free).forEach((unit, position) => {
      // The office rents nothing; elsewhere one unit of the first type waits for repair.
      if (isOffice || (index === 0 && position === 0)) unit.status = 'off'
      else letToSomebody(unit, type)
    })
  })

  function letToSomebody(unit: UnitsTable, type: UnitTypesTable): void {
    const first = firstNames[random.integer(0, firstNames.length - 1)]!
    const last = lastNames[random.integer(0, lastNames.length - 1)]!
    const periods = random.integer(1, 40)
    const standing = random.integer(1, 100)
    const paidThrough =
      standing <= 6
        ? -random.integer(1, 34)
        : standing <= 14
          ? PERIOD_DAYS + random.integer(0, 59)
          : random.integer(0, PERIOD_DAYS - 1)
    const tenant = addTenant(
      {
        first,
        last,
        email: `${first}.${last}.${facility.code}.${unit.unit_number}@example.net`.toLowerCase(),
        // 0150 to 0199 are theirs; the named people and the facilities themselves have the numbers below.
        cell_phone: `${facility.phone.slice(0, 3)}55501${random.integer(50, 99)}`,
        address: `${random.integer(10, 999)} ${streets[random.integer(0, streets.length - 1)]}`,
        city: facility.city,
        state: facility.state,
        zip: facility.zip,
      },
      addDays(today, paidThrough - periods * PERIOD_DAYS),
    )
    const vehicle = type.category_name.includes('Parking')
    const insured = records.schemes.length > 0 && random.integer(1, 10) <= 6
    addLease(tenant, unit, addGateCode(tenant, false), {
      paidThrough,
      periods,
      insurance: vehicle ? 'vehicle' : insured ? (random.integer(1, 3) as 1 | 2 | 3) : 'own',
      rent: Math.round((webRate(type) * random.integer(88, 104)) / 10_000) * 100,
      history: 'owed',
    })
  }

  rows.counters.push(
    { location_code, kind: 'tenant', next: tenantId + 1 },
    { location_code, kind: 'lease', next: leaseNumber + 1 },
    { location_code, kind: 'reservation', next: rows.reservations.length + 1 },
  )
  return rows
}

/** The uuid of a demo reservation's link: the same at every start, so that it can be named beside the code. */
function linkOf(code: string): string {
  const digits = createHash('sha256').update(`link of ${code}`).digest('hex')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`
}

function unitRow(location_code: string, planned: PlannedUnit, unit_id: number, unit_type_id: number): UnitsTable {
  return {
    location_code,
    unit_id,
    unit_number: planned.number,
    unit_type_id,
    status: 'free',
    held_by: null,
    held_until: null,
    floor_no: planned.floor,
    left_coordinate: planned.left,
    top_coordinate: planned.top,
    length: planned.length,
    width: planned.width,
    rotate: planned.rotate,
  }
}

const webRate = (type: UnitTypesTable) => (type.internet_price_available ? type.internet_price : type.rent)

function discountOf(records: FacilityRecords, type: UnitTypesTable) {
  const rows = records.discounts.filter((row) => row.unit_type_id === null || row.unit_type_id === type.unit_type_id)
  const row = pickDiscount(rows)
  return row && { id: row.discount_id, description: row.description, amount: row.amount, type: row.type }
}

function feesFor(records: FacilityRecords, charged: FeesTable['charged'], type: UnitTypesTable): FeesTable[] {
  return records.fees.filter(
    (fee) => fee.charged === charged && (fee.unit_type_id === null || fee.unit_type_id === type.unit_type_id),
  )
}

const asFee = (fee: FeesTable) => ({ feeId: fee.fee_id, description: fee.description, amount: fee.amount })

/** Fisher–Yates, in place. */
function shuffle<T>(list: T[], random: Random): void {
  for (let index = list.length - 1; index > 0; index -= 1) {
    const other = random.integer(0, index)
    ;[list[index], list[other]] = [list[other]!, list[index]!]
  }
}

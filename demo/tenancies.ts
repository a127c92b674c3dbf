/** Builds the rows of a facility's tenancies: the named people, the other renters, their leases and ledgers. */
import { createHash } from 'node:crypto'
import { emailKey, nameKey } from '../domain/name-and-email-keys.ts'
import { addDays, type IsoDate } from '../domain/plain-date.ts'
import { endOfDay } from '../domain/time-zone-dates.ts'
import { OFFICE_FACILITY_ID } from '../modules/facilities/rules/operator-office-facility-id.ts'
import { generateGateCode } from '../modules/gate/rules/generate-gate-code.ts'
import { discountAsAgreed } from '../modules/pricing/agreed-and-offered-terms.ts'
import { PERIOD_DAYS } from '../modules/pricing/rules/fixed-billing-period-length.ts'
import { newRenterRent } from '../modules/pricing/rules/web-price-or-street-rate.ts'
import type {
  CountersTable,
  GateCodesTable,
  LeaseFeesTable,
  LedgerEntriesTable,
  ProspectsTable,
  ReservationsTable,
  TenantsTable,
  UnitsTable,
  UnitTypesTable,
} from '../platform/schema/tables.ts'
import type { Random } from '../ports/clock-and-random.ts'
import type { DemoFacility } from './facilities.ts'
import {
  autopayByLeaseNumber,
  discountOf,
  instantOf,
  type LeaseRow,
  type LeaseSources,
  type LeaseTerms,
  leaseParts,
} from './lease-rows.ts'
import { firstNames, lastNames, streets } from './person-names.ts'
import type { PlannedUnit, SitePlan } from './site-plan.ts'
import { type DemoPerson, usernameOf } from './tenants-with-leases-and-reservations.ts'

export interface TenancySources extends LeaseSources {
  facility: DemoFacility
  plan: SitePlan
  people: DemoPerson[]
  /** Account ids by username. */
  accountIds: ReadonlyMap<string, string>
}

/** Rows of a facility's units, tenants, leases and reservations. */
export interface Tenancies {
  units: UnitsTable[]
  tenants: TenantsTable[]
  leases: LeaseRow[]
  leaseFees: LeaseFeesTable[]
  gateCodes: GateCodesTable[]
  ledger: LedgerEntriesTable[]
  reservations: ReservationsTable[]
  prospects: ProspectsTable[]
  counters: CountersTable[]
}

type NewTenant = Partial<TenantsTable> & Pick<TenantsTable, 'first' | 'last' | 'email'>
type NamedLease = Omit<LeaseTerms, 'history'> & { unit: UnitsTable }

/**
 * Rents the facility's units: to the named people first, then the others to generated tenants, except the units that stay
 * free or are out of service. Every lease has an import record in place of a signature.
 * @throws Error when a named person's unit is not in the plan, or no gate code is left
 */
export function tenancies(sources: TenancySources): Tenancies {
  const renting = new Renting(sources)
  for (const person of sources.people) renting.addPerson(person)
  renting.fillUp()
  return renting.finish()
}

class Renting {
  readonly #sources: TenancySources
  readonly #code: string
  readonly #rows: Tenancies = {
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
  readonly #typeIds: ReadonlyMap<string, number>
  /** Numbers of units that named people rent or reserve, which leases that name only a unit type do not take. */
  readonly #reservedNumbers: ReadonlySet<unknown>
  #tenantId = 1000
  #leaseNumber = 10_000

  constructor(sources: TenancySources) {
    const { facility, plan, people } = sources
    this.#sources = sources
    this.#code = facility.code
    this.#typeIds = new Map(facility.units.map(([type], index) => [type, index + 1]))
    this.#rows.units = plan.units.map((planned, index) =>
      unitRow(facility.code, planned, index + 1, this.#typeIds.get(planned.type)!),
    )
    this.#reservedNumbers = new Set(
      people.flatMap(({ leases = [], reservation }) => [
        ...leases.map(({ unit }) => unit),
        ...(reservation ? [reservation.unit] : []),
      ]),
    )
  }

  addPerson(person: DemoPerson): void {
    const { today, random } = this.#sources
    const leases = this.#leasesOf(person)
    const longest = Math.max(0, ...leases.map((lease) => lease.periods * PERIOD_DAYS - lease.paidThrough))
    const since = addDays(today, person.reservation ? -person.reservation.madeAgo : -longest)
    const tenant = this.#addTenant(tenantOf(person, this.#sources.accountIds), since)
    if (leases.length > 0) {
      this.#sealIdentity(tenant, random)
      const gate = this.#addGateCode(
        tenant,
        leases.some((lease) => lease.access24),
      )
      for (const { unit, ...lease } of leases) this.#addLease(tenant, unit, gate, { ...lease, history: 'whole' })
      gate.active = leases.every((lease) => lease.closed) ? 0 : 1
    }
    if (person.reservation) this.#addReservation(person, person.reservation, tenant)
  }

  /** Rents the other units to generated tenants, except the units of each type that stay free or are out of service. */
  fillUp(): void {
    const { facility, records, random } = this.#sources
    const isOffice = facility.facilityId === OFFICE_FACILITY_ID
    facility.units.forEach(([, , free], index) => {
      const type = records.unitTypes[index]!
      const open = this.#rows.units.filter((unit) => unit.unit_type_id === type.unit_type_id && unit.status === 'free')
      shuffle(open, random)
      open.slice(free).forEach((unit, position) => {
        // The operator's office rents no further unit. Elsewhere one unit of the first type is under repair.
        if (isOffice || (index === 0 && position === 0)) unit.status = 'off'
        else this.#rentToGeneratedTenant(unit, type)
      })
    })
  }

  finish(): Tenancies {
    const location_code = this.#code
    this.#rows.counters.push(
      { location_code, kind: 'tenant', next: this.#tenantId + 1 },
      { location_code, kind: 'lease', next: this.#leaseNumber + 1 },
      { location_code, kind: 'reservation', next: this.#rows.reservations.length + 1 },
    )
    return this.#rows
  }

  #findUnit(number: string): UnitsTable {
    const unit = this.#rows.units.find((candidate) => candidate.unit_number === number)
    if (!unit) throw new Error(`There is no unit ${number} at ${this.#code}`)
    return unit
  }

  #leasesOf(person: DemoPerson): NamedLease[] {
    return (person.leases ?? []).flatMap(({ unit, ...lease }) => {
      if (typeof unit === 'string') return [{ ...lease, unit: this.#findUnit(unit) }]
      const units = this.#rows.units.filter(
        (candidate) =>
          candidate.unit_type_id === this.#typeIds.get(unit.type) && !this.#reservedNumbers.has(candidate.unit_number),
      )
      // The business has grown: the first unit has the whole history, each later one three periods less.
      return units.slice(0, unit.count).map((rentedUnit, index) => ({
        ...lease,
        unit: rentedUnit,
        paidThrough: lease.paidThrough - ((index * 7) % PERIOD_DAYS),
        periods: lease.periods - index * 3,
      }))
    })
  }

  #addTenant(fields: NewTenant, since: IsoDate): TenantsTable {
    this.#tenantId += 1
    const tenant: TenantsTable = {
      location_code: this.#code,
      tenant_id: this.#tenantId,
      account_id: null,
      middle: '',
      first_key: nameKey(fields.first),
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
      erased_at: null,
      grant_online_access: 0,
      created_at: instantOf(this.#sources, since),
      ...fields,
    }
    this.#rows.tenants.push(tenant)
    return tenant
  }

  #sealIdentity(tenant: TenantsTable, random: Random): void {
    const { sealer, today } = this.#sources
    if (!sealer || !tenant.zip) return
    const identity = {
      drivers_license: `0${random.integer(10_000_000, 99_999_999)}`,
      issued_state: tenant.state,
      birth_date: '1984-05-17',
      expiration_date: addDays(today, 900),
      brief_description: 'Household goods',
    }
    const context = `tenant:${this.#code}:${tenant.tenant_id}:identity`
    tenant.identity_sealed = sealer.seal(JSON.stringify(identity), context)
  }

  #addGateCode(tenant: TenantsTable, access24: boolean): GateCodesTable {
    const { gateCodes } = this.#rows
    const isTaken = (code: string) => gateCodes.some(({ gate_code }) => gate_code === code)
    const gate_code = generateGateCode(this.#sources.random.integer, isTaken)
    if (!gate_code) throw new Error(`No gate code is left at ${this.#code}`)
    const gate: GateCodesTable = {
      location_code: this.#code,
      gate_code,
      tenant_id: tenant.tenant_id,
      lease_number: null,
      time_zone_name: access24 ? '24-hour' : 'standard',
      active: 1,
      created_at: tenant.created_at,
    }
    gateCodes.push(gate)
    return gate
  }

  #addLease(tenant: TenantsTable, unit: UnitsTable, gate: GateCodesTable, terms: LeaseTerms): void {
    this.#leaseNumber += 1
    const parts = leaseParts(this.#sources, this.#leaseNumber, tenant, unit, gate.gate_code, terms)
    this.#rows.leases.push(parts.lease)
    this.#rows.leaseFees.push(...parts.fees)
    this.#rows.ledger.push(...parts.ledger)
    gate.lease_number ??= parts.lease.lease_number
    if (!terms.closed) unit.status = 'rented'
  }

  #addReservation(person: DemoPerson, reservation: NonNullable<DemoPerson['reservation']>, tenant: TenantsTable): void {
    const { facility, records, today } = this.#sources
    const { code, status, madeAgo, moveIn } = reservation
    const unit = this.#findUnit(reservation.unit)
    const type = records.unitTypes.find((candidate) => candidate.unit_type_id === unit.unit_type_id)!
    const discount = discountOf(records, type)
    const common = {
      location_code: this.#code,
      tenant_id: tenant.tenant_id,
      reservation_date: addDays(today, -madeAgo),
      required_date: addDays(today, moveIn),
      created_at: instantOf(this.#sources, addDays(today, -madeAgo)),
    }
    const hold_until = endOfDay(facility.timeZone, common.required_date)
    if (status === 'active') Object.assign(unit, { status: 'held', held_by: code, held_until: hold_until })
    this.#rows.reservations.push({
      ...common,
      reservation_code: code,
      unit_id: unit.unit_id,
      unit_number: unit.unit_number,
      unit_type_id: unit.unit_type_id,
      status,
      ...discountAsAgreed(discount && { ...discount, discount_id: discount.id }),
      street_rent: type.rent,
      rent: newRenterRent(type),
      hold_until,
      hold_extended: 0,
      unproven_from: null,
      lease_number: null,
    })
    this.#rows.prospects.push({
      ...common,
      uuid: reservationLinkUuid(code),
      res_code: code,
      site_name: facility.name,
      email_address: person.email,
      cell_phone: person.phone,
      res_status: status,
      lease_status: '',
      move_in_date: null,
      extra_data: JSON.stringify({
        firstName: person.first,
        lastName: person.last,
        unitNumber: unit.unit_number,
        unitRent: newRenterRent(type),
        unitTypeId: type.unit_type_id,
      }),
    })
  }

  #rentToGeneratedTenant(unit: UnitsTable, type: UnitTypesTable): void {
    const { facility, records, random, today } = this.#sources
    const first = firstNames[random.integer(0, firstNames.length - 1)]!
    const last = lastNames[random.integer(0, lastNames.length - 1)]!
    const draw = random.integer(1, 40)
    const paidThrough = randomPaidThrough(random)
    // Even a tenant who paid ahead moved in yesterday at the latest.
    const periods = Math.max(draw, Math.ceil((paidThrough + 2) / PERIOD_DAYS))
    const tenant = this.#addTenant(
      {
        first,
        last,
        email: `${first}.${last}.${facility.code}.${unit.unit_number}@example.net`.toLowerCase(),
        // Numbers 555-0100 to 555-0199 are reserved for fiction. Several tenants may have the same.
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
    const gate = this.#addGateCode(tenant, false)
    this.#addLease(tenant, unit, gate, {
      paidThrough,
      periods,
      insurance: vehicle ? 'vehicle' : insured ? (random.integer(1, 3) as 1 | 2 | 3) : 'own',
      rent: Math.round((newRenterRent(type) * random.integer(88, 104)) / 10_000) * 100,
      // Tenants who are past due pay by hand.
      ...(paidThrough >= 0 && autopayByLeaseNumber(this.#leaseNumber)),
      history: 'owed',
    })
  }
}

/**
 * Returns the number of days from today through which a tenant has paid: below 0, thus past due, for six of a hundred
 * tenants, and at least a whole period for eight.
 */
function randomPaidThrough(random: Random): number {
  const draw = random.integer(1, 100)
  if (draw <= 6) return -random.integer(1, 34)
  return draw <= 14 ? PERIOD_DAYS + random.integer(0, 59) : random.integer(0, PERIOD_DAYS - 1)
}

function tenantOf(person: DemoPerson, accountIds: ReadonlyMap<string, string>): NewTenant {
  const { first, last, email, phone, company, military } = person
  const username = usernameOf(person)
  const [address, city, state, zip] = person.address
  return {
    first,
    last,
    email,
    cell_phone: phone,
    address,
    city,
    state,
    zip,
    company: company ?? '',
    ...(company && {
      company_address: address,
      company_city: city,
      company_state: state,
      company_zip: zip,
      company_phone: phone,
      company_email: email,
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
    account_id: username ? (accountIds.get(username) ?? null) : null,
  }
}

/** Returns the uuid of a demo reservation's link, the same for the same code at every start. */
export function reservationLinkUuid(code: string): string {
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
    retired_on: null,
    retired_with: null,
    floor_no: planned.floor,
    left_coordinate: planned.left,
    top_coordinate: planned.top,
    length: planned.length,
    width: planned.width,
    rotate: planned.rotate,
  }
}

/** Fisher–Yates shuffle, in place. */
function shuffle<T>(list: T[], random: Random): void {
  for (let index = list.length - 1; index > 0; index -= 1) {
    const other = random.integer(0, index)
    ;[list[index], list[other]] = [list[other]!, list[index]!]
  }
}

/**
 * Office search: looks one text up as a phone number, e-mail address, unit, gate code, name, lease, receipt and
 * reservation.
 */

import { type ExpressionBuilder, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Cents } from '../../../domain/money.ts'
import { emailKey, nameWords } from '../../../domain/name-and-email-keys.ts'
import { normalizePhone } from '../../../domain/phone.ts'
import { compareUnitNumbers } from '../../../domain/unit-number-order.ts'
import { facilityCodesForSqlIn } from '../../../platform/database/facility-codes-for-sql-in.ts'
import { lowerCaseForms } from '../../../platform/database/spellings-for-case-insensitive-search.ts'
import type { StaffCaller } from '../../../platform/operations/callers.ts'
import { grantAt } from '../../../platform/operations/facilities-of-staff.ts'
import type { Services } from '../../../platform/operations/services.ts'
import type { Tables } from '../../../platform/schema/tables.ts'
import { loadFacilityNames } from '../../facilities/facility-names.ts'
import { unitNumberSpellings } from '../../facilities/rules/unit-number-spellings.ts'
import { isOrderStart, typedReceipt } from '../../payments/rules/receipt-number.ts'
import { type MatchedField, matchHeadings } from '../rules/tenant-search-match-headings.ts'

/** A tenant found by a search. */
export interface SearchHit {
  by: MatchedField
  locationCode: string
  tenantId: number
  name: string
  company: string
  phone: string
  /** Units of the tenant's open leases; without an open lease, units of the closed leases. */
  units: string[]
  /** Worst status among the leases of `units`, such as 'Past Due'; '' without a lease. */
  status: string
  /** Sum of all leases' balances, closed ones included, in cents. */
  balance: Cents
}

/** Result of a search in the office: tenants and vacant units. */
export interface SearchResult {
  /** Found tenants, at most 20, in the order of `matchHeadings`. */
  hits: SearchHit[]
  /** Whether more tenants match than `hits` holds. */
  more: boolean
  /** Units without an open lease whose number is the searched text, at most 20. They may be unavailable. */
  vacant: { locationCode: string; unit: string }[]
}

const MAX_HITS = 20

/**
 * Maximum number of facilities in which a lease number is looked up. With more to search, a lease is found only if the
 * text names its facility.
 */
const MAX_FACILITIES_FOR_LEASE = 200

const headingOrder = Object.keys(matchHeadings)

interface TenantKey {
  location_code: string
  tenant_id: number
}
type Match = TenantKey & { by: MatchedField }

/** Returns the upper bound of all texts with this prefix. */
const endOfPrefix = (prefix: string) => `${prefix}\u{10ffff}`

type FacilityCodes = 'all' | readonly string[]

/** Facilities that a search covers, and the tenants whom it may find there. */
interface Scope {
  codes: FacilityCodes
  /** Condition on the tenant of a row: its table has the columns `location_code` and `tenant_id`. */
  mayFind(table: string): RawBuilder<SqlBool>
}

/**
 * Restricts a query to facilities.
 * @param use 'by facility' where an index begins with the facility; 'filtered' keeps SQLite from scanning the rows of
 * these facilities when another key finds only a few rows
 */
const inFacilities =
  (codes: FacilityCodes, use: 'filtered' | 'by facility' = 'filtered') =>
  <T extends 'tenants' | 'leases' | 'units' | 'gate_codes' | 'payments' | 'prospects'>(
    eb: ExpressionBuilder<Tables, T>,
  ) =>
    codes === 'all'
      ? eb.lit(true)
      : eb(
          use === 'filtered' ? sql<string>`location_code || ''` : sql<string>`location_code`,
          'in',
          facilityCodesForSqlIn(codes),
        )

const tenantsWhere = (
  db: Kysely<Tables>,
  { codes, mayFind }: Scope,
  where: (eb: ExpressionBuilder<Tables, 'tenants'>) => ReturnType<ExpressionBuilder<Tables, 'tenants'>['and']>,
  use?: 'by facility',
) =>
  db
    .selectFrom('tenants')
    .select(['location_code', 'tenant_id'])
    .where(where)
    .where(inFacilities(codes, use))
    .where(mayFind('tenants'))
    .limit(MAX_HITS + 1)
    .execute()

const toMatches = (by: MatchedField, rows: readonly TenantKey[]): Match[] =>
  rows.map(({ location_code, tenant_id }) => ({ location_code, tenant_id, by }))

const phoneFields = ['cell_phone', 'home_phone', 'work_phone', 'company_phone'] as const
type PhoneField = (typeof phoneFields)[number]

async function findByPhone(db: Kysely<Tables>, scope: Scope, digits: string): Promise<Match[]> {
  const found = await Promise.all(
    phoneFields.map((field) =>
      tenantsWhere(db, scope, (eb) =>
        // Repeats the condition of the partial index.
        eb.and([sql<SqlBool>`${sql.ref(field)} <> ''`, eb.or(phoneConditions(eb, field, digits))]),
      ),
    ),
  )
  return toMatches('phone', found.flat())
}

/**
 * Returns conditions that match a phone number by all ten digits or by its beginning, and by seven digits also without
 * area code.
 */
function phoneConditions(eb: ExpressionBuilder<Tables, 'tenants'>, field: PhoneField, digits: string) {
  if (digits.length === 10) return [eb(field, '=', digits)]
  const beginning = eb.and([eb(field, '>=', digits), eb(field, '<', endOfPrefix(digits))])
  return digits.length === 7 ? [beginning, eb(sql<string>`substr(${sql.ref(field)}, 4)`, '=', digits)] : [beginning]
}

const findByEmail = async (db: Kysely<Tables>, scope: Scope, text: string): Promise<Match[]> => {
  const key = emailKey(text)
  return toMatches(
    'e-mail',
    await tenantsWhere(db, scope, (eb) => eb.and([eb('email_key', '>=', key), eb('email_key', '<', endOfPrefix(key))])),
  )
}

const MAX_NAME_WORDS = 5
const joinWords = (words: readonly string[], from: number, to?: number) => words.slice(from, to).join('')

/**
 * Finds tenants by name ('Smith', 'John', 'John Smith', 'Smith, John', 'Smi Jo') or by the beginning of a company name.
 */
async function findByName(db: Kysely<Tables>, scope: Scope, text: string): Promise<Match[]> {
  const words = nameWords(text)
  const whole = words.join('')
  if (whole === '') return []
  const findByNames = (last: string, first: string) =>
    tenantsWhere(
      db,
      scope,
      (eb) =>
        eb.and([
          ...(last === '' ? [] : [eb('last_key', '>=', last), eb('last_key', '<', endOfPrefix(last))]),
          ...(first === '' ? [] : [eb('first_key', '>=', first), eb('first_key', '<', endOfPrefix(first))]),
        ]),
      'by facility',
    )
  const findByCompany = (prefix: string) =>
    tenantsWhere(db, scope, (eb) =>
      eb.and([
        sql<SqlBool>`company <> ''`,
        eb(sql<string>`lower(company)`, '>=', prefix),
        eb(sql<string>`lower(company)`, '<', endOfPrefix(prefix)),
      ]),
    )
  // First and last name may each have several words.
  const splits = words
    .slice(1, MAX_NAME_WORDS)
    .map((_, at) => [joinWords(words, 0, at + 1), joinWords(words, at + 1)] as const)
  const [withLastName, withFirstName, withBothNames, companies] = await Promise.all([
    findByNames(whole, ''),
    findByNames('', whole),
    Promise.all(splits.flatMap(([start, rest]) => [findByNames(rest, start), findByNames(start, rest)])),
    Promise.all(lowerCaseForms(text.trim()).map(findByCompany)),
  ])
  return toMatches('name', [...withBothNames.flat(), ...withLastName, ...withFirstName, ...companies.flat()])
}

async function findByUnit(
  db: Kysely<Tables>,
  { codes, mayFind }: Scope,
  number: string,
): Promise<[Match[], SearchResult['vacant']]> {
  const rows = await db
    .selectFrom('units')
    .leftJoin('leases', (join) =>
      join
        .onRef('leases.location_code', '=', 'units.location_code')
        .onRef('leases.unit_id', '=', 'units.unit_id')
        .on('leases.status', '<>', sql.lit('Closed')),
    )
    .select(['units.location_code', 'units.unit_number', 'leases.tenant_id'])
    .where('units.unit_number', 'in', unitNumberSpellings(number))
    .$if(codes !== 'all', (query) => query.where('units.location_code', 'in', facilityCodesForSqlIn(codes)))
    .where((eb) => eb.or([eb('leases.tenant_id', 'is', null), mayFind('leases')]))
    // Unordered, because ordering would make PostgreSQL scan all units.
    .limit(MAX_HITS + 1)
    .execute()
  return [
    rows.flatMap(({ location_code, tenant_id }) =>
      tenant_id === null ? [] : toMatches('unit', [{ location_code, tenant_id }]),
    ),
    rows
      .filter(({ tenant_id }) => tenant_id === null)
      .map(({ location_code, unit_number }) => ({ locationCode: location_code, unit: unit_number })),
  ]
}

const findByGateCode = async (db: Kysely<Tables>, { codes, mayFind }: Scope, code: string): Promise<Match[]> =>
  toMatches(
    'gate code',
    await db
      .selectFrom('gate_codes')
      .select(['location_code', 'tenant_id'])
      .where('gate_code', '=', code)
      .where('active', '=', sql.lit(1))
      .where(inFacilities(codes, 'by facility'))
      .where(mayFind('gate_codes'))
      .limit(MAX_HITS + 1)
      .execute(),
  )

const findByLease = async (
  db: Kysely<Tables>,
  { mayFind }: Scope,
  codes: readonly string[],
  number: number,
): Promise<Match[]> =>
  toMatches(
    'lease',
    await db
      .selectFrom('leases')
      .select(['location_code', 'tenant_id'])
      .where('location_code', 'in', facilityCodesForSqlIn(codes))
      .where('lease_number', '=', number)
      .where(mayFind('leases'))
      .limit(MAX_HITS + 1)
      .execute(),
  )

/** Finds payments by order number, provider receipt, counter receipt or check number. */
async function findByReceipt(db: Kysely<Tables>, { codes, mayFind }: Scope, text: string): Promise<Match[]> {
  const receiptNumber = typedReceipt(text)
  const numbers = [...new Set([text, text.toUpperCase(), receiptNumber])]
  const rows = await db
    .selectFrom('payments')
    .leftJoin('leases', (join) =>
      join
        .onRef('leases.location_code', '=', 'payments.location_code')
        .onRef('leases.lease_number', '=', 'payments.lease_number'),
    )
    .select('payments.location_code')
    .select((eb) => eb.fn.coalesce('leases.tenant_id', 'payments.tenant_id').as('tenant_id'))
    .where((eb) =>
      eb.or([
        eb('payments.order_id', 'in', numbers),
        // A receipt shows the beginning of its order's number.
        ...(isOrderStart(receiptNumber)
          ? [
              eb.and([
                eb('payments.order_id', '>=', receiptNumber),
                eb('payments.order_id', '<', endOfPrefix(receiptNumber)),
              ]),
            ]
          : []),
        eb.and([eb('receipt_id', 'in', [...new Set([text, receiptNumber])]), sql<SqlBool>`receipt_id <> ''`]),
      ]),
    )
    .$if(codes !== 'all', (query) => query.where('payments.location_code', 'in', facilityCodesForSqlIn(codes)))
    .where((eb) => eb.or([mayFind('leases'), eb.and([eb('leases.tenant_id', 'is', null), mayFind('payments')])]))
    .limit(MAX_HITS + 1)
    .execute()
  const counterReceipts = await db
    .selectFrom('counter_receipts')
    .select(['location_code', 'tenant_id'])
    .where((eb) =>
      eb.or([
        eb('receipt_id', 'in', numbers),
        eb.and([eb('check_number', '=', text), sql<SqlBool>`check_number <> ''`]),
      ]),
    )
    .$if(codes !== 'all', (query) => query.where('location_code', 'in', facilityCodesForSqlIn(codes)))
    .where(mayFind('counter_receipts'))
    .limit(MAX_HITS + 1)
    .execute()
  return [
    ...rows.flatMap(({ location_code, tenant_id }) =>
      tenant_id === null ? [] : toMatches('receipt', [{ location_code, tenant_id }]),
    ),
    ...toMatches('receipt', counterReceipts),
  ]
}

/** Finds a tenant by reservation code, through the prospects table, whose codes are indexed. */
const findByReservation = async (db: Kysely<Tables>, { codes, mayFind }: Scope, code: string): Promise<Match[]> =>
  toMatches(
    'reservation',
    await db
      .selectFrom('prospects')
      .select(['location_code', 'tenant_id'])
      .where('res_code', '=', code)
      .where(inFacilities(codes))
      .where(mayFind('prospects'))
      .execute(),
  )

/** Splits 'ATL01 A112' into facility code and rest, if the code is one of `facilityCodes`. */
function withFacility(text: string, facilityCodes: ReadonlySet<string>): { code: string | null; rest: string } {
  const [, code, rest] = /^([A-Za-z0-9]{2,16})[\s:/-]+(\S.*)$/.exec(text) ?? []
  return code && rest && facilityCodes.has(code.toUpperCase())
    ? { code: code.toUpperCase(), rest }
    : { code: null, rest: text }
}

/** Returns which kinds of records a search text may name, judged by its form. */
function possibleMeanings(text: string) {
  const isWord = /^[\p{L}\p{N}][\p{L}\p{N}.-]{0,39}$/u.test(text)
  return {
    phone: /^\d{6,10}$/.test(normalizePhone(text)),
    email: text.includes('@'),
    unit: text.length <= 20 && (isWord || /\d/.test(text)),
    gateCode: /^\d{6}$/.test(text),
    name: /\p{L}/u.test(text) && !text.includes('@'),
    lease: /^\d{1,9}$/.test(text),
    receipt: (isWord && text.length >= 4) || typedReceipt(text) !== text.trim(),
    reservation: /^[A-Za-z0-9]{10}$/.test(text),
  }
}

/**
 * Returns the condition on the tenants whom a staff member may find: where the grant is 'own', only the tenants of the
 * staff member's open tasks.
 */
function permittedTenants(caller: StaffCaller, searchedCodes: readonly string[]): Scope['mayFind'] {
  const ownCodes = searchedCodes.filter((code) => grantAt(caller, 'file.read', code) === 'own')
  if (ownCodes.length === 0) return () => sql<SqlBool>`1 = 1`
  return (table) => {
    const locationCode = sql.ref(`${table}.location_code`)
    const tenantId = sql.ref(`${table}.tenant_id`)
    return sql<SqlBool>`(${locationCode} not in (${sql.join(ownCodes)}) or exists (
      select 1 from tasks
      where tasks.location_code = ${locationCode} and tasks.tenant_id = ${tenantId}
        and tasks.assigned_to = ${caller.staffId} and tasks.state = 'open'))`
  }
}

/**
 * Searches the tenants whom a staff member may find, and vacant units.
 * @param facilities codes of the locations to search; 'all' for every location
 */
export async function searchTenants(
  services: Services,
  text: string,
  facilities: FacilityCodes,
  caller: StaffCaller,
): Promise<SearchResult> {
  const db = services.db.read
  const listedCodes = (await loadFacilityNames(services)).map(({ code }) => code)
  const searchedCodes = facilities === 'all' ? listedCodes : facilities
  const { code, rest } = withFacility(text, new Set(searchedCodes))
  const scope: Scope = { codes: code ? [code] : facilities, mayFind: permittedTenants(caller, searchedCodes) }
  const leaseFacilities = code ? [code] : searchedCodes
  const meanings = possibleMeanings(rest)
  const none: Match[] = []
  const [phone, email, [units, vacant], gate, name, lease, receipt, reservation] = await Promise.all([
    meanings.phone ? findByPhone(db, scope, normalizePhone(rest)) : none,
    meanings.email ? findByEmail(db, scope, rest) : none,
    meanings.unit ? findByUnit(db, scope, rest) : ([none, []] as const),
    meanings.gateCode ? findByGateCode(db, scope, rest) : none,
    meanings.name ? findByName(db, scope, rest) : none,
    meanings.lease && leaseFacilities.length <= MAX_FACILITIES_FOR_LEASE
      ? findByLease(db, scope, leaseFacilities, Number(rest))
      : none,
    meanings.receipt ? findByReceipt(db, scope, rest) : none,
    meanings.reservation ? findByReservation(db, scope, rest.toUpperCase()) : none,
  ])
  const matches = [phone, email, units, gate, name, lease, receipt, reservation].flat()
  // The operator's own office, a location that no list shows, has no tenants to find.
  const listed = new Set(listedCodes)
  const atListed = matches.filter((match) => listed.has(match.location_code))
  // Reversed, so that the first match of each tenant is the one that stays in the map.
  const firstMatches = new Map(
    atListed.toReversed().map((match) => [`${match.location_code} ${match.tenant_id}`, match]),
  )
  const distinctMatches = [...firstMatches.values()].reverse()
  distinctMatches.sort((a, b) => headingOrder.indexOf(a.by) - headingOrder.indexOf(b.by))
  return {
    hits: await loadHits(db, distinctMatches.slice(0, MAX_HITS)),
    more: distinctMatches.length > MAX_HITS,
    vacant: vacant.filter(({ locationCode }) => listed.has(locationCode)).slice(0, MAX_HITS),
  }
}

/** Loads the hits of matched tenants, with names, units and balances, by two queries for all tenants. */
async function loadHits(db: Kysely<Tables>, matches: readonly Match[]): Promise<SearchHit[]> {
  if (matches.length === 0) return []
  const isMatchedTenant = sql<SqlBool>`(${sql.join(
    matches.map((match) => sql`(location_code = ${match.location_code} and tenant_id = ${match.tenant_id})`),
    sql` or `,
  )})`
  const [tenants, leases] = await Promise.all([
    db
      .selectFrom('tenants')
      .select(['location_code', 'tenant_id', 'first', 'last', 'company', 'cell_phone'])
      .where(isMatchedTenant)
      .execute(),
    db
      .selectFrom('leases')
      .select(['location_code', 'tenant_id', 'unit_number', 'status', 'balance'])
      .where(isMatchedTenant)
      .execute(),
  ])
  const key = (row: TenantKey) => `${row.location_code} ${row.tenant_id}`
  const tenantsByKey = new Map(tenants.map((row) => [key(row), row]))
  const leasesByKey = Map.groupBy(leases, key)
  return matches.flatMap((match): SearchHit[] => {
    const tenant = tenantsByKey.get(key(match))
    if (!tenant) return []
    const allLeases = leasesByKey.get(key(match)) ?? []
    const openLeases = allLeases.filter((row) => row.status !== 'Closed')
    const leasesInUse = openLeases.length > 0 ? openLeases : allLeases
    const worst = ['Auction', 'Past Due', 'Current', 'Pre-Paid', 'Closed'].find((status) =>
      leasesInUse.some((row) => row.status === status),
    )
    return [
      {
        by: match.by,
        locationCode: tenant.location_code,
        tenantId: tenant.tenant_id,
        name: `${tenant.first} ${tenant.last}`.trim(),
        company: tenant.company,
        phone: tenant.cell_phone,
        units: leasesInUse.map((row) => row.unit_number).sort(compareUnitNumbers),
        status: worst ?? '',
        balance: allLeases.reduce((sum, row) => sum + row.balance, 0),
      },
    ]
  })
}

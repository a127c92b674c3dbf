/**
 * Compares the CPU cost of operations that read, or look up a person, at a small and a large site, which are called in
 * turn.
 */
import { type AnyOperation, operations, resources } from '../api/catalogue.ts'
import { addressOf, json, Visitor } from '../tests/actors/visitor-http-client.ts'
import {
  codeOf,
  emailOf,
  type FacilityGroup,
  lastNameOf,
  phoneOf,
  tokenOf,
  UNITS_PER_FACILITY,
  uuidOf,
} from './bench-data.ts'
import { lowest, median } from './cpu-and-memory-measurements.ts'

const free = 50
const reserved = 10
export const operationCostsData = (facilities: number): FacilityGroup[] => [{ facilities, free, reserved }]

export interface MeasuredSite {
  url: string
  facilities: number
  cpu(): number
  /** Resets the counts of guesses, since the benchmark makes more than the limits allow. */
  resetLimits(): Promise<unknown>
}

export interface Cost {
  name: string
  /** CPU time of a call at the small site, in milliseconds. */
  small: number
  /** Median of the ratio of the large site's CPU time to the small site's. */
  growth: number
}

/** Look-ups that are declared as writes, since they count guesses, but are measured like the reading operations. */
const lookUps = ['GetActiveReservation', 'tenant_lookup', 'find-email', 'POST /api/gate_code/search']
const operationsToMeasure = (): AnyOperation[] =>
  [...operations.values(), ...resources.values()].filter(
    ({ name, writes, access }) =>
      (!writes || lookUps.includes(name)) &&
      (access === 'anyone' || Object.keys(access).some((caller) => caller !== 'machine')),
  )

/**
 * Number of the next visitor, from which the visitor's network address is made. Other benchmarks use lower numbers, since
 * limits count by address.
 */
let visitors = 4_000_000
let turn = 0

/**
 * Returns an operation's example input, with its values replaced by those of a facility of the benchmark and one of its
 * tenants.
 */
function inputFor({ name, example }: AnyOperation, facility: number): Record<string, unknown> {
  const location_code = codeOf(facility)
  // The tenant changes with each call, since guesses at one record are limited for all addresses together.
  const tenant = 1 + (turn % (UNITS_PER_FACILITY - free - reserved))
  const namedTenant = name === 'GetActiveReservation' ? UNITS_PER_FACILITY - (turn % reserved) : tenant
  const digits = phoneOf(facility, namedTenant).slice(-4)
  const inputs: Record<string, unknown> = {
    location_code,
    code: location_code,
    tenant_id: 1,
    lease_number: 1,
    lease_no: 1,
    // The first free unit, since units 1 to 540 are let.
    UnitId: 541,
    email: emailOf(facility, tenant),
    contact: `nobody.${turn}@example.com`,
    uuid: uuidOf(facility),
    unit_type_id: 1,
    unit_number: name === 'tenant_lookup' ? `U${tenant}` : 'U1',
    last_name: lastNameOf(namedTenant),
    phone_last_four: digits,
    last_4_digits_of_phone_number: digits,
    MoveInDate: new Date().toLocaleDateString('en-US', { month: '2-digit', day: '2-digit', year: 'numeric' }),
  }
  return Object.fromEntries(Object.entries(example.input).map(([key, value]) => [key, inputs[key] ?? value]))
}

async function callOnce(site: MeasuredSite, operation: AnyOperation): Promise<void> {
  // Consecutive calls are for facilities far apart. GetActiveReservation writes a draft of a rental, so it uses as many
  // facilities at one site as at the other, and their tables grow alike.
  const facility = 1 + ((turn++ * 7919) % (operation.name === 'GetActiveReservation' ? 14 : site.facilities))
  const visitor = new Visitor(site.url, addressOf(visitors++), { pool: true })
  if (operation.access !== 'anyone') visitor.token = tokenOf(facility)
  const input = inputFor(operation, facility)
  const [method = '', template] = operation.name.split(' ')
  const rest = { ...input }
  const path = (template ?? '/api/ssm').replace(/\{(\w+)\}/g, (_, name) => {
    delete rest[name]
    return encodeURIComponent(String(input[name]))
  })
  const query = new URLSearchParams(Object.entries(rest).map(([name, value]) => [name, String(value)]))
  const { status, text } =
    method === 'GET'
      ? await visitor.send('GET', `${path}?${query}`)
      : await visitor.send('POST', path, json(template ? rest : { service: operation.name, body: input }))
  if (status !== 200) throw new Error(`${operation.name} ${JSON.stringify(input)}: ${status} ${text.slice(0, 300)}`)
}

/** Makes `count` calls of an operation at a site, eight concurrently. @returns CPU time of one call, in milliseconds */
async function measureCalls(site: MeasuredSite, operation: AnyOperation, count: number): Promise<number> {
  // Limits are reset only for operations that count guesses, since a write by another process empties the page caches
  // of the site's SQLite connections.
  if (operation.writes) await site.resetLimits()
  const before = site.cpu()
  let remaining = count
  const worker = async () => {
    while (remaining-- > 0) await callOnce(site, operation)
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  return (site.cpu() - before) / count
}

/** Name of the operation whose calls fill the cache of facility facts before a measurement. */
const warming = 'GetInsuranceSchemes'

/**
 * Measures operations at the small and the large benchmark site in alternating rounds, so that a burst of other work
 * affects only one round of many.
 */
export async function operationCosts(small: MeasuredSite, large: MeasuredSite): Promise<Cost[]> {
  const all = operationsToMeasure()
  for (const site of [small, large])
    for (const operation of all)
      await measureCalls(site, operation, operation.name === warming ? Math.max(96, site.facilities) : 96)
  const spent = new Map<AnyOperation, { small: number[]; large: number[] }>()
  const growth = (operation: AnyOperation) => {
    const costs = spent.get(operation)
    return costs ? median(costs.large.map((value, round) => value / (costs.small[round] as number))) : 0
  }
  const measure = async (selected: readonly AnyOperation[], rounds: number) => {
    for (const operation of selected) spent.set(operation, { small: [], large: [] })
    for (let round = 0; round < rounds; round++)
      for (const operation of selected) {
        const sites = [['small', small] as const, ['large', large] as const]
        for (const [name, site] of round % 2 === 0 ? sites : sites.toReversed())
          spent.get(operation)?.[name].push(await measureCalls(site, operation, 24))
      }
  }
  await measure(all, 16)
  // The worst results may be bad luck: operations near or above the limit are measured again, three times as long.
  await measure(
    all.filter((operation) => growth(operation) > 1.2),
    48,
  )
  return all.map((operation) => {
    const costs = spent.get(operation) as { small: number[]; large: number[] }
    return {
      name: operation.name,
      small: lowest(costs.small),
      growth: growth(operation),
    }
  })
}

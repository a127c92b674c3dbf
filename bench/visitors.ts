import { demoPassword } from '../demo/tenants-with-leases-and-reservations.ts'
import { payByCard } from '../tests/actors/payer.ts'
import { rentByCard, reserve } from '../tests/actors/renter.ts'
import { addressOf, Visitor } from '../tests/actors/visitor-http-client.ts'
import { codeOf, tokenOf } from './bench-data.ts'

/** Number of visitors created so far, from which each gets its own network address. */
let visitors = 0

export const newVisitor = (url: string, encodings = 'identity') =>
  new Visitor(url, addressOf(++visitors), { pool: true, encodings })

const nextEmail = () => `bench.${visitors}@example.com`

export async function reserveOnce(url: string, facility: number, unit: { type: number; unit: number }): Promise<void> {
  const visitor = newVisitor(url)
  const location_code = codeOf(facility)
  const catalog = await visitor.call<{ UnitType: { UnitTypeId: number; DiscountId: number }[] }>(
    '/api/ssm/GetLocationUnitTypes',
    { location_code },
  )
  const DiscountId = catalog.UnitType.find(({ UnitTypeId }) => UnitTypeId === unit.type)?.DiscountId
  const day = { timeZone: 'America/Denver', month: '2-digit', day: '2-digit', year: 'numeric' } as const
  const move_in_date = new Date().toLocaleDateString('en-US', day)
  const costInput = { location_code, UnitId: unit.unit, MoveInDate: move_in_date, DiscountId, InsuranceId: 1 }
  await visitor.call('/api/ssm/GetMoveInCostAll', costInput)
  const saved = await reserve(visitor, { code: location_code, type: unit.type }, nextEmail(), { move_in_date })
  if (!saved) throw new Error(`${location_code} has no free unit of type ${unit.type}`)
  await visitor.call('/api/prospects', { location_code, res_code: saved.reservationCode })
}

export async function rentOnce(url: string, facility: number, type: number): Promise<void> {
  const visitor = newVisitor(url)
  const kind = { code: codeOf(facility), type }
  const rental = await rentByCard(visitor, { kind, card: 'visa', email: nextEmail() })
  if (rental.end !== 'moved in') throw new Error(`A rental ended: ${rental.end}`)
}

export async function payOnce(url: string, facility: number, tenant: number): Promise<void> {
  const visitor = newVisitor(url)
  visitor.token = tokenOf(facility, tenant)
  const lease = { location_code: codeOf(facility), tenant_id: tenant, lease_number: tenant }
  const state = await payByCard(visitor, lease, 'visa')
  if (state !== 'APPROVED') throw new Error(`The payment of tenant ${tenant} is ${state || 'refused'}`)
}

export async function signIn(url: string, name: string): Promise<Visitor> {
  const visitor = newVisitor(url, 'br')
  const credentials = { username: `${name}@example.com`, password: demoPassword }
  visitor.token = (await visitor.call<{ token: string }>('/api/ssm/login', credentials)).token
  return visitor
}

export interface TenantPage {
  title: string
  open(): Promise<void>
}

export async function openPage(visitor: Visitor, path: string): Promise<void> {
  const { status, to } = await visitor.page(path)
  if (status !== 200) throw new Error(`${path} answers ${status} ${to}`)
}

async function firstLease(visitor: Visitor): Promise<string> {
  const number = /\/unit-lease-details\?lease=(\d+)/.exec((await visitor.page('/my-units')).html)?.[1]
  if (!number) throw new Error('A tenant of the demo rents no unit')
  return number
}

export async function tenantPages(url: string): Promise<TenantPage[]> {
  const stranger = newVisitor(url, 'br')
  const [marcus, leaving, terms] = await Promise.all(
    ['marcus.tilley', 'imogen.sayles', 'adele.fontaine'].map((name) => signIn(url, name)),
  )
  if (!marcus || !leaving || !terms) throw new Error('The demo has no tenants')
  // Later pages need the unit that the tenant's cookie names as selected, or the payment that it names as begun.
  await leaving.page(`/unit-lease-details?lease=${await firstLease(leaving)}`)
  const lease = await firstLease(marcus)
  const form = { lease, intent: 'pay', periods: '1', autopay: '0' }
  const response = await marcus.page(`/unit-lease-details?lease=${lease}`, form)
  if (response.to !== '/online-payment-method')
    throw new Error(`A payment was not begun: ${response.status} ${response.to}`)
  const pagesFor = (visitor: Visitor, ...paths: string[]) =>
    paths.map((path) => ({ title: path.replace(/\?.*/, ''), open: () => openPage(visitor, path) }))
  return [
    ...pagesFor(stranger, '/login', '/register', '/forgot'),
    ...pagesFor(marcus, '/account-profile', '/update-profile', '/update-password', '/my-units'),
    ...pagesFor(marcus, `/unit-lease-details?lease=${lease}`, '/recent-activity', `/schedule-move-out?lease=${lease}`),
    ...pagesFor(leaving, '/move-out-receipt'),
    ...pagesFor(marcus, '/proof-of-insurance', '/unit-map', '/online-payment-method', '/online-payment-ach'),
    ...pagesFor(terms, '/complete-lease'),
  ]
}

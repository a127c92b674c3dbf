import { facilities } from '../../demo/facilities.ts'
import type { TestCardName } from '../../sandbox/test-cards.ts'
import { openCardPage, payByBankAccount, queryOrderUntilFinal } from './payer.ts'
import { type JsonAnswer, Outage, payAtCardPage, type Reach, Visitor } from './visitor-http-client.ts'

/** A unit type of a demo facility. */
export interface DemoUnitType {
  code: string
  type: number
}

/** Returns the number of free units of a unit type in a new demo. */
export const freeUnitsOf = ({ code, type }: DemoUnitType): number =>
  facilities.find((facility) => facility.code === code)?.units[type - 1]?.[2] ?? 0

/** Unit types that have free units in a new demo, without those of facilities that open soon. */
export const availableKinds: readonly DemoUnitType[] = facilities.flatMap(({ code, comingSoon, units }) =>
  comingSoon ? [] : units.flatMap(([, , free], index) => (free > 0 ? [{ code, type: index + 1 }] : [])),
)

/** Returns the contact data of a simulated renter. Renters differ only in their e-mail address. */
export const contactOf = (email: string) => ({
  first: 'Kim',
  last: 'Kiosk',
  email,
  cell_phone: '4045550188',
  address: '1 Kiosk Way',
  city: 'Atlanta',
  state: 'GA',
  zip: '30308',
  company: '',
  active_military: '0',
  designated_agent: '0',
})

/** Returns whether a reservation was refused because no unit is free, or a limit on reservations is reached. */
export const isWithoutUnit = (answer: JsonAnswer['answer']): boolean =>
  answer.ErrorMessage === 'Units Not Available' || answer.error?.code === 'too_many'

export interface Reservation {
  reservationCode: string
  unitNumber: string
}

/**
 * Reserves a unit.
 * @param when today (`rent_now`) or a date, as `MM/DD/YYYY`
 * @returns null when no unit is free, or a limit on reservations is reached
 * @throws Error for any other refusal
 */
export async function reserve(
  visitor: Visitor,
  { code, type }: DemoUnitType,
  email: string,
  when: { rent_now: 1 } | { move_in_date: string } = { rent_now: 1 },
): Promise<Reservation | null> {
  const request = { location_code: code, unit_type_id: type, ...when, ...contactOf(email) }
  const { answer } = await visitor.ask('/api/ssm/SaveReservationDetails_WEB', request)
  if (isWithoutUnit(answer)) return null
  if (answer.ErrorMessage !== '') throw new Error(`reserving answered ${JSON.stringify(answer)}`)
  return { reservationCode: String(answer.reservationCode), unitNumber: String(answer.unitNumber) }
}

/**
 * Signs the lease, and signs again when the draft changed meanwhile.
 * @throws Error when signing is refused
 */
export async function signLease(visitor: Visitor, location_code: string): Promise<void> {
  const name = 'Kim Kiosk'
  const form = { tenant_name: name, tenant_signature_name: name, accepted_timestamp: new Date().toISOString() }
  for (;;) {
    const { status, answer } = await visitor.ask('/api/ssm/lease-pdf', { location_code, format: 'file', ...form })
    if (status === 200) return
    if (answer.error?.code !== 'changed_elsewhere') throw new Error(`signing: ${status} ${JSON.stringify(answer)}`)
  }
}

/**
 * Signs the lease and opens the card page; signs again when midnight passed at the facility.
 * @throws Error when refused
 */
async function openMoveIn(visitor: Visitor, location_code: string) {
  await signLease(visitor, location_code)
  let opened = await openCardPage(visitor, { location_code })
  if (opened.code === 'not_signed') {
    await signLease(visitor, location_code)
    opened = await openCardPage(visitor, { location_code })
  }
  if (!opened.orderId) throw new Error(`opening answered ${JSON.stringify(opened)}`)
  return opened
}

/**
 * Converts a paid order to a lease.
 * @returns null when it was not converted
 */
async function moveIn(visitor: Visitor, location_code: string, order_id: string) {
  const path = '/api/ssm/ConvertReservationtoRentalAndSendLeaseAgreement'
  const { Rental } = (await visitor.ask(path, { location_code, order_id })).answer as {
    Rental?: Record<string, string>
  }
  if (Rental?.RentalMessage !== 'Successful') return null
  return { leaseNumber: Rental.RentalLeaseNumber ?? '', gateCode: Rental.GateCode ?? '' }
}

/** Facts that the site confirmed to a simulated renter, all of which must be stored, and how the rental ended. */
export interface RentalResult {
  email: string
  locationCode: string
  reservationCode?: string
  orderId?: string
  leaseNumber?: string
  gateCode?: string
  end: 'moved in' | 'no unit' | 'refused' | 'walked away'
}

/** Unit type, card and e-mail address of one rental. */
export interface RentalPlan {
  kind: DemoUnitType
  card: TestCardName
  email: string
}

/**
 * Rents one unit by card. Ends as 'walked away' at an outage longer than the visitor's retries, or when the order does
 * not become a lease.
 * @throws NotPosted when the payment is neither approved, declined nor pending; Error for any other unexpected refusal
 */
export async function rentByCard(visitor: Visitor, { kind, card, email }: RentalPlan): Promise<RentalResult> {
  const result: RentalResult = { email, locationCode: kind.code, end: 'walked away' }
  try {
    const saved = await reserve(visitor, kind, email)
    if (!saved) return { ...result, end: 'no unit' }
    result.reservationCode = saved.reservationCode
    const { orderId, url } = await openMoveIn(visitor, kind.code)
    result.orderId = orderId
    await payAtCardPage(url, card)
    const state = await queryOrderUntilFinal(visitor, orderId, 8)
    if (state === 'DECLINED') return { ...result, end: 'refused' }
    const lease = await moveIn(visitor, kind.code, orderId)
    return lease ? { ...result, ...lease, end: 'moved in' } : result
  } catch (error) {
    if (error instanceof Outage) return result
    throw error
  }
}

/**
 * Rents a unit by card as a new visitor with cookies of its own, such as at a kiosk.
 * @param options `patient`: whether to retry after an outage instead of stopping; `address`: the visitor's IP address
 */
export const rentAtKiosk = (
  reach: Reach,
  options: RentalPlan & { patient: boolean; address: string },
): Promise<RentalResult> =>
  rentByCard(new Visitor(reach, options.address, { tries: options.patient ? 200 : 0 }), options)

/**
 * Rents one unit from a bank account.
 * @param ending last digits of the account, which decide the sandbox bank's response
 */
export async function rentByBank(
  visitor: Visitor,
  { kind, email, ending }: { kind: DemoUnitType; email: string; ending: string },
) {
  if (!(await reserve(visitor, kind, email))) return
  await signLease(visitor, kind.code)
  await payByBankAccount(visitor, 'ProcessACHMoveIn', { location_code: kind.code }, 'PaymentAmount', ending)
}

import { parseJson, writtenByUs } from '../../domain/parse-json.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Payment } from './payment.ts'

/** Consent to autopay or a debit, stored with the payment: its text, time (epoch milliseconds), IP address and browser. */
export interface Authorisation {
  text: string
  at: number
  address: string
  agent: string
}

export const authorisationOf = (authorisation: string): Authorisation =>
  parseJson(authorisation, writtenByUs<Authorisation>('text', 'at'))

export interface Customer {
  name: string
  email: string
  address: string
  city: string
  state: string
  zip: string
}

/** Returns the payer's data for the card page; empty if the caller may not read it. */
export const customerOf = (
  person: (Partial<Omit<Customer, 'name'>> & { first: string; last: string }) | null,
): Customer => ({
  name: person ? `${person.first} ${person.last}` : '',
  email: person?.email ?? '',
  address: person?.address ?? '',
  city: person?.city ?? '',
  state: person?.state ?? '',
  zip: person?.zip ?? '',
})

export const planContext = (orderId: string) => `payment:${orderId}:plan`

export const encryptPlan = (services: Services, orderId: string, plan: string): string =>
  JSON.stringify({ sealed: services.sealer.seal(plan, planContext(orderId)) })

/** Returns the encrypted plan with amounts and periods but without personal data, which is enough for receipts. */
export function encryptPlanWithoutPerson(services: Services, payment: Pick<Payment, 'order_id' | 'plan'>): string {
  const { lease: _, name, ...plan } = decryptPlan<Record<string, unknown>>(services, payment)
  return encryptPlan(services, payment.order_id, JSON.stringify(name === undefined ? plan : { ...plan, name: '' }))
}

/** Decrypts a payment's plan. Returns JSON. */
export function decryptPlanJson(
  services: Pick<Services, 'sealer'>,
  { order_id, plan }: Pick<Payment, 'order_id' | 'plan'>,
): string {
  const { sealed } = parseJson(plan, writtenByUs<{ sealed: string }>('sealed'))
  return services.sealer.open(sealed, planContext(order_id))
}

/** Decrypts the terms that were agreed when the order was made. */
export function decryptPlan<Plan extends object>(
  services: Services,
  payment: Pick<Payment, 'order_id' | 'plan'>,
): Plan {
  return parseJson(decryptPlanJson(services, payment), writtenByUs<Plan>())
}

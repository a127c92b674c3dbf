/** Encrypts and decrypts the plan of a payment: the terms that the payer agreed to when the order was made, as JSON. */
import { hasFields, parseJson } from '../../domain/parse-json-and-check-shape.ts'
import type { Services } from '../../platform/operations/services.ts'
import type { Payment } from './payment.ts'

/** Returns the encryption context of a payment's plan. */
export const planContext = (orderId: string) => `payment:${orderId}:plan`

export const encryptPlan = (services: Services, orderId: string, plan: string): string =>
  JSON.stringify({ sealed: services.sealer.seal(plan, planContext(orderId)) })

/** Returns the encrypted plan with amounts and periods but without personal data, which is enough for receipts. */
export function encryptPlanWithoutPerson(services: Services, payment: Pick<Payment, 'order_id' | 'plan'>): string {
  const { lease: _, name, ...plan } = decryptPlan<Record<string, unknown>>(services, payment)
  return encryptPlan(services, payment.order_id, JSON.stringify(name === undefined ? plan : { ...plan, name: '' }))
}

/** Decrypts a payment's plan, as JSON. */
export function decryptPlanJson(
  services: Pick<Services, 'sealer'>,
  { order_id, plan }: Pick<Payment, 'order_id' | 'plan'>,
): string {
  const { sealed } = parseJson(plan, hasFields<{ sealed: string }>('sealed'))
  return services.sealer.open(sealed, planContext(order_id))
}

export function decryptPlan<Plan extends object>(
  services: Services,
  payment: Pick<Payment, 'order_id' | 'plan'>,
): Plan {
  return parseJson(decryptPlanJson(services, payment), hasFields<Plan>())
}

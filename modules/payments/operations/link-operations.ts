import * as v from 'valibot'
import { auctionRules } from '../../../domain/auction-rules.ts'
import { toWire } from '../../../domain/money.ts'
import {
  invalidTenantId,
  invalidUrl,
  paymentAlreadyProcessed,
  paymentFailed,
  paymentNotFound,
  paymentStillChecked,
  successful,
} from '../../../domain/texts/payment.ts'
import { noticeState } from '../../../platform/jobs/queue.ts'
import { ownTenant } from '../../../platform/operations/callers.ts'
import { countGuess, guessBounds, wrongGuess } from '../../../platform/operations/guesses.ts'
import { integer, locationCode, optional, required, uuid } from '../../../platform/operations/input-fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { refuse, succeed } from '../../../platform/operations/outcome.ts'
import type { Services } from '../../../platform/operations/services.ts'
import { acknowledgeRules } from '../../links/auction-acknowledgements.ts'
import { auctionLink, settlementLink } from '../../links/links.ts'
import { contradicted, contradictions, isRefusal, ownPayment, paymentFields } from '../own-payment.ts'
import type { LeasePlan } from '../payers/lease.ts'
import { type Payment, paymentOf, type Settled } from '../payment.ts'
import { planOf } from '../sealed-details.ts'
import { settlePayment } from '../settle.ts'

export const ProcessPayment_V2 = operation({
  name: 'ProcessPayment_V2',
  summary:
    'Posts the card payment of an order of the caller’s own, once; asking again answers the same. All that the caller sends is compared with our own payment of that order: a difference is 409.',
  access: { tenant: ownTenant, guest: ownTenant, auction: () => true, settlement: () => true },
  input: v.object({
    location_code: locationCode(),
    tenant_id: integer(invalidTenantId),
    unit_id: optional(16),
    pay_periods: optional(4),
    order_id: required(64),
    auction_proceeds: optional(1),
    ...paymentFields,
  }),
  output: v.object({
    PaymentMessage: v.string(),
    order_id: v.string(),
    receipt_number: v.string(),
    amount: v.string(),
  }),
  limit: { points: 120, perSeconds: 3600 },
  writes: true,
  example: {
    input: {
      location_code: 'ATL01',
      tenant_id: 1001,
      order_id: 'LK3F9A0C44D1E2B7A90C11D2E3',
      payment_method: 'CC',
      pay_periods: '1',
      autopay_bit: '0',
      auction_proceeds: '0',
    },
    output: {
      PaymentMessage: 'Successful',
      order_id: 'LK3F9A0C44D1E2B7A90C11D2E3',
      receipt_number: '77120',
      amount: '100.69',
    },
  },
  async run(services, { location_code, tenant_id, order_id, ...said }, callers) {
    const own = await ownPayment(services, callers, order_id)
    if (isRefusal(own)) return own
    if (own.payer === 'move_in') {
      return refuse(409, 'differs', 'This is not a payment for a lease.', {
        fields: { order_id: 'is of another kind' },
      })
    }
    const ours = await leaseFieldsOf(services, own, said.pay_periods)
    const given = { ...said, location_code, tenant_id: String(tenant_id) } as Record<string, string>
    const { amount, payment_method, autopay_bit } = said as Record<string, string | undefined>
    const agreed = Object.fromEntries(Object.keys(ours).map((name) => [name, given[name]]))
    const early = contradictions(services, own, { ...agreed, amount, payment_method, autopay_bit }, ours)
    if (early.length > 0) return contradicted(services, order_id, early)
    const settled = await settlePayment(services, order_id)
    const payment = (await paymentOf(services, order_id)) ?? own
    const wrong = contradictions(services, payment, given, ours)
    if (wrong.length > 0) return contradicted(services, order_id, wrong)
    return succeed({
      PaymentMessage: messageOf(settled, payment),
      order_id,
      receipt_number: payment.receipt_id ?? '',
      amount: toWire(payment.approved_amount ?? payment.amount),
    })
  },
})

/** Our own values of what a caller may say of the lease that is paid for. */
async function leaseFieldsOf(services: Services, own: Payment, saidPeriods: string): Promise<Record<string, string>> {
  const plan = planOf<Partial<LeasePlan>>(services, own)
  const lease = await services.db.read
    .selectFrom('leases')
    .select(['unit_id', 'tenant_id'])
    .where('location_code', '=', own.location_code)
    .where('lease_number', '=', own.lease_number ?? -1)
    .executeTakeFirst()
  return {
    location_code: own.location_code,
    // An auction's money is no tenant's, though the form has a place for one.
    tenant_id: String(own.tenant_id ?? lease?.tenant_id ?? ''),
    unit_id: String(lease?.unit_id ?? ''),
    pay_periods: plan.pays === 'prepay' ? String(plan.periods) : saidPeriods === '0' ? '0' : '1',
    auction_proceeds: own.payer === 'auction' ? '1' : '0',
  }
}

function messageOf(settled: Settled, payment: Payment): string {
  switch (settled.state) {
    case 'posted':
      return successful
    case 'declined':
      return settled.message
    case 'checking':
      return paymentStillChecked
    default:
      return settled.state === 'refund' && payment.trouble === 'already_paid' ? paymentAlreadyProcessed : paymentFailed
  }
}

export const getAuctionWinner = operation({
  name: 'GET /api/auction_winners',
  summary: 'The auction behind a winner’s link. The codes are told once it is paid.',
  access: 'anyone',
  input: v.object({ uuid: uuid() }),
  output: v.object({
    id: v.number(),
    uuid: v.string(),
    location_code: v.string(),
    unit_number: v.string(),
    facility_name: v.string(),
    facility_balance: v.string(),
    name: v.string(),
    city: v.string(),
    zip: v.string(),
    state: v.string(),
    gate_code: v.string(),
    combo_code: v.string(),
    /** The rules that are acknowledged before paying, a line each, and whether they were. */
    rules: v.string(),
    rules_acknowledged: v.boolean(),
  }),
  limit: guessBounds.link.address,
  writes: false,
  example: {
    input: { uuid: '6f1d2a80-4c1b-4e0e-9d57-2b7a40500001' },
    output: {
      id: 1,
      uuid: '6f1d2a80-4c1b-4e0e-9d57-2b7a40500001',
      location_code: 'ATL02',
      unit_number: '406',
      facility_name: 'Latchkey Tanyard Creek',
      facility_balance: '561.93',
      name: 'Otis Brandt',
      city: 'Atlanta',
      zip: '30318',
      state: 'open',
      gate_code: '',
      combo_code: '',
      rules: auctionRules.join('\n'),
      rules_acknowledged: false,
    },
  },
  async run(services, input) {
    const limited = await countGuess(services, 'link')
    if (limited) return limited
    const link = await auctionLink(services.db.read, input.uuid)
    if (!link) {
      await wrongGuess(services, 'link')
      return refuse(404, 'link_not_found', invalidUrl)
    }
    const paid = link.state === 'paid'
    return succeed({
      id: link.auction_winner_id,
      uuid: link.uuid,
      location_code: link.location_code,
      unit_number: link.unit_number,
      facility_name: link.facility_name,
      facility_balance: toWire(link.facility_balance),
      name: link.name,
      city: link.city,
      zip: link.zip,
      state: link.state,
      gate_code: paid ? link.gate_code : '',
      combo_code: paid ? link.combo_code : '',
      rules: auctionRules.join('\n'),
      rules_acknowledged: link.rulesAcknowledged,
    })
  },
})

export const postAcknowledgedRules = operation({
  name: 'POST /api/auction_winners/{id}/acknowledge_rules',
  summary:
    'The winner has read the auction rules: recorded with the time and the text. No card page opens before that.',
  access: { auction: () => true },
  input: v.object({ id: integer() }),
  output: v.object({ result: v.string() }),
  limit: { points: 60, perSeconds: 900 },
  writes: true,
  example: { input: { id: 1 }, output: { result: 'success' } },
  async run(services, { id }, callers) {
    const link = await auctionLink(services.db.read, callers.auction?.uuid)
    // The same for another winner's number and for none.
    if (!link || link.auction_winner_id !== id) return refuse(404, 'link_not_found', invalidUrl)
    await acknowledgeRules(services, link.uuid, { address: callers.address, agent: callers.agent })
    return succeed({ result: 'success' })
  },
})

export const postAuctionPaymentEmail = operation({
  name: 'POST /api/auction_winners/{id}/send_payment_email',
  summary:
    'The winner’s payment e-mail. It goes out once, by itself, with the payment; asking again tells where it is.',
  access: { auction: () => true },
  input: v.object({ id: integer() }),
  output: v.object({ result: v.string(), message: v.string() }),
  limit: { points: 60, perSeconds: 900 },
  writes: true,
  example: { input: { id: 1 }, output: { result: 'waiting', message: 'It is on its way.' } },
  async run(services, { id }, callers) {
    const link = callers.auction
      ? await auctionLink(services.db.read, callers.auction.uuid)
      : await services.db.read
          .selectFrom('auction_winners')
          .selectAll()
          .where('auction_winner_id', '=', id)
          .executeTakeFirst()
    if (!link || link.auction_winner_id !== id) return refuse(404, 'link_not_found', invalidUrl)
    const state = await noticeState(services, 'auction_payment', link.uuid)
    if (state === 'none') return refuse(409, 'nothing_to_send', 'There is no completed payment to write about.')
    return succeed({ result: state, message: state === 'sent' ? 'It was sent.' : 'It is on its way.' })
  },
})

export const getDelinquentTenant = operation({
  name: 'GET /api/delinquent-tenants/detail',
  summary: 'The settlement behind a past-due tenant’s link.',
  access: 'anyone',
  input: v.object({ uuid: uuid() }),
  output: v.object({
    facilityId: v.number(),
    unitNumber: v.string(),
    facilityName: v.string(),
    tenantName: v.string(),
    settlementAmount: v.string(),
  }),
  limit: guessBounds.link.address,
  writes: false,
  example: {
    input: { uuid: '6f1d2a80-4c1b-4e0e-9d57-2b7a13100002' },
    output: {
      facilityId: 101,
      unitNumber: '132',
      facilityName: 'Latchkey Ralston Mill',
      tenantName: 'Silas Boone',
      settlementAmount: '150.00',
    },
  },
  async run(services, input) {
    const limited = await countGuess(services, 'link')
    if (limited) return limited
    const link = await settlementLink(services.db.read, input.uuid)
    if (!link) await wrongGuess(services, 'link')
    const place =
      link &&
      (await services.db.read
        .selectFrom('locations')
        .select('facility_id')
        .where('location_code', '=', link.location_code)
        .executeTakeFirst())
    if (!link || !place) return refuse(404, 'link_not_found', paymentNotFound)
    return succeed({
      facilityId: place.facility_id,
      unitNumber: link.unit_number,
      facilityName: link.facility_name,
      tenantName: link.tenant_name,
      settlementAmount: toWire(link.settlement_amount),
    })
  },
})

export const payerOperations = [ProcessPayment_V2]
export const payerResources = [getAuctionWinner, postAcknowledgedRules, postAuctionPaymentEmail, getDelinquentTenant]

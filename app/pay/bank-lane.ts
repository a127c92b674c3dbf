/** The pages on which tenants and guests pay their checkout from a bank account, on the server (spec 2 §4). */
import { data, redirect } from 'react-router'
import * as fieldRules from '../../domain/forms/index.ts'
import * as messages from '../../domain/texts/payment.ts'
import { debitAuthorisation, payCheckoutByBank } from '../../paying/bank-payment.ts'
import type { Checkout } from '../../paying/checkout.ts'
import { phoneOf } from '../../storage-system/ledger.ts'
import { tenantRow } from '../../storage-system/tenants.ts'
import { readForm } from '../reserve/reserving.ts'
import { alertAndGo } from '../site.ts'
import {
  type Lane,
  type LaneArguments,
  type LanePayer,
  lanes,
  openLane,
  passWaiting,
  summaryOf,
} from './checkout-flow.ts'
import { type BankAnswer, wrongIn } from './parts/bank-form.tsx'

/** What the page shows. @throws a redirect where a bank account is not how this is paid */
export async function bankData(args: LaneArguments, payer: LanePayer) {
  const lane = await openLane(args, payer)
  if (!lane.checkout.allowAch) throw redirect(lanes[payer].method)
  await passWaiting(lane)
  return pageOf(lane)
}

async function pageOf(lane: Lane) {
  const { site, checkout, payer, facts } = lane
  const { house, brand } = site
  const { locationCode, tenantId } = checkout
  // A guest may know the unit and the sums of its tenant, and nothing of the person.
  const tenant = payer === 'tenant' ? await tenantRow(house.db.read, locationCode, tenantId) : undefined
  const amount = checkout.price.ACH.total
  const spared = checkout.price.CC.total - amount
  return {
    brand: lane.brand,
    back: lanes[payer].method,
    summary: summaryOf(lane, 'ACH'),
    autopay: checkout.autopay,
    /** Cents of card fee that this way of paying does without. */
    spared: Math.max(spared, 0),
    entry: {
      amount,
      authorization: await debitAuthorisation(house, facts, {
        ...{ amount, brand },
        consent: checkout.autopay ? checkout.autopayConsent : null,
      }),
      phone: await phoneOf(house, facts),
      holder: tenant ? `${tenant.first} ${tenant.last}`.trim() : '',
      agreed: { name: 'checkout', value: checkout.checkoutId },
    },
  }
}

/** 'Pay' was pressed. */
export async function payFromBank(args: LaneArguments, payer: LanePayer) {
  const lane = await openLane(args, payer)
  const { site, checkout } = lane
  const { home, method, returns } = lanes[payer]
  if (!checkout.allowAch) throw redirect(method)
  const values = await readForm(args.request)
  if (values.checkout !== checkout.checkoutId) return alertAndGo(site, 'changedElsewhere', method)
  const fields = wrongIn(fieldRules, values)
  const checked = fieldRules.validate(fieldRules.bankForm, values)
  if (!checked.ok) return data<BankAnswer>({ fields, values }, { status: 400 })
  const { address, agent } = await site.callers()
  const { routing_number: routing, account_number: account, account_name: name, account_type: type } = checked.value
  const asked = await payCheckoutByBank(site.house, checkout, {
    account: { name, routing, account, type },
    by: { address, agent },
  })
  const failed = () => data<BankAnswer>({ fields: { form: messages.achFailed }, values }, { status: 409 })
  if (asked.ok) {
    if (asked.paid.state === 'failed') {
      if (asked.paid.overtaken) return alertAndGo(site, 'paymentUnderWay', method)
      // Refused for the last time: another way of paying is chosen, and the notice stands there.
      if (asked.paid.retriesUsedUp) throw redirect(method)
      return failed()
    }
    site.session.set({ orderId: asked.paid.orderId })
    throw redirect(`${returns}?order=${asked.paid.orderId}`)
  }
  switch (asked.why) {
    case 'paid':
      throw redirect(`${returns}?order=${asked.orderId}`)
    case 'checking':
      await passWaiting(lane)
      return alertAndGo(site, 'paymentUnderWay', method)
    case 'price_changed': {
      const now: Checkout = asked.now
      site.session.set({ checkout: now.checkoutId })
      const fresh = { changes: asked.changes, total: now.price.ACH.total }
      return data<BankAnswer>({ fields: {}, values, changed: fresh }, { status: 409 })
    }
    case 'blocked':
      if (asked.message === messages.paymentAlreadyProcessed) return alertAndGo(site, 'paymentAlreadyProcessed', home)
      return alertAndGo(site, 'invalidPaymentSession', home)
    default:
      return failed()
  }
}

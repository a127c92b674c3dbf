import { type Cents, format } from '../../../domain/money.ts'
import { isKeyOf } from '../../../domain/typed-keys.ts'
import { returnReasons } from '../../cash-drawers/rules/counter-receipt-methods-and-states.ts'
import type { CounterReceiptFacts } from '../../cash-drawers/views/receipt-details.ts'
import { payNow } from '../../leases/texts/portal.ts'
import { shownReceipt } from '../../payments/rules/receipt-number.ts'
import { loadCounterReceiptMailFacts } from '../internal/counter-receipt-facts.ts'
import * as example from '../internal/example-facts.ts'
import { loadLeaseWithBalance, noMessage, paymentWayOfLeases, renterFactsOf } from '../internal/message-facts.ts'
import { formatUnits, letterFrom, type RenterFacts, tableBlock } from '../internal/renter-facts-and-mail-tables.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

/** Returns the facts of the letter about a returned check. */
const returnedCheck = <To extends RenterFacts>(facts: CounterReceiptFacts, to: To) => ({
  ...to,
  receiptNumber: shownReceipt(facts.receipt.receipt_id),
  method: facts.method,
  total: facts.receipt.cents,
  fee: facts.fee,
  reason: (isKeyOf(returnReasons, facts.receipt.ended_reason)
    ? returnReasons[facts.receipt.ended_reason]
    : 'not paid'
  ).toLowerCase(),
  due: facts.units.map(({ unitNumber, balance }) => ({ unitNumber, cents: balance })),
  noChecks: facts.receipt.method === 'check',
})

interface CheckReturnedFacts extends RenterFacts {
  receiptNumber: string
  method: string
  total: Cents
  /** 'insufficient funds' */
  reason: string
  /** Fee with tax, in cents; 0 for none. */
  fee: Cents
  /** Balance due of each unit, in cents. */
  due: { unitNumber: string; cents: Cents }[]
  noChecks: boolean
  /** The specified sentence if none of the units can be paid online, else ''. */
  notOnline: string
  payUrl: string
}

function checkReturnedSentences(facts: CheckReturnedFacts): string[] {
  const { name, method, total, unitNumber, facility, reason, fee, noChecks } = facts
  return [
    `${name}, the bank did not pay your ${method.toLowerCase()} over ${format(total)} for ${formatUnits(unitNumber)} at ${facility.name}: ${reason}. It counts no longer, and what it paid for is owed again.`,
    ...(fee > 0 ? [`A fee of ${format(fee)} for the returned payment, any tax included, was added.`] : []),
    noChecks
      ? 'Please pay by card, cash or money order. We cannot take another check from you.'
      : 'Please pay by card, cash or money order.',
  ]
}

function checkReturned(facts: CheckReturnedFacts): Letter {
  const due = facts.due.filter((unit) => unit.cents > 0)
  return letterFrom(facts, {
    subject: `Your ${facts.method.toLowerCase()} for ${formatUnits(facts.unitNumber)} was returned`,
    heading: 'Your bank returned a payment',
    preview: `${format(facts.total)} for ${formatUnits(facts.unitNumber)} is owed again.`,
    blocks: [
      ...checkReturnedSentences(facts),
      tableBlock(
        ['Receipt', facts.receiptNumber],
        ...due.map((unit): [string, string] => [`Due now, unit ${unit.unitNumber}`, format(unit.cents)]),
      ),
      ...(due.length > 0 ? [facts.notOnline || { button: payNow, href: facts.payUrl }] : []),
    ],
  })
}

export const checkReturnedMail = mail('check_returned', {
  about: 'receipt',
  name: 'Check returned',
  async facts(services, { receiptId }) {
    const receiptFacts = await loadCounterReceiptMailFacts(services, receiptId)
    if (!receiptFacts || receiptFacts.facts.units.length === 0) return noMessage
    const { facts, place } = receiptFacts
    const { location_code: locationCode } = facts.receipt
    const owing = facts.units.filter(({ balance }) => balance > 0)
    const leases = await Promise.all(
      owing.map(({ leaseNumber }) => loadLeaseWithBalance(services, { locationCode, leaseNumber })),
    )
    return {
      to: facts.to,
      facts: {
        ...returnedCheck(facts, renterFactsOf(place, facts.first, facts.unitNumbers)),
        ...paymentWayOfLeases(leases.filter((lease) => lease !== null)),
      },
    }
  },
  letter: checkReturned,
  samples: [
    {
      name: 'check-returned',
      title: 'Check returned by the bank',
      facts: {
        ...example.exampleRenter,
        receiptNumber: 'RC-FW0A-46T4',
        method: 'Check 1042',
        total: 15890,
        reason: 'insufficient funds',
        fee: 3267,
        due: [{ unitNumber: '214', cents: 19157 }],
        noChecks: true,
        notOnline: '',
        payUrl: `${example.brand.siteUrl}/my-units`,
      },
    },
  ],
})

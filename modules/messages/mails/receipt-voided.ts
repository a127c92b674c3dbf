import { type Cents, format } from '../../../domain/money.ts'
import { shownReceipt } from '../../payments/rules/receipt-number.ts'
import { loadCounterReceiptMailFacts } from '../internal/counter-receipt-facts.ts'
import * as example from '../internal/example-facts.ts'
import { noMessage, renterFactsOf } from '../internal/message-facts.ts'
import { formatUnits, letterFrom, type RenterFacts, tableBlock } from '../internal/renter-facts-and-mail-tables.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

/** Writes the mail that tells the tenant that a counter receipt was voided. */
function receiptVoided(facts: RenterFacts & { receiptNumber: string; method: string; total: Cents }): Letter {
  return letterFrom(facts, {
    subject: `Receipt ${facts.receiptNumber} for ${formatUnits(facts.unitNumber)} was voided`,
    heading: 'A receipt was voided',
    preview: `Receipt ${facts.receiptNumber} counts no longer.`,
    blocks: [
      `${facts.name}, we voided the receipt below for ${formatUnits(facts.unitNumber)} at ${facts.facility.name}, since it was not right. Another one follows where the payment itself stands.`,
      tableBlock(['Receipt', facts.receiptNumber], ['Paid with', facts.method], ['Amount', format(facts.total)]),
      'Did you not expect this? Please call us.',
    ],
  })
}

export const receiptVoidedMail = mail('receipt_voided', {
  about: 'receipt',
  name: 'Receipt voided',
  async facts(services, { receiptId }) {
    const receiptFacts = await loadCounterReceiptMailFacts(services, receiptId)
    if (!receiptFacts) return noMessage
    const { facts } = receiptFacts
    return {
      to: facts.to,
      facts: {
        ...renterFactsOf(receiptFacts.place, facts.first, facts.unitNumbers),
        receiptNumber: shownReceipt(receiptId),
        method: facts.method,
        total: facts.receipt.cents,
      },
    }
  },
  letter: receiptVoided,
  samples: [
    {
      name: 'receipt-voided',
      title: 'Receipt voided',
      facts: { ...example.exampleRenter, receiptNumber: 'RC-FW0A-46T4', method: 'Check 1042', total: 15890 },
    },
  ],
})

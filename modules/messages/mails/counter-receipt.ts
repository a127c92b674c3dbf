import { shownReceipt } from '../../payments/rules/receipt-number.ts'
import { loadCounterReceiptMailFacts } from '../internal/counter-receipt-facts.ts'
import * as example from '../internal/example-facts.ts'
import { noMessage, renterFactsOf } from '../internal/message-facts.ts'
import { mail } from '../message-definition.ts'
import { receipt } from './receipt.ts'

export const counterReceiptMail = mail('counter_receipt', {
  about: 'receipt',
  name: 'Receipt',
  async facts(services, { receiptId }) {
    const receiptFacts = await loadCounterReceiptMailFacts(services, receiptId)
    // A receipt that was voided meanwhile has its own mail.
    if (!receiptFacts || receiptFacts.facts.state === 'voided') return noMessage
    const { facts } = receiptFacts
    return {
      to: facts.to,
      facts: {
        ...renterFactsOf(receiptFacts.place, facts.name, facts.unitNumbers),
        receiptNumber: shownReceipt(receiptId),
        paymentDate: facts.receipt.received_on,
        lines: facts.lines,
        total: facts.receipt.cents,
        method: facts.method,
        paidThrough: facts.paidThrough,
      },
    }
  },
  letter: receipt,
  samples: [
    {
      name: 'counter-receipt',
      title: 'Receipt of a check',
      facts: {
        ...example.exampleRenter,
        name: 'Maya Okafor',
        receiptNumber: 'RC-FW0A-46T4',
        paymentDate: '2026-12-20',
        lines: [{ label: 'Current Balance Due', cents: 15890 }],
        total: 15890,
        method: 'Check 1042',
        paidThrough: '2027-01-18',
      },
    },
  ],
})

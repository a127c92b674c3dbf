import { type Cents, format } from '../../../domain/money.ts'
import { formatUsDay } from '../../../domain/plain-date.ts'
import * as example from '../internal/example-facts.ts'
import { noMessage } from '../internal/message-facts.ts'
import { letterFrom } from '../internal/renter-facts-and-mail-tables.ts'
import { loadTransferMailFacts, type TransferMailFacts } from '../internal/transfer-facts.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

/** Writes the mail that tells the tenant that the old lease of a transfer has ended. */
const transferCompleted = (facts: TransferMailFacts & { moved: Cents; owed: Cents }): Letter =>
  letterFrom(facts, {
    subject: `You have moved from unit ${facts.unitNumber} to unit ${facts.toUnit}`,
    heading: 'Your move is complete',
    preview:
      facts.moved > 0
        ? `${format(facts.moved)} went over to unit ${facts.toUnit}.`
        : `Unit ${facts.unitNumber} is closed.`,
    blocks: [
      `${facts.name}, the lease of unit ${facts.unitNumber} at ${facts.facility.name} ended on ${formatUsDay(facts.endsOn)}. Unit ${facts.toUnit} is yours.`,
      ...(facts.moved > 0
        ? [
            `You had paid beyond that day for unit ${facts.unitNumber}. ${format(facts.moved)} went over to unit ${facts.toUnit} and is taken off what falls due there next.`,
          ]
        : []),
      ...(facts.owed > 0
        ? [`${format(facts.owed)} is still due on unit ${facts.unitNumber}. Please call us to pay it.`]
        : []),
      `Did something stay in unit ${facts.unitNumber}? Call us today.`,
    ],
  })

export const transferCompletedMail = mail('transfer_completed', {
  about: 'lease',
  name: 'Change of unit completed',
  async facts(services, { transferId }) {
    const transferFacts = await loadTransferMailFacts(services, transferId)
    if (transferFacts?.transfer.state !== 'done') return noMessage
    const { transfer, leaseFacts, facts } = transferFacts
    return {
      to: leaseFacts.tenant.email,
      facts: {
        ...facts,
        moved: transfer.moved_cents,
        owed: Math.max(leaseFacts.lease.balance, 0),
      },
    }
  },
  letter: transferCompleted,
  samples: [
    {
      name: 'transfer-completed',
      title: 'Change of unit completed',
      facts: { ...example.transfer, moved: 4633, owed: 0 },
    },
  ],
})

import { formatUsDay } from '../../../domain/plain-date.ts'
import * as example from '../internal/example-facts.ts'
import { noMessage } from '../internal/message-facts.ts'
import { letterFrom } from '../internal/renter-facts-and-mail-tables.ts'
import { loadTransferMailFacts, type TransferMailFacts } from '../internal/transfer-facts.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

/** Confirms the new lease of a transfer; the old lease ends on a later day. */
const transferSigned = (facts: TransferMailFacts): Letter =>
  letterFrom(facts, {
    subject: `Your move from unit ${facts.unitNumber} to unit ${facts.toUnit}`,
    heading: `Unit ${facts.toUnit} is yours`,
    preview: `Unit ${facts.unitNumber} is yours until ${formatUsDay(facts.endsOn)}.`,
    blocks: [
      `${facts.name}, your lease for unit ${facts.toUnit} at ${facts.facility.name} is signed. You have both units until ${formatUsDay(facts.endsOn)}.`,
      {
        list: [
          `Move your things and leave unit ${facts.unitNumber} empty, clean and unlocked by that day. Its lease ends that night.`,
          `What you have paid for unit ${facts.unitNumber} beyond that day goes over to unit ${facts.toUnit}.`,
          `Autopay of unit ${facts.unitNumber} is off. Unit ${facts.toUnit} has it where you chose it when you signed.`,
          'Your gate code stays the same.',
        ],
      },
      `Staying in unit ${facts.unitNumber} after all? Cancel its move-out in your online account before that day. You then keep both units.`,
    ],
  })

export const transferSignedMail = mail('transfer_signed', {
  about: 'lease',
  name: 'Change of unit signed',
  async facts(services, { transferId }) {
    const transferFacts = await loadTransferMailFacts(services, transferId)
    // A transfer that was cancelled meanwhile is no longer confirmed; a completed one has its own mail.
    if (transferFacts?.transfer.state !== 'moving') return noMessage
    const { leaseFacts, facts } = transferFacts
    return { to: leaseFacts.tenant.email, facts }
  },
  letter: transferSigned,
  samples: [{ name: 'transfer-signed', title: 'Change of unit signed', facts: example.transfer }],
})

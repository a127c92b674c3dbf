import { formatLong, type IsoDate } from '../../../domain/plain-date.ts'
import { operatorCommand } from '../../../platform/operator-command-in-messages.ts'
import * as example from '../internal/example-facts.ts'
import { loadMessageBrand } from '../internal/message-facts.ts'
import type { Letter, MessageBrand } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

interface AuditHashFacts {
  brand: MessageBrand
  day: IsoDate
  events: number
  hash: string
}

export const auditHash = ({ day, events, hash }: AuditHashFacts): Letter => ({
  subject: `Audit of ${day}`,
  heading: `The audit of ${formatLong(day)}`,
  preview: 'Keep this mail where no server can delete it.',
  phone: '',
  blocks: [
    `The hash of this day and of all days before it, over ${events === 1 ? '1 event' : `${events} events`} of the day:`,
    `${day} ${hash}`,
    `Keep this mail where no server can delete it. Saved in a folder, it is compared by ${operatorCommand('audit verify --anchor <folder>')}`,
  ],
})

export const auditHashMail = mail('audit_hash', {
  about: null,
  async facts(services, { to, day, events, hash }) {
    return { to, facts: { brand: await loadMessageBrand(services), day, events, hash } }
  },
  letter: auditHash,
  samples: [
    {
      name: 'audit-hash',
      title: 'Hash of the audit',
      facts: {
        brand: example.brand,
        day: '2026-11-20',
        events: 12,
        hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      },
    },
  ],
})

import { HOUR } from '../../../domain/durations.ts'
import * as example from '../internal/example-facts.ts'
import { type GateCodeFacts, gateCodeBlocks } from '../internal/gate-code-sentences.ts'
import { loadGateCodes, noMessage } from '../internal/message-facts.ts'
import { formatAddress, letterFrom } from '../internal/renter-facts-and-mail-tables.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

export function gateCode(facts: GateCodeFacts): Letter {
  return letterFrom(facts, {
    subject: `Your gate code at ${facts.facility.name}`,
    heading: facts.units.length === 1 ? 'Your gate code' : 'Your gate codes',
    preview: `For ${facts.facility.name}, ${facts.facility.address}.`,
    blocks: [
      `${facts.name}, you or someone else asked for the gate code at ${facts.facility.name}, ${formatAddress(facts.facility)}.`,
      ...gateCodeBlocks(facts),
      'If it was not you who asked, nobody else has seen this mail. Call us if you want another code.',
    ],
  })
}

export const gateCodeMail = mail('gate_code', {
  about: 'tenant',
  name: 'Gate code',
  staleAfter: 12 * HOUR,
  async facts(services, key) {
    const codes = await loadGateCodes(services, key)
    return codes && codes.email !== '' ? { to: codes.email, facts: codes.facts } : noMessage
  },
  letter: gateCode,
  samples: [
    { name: 'gate-code', title: 'Gate code', facts: example.codes },
    { name: 'gate-code-late', title: 'Gate code of a unit that is past due', facts: example.refusedGateCodes },
  ],
})

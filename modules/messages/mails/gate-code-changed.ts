import * as example from '../internal/example-facts.ts'
import { type GateCodeFacts, gateCodeBlocks } from '../internal/gate-code-sentences.ts'
import { loadGateCodes, noMessage } from '../internal/message-facts.ts'
import { formatAddress, letterFrom } from '../internal/renter-facts-and-mail-tables.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

/** Writes the mail with a new gate code that the office has assigned. */
function gateCodeChanged(facts: GateCodeFacts): Letter {
  return letterFrom(facts, {
    subject: `Your gate code at ${facts.facility.name} has changed`,
    heading: 'Your new gate code',
    preview: `For ${facts.facility.name}, ${facts.facility.address}. It replaces the earlier code.`,
    blocks: [
      `${facts.name}, we have changed your gate code at ${facts.facility.name}, ${formatAddress(facts.facility)}. The new code replaces the earlier one.`,
      ...gateCodeBlocks(facts),
      'You did not expect this? Please call us.',
    ],
  })
}

export const gateCodeChangedMail = mail('gate_code_changed', {
  about: 'tenant',
  name: 'New gate code',
  async facts(services, key) {
    const codes = await loadGateCodes(services, key)
    return codes && codes.email !== '' ? { to: codes.email, facts: codes.facts } : noMessage
  },
  letter: gateCodeChanged,
  samples: [{ name: 'gate-code-changed', title: 'Gate code changed', facts: example.codes }],
})

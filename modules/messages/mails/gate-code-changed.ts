import * as example from '../internal/example-facts.ts'
import { gateCodesOf, nothing } from '../internal/facts.ts'
import { codesOf, type GateCodeFacts } from '../internal/gate-code-facts.ts'
import { addressOf, letterFrom } from '../internal/letter-parts.ts'
import type { Letter } from '../letter.tsx'
import { mail } from '../mail.ts'

/** Sends the tenant a new gate code that the office has assigned. */
function gateCodeChanged(facts: GateCodeFacts): Letter {
  return letterFrom(facts, {
    subject: `Your gate code at ${facts.facility.name} has changed`,
    heading: 'Your new gate code',
    preview: `For ${facts.facility.name}, ${facts.facility.address}. The earlier code opens nothing any more.`,
    blocks: [
      `${facts.name}, we have changed your gate code at ${facts.facility.name}, ${addressOf(facts.facility)}. The earlier one opens nothing any more.`,
      ...codesOf(facts),
      'You did not expect this? Please call us.',
    ],
  })
}

export const gateCodeChangedMail = mail('gate_code_changed', {
  about: 'tenant',
  name: 'New gate code',
  async facts(services, key) {
    const of = await gateCodesOf(services, key)
    return of && of.email !== '' ? { to: of.email, facts: of.facts } : nothing
  },
  letter: gateCodeChanged,
  samples: [{ name: 'gate-code-changed', title: 'Gate code changed', facts: example.codes }],
})

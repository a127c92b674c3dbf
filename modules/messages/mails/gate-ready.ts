import { HOUR } from '../../../domain/durations.ts'
import * as example from '../internal/example-facts.ts'
import { type GateCodeFacts, gateCodeBlocks, isReadyAtGate } from '../internal/gate-code-sentences.ts'
import { loadGateCodes, loadWinner, noMessage } from '../internal/message-facts.ts'
import { formatAddress, letterFrom } from '../internal/renter-facts-and-mail-tables.ts'
import type { Letter } from '../mail-layout.tsx'
import { mail } from '../message-definition.ts'

/** Writes the mail that says that the gate, which had not taken the code, has now received it. */
function gateReady(facts: GateCodeFacts): Letter {
  return letterFrom(facts, {
    subject: `Your gate code opens the gate of ${facts.facility.name}`,
    heading: 'The gate has your code',
    preview: `For ${facts.facility.name}, ${facts.facility.address}.`,
    blocks: [
      `${facts.name}, the gate at ${facts.facility.name}, ${formatAddress(facts.facility)}, had not taken your code. It has now.`,
      ...gateCodeBlocks(facts),
    ],
  })
}

export const gateReadyMail = mail('gate_ready', {
  about: 'tenant',
  name: 'The gate has the code',
  staleAfter: 12 * HOUR,
  async facts(services, key) {
    const codes = await loadGateCodes(services, key)
    // If the gate refuses the code again, or the code was changed meanwhile, the mail would be wrong.
    return codes && codes.email !== '' && isReadyAtGate(codes.facts)
      ? { to: codes.email, facts: codes.facts }
      : noMessage
  },
  letter: gateReady,
  samples: [{ name: 'gate-ready', title: 'The gate has the code', facts: example.codes }],
})

export const auctionGateReadyMail = mail('auction_gate_ready', {
  about: null,
  staleAfter: 12 * HOUR,
  async facts(services, { uuid }) {
    const sale = await loadWinner(services, uuid)
    if (!sale || sale.winner.email === '') return noMessage
    const { winner, gate, ...place } = sale
    const unit = { unitNumber: winner.unit_number, gateCode: winner.gate_code }
    const facts = {
      ...place,
      name: winner.name,
      units: [{ ...unit, gateState: gate.is === 'opens' ? gate.taken : null }],
    }
    return isReadyAtGate(facts) ? { to: winner.email, facts } : noMessage
  },
  letter: gateReady,
  samples: [{ name: 'auction-gate-ready', title: 'The gate has an auction winner’s code', facts: example.codes }],
})

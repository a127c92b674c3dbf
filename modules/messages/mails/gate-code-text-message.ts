import { MINUTE } from '../../../domain/durations.ts'
import { formatGateCode } from '../../gate/rules/generate-gate-code.ts'
import * as example from '../internal/example-facts.ts'
import { type GateCodeFacts, refusedCodeText } from '../internal/gate-code-sentences.ts'
import { loadGateCodes } from '../internal/message-facts.ts'
import { textMessage } from '../message-definition.ts'
import { phoneToCall } from '../texts/facility-or-brand-phone.ts'
import { stripControlCharacters } from '../texts/strip-control-characters.ts'

export function gateCodeSms(facts: GateCodeFacts): string {
  const codeTexts = facts.units.map((unit) => `${formatGateCode(unit.gateCode)} (unit ${unit.unitNumber})`).join(', ')
  const phone = phoneToCall(facts.brand, facts.facility)
  const refused = refusedCodeText(facts)
  // Some of these sentences contain the phone number already.
  const questions = phone === '' || refused.includes(phone) ? '' : `Questions? ${phone}`
  const code = `${facts.brand.name}: your gate code at ${facts.facility.name} is ${codeTexts}.`
  return stripControlCharacters([code, refused, questions].filter(Boolean).join(' '))
}

export const gateCodeSmsText = textMessage('gate_code_sms', {
  about: 'tenant',
  name: 'Gate code, by text message',
  staleAfter: 30 * MINUTE,
  async facts(services, key) {
    const codes = await loadGateCodes(services, key)
    return codes && { to: codes.phone, facts: codes.facts }
  },
  text: gateCodeSms,
  sample: { name: 'gate-code-sms', title: 'Gate code', facts: example.codes },
})

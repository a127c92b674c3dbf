import { MINUTE } from '../../../domain/durations.ts'
import { formatPhone } from '../../../domain/phone.ts'
import { formatGateCode } from '../../gate/rules/gate-code.ts'
import * as example from '../internal/example-facts.ts'
import { type GateCodeFacts, refusedCodeText } from '../internal/gate-code-facts.ts'
import { loadGateCodes } from '../internal/message-facts.ts'
import { textMessage } from '../mail.ts'
import { stripControlCharacters } from '../texts/one-line.ts'

export function gateCodeSms(facts: GateCodeFacts): string {
  const codes = facts.units.map((unit) => `${formatGateCode(unit.gateCode)} (unit ${unit.unitNumber})`).join(', ')
  const phone = formatPhone(facts.facility.phone || facts.brand.phone)
  const text = `${facts.brand.name}: your gate code at ${facts.facility.name} is ${codes}.${` ${refusedCodeText(facts)}`.trimEnd()}${phone ? ` Questions? ${phone}` : ''}`
  return stripControlCharacters(text)
}

export const gateCodeSmsText = textMessage('gate_code_sms', {
  about: 'tenant',
  name: 'Gate code, by text message',
  staleAfter: 30 * MINUTE,
  async facts(services, key) {
    const of = await loadGateCodes(services, key)
    return of && { to: of.phone, facts: of.facts }
  },
  text: gateCodeSms,
  sample: { name: 'gate-code-sms', title: 'Gate code', facts: example.codes },
})
